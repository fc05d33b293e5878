//! The lognormal distribution.

use super::{Draw, Drawn, Moments};
use crate::parameters::{length, ticks};
use kernel::rng::Rng;
use model::bounds::{Bounds, parameters};
use rand::RngExt as _;
use rand_distr::StandardNormal;

/// A coefficient of variation.
const VARIATION: Bounds<'_> = Bounds::of("a coefficient of variation").above(0.0).to(1000.0);

parameters! {
    /// Lognormal runtimes, given by their own mean rather than that of the logarithm.
    #[derive(Copy)]
    pub struct Options {
        /// Mean, in units of time.
        mean: f64 as (length("a mean")) = 1.0,
        /// Coefficient of variation: standard deviation / mean.
        variation: f64 as VARIATION = 1.0,
    }
}

impl Options {
    pub(super) fn draw(&self) -> Drawn<LogNormal> {
        Ok(LogNormal::new(ticks(self.mean), self.variation))
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
