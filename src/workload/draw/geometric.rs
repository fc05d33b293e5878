//! The geometric distribution.

use rand::RngExt as _;
use rand_distr::Exp1;

use super::Moments;
use kernel::rng::Rng;

/// The geometric distribution on 1, 2, ...: each number is less likely by a constant factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    mean: f64,
    /// Factor applied to an exponential of mean 1, whose integer part is then geometric.
    stretch: f64,
}

impl Geometric {
    /// Creates the distribution with this mean, at least 1.
    pub fn new(mean: f64) -> Geometric {
        Geometric { mean, stretch: -1.0 / libm::log1p(-1.0 / mean) }
    }

    /// Draws a number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        let draw: f64 = rng.sample(Exp1);
        1 + (draw * self.stretch) as u64
    }

    /// Returns the mean and variance.
    pub fn moments(&self) -> Moments {
        Moments { mean: self.mean, variance: self.mean * (self.mean - 1.0) }
    }
}
