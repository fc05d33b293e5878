//! The Equitable Walk (EW) of Rzadca, Trystram and Wierzbicki, section 3.2, and the game-theoretic one
//! (GEW, section 4.2): fair orders of jobs, by switching neighbours in favour of the organization that
//! is worst off. See [`Dedicated::equitable_walk`](crate::game::dedicated::Dedicated::equitable_walk).
//!
//! The candidates are the schedules of the walk that no other one of it equitably dominates, in the
//! order in which they were visited. The walk begins with shortest job first, the least sum over all.

use super::derived::{Derived, Rule};
pub use super::fair::Options;
use super::{Plans, Problem, fair};
use crate::game::dedicated::Dedicated;

/// The planner.
pub type EquitableWalk = Derived<WorstOffFirst>;

/// Helps the organization that is worst off.
#[derive(Clone, Debug)]
pub struct WorstOffFirst;

impl Rule for WorstOffFirst {
    type Options = Options;

    fn plan(options: &Options, problem: &Problem, out: &mut Plans) {
        let names = ["equitable_walk", "equitable_walk on payoffs"];
        let search = |instance: &Dedicated, offset: &[i64], moves| {
            let walk = instance.equitable_walk(offset, moves);
            let cleaned = walk.cleaned(offset).into_iter();
            cleaned.map(|index| walk.schedule(instance, index)).collect()
        };
        fair::plan(options, problem, names, search, out);
    }
}
