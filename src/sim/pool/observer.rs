//! What watches a pool: accounts, auditors, writers of records.

use crate::kernel::state::State;
use crate::kernel::time::{Span, Time};
use crate::policy::coalition::{Member, Move};

use super::queue::Done;

/// A balancing, as it was carried out.
#[derive(Clone, Copy, Debug)]
pub struct Balanced<'a> {
    /// When.
    pub now: Time,
    /// The clusters that took part, by their numbers in the pool.
    pub who: &'a [u32],
    /// What the balancer saw of each.
    pub members: &'a [Member],
    /// What it moved; senders and receivers are places in `who`.
    pub moves: &'a [Move],
    /// By place in `who`, the work that each has to do now.
    pub after: &'a [Span],
    /// How long the work that was balanced keeps them busy, as the balancer said.
    pub busy: Span,
}

/// Watches a pool; every method does nothing unless it is written. Two observers are one as a pair.
/// An observer cannot change the run.
pub trait PoolObserver: State {
    /// True of one that wants to hear of balancings: it takes time to look at queues for it.
    const BALANCINGS: bool = false;

    /// A round of so many clusters begins at `start`.
    fn began(&mut self, round: u64, start: Time) {
        let _ = (round, start);
    }
    /// Load was balanced.
    fn balanced(&mut self, balanced: Balanced<'_>) {
        let _ = balanced;
    }
    /// An own job of a cluster is over, or was scored at the end of a round by its planned finish:
    /// its `counts` says whether it counts in the round that is played.
    fn finished(&mut self, cluster: u32, done: &Done) {
        let _ = (cluster, done);
    }
}

impl PoolObserver for () {}

impl<A: PoolObserver, B: PoolObserver> PoolObserver for (A, B) {
    const BALANCINGS: bool = A::BALANCINGS || B::BALANCINGS;

    fn began(&mut self, round: u64, start: Time) {
        self.0.began(round, start);
        self.1.began(round, start);
    }
    fn balanced(&mut self, balanced: Balanced<'_>) {
        self.0.balanced(balanced);
        self.1.balanced(balanced);
    }
    #[inline]
    fn finished(&mut self, cluster: u32, done: &Done) {
        self.0.finished(cluster, done);
        self.1.finished(cluster, done);
    }
}

/// An observer that may be missing.
impl<O: PoolObserver> PoolObserver for Option<O> {
    const BALANCINGS: bool = O::BALANCINGS;

    fn began(&mut self, round: u64, start: Time) {
        if let Some(observer) = self {
            observer.began(round, start);
        }
    }
    fn balanced(&mut self, balanced: Balanced<'_>) {
        if let Some(observer) = self {
            observer.balanced(balanced);
        }
    }
    #[inline]
    fn finished(&mut self, cluster: u32, done: &Done) {
        if let Some(observer) = self {
            observer.finished(cluster, done);
        }
    }
}
