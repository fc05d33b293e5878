//! Balancing in pairs, an alternative to ILBA that Pascual, Rzadca and Trystram (2009), section 5.1,
//! name without trying it.
//!
//! It improves a plan in rounds. A round ranks the clusters by their last ends and pairs the first with
//! the last, the second with the last but one, and so on. The jobs of the more loaded one of a pair are
//! taken in order of their starts and placed at their earliest start on either; on their own where
//! starts are equal. No job starts later than in the plan that it improves.

use super::derived::{Derived, Rule};
use super::schedule::Schedule;
use super::{Plans, Problem, Start};
use model::bounds::{Bounds, Inside, parameters};
use model::ids::ClusterId;

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
pub type Pairwise = Derived<MostWithLeast>;

/// Pairs the most loaded cluster with the least loaded.
#[derive(Clone, Debug)]
pub struct MostWithLeast;

impl Rule for MostWithLeast {
    type Options = Options;

    fn plan(options: &Options, problem: &Problem, out: &mut Plans) {
        improve(options.from.schedule(problem), options.rounds).write("pairwise", out);
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
