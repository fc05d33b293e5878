//! The exponential distribution.

use super::{Draw, Drawn, Moments};
use crate::parameters::{length, ticks};
use kernel::rng::Rng;
use model::bounds::parameters;
use rand::RngExt as _;
use rand_distr::Exp1;

parameters! {
    /// Exponential runtimes.
    #[derive(Copy)]
    pub struct Options {
        /// Mean, in units of time.
        mean: f64 as (length("a mean")) = 1.0,
    }
}

impl Options {
    pub(super) fn draw(&self) -> Drawn<Exponential> {
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
