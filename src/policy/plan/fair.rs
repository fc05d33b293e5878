//! Planners that look for fair orders of the jobs of each cluster: what they share.
//!
//! Costs are sums of flow times; with `payoffs` they are losses against my jobs first. The candidates
//! are schedules of which no other one that was visited is fairer to all.

use super::bound::Bound;
use super::{Plans, Problem, Start};
use game::dedicated::{Dedicated, Schedule};
use model::bounds::{Bounds, Inside, parameters};

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;
/// Bounds of the number of moves.
pub(super) const MOVES: Bounds<'_> =
    Bounds::of("a number of moves").unit("a whole number").from(1.0).to(1_000_000.0);

parameters! {
    /// Parameters of a search for fair orders.
    #[serde(default)]
    pub struct Options {
        /// True if organizations share their gains over my jobs first fairly, false if they share their
        /// flow times.
        payoffs: bool = false,
        /// Maximum number of schedules visited after the first.
        moves: u32 as MOVES = 1000,
        /// The plan that says where jobs run that may use several clusters.
        from: Start as INSIDE = Start::default(),
    }
}

/// Writes the candidates that a search finds, under one of two names: on flow times, or on payoffs. The
/// search is given the jobs, an offset for each owner's costs, and the number of moves.
pub(super) fn plan(
    options: &Options,
    problem: &Problem,
    [on_flows, on_payoffs]: [&'static str; 2],
    search: impl FnOnce(&Dedicated, &[i64], usize) -> Vec<Schedule>,
    out: &mut Plans,
) {
    let bound = Bound::new(problem, &options.from);
    let (offset, name) = match options.payoffs {
        true => (&bound.payoffs, on_payoffs),
        false => (&bound.waits, on_flows),
    };
    for schedule in search(&bound.instance, offset, options.moves as usize) {
        bound.write(&schedule, name, out);
    }
}
