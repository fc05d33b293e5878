//! Mixtures of distributions of one kind: the parameters of their branches, and the sampler.

use super::{Alias, Draw, Moments};
use crate::parameters::length;
use kernel::rng::Rng;
use model::bounds::{PROBABILITY, parameters};

parameters! {
    /// A branch of a mixture.
    #[derive(Copy)]
    pub struct Branch {
        /// Probability of the branch; all together sum to 1.
        probability: f64 as PROBABILITY,
        /// Mean of the branch, in units of time.
        mean: f64 as (length("a mean")),
    }
}

/// Default branches of a mixture.
pub(super) fn branches() -> Vec<Branch> {
    vec![Branch { probability: 0.9, mean: 0.5 }, Branch { probability: 0.1, mean: 5.5 }]
}

/// A mixture: each draw is from one of the branches, chosen by their probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture<D> {
    alias: Alias,
    branches: Vec<D>,
    moments: Moments,
}

impl<D: Draw> Mixture<D> {
    /// Creates a mixture of branches, each with its probability. Probabilities are normalized;
    /// returns `None` if they are not valid weights.
    pub fn of(branches: impl IntoIterator<Item = (f64, D)>) -> Option<Mixture<D>> {
        let (weights, branches): (Vec<f64>, Vec<D>) = branches.into_iter().unzip();
        let sum: f64 = weights.iter().sum();
        let alias = Alias::new(&weights)?;
        let parts = weights.iter().zip(&branches);
        let moments = Moments::mixture(parts.map(|(w, branch)| (w / sum, branch.moments())));
        Some(Mixture { alias, branches, moments })
    }
}

impl<D: Draw> Draw for Mixture<D> {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.branches[self.alias.draw(rng)].draw(rng)
    }

    fn moments(&self) -> Moments {
        self.moments
    }
}
