//! Balancing in pairs, an alternative to ILBA that Pascual, Rzadca and Trystram (2009), section 5.1, name
//! without trying it.
//!
//! It improves a plan in rounds. A round ranks the clusters by their last ends and pairs the first with the
//! last, the second with the last but one, and so on. The jobs of the more loaded one of a pair are taken
//! in order of their starts and placed at their earliest start on either; on their own where starts are
//! equal. No job starts later than in the plan that it improves.

use super::schedule::Schedule;
use super::{Planner, Plans, Problem, Start};
use crate::model::bounds::{Bounds, Inside, parameters};
use crate::model::ids::ClusterId;
use crate::state_of_fields;

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;
/// Number of rounds.
const ROUNDS: Bounds<'_> = Bounds::of("").unit("a whole number").from(1.0).to(1000.0);

parameters! {
    /// Parameters of balancing in pairs.
    #[serde(default)]
    pub struct Options {
        /// The plan that is improved.
        from: Start as INSIDE = Start::default(),
        /// Maximum number of rounds; they end when one changes nothing.
        rounds: u32 as ROUNDS = 10,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Pairwise {
    from: Start,
    rounds: u32,
}

impl Pairwise {
    /// A planner without memory.
    pub fn new(options: &Options) -> Pairwise {
        Pairwise { from: options.from.clone(), rounds: options.rounds }
    }
}

fn improve(mut plan: Schedule<'_>, rounds: u32) -> Schedule<'_> {
    for _ in 0..rounds {
        let ends = plan.ends_by_cluster();
        let mut ranks: Vec<ClusterId> = plan.problem.open().collect();
        ranks.sort_by_key(|cluster| (ends[cluster.index()], *cluster));
        let mut has_changed = false;
        for pair in 0..ranks.len() / 2 {
            let (less, more) = (ranks[pair], ranks[ranks.len() - 1 - pair]);
            has_changed |= plan.spread(more, std::iter::once(less));
        }
        if !has_changed {
            break;
        }
    }
    plan
}

impl Planner for Pairwise {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        improve(self.from.schedule(problem), self.rounds).write("pairwise", out);
    }
}

state_of_fields!(Pairwise {});
