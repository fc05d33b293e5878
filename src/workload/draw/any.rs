//! One type for all distributions of real numbers.

use super::{
    BoundedPareto, Draw, Exponential, Gamma, HyperGamma, Hyperexponential, LogNormal, Moments,
    Table, Uniform, Weibull,
};
use crate::kernel::rng::Rng;

/// Any distribution of real numbers; an enum, so that a stream has no pointer to follow.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each is its type")]
pub enum AnyDraw {
    /// A constant.
    Constant(f64),
    Uniform(Uniform),
    Exponential(Exponential),
    Gamma(Gamma),
    LogNormal(LogNormal),
    Weibull(Weibull),
    BoundedPareto(BoundedPareto),
    HyperGamma(HyperGamma),
    Hyperexponential(Hyperexponential),
    /// Listed values, in whole numbers.
    Table(Table),
}

macro_rules! any {
    ($self:expr, $constant:pat => $of_constant:expr, $part:ident => $call:expr) => {
        match $self {
            AnyDraw::Constant($constant) => $of_constant,
            AnyDraw::Uniform($part) => $call,
            AnyDraw::Exponential($part) => $call,
            AnyDraw::Gamma($part) => $call,
            AnyDraw::LogNormal($part) => $call,
            AnyDraw::Weibull($part) => $call,
            AnyDraw::BoundedPareto($part) => $call,
            AnyDraw::HyperGamma($part) => $call,
            AnyDraw::Hyperexponential($part) => $call,
            AnyDraw::Table($part) => $call,
        }
    };
}

impl Draw for AnyDraw {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        any!(self, value => *value, part => part.draw(rng))
    }

    fn moments(&self) -> Moments {
        any!(self, value => Moments { mean: *value, variance: 0.0 }, part => part.moments())
    }
}
