//! The same number of processors for every job.

use super::WidthDraw;
use crate::model::bounds::parameters;
use crate::workload::parameters::PROCESSORS;
use crate::workload::values::ValuesError;

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
