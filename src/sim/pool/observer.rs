//! Observers of a pool: accounts, auditors, writers of records.

use kernel::state::State;
use kernel::time::{Span, Time};
use policy::coalition::{Member, Move};

use super::queue::Done;
use crate::observer::observers;

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

observers! {
    /// Observes a pool; every method does nothing by default. A pair of observers is an observer. An
    /// observer cannot change the run.
    PoolObserver;
    /// True if it wants balancings, which take time to describe.
    asks sees_balancings;
    /// A round begins at `start`.
    began(round: u64, start: Time);
    /// Load was balanced.
    balanced(balanced: Balanced<'_>);
    /// A cluster's own job has finished, or was scored by its planned finish at the end of a round.
    /// Its `counts` tells if it counts in the current round.
    finished(cluster: u32, done: &Done);
}
