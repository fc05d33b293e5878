//! Shortest job first on every cluster: the least sum of flow times on dedicated processors.
//!
//! Jobs count by their share of the cluster to which they are bound; of equal ones the
//! organization with the lowest number comes first, then the first submission.

use super::bound::Bound;
pub use super::derived::Options;
use super::derived::{Derived, Rule};
use super::{Plans, Problem};

/// The planner.
pub type ShortestFirst = Derived<ByShare>;

/// Orders jobs by their share of the cluster.
#[derive(Clone, Debug)]
pub struct ByShare;

impl Rule for ByShare {
    type Options = Options;

    fn plan(Options { from }: &Options, problem: &Problem, out: &mut Plans) {
        let bound = Bound::new(problem, from);
        bound.write(&bound.instance.shortest_first(), "shortest_first", out);
    }
}
