//! Shortest job first on every cluster: the least sum of flow times on dedicated processors.
//!
//! Jobs count by their share of the cluster to which they are bound; of equal ones the
//! organization with the lowest number comes first, then the first submission.

use super::bound::Bound;
use super::{Planner, Plans, Problem, Start};
use crate::model::bounds::{Inside, parameters};
use crate::state_of_fields;

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of shortest job first.
    #[serde(default)]
    pub struct Options {
        /// The plan that says where jobs run that may use several clusters.
        from: Start as INSIDE = Start::default(),
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct ShortestFirst {
    from: Start,
}

impl ShortestFirst {
    /// A planner without memory.
    pub fn new(options: &Options) -> ShortestFirst {
        ShortestFirst { from: options.from.clone() }
    }
}

impl Planner for ShortestFirst {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        let bound = Bound::new(problem, &self.from);
        bound.write(&bound.instance.shortest_first(), "shortest_first", out);
    }
}

state_of_fields!(ShortestFirst {});
