//! The hyperexponential distribution.

use super::{Alias, Draw, Drawn, Exponential, Moments};
use crate::kernel::rng::Rng;
use crate::model::bounds::{PROBABILITY, parameters};
use crate::model::invalid::Invalid;
use crate::workload::parameters::{BRANCHES, length, sum_to_one, ticks};

parameters! {
    /// Hyperexponential runtimes: a mixture of several exponential distributions.
    pub struct Options {
        /// Exponential branches, two or more.
        branches: Vec<Branch> as BRANCHES = vec![
            Branch { probability: 0.9, mean: 0.5 },
            Branch { probability: 0.1, mean: 5.5 },
        ],
    }
    where sum_to_one
}

parameters! {
    /// A branch of hyperexponential runtimes.
    #[derive(Copy)]
    pub struct Branch {
        /// Probability of the branch; all together sum to 1.
        probability: f64 as PROBABILITY,
        /// Mean of the branch, in units of time.
        mean: f64 as (length("a mean")),
    }
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
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperexponential {
    alias: Alias,
    branches: Vec<Exponential>,
    moments: Moments,
}

impl Hyperexponential {
    /// Creates a mixture of branches, each with a probability and a mean. Probabilities are
    /// normalized; returns `None` if they are not valid weights.
    pub fn new(branches: &[(f64, f64)]) -> Option<Hyperexponential> {
        let weights: Vec<f64> = branches.iter().map(|&(probability, _)| probability).collect();
        let sum: f64 = weights.iter().sum();
        let alias = Alias::new(&weights)?;
        let branches: Vec<Exponential> =
            branches.iter().map(|&(_, mean)| Exponential::new(mean)).collect();
        let parts = weights.iter().zip(&branches);
        let moments = Moments::mixture(parts.map(|(w, branch)| (w / sum, branch.moments())));
        Some(Hyperexponential { alias, branches, moments })
    }
}

impl Draw for Hyperexponential {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.branches[self.alias.draw(rng)].draw(rng)
    }

    fn moments(&self) -> Moments {
        self.moments
    }
}
