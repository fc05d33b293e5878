//! The table `[coalition]` as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ABOVE_0;
use policy::coalition::BalancerOptions;
use sim::pool::{Balances, Sends};

tables! {
    /// `[coalition]`: organizations may balance their load, and each decides before every round
    /// whether to take part.
    pub struct Coalition {
        /// Length of a round, from one decision to the next.
        period: f64 as ABOVE_0,
        /// Part of each round that is scored, as two fractions of its period: jobs submitted at or
        /// after the first and before the second count.
        #[serde(default = "default_window")]
        #[schemars(inner(range(min = 0, max = 1)))]
        window: [f64; 2],
        /// State of the clusters at the start of a round.
        #[serde(default)]
        rounds: Rounds,
        /// Algorithm that moves load between the members.
        balancer: BalancerOptions,
        /// Order in which a cluster sends out its own work.
        #[serde(default)]
        sends: Sends,
        /// Order of a balancing and the submissions of the same instant.
        #[serde(default, skip_serializing_if = "Balances::is_default")]
        balances: Balances,
    }
}

fn default_window() -> [f64; 2] {
    [0.2, 0.8]
}

/// State of the clusters at the start of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounds {
    /// Every round starts with empty clusters, at time 0 of its own clock and with fresh random
    /// draws. Scored jobs are followed to completion.
    #[default]
    Independent,
    /// A round starts with what the previous one left. Scored jobs that have not completed by its
    /// end are judged by the time they would complete if no more jobs arrived.
    Continuing,
}

impl Rounds {
    /// Returns the name as written in a scenario.
    pub fn name(self) -> &'static str {
        match self {
            Rounds::Independent => "independent",
            Rounds::Continuing => "continuing",
        }
    }
}
