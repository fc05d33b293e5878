//! Distributions to draw from, one per file: the parameters of runtimes as a scenario has them, and
//! the sampler.
//!
//! To add a distribution of runtimes: copy the smallest neighbour (`exponential.rs`) and add its line
//! to the registry below. A sampler is created once, from checked parameters, and keeps what every
//! draw needs. It draws in the unit of its scale and knows its mean and variance in closed form.
//! Exponentials and normals come from `rand_distr` (ziggurat), logarithms and powers from `libm`, so
//! that a stream gives the same numbers on every machine.

pub mod alias;
pub mod bounded_pareto;
pub mod constant;
pub mod empirical;
pub mod exponential;
pub mod gamma;
mod geometric;
pub mod hyper_erlang;
pub mod hyper_gamma;
pub mod hyperexponential;
mod log_uniform;
pub mod lognormal;
pub mod mixture;
mod moments;
mod table;
pub mod uniform;
pub mod weibull;

pub use alias::Alias;
pub use bounded_pareto::BoundedPareto;
pub use constant::Constant;
pub use exponential::Exponential;
pub use gamma::Gamma;
pub use geometric::Geometric;
pub use hyper_erlang::HyperErlang;
pub use hyper_gamma::HyperGamma;
pub use hyperexponential::Hyperexponential;
pub use log_uniform::LogUniform;
pub use lognormal::LogNormal;
pub use mixture::Mixture;
pub use moments::Moments;
pub use table::Table;
pub use uniform::{Uniform, UniformWhole};
pub use weibull::Weibull;

use std::path::PathBuf;

use rand::Rng as _;

use super::values::ValuesError;
use kernel::rng::Rng;
use model::registry::registry;

/// A distribution of real numbers.
pub trait Draw {
    /// Draws a number.
    fn draw(&self, rng: &mut Rng) -> f64;

    /// Returns the mean and variance of the draws.
    fn moments(&self) -> Moments;
}

registry! {
    /// Distribution of runtimes.
    options Sizes;

    /// Any distribution of real numbers; an enum, so that a stream has no pointer to follow.
    #[derive(Clone, Debug, PartialEq)]
    built AnyDraw;

    each each;

    Exponential, exponential::Exponential,
        "Exponential distribution.",
        "Kleinrock, Queueing Systems, volume 1, 1975";
    Constant, constant::Constant,
        "Constant runtime, in units of time.",
        "Kleinrock, Queueing Systems, volume 1, 1975";
    Uniform, uniform::Uniform,
        "Uniform distribution.",
        "Law, Simulation Modeling and Analysis, 5th edition, 2015";
    Gamma, gamma::Gamma,
        "Gamma distribution.",
        "Law, Simulation Modeling and Analysis, 5th edition, 2015; drawn as by Marsaglia and Tsang, ACM Trans. Math. Softw. 26(3), 2000";
    Lognormal, lognormal::LogNormal,
        "Lognormal distribution, given by its own mean rather than that of the logarithm.",
        "Law, Simulation Modeling and Analysis, 5th edition, 2015";
    Weibull, weibull::Weibull,
        "Weibull distribution.",
        "Law, Simulation Modeling and Analysis, 5th edition, 2015";
    BoundedPareto, bounded_pareto::BoundedPareto,
        "Pareto distribution between two bounds: the tail falls as x to the power of minus the shape.",
        "Harchol-Balter, Crovella and Murta, J. Parallel Distrib. Comput. 59(2), 1999";
    HyperGamma, hyper_gamma::HyperGamma,
        "Mixture of two gamma distributions: many short jobs and a hump of long ones.",
        "Lublin and Feitelson, J. Parallel Distrib. Comput. 63(11), 2003";
    HyperErlang, hyper_erlang::HyperErlang,
        "Mixture of several Erlang distributions of the same order.",
        "Jann, Pattnaik, Franke, Wang, Skovira and Riordan, Modeling of workload in MPPs, JSSPP 1997";
    Hyperexponential, hyperexponential::Hyperexponential,
        "Mixture of several exponential distributions.",
        "Kleinrock, Queueing Systems, volume 1, 1975";
    Empirical, empirical::Table,
        "Runtimes listed in a file, equally likely or weighted.",
        "drawn as by Vose, IEEE Trans. Softw. Eng. 17(9), 1991";
}

impl Sizes {
    /// Exponential runtimes with this mean, in units of time.
    pub const fn exponential(mean: f64) -> Sizes {
        Sizes::Exponential(exponential::Options { mean })
    }

    /// Gamma runtimes with this shape and scale, in units of time.
    pub const fn gamma(shape: f64, scale: f64) -> Sizes {
        Sizes::Gamma(gamma::Options { shape, scale })
    }

    /// Returns the distribution in ticks, reading files where needed.
    ///
    /// # Errors
    /// The first invalid field, or the problem with a file.
    pub fn sampler(&self) -> Result<AnyDraw, ValuesError> {
        self.check()?;
        each!(self, options => options.draw().map(Into::into))
    }

    /// Returns the file that runtimes are read from, if any.
    pub fn file_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Sizes::Empirical(options) => Some(&mut options.file),
            _ => None,
        }
    }
}

/// A sampler made of parameters that were checked; what may go wrong is the reading of a file.
type Drawn<D> = Result<D, ValuesError>;

impl Draw for AnyDraw {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        each!(self, draw => draw.draw(rng))
    }

    fn moments(&self) -> Moments {
        each!(self, draw => draw.moments())
    }
}

impl AnyDraw {
    /// Draws as many numbers as there are places. The kind of the distribution is looked up once.
    #[inline]
    pub fn fill(&self, rng: &mut Rng, places: &mut [f64]) {
        each!(self, draw => places.iter_mut().for_each(|place| *place = draw.draw(rng)));
    }
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
