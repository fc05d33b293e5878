//! What the manifest says of a coalition.

use serde::{Deserialize, Serialize};

use crate::kernel::time::Span;
use crate::policy::coalition::BalancerOptions;
use crate::policy::learn::LearnerOptions;
use crate::scenario::plan::{Coalition, Plan, Rounds};
use crate::sim::pool::Sends;

/// A coalition in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CoalitionEntry {
    /// Rounds in a replication.
    pub rounds: u64,
    /// True where a round begins with what the one before it left.
    pub continuing: bool,
    /// The length of a round, in ticks.
    pub period: Span,
    /// From and until when of a round its jobs count, in ticks.
    pub window: [Span; 2],
    /// What moves load, with its parameters.
    pub balancer: BalancerOptions,
    /// Which own work a cluster sends first.
    #[serde(default)]
    pub sends: Sends,
    /// The organizations, in their order.
    pub seats: Vec<SeatEntry>,
}

/// An organization of a coalition in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatEntry {
    /// Its name.
    pub organization: String,
    /// What decides for it, with its parameters.
    pub learner: LearnerOptions,
    /// The first round in which it is there.
    pub first_round: u64,
    /// The last one, if there is one.
    pub last_round: Option<u64>,
}

impl CoalitionEntry {
    /// Of a plan that is played in so many rounds.
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
