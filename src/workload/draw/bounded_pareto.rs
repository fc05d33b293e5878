//! The bounded Pareto distribution.

use super::{Draw, Drawn, Moments, fraction};
use crate::parameters::{SHAPE, is_above, length, ticks, whole_ticks};
use kernel::rng::Rng;
use model::bounds::parameters;
use model::invalid::Invalid;

parameters! {
    /// Bounded Pareto runtimes: the tail falls as x to the power of minus the shape.
    #[derive(Copy)]
    pub struct Options {
        /// Shape; about 1 on many computers.
        shape: f64 as SHAPE = 1.0,
        /// Lower bound, in units of time; at least a tick.
        min: f64 as (whole_ticks("a bound")) = 1.0,
        /// Upper bound, in units of time, above the lower one.
        max: f64 as (length("a bound")) = 1e4,
    }
    where is_in_order
}

impl Options {
    fn is_in_order(&self) -> Result<(), Invalid> {
        is_above(self.min, self.max)
    }

    pub(super) fn draw(&self) -> Drawn<BoundedPareto> {
        Ok(BoundedPareto::new(self.shape, ticks(self.min), ticks(self.max)))
    }
}

/// The Pareto distribution truncated to an interval, drawn by inversion. The tail falls as x to the
/// power of minus the shape (Harchol-Balter, Crovella and Murta 1999, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedPareto {
    shape: f64,
    min: f64,
    max: f64,
    /// Mass of the unbounded distribution below the upper bound.
    inside: f64,
    /// -1 / shape.
    power: f64,
}

impl BoundedPareto {
    /// Creates the distribution on `min`, above 0, to `max`, above `min`.
    pub fn new(shape: f64, min: f64, max: f64) -> BoundedPareto {
        let inside = -libm::expm1(shape * libm::log(min / max));
        BoundedPareto { shape, min, max, inside, power: -1.0 / shape }
    }

    /// Returns a raw moment of X / min: shape / inside times the integral of x^(order - shape - 1)
    /// from 1 to max / min. It is continuous where the order equals the shape.
    fn raw(&self, order: f64) -> f64 {
        let (range, exponent) = (libm::log(self.max / self.min), order - self.shape);
        let integral = match exponent {
            0.0 => range,
            _ => libm::expm1(exponent * range) / exponent,
        };
        self.shape / self.inside * integral
    }
}

impl Draw for BoundedPareto {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        let draw = self.min * libm::pow(1.0 - self.inside * fraction(rng), self.power);
        draw.min(self.max)
    }

    fn moments(&self) -> Moments {
        Moments::of_raw(self.raw(1.0), self.raw(2.0)).times(self.min)
    }
}
