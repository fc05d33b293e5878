//! Numbers of processors listed in a file.

use std::path::PathBuf;

use super::WidthDraw;
use crate::values::{self, Unit, ValuesError};
use model::bounds::parameters;

parameters! {
    /// Numbers listed in a file, equally likely or weighted.
    pub struct Options {
        /// A text with one number per line, or with rows `processors,weight`; `#` begins a comment.
        /// Relative to the scenario file.
        file: PathBuf = PathBuf::new(),
    }
}

impl Options {
    pub(super) fn draw(&self) -> Result<WidthDraw, ValuesError> {
        Ok(WidthDraw::Table(values::read(&self.file, Unit::Processors)?))
    }
}
