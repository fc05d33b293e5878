//! The geometric distribution.

use rand::RngExt as _;
use rand_distr::Exp1;

use super::Moments;
use crate::kernel::rng::Rng;

/// Whole numbers from 1: each is by a fixed factor less likely than the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometric {
    mean: f64,
    /// What an exponential of mean 1 is multiplied by: its whole part is then geometric.
    stretch: f64,
}

impl Geometric {
    /// That of this mean, at least 1.
    pub fn new(mean: f64) -> Geometric {
        Geometric { mean, stretch: -1.0 / libm::log1p(-1.0 / mean) }
    }

    /// A number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        let draw: f64 = rng.sample(Exp1);
        1 + (draw * self.stretch) as u64
    }

    /// Mean and variance.
    pub fn moments(&self) -> Moments {
        Moments { mean: self.mean, variance: self.mean * (self.mean - 1.0) }
    }
}
