//! The same number every time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Draw, Moments};
use crate::kernel::rng::Rng;
use crate::model::invalid::Invalid;
use crate::workload::parameters::{length, ticks};

/// Constant runtimes, in units of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Options(#[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))] pub f64);

impl Default for Options {
    fn default() -> Options {
        Options(1.0)
    }
}

impl Options {
    /// The distribution, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<Constant, Invalid> {
        length("", "size", self.0)?;
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
