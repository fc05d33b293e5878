//! My jobs first (MJF): every organization plays for itself (Rzadca, Trystram and Wierzbicki, section
//! 4). A cluster runs its owner's jobs before all others, both shortest first.
//!
//! In the one-shot game of ordering, this is what is best for each owner, whatever the others do; and
//! often there is a schedule that is better for all.

use super::bound::Bound;
use super::{Planner, Plans, Problem, Start};
use crate::model::bounds::{Inside, parameters};
use crate::state_of_fields;

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of my jobs first.
    #[serde(default)]
    pub struct Options {
        /// The plan that says where jobs run that may use several clusters.
        from: Start as INSIDE = Start::default(),
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct MyJobsFirst {
    from: Start,
}

impl MyJobsFirst {
    /// A planner without memory.
    pub fn new(options: &Options) -> MyJobsFirst {
        MyJobsFirst { from: options.from.clone() }
    }
}

impl Planner for MyJobsFirst {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        let bound = Bound::new(problem, &self.from);
        bound.write(&bound.instance.own_first(), "my_jobs_first", out);
    }
}

state_of_fields!(MyJobsFirst {});
