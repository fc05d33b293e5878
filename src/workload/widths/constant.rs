//! The same number of processors for every job.

use super::WidthDraw;
use crate::model::bounds::{ONE_OR_MORE, parameters};
use crate::workload::values::ValuesError;

parameters! {
    /// A constant number.
    #[derive(Copy, Eq)]
    pub struct Options(u32 as ONE_OR_MORE = 1);
}

impl Options {
    pub(super) fn draw(&self) -> Result<WidthDraw, ValuesError> {
        Ok(WidthDraw::Constant(self.0))
    }
}
