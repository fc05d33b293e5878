//! Balancers and learners as a scenario names them, until their registries are there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::time::Span;
use crate::workload::invalid::Invalid;

/// A balancer as a scenario names it, with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BalancerOptions {
    /// Everybody ends at the same time.
    Averaging {},
    /// Nobody sends more than its level.
    Bilb {},
    /// Nothing is moved.
    None {},
}

impl BalancerOptions {
    /// The indivisible amount of load.
    pub fn unit(&self) -> Span {
        Span::from_ticks(1)
    }

    /// Its name in a scenario.
    pub fn name(&self) -> &'static str {
        match self {
            BalancerOptions::Averaging {} => "averaging",
            BalancerOptions::Bilb {} => "bilb",
            BalancerOptions::None {} => "none",
        }
    }
}

/// A learner as a scenario names it, with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LearnerOptions {
    /// The ratio rule.
    Ratio {
        /// The probability of taking part at first.
        initial: f64,
        /// How much a round weighs.
        rate: f64,
    },
    /// In every round.
    Always {},
    /// In no round.
    Never {},
}

impl LearnerOptions {
    /// What of it cannot be.
    ///
    /// # Errors
    /// The first parameter that cannot be.
    pub fn validate(&self) -> Result<(), Invalid> {
        Ok(())
    }
}
