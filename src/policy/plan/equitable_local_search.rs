//! Equitable local search: fair orders of jobs, by switching neighbours for one group of worst-off
//! organizations after another. See
//! [`Dedicated::equitable_local_search`](crate::game::dedicated::Dedicated::equitable_local_search).
//!
//! It finds more of the fair schedules of three organizations and more than the Equitable Walk does
//! with as many moves. The candidates are the schedules visited that no other one of these equitably
//! dominates, in the order in which they were visited. Costs are those of the walk. With `payoffs`
//! there is always a candidate by which no organization loses against my jobs first.

use super::bound::Bound;
use super::{Planner, Plans, Problem, Start};
use crate::model::bounds::{Bounds, Inside, parameters};
use crate::state_of_fields;

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;
/// Bounds of the number of moves.
const MOVES: Bounds<'_> =
    Bounds::of("a number of moves").unit("a whole number").from(1.0).to(1_000_000.0);

parameters! {
    /// Parameters of the search.
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

/// The planner.
#[derive(Clone, Debug)]
pub struct EquitableLocalSearch {
    options: Options,
}

impl EquitableLocalSearch {
    /// A planner without memory.
    pub fn new(options: &Options) -> EquitableLocalSearch {
        EquitableLocalSearch { options: options.clone() }
    }
}

impl Planner for EquitableLocalSearch {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        let bound = Bound::new(problem, &self.options.from);
        let (offset, name) = match self.options.payoffs {
            true => (&bound.payoffs, "equitable_local_search on payoffs"),
            false => (&bound.waits, "equitable_local_search"),
        };
        let moves = self.options.moves as usize;
        let found = bound.instance.equitable_local_search(offset, moves);
        for &index in &found.kept {
            bound.write(&found.schedule(index), name, out);
        }
    }
}

state_of_fields!(EquitableLocalSearch {});
