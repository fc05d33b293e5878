//! My jobs first (MJF): every organization plays for itself (Rzadca, Trystram and Wierzbicki, section
//! 4). A cluster runs its owner's jobs before all others, both shortest first.
//!
//! In the one-shot game of ordering, this is what is best for each owner, whatever the others do; and
//! often there is a schedule that is better for all.

use super::bound::Bound;
pub use super::derived::Options;
use super::derived::{Derived, Rule};
use super::{Plans, Problem};

/// The planner.
pub type MyJobsFirst = Derived<OwnersFirst>;

/// Orders the owner's jobs before all others.
#[derive(Clone, Debug)]
pub struct OwnersFirst;

impl Rule for OwnersFirst {
    type Options = Options;

    fn plan(Options { from }: &Options, problem: &Problem, out: &mut Plans) {
        let bound = Bound::new(problem, from);
        bound.write(&bound.instance.own_first(), "my_jobs_first", out);
    }
}
