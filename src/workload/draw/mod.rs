//! Distributions to draw from, one per file.
//!
//! A sampler is created once, from validated parameters, and keeps what every draw needs. It draws
//! in the unit of its scale and knows its mean and variance in closed form. Exponentials and
//! normals come from `rand_distr` (ziggurat), logarithms and powers from `libm`, so that a stream
//! gives the same numbers on every machine.

pub mod alias;
mod any;
mod bounded_pareto;
mod exponential;
mod gamma;
mod geometric;
mod hyper_gamma;
mod hyperexponential;
mod log_uniform;
mod lognormal;
mod moments;
mod table;
mod uniform;
mod weibull;

pub use alias::Alias;
pub use any::AnyDraw;
pub use bounded_pareto::BoundedPareto;
pub use exponential::Exponential;
pub use gamma::Gamma;
pub use geometric::Geometric;
pub use hyper_gamma::HyperGamma;
pub use hyperexponential::Hyperexponential;
pub use log_uniform::LogUniform;
pub use lognormal::LogNormal;
pub use moments::Moments;
pub use table::Table;
pub use uniform::{Uniform, UniformWhole};
pub use weibull::Weibull;

use rand::Rng as _;

use crate::kernel::rng::Rng;

/// A distribution of real numbers.
pub trait Draw {
    /// Draws a number.
    fn draw(&self, rng: &mut Rng) -> f64;

    /// Returns the mean and variance of the draws.
    fn moments(&self) -> Moments;
}

/// Draws a number from [0, 1): 53 random bits.
#[inline]
pub fn fraction(rng: &mut Rng) -> f64 {
    const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
    (rng.next_u64() >> 11) as f64 * STEP
}

/// Draws a whole number below `count`, uniformly (to `count` in 2^64).
#[inline]
pub fn below(rng: &mut Rng, count: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(count)) >> 64) as u64
}
