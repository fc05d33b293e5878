//! Balancing from the most loaded cluster on, an alternative to ILBA that Pascual, Rzadca and Trystram
//! (2009), section 5.1, name without trying it.
//!
//! It improves a plan. The clusters are ranked once by their last ends, the latest first. The jobs of
//! each are taken in order of their starts and placed at their earliest start on any cluster: their own
//! first where starts are equal, then the least loaded. Jobs that came from clusters before are among
//! them. No job starts later than in the plan that it improves.

use std::cmp::Reverse;

pub use super::derived::Options;
use super::derived::{Derived, Rule};
use super::schedule::Schedule;
use super::{Plans, Problem};
use model::ids::ClusterId;

/// The planner.
pub type HeaviestFirst = Derived<MostLoadedFirst>;

/// Takes the most loaded cluster first.
#[derive(Clone, Debug)]
pub struct MostLoadedFirst;

impl Rule for MostLoadedFirst {
    type Options = Options;

    fn plan(Options { from }: &Options, problem: &Problem, out: &mut Plans) {
        improve(from.schedule(problem)).write("heaviest_first", out);
    }
}

pub(super) fn improve(mut plan: Schedule<'_>) -> Schedule<'_> {
    let ends = plan.ends_by_cluster();
    let mut ranks: Vec<ClusterId> = plan.problem.open().collect();
    ranks.sort_by_key(|cluster| (Reverse(ends[cluster.index()]), Reverse(*cluster)));
    for &cluster in &ranks {
        plan.spread(cluster, ranks.iter().rev().copied());
    }
    plan
}
