//! The hyperexponential distribution.

use super::mixture::{Branch, Mixture, branches};
use super::{Drawn, Exponential};
use crate::parameters::{BRANCHES, sum_to_one, ticks};
use model::bounds::parameters;
use model::invalid::Invalid;

parameters! {
    /// Hyperexponential runtimes: a mixture of several exponential distributions.
    pub struct Options {
        /// Exponential branches, two or more.
        branches: Vec<Branch> as BRANCHES = branches(),
    }
    where sum_to_one
}

impl Options {
    fn sum_to_one(&self) -> Result<(), Invalid> {
        sum_to_one(self.branches.iter().map(|branch| branch.probability))
    }

    pub(super) fn draw(&self) -> Drawn<Hyperexponential> {
        let all: Vec<_> =
            self.branches.iter().map(|one| (one.probability, ticks(one.mean))).collect();
        let draw = Hyperexponential::new(&all);
        Ok(draw.expect("probabilities that sum to 1 are weights"))
    }
}

/// A mixture of exponential distributions, more variable than each of them.
pub type Hyperexponential = Mixture<Exponential>;

impl Hyperexponential {
    /// Creates a mixture of branches, each with a probability and a mean; see [`Mixture::of`].
    pub fn new(branches: &[(f64, f64)]) -> Option<Hyperexponential> {
        Mixture::of(
            branches.iter().map(|&(probability, mean)| (probability, Exponential::new(mean))),
        )
    }
}
