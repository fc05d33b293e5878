//! The entry of a sweep in the manifest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A sweep in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SweepEntry {
    /// The keys that vary, in the order of the columns of points.csv.
    pub keys: Vec<KeyEntry>,
    /// Measure that the summary shows.
    pub measure: String,
    /// Organization or class that it is shown of.
    pub unit: String,
}

/// A key of a sweep.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct KeyEntry {
    /// As it was written.
    pub name: String,
    /// The end of it that no other key has.
    pub short: String,
    /// Origin of its values.
    pub kind: KeyKind,
}

/// Origin of the values of a sweep's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyKind {
    /// They are listed or drawn.
    Varied,
    /// They are listed or drawn, and only stand in formulas.
    Variable,
    /// A formula gives them.
    Computed,
}
