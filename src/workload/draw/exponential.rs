//! The exponential distribution.

use rand::RngExt as _;
use rand_distr::Exp1;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Draw, Moments};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::{length, ticks};

/// Exponential runtimes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Mean, in units of time.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub mean: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { mean: 1.0 }
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<Exponential, Invalid> {
        length("mean", "mean", self.mean)?;
        Ok(Exponential::new(ticks(self.mean)))
    }
}

/// The exponential distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    mean: f64,
}

impl Exponential {
    /// Creates the distribution with this mean.
    pub const fn new(mean: f64) -> Exponential {
        Exponential { mean }
    }
}

impl Draw for Exponential {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        let draw: f64 = rng.sample(Exp1);
        draw * self.mean
    }

    fn moments(&self) -> Moments {
        Moments { mean: self.mean, variance: self.mean * self.mean }
    }
}
