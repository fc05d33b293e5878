//! The hyper-gamma distribution.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Draw, Gamma, Moments, fraction, gamma};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::probability;

/// Runtimes by a mixture of two gamma distributions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Probability of the first.
    #[schemars(range(min = 0, max = 1))]
    pub probability: f64,
    /// First gamma distribution.
    pub first: gamma::Options,
    /// Second gamma distribution.
    pub second: gamma::Options,
}

impl Default for Options {
    fn default() -> Options {
        let [first, second] =
            [0.5, 5.0].map(|scale| gamma::Options { scale, ..Default::default() });
        Options { probability: 0.9, first, second }
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<HyperGamma, Invalid> {
        probability("probability", self.probability)?;
        let first = self.first.sampler().map_err(|wrong| wrong.within("first"))?;
        let second = self.second.sampler().map_err(|wrong| wrong.within("second"))?;
        Ok(HyperGamma::new(self.probability, first, second))
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
