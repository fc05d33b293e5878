//! Uniform distributions over real and over whole numbers.

use super::{Draw, Drawn, Moments, below, fraction};
use crate::parameters::{LONGEST, is_above, length, ticks};
use kernel::rng::Rng;
use model::bounds::{Bounds, parameters};
use model::invalid::Invalid;

/// The lower bound, which may be 0.
const LEAST: Bounds<'_> = Bounds::of("a bound").unit("units of time").from(0.0).to(LONGEST);

parameters! {
    /// Uniform runtimes.
    #[derive(Copy)]
    pub struct Options {
        /// Lower bound, in units of time.
        min: f64 as LEAST = 0.0,
        /// Upper bound, in units of time, above the lower one.
        max: f64 as (length("a bound")) = 1.0,
    }
    where is_in_order
}

impl Options {
    fn is_in_order(&self) -> Result<(), Invalid> {
        is_above(self.min, self.max)
    }

    pub(super) fn draw(&self) -> Drawn<Uniform> {
        Ok(Uniform::new(ticks(self.min), ticks(self.max)))
    }
}

/// The uniform distribution of real numbers on an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform {
    min: f64,
    width: f64,
}

impl Uniform {
    /// Creates the distribution on `min` to `max`.
    pub const fn new(min: f64, max: f64) -> Uniform {
        Uniform { min, width: max - min }
    }
}

impl Draw for Uniform {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.min + self.width * fraction(rng)
    }

    fn moments(&self) -> Moments {
        let Uniform { min, width } = *self;
        Moments { mean: min + width / 2.0, variance: width * width / 12.0 }
    }
}

/// The uniform distribution of whole numbers on a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformWhole {
    min: u32,
    count: u64,
}

impl UniformWhole {
    /// Creates the distribution on `min` to `max`, both included; `max` is not less than `min`.
    pub const fn new(min: u32, max: u32) -> UniformWhole {
        UniformWhole { min, count: max as u64 - min as u64 + 1 }
    }

    /// Draws a number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        self.min + below(rng, self.count) as u32
    }

    /// Returns the smallest and the largest number.
    pub fn range(&self) -> (u32, u32) {
        (self.min, self.min + (self.count - 1) as u32)
    }

    /// Returns the mean and variance.
    pub fn moments(&self) -> Moments {
        let count = self.count as f64;
        let mean = f64::from(self.min) + (count - 1.0) / 2.0;
        Moments { mean, variance: (count * count - 1.0) / 12.0 }
    }
}
