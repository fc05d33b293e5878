//! The hyperexponential distribution.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Alias, Draw, Exponential, Moments};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::{branches, length, ticks};

/// Hyperexponential runtimes: a mixture of several exponential distributions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Exponential branches, two or more.
    #[schemars(length(min = 2))]
    pub branches: Vec<Branch>,
}

/// A branch of hyperexponential runtimes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// Probability of the branch; all together sum to 1.
    #[schemars(range(min = 0, max = 1))]
    pub probability: f64,
    /// Mean of the branch, in units of time.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub mean: f64,
}

impl Default for Options {
    fn default() -> Options {
        let branch = |probability, mean| Branch { probability, mean };
        Options { branches: vec![branch(0.9, 0.5), branch(0.1, 5.5)] }
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<Hyperexponential, Invalid> {
        branches(self.branches.iter().map(|branch| branch.probability))?;
        for (index, branch) in self.branches.iter().enumerate() {
            length(&format!("branches[{index}].mean"), "mean", branch.mean)?;
        }
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
