//! The outcome of a run with a target precision.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::since::Since;

/// Outcome of the stopping rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    /// Reason why the run ended.
    pub why: Why,
    /// Number of times the intervals were checked.
    pub looks: u32,
    /// The look from which on each figure was known.
    #[serde(skip)]
    pub since: Since,
}

/// Reason why a run with a target precision ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The interval is narrow enough.
    Precision,
    /// `at_most` replications or jobs were reached.
    AtMost,
    /// No more jobs arrive.
    Drained,
    /// The interval is narrow, but each replication is too short.
    ///
    /// Their means still grow, and more replications would not change that.
    TooShort,
}
