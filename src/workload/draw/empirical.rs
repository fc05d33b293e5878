//! Runtimes listed in a file.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use super::table::Table;
use crate::workload::values::{self, Unit, ValuesError};

/// Runtimes listed in a file, equally likely or weighted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// A text with one runtime per line, in units of time, or with rows `size,weight`; `#` begins a
    /// comment. Relative to the scenario file.
    pub file: PathBuf,
}

impl Options {
    /// The listed runtimes, in ticks.
    ///
    /// # Errors
    /// The problem with the file.
    pub fn sampler(&self) -> Result<Table, ValuesError> {
        values::read(&self.file, Unit::Time)
    }
}
