//! What a coalition of clusters does with its load: balancers, and what accepting foreign work
//! costs.
//!
//! To add a balancer: copy the smallest neighbour (`none.rs`), and add its line to the registry
//! below.

use crate::kernel::state::State;
use crate::kernel::time::{Span, Time};

/// A member of the coalition as a balancer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Remaining work of its own jobs: all that may be sent.
    pub local: Span,
    /// Remaining work of others' jobs.
    pub foreign: Span,
    /// The participation level that it declared; `None` where it sets no bound.
    pub level: Option<Span>,
}

impl Member {
    /// All its remaining work.
    #[inline]
    pub fn load(&self) -> Span {
        self.local + self.foreign
    }
}

/// Work that is taken from the tail of one member's own jobs and appended to another's queue.
///
/// Moves are carried out in their order: a member that sends and receives sends first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The sender: its place in the list of members.
    pub from: u32,
    /// The receiver: its place in the list of members.
    pub to: u32,
    /// How much.
    pub amount: Span,
    /// When the results are back at the latest. A job that had a part sent completes no earlier
    /// than this for each of its parts.
    pub promised: Time,
}

/// Moves load between the members of a coalition.
pub trait Balancer: State {
    /// Pushes moves onto `out`, which is empty. `unit` is the indivisible amount (a tick, or a whole
    /// unit of time); every load is a multiple of it.
    ///
    /// Returns how long the work that was balanced keeps the members busy: the next balancing
    /// comes no earlier than that.
    fn balance(&mut self, now: Time, unit: Span, members: &[Member], out: &mut Vec<Move>) -> Span;
}

/// TEMP
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spacing {
    /// l
    pub least: Span,
    /// g
    pub grid: Span,
}
impl Spacing {
    /// s
    pub fn step(&self, interval: Span) -> Option<Span> {
        let step = self.least.max(interval);
        let step = if self.grid > Span::ZERO {
            let g = self.grid.ticks();
            Span::from_ticks((step.ticks() + g - 1) / g * g)
        } else {
            step
        };
        (step > Span::ZERO).then_some(step)
    }
}
