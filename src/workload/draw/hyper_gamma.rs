//! The hyper-gamma distribution.

use super::{Draw, Drawn, Gamma, Moments, fraction, gamma};
use kernel::rng::Rng;
use model::bounds::{Inside, PROBABILITY, parameters};

parameters! {
    /// Runtimes by a mixture of two gamma distributions.
    #[derive(Copy)]
    pub struct Options {
        /// Probability of the first.
        probability: f64 as PROBABILITY = 0.9,
        /// First gamma distribution.
        first: gamma::Options as Inside = gamma::Options { shape: 2.0, scale: 0.5 },
        /// Second gamma distribution.
        second: gamma::Options as Inside = gamma::Options { shape: 2.0, scale: 5.0 },
    }
}

impl Options {
    pub(super) fn draw(&self) -> Drawn<HyperGamma> {
        Ok(HyperGamma::new(self.probability, self.first.draw()?, self.second.draw()?))
    }
}

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
