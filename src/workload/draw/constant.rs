//! The same number every time.

use super::{Draw, Drawn, Moments};
use crate::parameters::{length, ticks};
use kernel::rng::Rng;
use model::bounds::{Bounds, parameters};

/// A runtime.
const SIZE: Bounds<'_> = length("a size");

parameters! {
    /// Constant runtimes, in units of time.
    #[derive(Copy)]
    pub struct Options(f64 as SIZE = 1.0);
}

impl Options {
    pub(super) fn draw(&self) -> Drawn<Constant> {
        Ok(Constant(ticks(self.0)))
    }
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant(pub f64);

impl Draw for Constant {
    #[inline]
    fn draw(&self, _: &mut Rng) -> f64 {
        self.0
    }

    fn moments(&self) -> Moments {
        Moments { mean: self.0, variance: 0.0 }
    }
}
