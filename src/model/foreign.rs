//! Terms on which a cluster takes the jobs of organizations that do not own it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A cluster's terms for the jobs of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Foreign {
    /// Taken as the owner's own are.
    #[default]
    Always,
    /// Taken only while no job of the owner waits that could run on this cluster.
    WhenNoneWaits,
    /// Never taken.
    Never,
}

impl Foreign {
    /// True if jobs of others are taken as the owner's own are.
    #[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
    pub fn is_always(&self) -> bool {
        *self == Foreign::Always
    }
}
