//! Runtimes listed in a file.

use std::path::PathBuf;

use super::Drawn;
pub use super::table::Table;
use crate::values::{self, Unit};
use model::bounds::parameters;

parameters! {
    /// Runtimes listed in a file, equally likely or weighted.
    pub struct Options {
        /// A text with one runtime per line, in units of time, or with rows `size,weight`; `#` begins
        /// a comment. Relative to the scenario file.
        file: PathBuf = PathBuf::new(),
    }
}

impl Options {
    pub(super) fn draw(&self) -> Drawn<Table> {
        values::read(&self.file, Unit::Time)
    }
}
