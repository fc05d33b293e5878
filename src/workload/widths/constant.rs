//! The same number of processors for every job.

use super::WidthDraw;
use crate::parameters::PROCESSORS;
use crate::values::ValuesError;
use model::bounds::parameters;

parameters! {
    /// A constant number.
    #[derive(Copy, Eq)]
    pub struct Options(u32 as PROCESSORS = 1);
}

impl Options {
    pub(super) fn draw(&self) -> Result<WidthDraw, ValuesError> {
        Ok(WidthDraw::Constant(self.0))
    }
}
