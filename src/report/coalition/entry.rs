//! The coalition's entry in the manifest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::time::Span;
use crate::policy::coalition::BalancerOptions;
use crate::policy::learn::LearnerOptions;
use crate::scenario::plan::{Coalition, Plan, Rounds};
use crate::sim::pool::Sends;

/// A coalition in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoalitionEntry {
    /// Rounds in a replication.
    pub rounds: u64,
    /// True if a round starts from the backlog that the previous one left.
    pub continuing: bool,
    /// Length of a round, in ticks.
    pub period: Span,
    /// Start and end of the measurement window within a round, in ticks.
    pub window: [Span; 2],
    /// Balancer that moves load, with its parameters.
    pub balancer: BalancerOptions,
    /// Rule for which of its own work a cluster sends first.
    #[serde(default)]
    pub sends: Sends,
    /// The organizations, in their order.
    pub seats: Vec<SeatEntry>,
}

/// An organization of a coalition in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeatEntry {
    /// Name of the organization.
    pub organization: String,
    /// Learner that decides for it, with its parameters.
    pub learner: LearnerOptions,
    /// First round in which it is present.
    pub first_round: u64,
    /// Last round in which it is present, if it leaves.
    pub last_round: Option<u64>,
}

impl CoalitionEntry {
    /// The entry of a plan that is played for `rounds` rounds.
    pub fn new(plan: &Plan, coalition: &Coalition, rounds: u64) -> CoalitionEntry {
        let seats = plan.organizations.iter().zip(&coalition.seats);
        CoalitionEntry {
            rounds,
            continuing: coalition.rounds == Rounds::Continuing,
            period: coalition.period,
            window: [coalition.window.start, coalition.window.end],
            balancer: coalition.balancer.clone(),
            sends: coalition.sends,
            seats: seats
                .map(|(organization, seat)| SeatEntry {
                    organization: organization.name.clone(),
                    learner: seat.learner.clone(),
                    first_round: seat.first,
                    last_round: seat.last,
                })
                .collect(),
        }
    }
}
