//! The Weibull distribution.

use rand::RngExt as _;
use rand_distr::Exp1;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Draw, Moments};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::{length, mean, shape, ticks};

/// Weibull runtimes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Shape; below 1 the tail is heavier than exponential.
    #[schemars(range(min = 0.01, max = 1000))]
    pub shape: f64,
    /// Scale, in units of time: a share of 1 - 1/e of the runtimes is shorter. The mean is the
    /// scale times the gamma function at 1 + 1 / shape.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub scale: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { shape: 1.0, scale: 1.0 }
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<Weibull, Invalid> {
        shape("shape", self.shape)?;
        length("scale", "scale", self.scale)?;
        let draw = Weibull::new(self.shape, ticks(self.scale));
        mean(&draw)?;
        Ok(draw)
    }
}

/// The Weibull distribution: a power of an exponential. With a shape below 1 its tail is heavier
/// than exponential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weibull {
    scale: f64,
    /// 1 / shape.
    power: f64,
}

impl Weibull {
    /// Creates the distribution of which a share of 1 - 1/e lies below `scale`.
    pub fn new(shape: f64, scale: f64) -> Weibull {
        Weibull { scale, power: 1.0 / shape }
    }
}

impl Draw for Weibull {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        let draw: f64 = rng.sample(Exp1);
        self.scale * libm::pow(draw, self.power)
    }

    fn moments(&self) -> Moments {
        let raw = |order: f64| libm::tgamma(1.0 + order * self.power);
        Moments::of_raw(raw(1.0), raw(2.0)).times(self.scale)
    }
}
