//! The Weibull distribution.

use rand::RngExt as _;
use rand_distr::Exp1;

use super::{Draw, Moments};
use crate::kernel::rng::Rng;

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
