//! The hyper-gamma distribution.

use super::{Draw, Gamma, Moments, fraction};
use crate::kernel::rng::Rng;

/// A mixture of two gamma distributions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperGamma {
    probability: f64,
    first: Gamma,
    second: Gamma,
}

impl HyperGamma {
    /// Creates the mixture: the first with this probability, else the second.
    pub const fn new(probability: f64, first: Gamma, second: Gamma) -> HyperGamma {
        HyperGamma { probability, first, second }
    }
}

impl Draw for HyperGamma {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        let is_first = fraction(rng) < self.probability;
        if is_first { &self.first } else { &self.second }.draw(rng)
    }

    fn moments(&self) -> Moments {
        let HyperGamma { probability, first, second } = self;
        Moments::mixture([(*probability, first.moments()), (1.0 - probability, second.moments())])
    }
}
