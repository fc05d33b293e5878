//! The Equitable Walk (EW) of Rzadca, Trystram and Wierzbicki, section 3.2, and the game-theoretic one
//! (GEW, section 4.2): fair orders of jobs, by switching neighbours in favour of the organization that
//! is worst off. See [`Dedicated::equitable_walk`], and [`Dedicated::local_equitable_walk`] for clusters
//! that decide by themselves.
//!
//! The candidates are the schedules of the walk that no other one of it equitably dominates, in the
//! order in which they were visited. The walk begins with shortest job first, the least sum over all.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::derived::{Derived, Rule};
use super::fair::{self, MOVES};
use super::{Plans, Problem, Start};
use game::dedicated::{Acting, Dedicated};
use model::bounds::{Inside, parameters};

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of the Equitable Walk.
    #[serde(default)]
    pub struct Options {
        /// True if organizations share their gains over my jobs first fairly, false if they share their
        /// flow times.
        payoffs: bool = false,
        /// Maximum number of schedules visited after the first.
        moves: u32 as MOVES = 1000,
        /// Knowledge of whoever decides about a switch.
        knowledge: Knowledge = Knowledge::default(),
        /// The plan that says where jobs run that may use several clusters.
        from: Start as INSIDE = Start::default(),
    }
}

/// Knowledge of whoever decides about a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Knowledge {
    /// One walk that knows the orders of all clusters, and all schedules visited.
    #[default]
    Global,
    /// Each cluster knows its own orders and the sums of all organizations, which are announced before
    /// one of the clusters switches a pair.
    Local,
    /// The same, but all clusters switch at once after an announcement, so they act on old sums.
    Stale,
}

/// The planner.
pub type EquitableWalk = Derived<WorstOffFirst>;

/// Helps the organization that is worst off.
#[derive(Clone, Debug)]
pub struct WorstOffFirst;

impl Rule for WorstOffFirst {
    type Options = Options;

    fn plan(options: &Options, problem: &Problem, out: &mut Plans) {
        let Options { payoffs, moves, ref from, knowledge } = *options;
        let local = |instance: &Dedicated, offset: &[i64], moves, acting| {
            let walk = instance.local_equitable_walk(offset, moves, acting);
            let cleaned = walk.cleaned(offset).into_iter();
            cleaned.map(|index| walk.schedule(instance, index)).collect()
        };
        let search = |instance: &Dedicated, offset: &[i64], moves| match knowledge {
            Knowledge::Global => {
                let walk = instance.equitable_walk(offset, moves);
                let cleaned = walk.cleaned(offset).into_iter();
                cleaned.map(|index| walk.schedule(instance, index)).collect()
            }
            Knowledge::Local => local(instance, offset, moves, Acting::One),
            Knowledge::Stale => local(instance, offset, moves, Acting::All),
        };
        let names = match knowledge {
            Knowledge::Global => ["equitable_walk", "equitable_walk on payoffs"],
            Knowledge::Local | Knowledge::Stale => [
                "equitable_walk by local knowledge",
                "equitable_walk by local knowledge on payoffs",
            ],
        };
        let shared = fair::Options { payoffs, moves, from: from.clone() };
        fair::plan(&shared, problem, names, search, out);
    }
}
