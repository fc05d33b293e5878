//! The lognormal distribution.

use rand::RngExt as _;
use rand_distr::StandardNormal;

use super::{Draw, Moments};
use crate::kernel::rng::Rng;

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
