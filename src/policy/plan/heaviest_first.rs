//! Balancing from the most loaded cluster on, an alternative to ILBA that Pascual, Rzadca and Trystram
//! (2009), section 5.1, name without trying it.
//!
//! It improves a plan. The clusters are ranked once by their last ends, the latest first. The jobs of each
//! are taken in order of their starts and placed at their earliest start on any cluster: their own
//! first where starts are equal, then the least loaded. Jobs that came from clusters before are among
//! them. No job starts later than in the plan that it improves.

use std::cmp::Reverse;

use super::schedule::Schedule;
use super::{Planner, Plans, Problem, Start};
use crate::model::bounds::{Inside, parameters};
use crate::model::ids::ClusterId;
use crate::state_of_fields;

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of balancing from the most loaded cluster on.
    #[serde(default)]
    pub struct Options {
        /// The plan that is improved.
        from: Start as INSIDE = Start::default(),
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct HeaviestFirst {
    from: Start,
}

impl HeaviestFirst {
    /// A planner without memory.
    pub fn new(options: &Options) -> HeaviestFirst {
        HeaviestFirst { from: options.from.clone() }
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

impl Planner for HeaviestFirst {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        improve(self.from.schedule(problem)).write("heaviest_first", out);
    }
}

state_of_fields!(HeaviestFirst {});
