//! The table `[coalition]` as written.

use super::ABOVE_0;
use policy::coalition::BalancerOptions;
use sim::pool::{Balances, Rounds, Sends};

tables! {
    /// `[coalition]`: organizations may balance their load, and each decides before every round
    /// whether to take part.
    pub struct Coalition {
        /// Length of a round, from one decision to the next.
        period: f64 as ABOVE_0,
        /// Part of each round that is scored, as two fractions of its period: jobs submitted at or
        /// after the first and before the second count.
        #[serde(default = "default_window")]
        window: [f64; 2] where { "items": { "minimum": 0, "maximum": 1 }, "default": default_window() },
        /// State of the clusters at the start of a round.
        #[serde(default)]
        rounds: Rounds,
        /// Algorithm that moves load between the members.
        balancer: BalancerOptions,
        /// Order in which a cluster sends out its own work.
        #[serde(default)]
        sends: Sends,
        /// Order of a balancing and the submissions of the same instant.
        #[serde(default, skip_serializing_if = "super::is_default")]
        balances: Balances,
    }
}

fn default_window() -> [f64; 2] {
    [0.2, 0.8]
}
