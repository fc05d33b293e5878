//! The lognormal distribution.

use rand::RngExt as _;
use rand_distr::StandardNormal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Draw, Moments};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::{length, ticks};

/// Largest coefficient of variation.
const MOST_VARIATION: f64 = 1000.0;

/// Lognormal runtimes, given by their own mean rather than that of the logarithm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Mean, in units of time.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub mean: f64,
    /// Coefficient of variation: standard deviation / mean.
    #[schemars(range(max = 1000), extend("exclusiveMinimum" = 0))]
    pub variation: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { mean: 1.0, variation: 1.0 }
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<LogNormal, Invalid> {
        let Options { mean, variation } = *self;
        length("mean", "mean", mean)?;
        if !(variation > 0.0 && variation <= MOST_VARIATION) {
            let message = format!(
                "{variation} is not a coefficient of variation; give a number above 0, at most \
                 {MOST_VARIATION}"
            );
            return Err(Invalid::new("variation", message));
        }
        Ok(LogNormal::new(ticks(mean), variation))
    }
}

/// The lognormal distribution: the exponential of a normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal {
    moments: Moments,
    /// Mean and standard deviation of the logarithm.
    mu: f64,
    sigma: f64,
}

impl LogNormal {
    /// Creates the distribution from its mean and coefficient of variation (deviation / mean).
    pub fn new(mean: f64, variation: f64) -> LogNormal {
        let square = libm::log1p(variation * variation);
        LogNormal {
            moments: Moments { mean, variance: mean * mean * variation * variation },
            mu: libm::log(mean) - square / 2.0,
            sigma: libm::sqrt(square),
        }
    }
}

impl Draw for LogNormal {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        let normal: f64 = rng.sample(StandardNormal);
        libm::exp(self.mu + self.sigma * normal)
    }

    fn moments(&self) -> Moments {
        self.moments
    }
}
