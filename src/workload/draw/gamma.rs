//! The gamma distribution.

use rand::RngExt as _;
use rand_distr::StandardNormal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Draw, Moments, fraction};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::{length, mean, shape, ticks};

/// Gamma runtimes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Shape; 1 is exponential, other whole numbers are Erlang.
    #[schemars(range(min = 0.01, max = 1000))]
    pub shape: f64,
    /// Scale, in units of time; the mean is shape times scale.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub scale: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { shape: 2.0, scale: 0.5 }
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<Gamma, Invalid> {
        shape("shape", self.shape)?;
        length("scale", "scale", self.scale)?;
        let draw = Gamma::new(self.shape, ticks(self.scale));
        mean(&draw)?;
        Ok(draw)
    }
}

/// The gamma distribution, by the rejection method of Marsaglia and Tsang 2000. It cubes a normal
/// and rejects once in a few dozen draws. For a shape below 1, a draw with shape + 1 is multiplied
/// by a power of a uniform number (section 6 of the paper).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    shape: f64,
    scale: f64,
    /// The paper's d and c.
    d: f64,
    c: f64,
    /// 1 / shape, if the shape is below 1.
    power: Option<f64>,
}

impl Gamma {
    /// Creates the distribution with mean `shape * scale`.
    pub fn new(shape: f64, scale: f64) -> Gamma {
        let power = (shape < 1.0).then_some(1.0 / shape);
        let d = if shape < 1.0 { shape + 1.0 } else { shape } - 1.0 / 3.0;
        Gamma { shape, scale, d, c: 1.0 / libm::sqrt(9.0 * d), power }
    }

    /// Draws with scale 1 and a shape of at least 1.
    #[inline]
    fn unit(&self, rng: &mut Rng) -> f64 {
        let Gamma { d, c, .. } = *self;
        loop {
            let x: f64 = rng.sample(StandardNormal);
            let root = 1.0 + c * x;
            if root <= 0.0 {
                continue;
            }
            let (v, u, square) = (root * root * root, fraction(rng), x * x);
            if u < 1.0 - 0.0331 * square * square
                || libm::log(u) < 0.5 * square + d * (1.0 - v + libm::log(v))
            {
                return d * v;
            }
        }
    }
}

impl Draw for Gamma {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        let draw = self.unit(rng) * self.scale;
        match self.power {
            None => draw,
            Some(power) => draw * libm::pow(fraction(rng), power),
        }
    }

    fn moments(&self) -> Moments {
        let mean = self.shape * self.scale;
        Moments { mean, variance: mean * self.scale }
    }
}
