//! The hyperexponential distribution.

use super::{Alias, Draw, Exponential, Moments};
use crate::kernel::rng::Rng;

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
