//! `[coalition]`, as it is written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::policy::coalition::BalancerOptions;
use crate::sim::pool::Sends;

/// `[coalition]`: the organizations may balance their load, and decide before every round whether
/// they take part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coalition {
    /// How long a round is: from one decision to the next.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub period: f64,
    /// The part of a round by which it is judged, as shares of its period: jobs that are submitted
    /// from the first on and before the second count.
    #[serde(default = "default_window")]
    #[schemars(inner(range(min = 0, max = 1)))]
    pub window: [f64; 2],
    /// What a round begins with.
    #[serde(default)]
    pub rounds: Rounds,
    /// How load is moved between those that take part.
    pub balancer: BalancerOptions,
    /// Which of its own work a cluster sends first.
    #[serde(default)]
    pub sends: Sends,
}

fn default_window() -> [f64; 2] {
    [0.2, 0.8]
}

/// What a round begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounds {
    /// Every round begins with empty clusters, at time 0 of a clock of its own and with other
    /// draws. Jobs that count are followed to their end.
    #[default]
    Independent,
    /// A round begins with what the one before it left. Jobs that count and have not ended by then
    /// are judged by when they would end if nothing came any more.
    Continuing,
}

impl Rounds {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Rounds::Independent => "independent",
            Rounds::Continuing => "continuing",
        }
    }
}
