//! The bounded Pareto distribution.

use super::{Draw, Moments, fraction};
use crate::kernel::rng::Rng;

/// The Pareto distribution between two bounds, by inversion: the chance to exceed x falls as x to
/// the power of minus the shape (Harchol-Balter, Crovella and Murta 1999, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedPareto {
    shape: f64,
    min: f64,
    max: f64,
    /// The part of the unbounded distribution that is below the upper bound.
    inside: f64,
    /// -1 / shape.
    power: f64,
}

impl BoundedPareto {
    /// That between `min`, above 0, and `max`, above `min`.
    pub fn new(shape: f64, min: f64, max: f64) -> BoundedPareto {
        let inside = -libm::expm1(shape * libm::log(min / max));
        BoundedPareto { shape, min, max, inside, power: -1.0 / shape }
    }

    /// A raw moment: shape min^order / inside times the integral of x^(order - shape - 1) from 1 to
    /// max / min, which has no gap where the order is the shape.
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
