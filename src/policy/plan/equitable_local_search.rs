//! Equitable local search: fair orders of jobs, by switching neighbours for one group of worst-off
//! organizations after another. See
//! [`Dedicated::equitable_local_search`](game::dedicated::Dedicated::equitable_local_search).
//!
//! The candidates are the schedules visited that no other one of these equitably dominates, in the
//! order in which they were visited. With `payoffs` there is always one by whose sums no organization
//! loses against my jobs first.

use super::derived::{Derived, Rule};
pub use super::fair::Options;
use super::{Plans, Problem, fair};
use game::dedicated::Dedicated;

/// The planner.
pub type EquitableLocalSearch = Derived<GroupsInTurn>;

/// Helps groups of organizations that are worst off in turn.
#[derive(Clone, Debug)]
pub struct GroupsInTurn;

impl Rule for GroupsInTurn {
    type Options = Options;

    fn plan(options: &Options, problem: &Problem, out: &mut Plans) {
        let names = ["equitable_local_search", "equitable_local_search on payoffs"];
        let search = |instance: &Dedicated, offset: &[i64], moves| {
            let found = instance.equitable_local_search(offset, moves);
            found.kept.iter().map(|&index| found.schedule(index)).collect()
        };
        fair::plan(options, problem, names, search, out);
    }
}
