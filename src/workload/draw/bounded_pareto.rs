//! The bounded Pareto distribution.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Draw, Moments, fraction};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::{bounds, shape, ticks};

/// Bounded Pareto runtimes: the tail falls as x to the power of minus the shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Shape; about 1 on many computers.
    #[schemars(range(min = 0.01, max = 1000))]
    pub shape: f64,
    /// Lower bound, in units of time; at least a tick.
    #[schemars(range(min = 1e-6, max = 1e9))]
    pub min: f64,
    /// Upper bound, in units of time, above the lower one.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub max: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { shape: 1.0, min: 1.0, max: 1e4 }
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<BoundedPareto, Invalid> {
        let Options { shape: exponent, min, max } = *self;
        shape("shape", exponent)?;
        bounds(false, min, max)?;
        if ticks(min) < 1.0 {
            let message = format!("{min} units are less than a tick, 10^-6 units");
            return Err(Invalid::new("min", message));
        }
        Ok(BoundedPareto::new(exponent, ticks(min), ticks(max)))
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
