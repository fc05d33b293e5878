//! Observers of a pool: accounts, auditors, writers of records.

use kernel::state::State;
use kernel::time::{Span, Time};
use policy::coalition::{Member, Move};

use super::queue::Done;

/// A balancing as carried out.
#[derive(Clone, Copy, Debug)]
pub struct Balanced<'a> {
    /// Time of the balancing.
    pub now: Time,
    /// Numbers of the clusters that took part.
    pub who: &'a [u32],
    /// The balancer's view of each cluster.
    pub members: &'a [Member],
    /// The transfers; senders and receivers are indices into `who`.
    pub moves: &'a [Move],
    /// Remaining work of each cluster in `who`, after the balancing.
    pub after: &'a [Span],
    /// Time for which the balanced work keeps the clusters busy, according to the balancer.
    pub busy: Span,
}

/// Observes a pool; every method does nothing by default. A pair of observers is an observer. An
/// observer cannot change the run.
pub trait PoolObserver: State {
    /// True if it wants balancings, which take time to describe.
    fn sees_balancings(&self) -> bool {
        false
    }

    /// A round begins at `start`.
    fn began(&mut self, round: u64, start: Time) {
        let _ = (round, start);
    }
    /// Load was balanced.
    fn balanced(&mut self, balanced: Balanced<'_>) {
        let _ = balanced;
    }
    /// A cluster's own job has finished, or was scored by its planned finish at the end of a round.
    /// Its `counts` tells if it counts in the current round.
    fn finished(&mut self, cluster: u32, done: &Done) {
        let _ = (cluster, done);
    }
}

impl PoolObserver for () {}

impl<A: PoolObserver, B: PoolObserver> PoolObserver for (A, B) {
    fn sees_balancings(&self) -> bool {
        self.0.sees_balancings() || self.1.sees_balancings()
    }

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

/// An optional observer.
impl<O: PoolObserver> PoolObserver for Option<O> {
    fn sees_balancings(&self) -> bool {
        self.as_ref().is_some_and(O::sees_balancings)
    }

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
