//! The Weibull distribution.

use super::{Draw, Drawn, Moments};
use crate::parameters::{SHAPE, length, mean, ticks};
use kernel::rng::Rng;
use model::bounds::parameters;
use model::invalid::Invalid;
use rand::RngExt as _;
use rand_distr::Exp1;

parameters! {
    /// Weibull runtimes.
    #[derive(Copy)]
    pub struct Options {
        /// Shape; below 1 the tail is heavier than exponential.
        shape: f64 as SHAPE = 1.0,
        /// Scale, in units of time: a share of 1 - 1/e of the runtimes is shorter. The mean is the
        /// scale times the gamma function at 1 + 1 / shape.
        scale: f64 as (length("a scale")) = 1.0,
    }
    where mean_is_short
}

impl Options {
    fn mean_is_short(&self) -> Result<(), Invalid> {
        mean(Weibull::new(self.shape, self.scale).moments())
    }

    pub(super) fn draw(&self) -> Drawn<Weibull> {
        Ok(Weibull::new(self.shape, ticks(self.scale)))
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
