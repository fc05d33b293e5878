//! The gamma distribution.

use super::{Draw, Drawn, Moments, fraction};
use crate::parameters::{SHAPE, length, mean, ticks};
use kernel::rng::Rng;
use model::bounds::parameters;
use model::invalid::Invalid;
use rand::RngExt as _;
use rand_distr::StandardNormal;

parameters! {
    /// Gamma runtimes.
    #[derive(Copy)]
    pub struct Options {
        /// Shape; 1 is exponential, other whole numbers are Erlang.
        shape: f64 as SHAPE = 2.0,
        /// Scale, in units of time; the mean is shape times scale.
        scale: f64 as (length("a scale")) = 0.5,
    }
    where mean_is_short
}

impl Options {
    fn mean_is_short(&self) -> Result<(), Invalid> {
        mean(Gamma::new(self.shape, self.scale).moments())
    }

    pub(super) fn draw(&self) -> Drawn<Gamma> {
        Ok(Gamma::new(self.shape, ticks(self.scale)))
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
