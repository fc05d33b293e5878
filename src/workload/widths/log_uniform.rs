//! Log-uniform numbers of processors, so that small ones are more likely.

use super::WidthDraw;
use crate::draw::LogUniform;
use crate::parameters::{PROCESSORS, in_order};
use crate::values::ValuesError;
use model::bounds::parameters;
use model::invalid::Invalid;

parameters! {
    /// Log-uniform between two numbers.
    #[derive(Copy, Eq)]
    pub struct Options {
        /// Minimum.
        min: u32 as PROCESSORS = 1,
        /// Maximum.
        max: u32 as PROCESSORS = 1,
    }
    where is_in_order
}

impl Options {
    fn is_in_order(&self) -> Result<(), Invalid> {
        in_order(self.min, self.max)
    }

    pub(super) fn draw(&self) -> Result<WidthDraw, ValuesError> {
        Ok(WidthDraw::LogUniform(LogUniform::new(self.min, self.max)))
    }
}
