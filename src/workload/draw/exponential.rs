//! The exponential distribution.

use rand::RngExt as _;
use rand_distr::Exp1;

use super::{Draw, Moments};
use crate::kernel::rng::Rng;

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
