//! The order of events within one instant of a grid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::calendar::Phase;

/// Jobs end and free their processors.
pub const FINISH: Phase = Phase(10);
/// A stage (a round, a period) ends and another begins.
pub const BOUNDARY: Phase = Phase(20);
/// Jobs are submitted.
pub const SUBMIT: Phase = Phase(30);
/// Coalition members balance their load.
pub const BALANCE: Phase = Phase(40);
/// Schedulers decide: all that came before has happened.
pub const SCHEDULE: Phase = Phase(50);
/// Figures are sampled.
pub const SAMPLE: Phase = Phase(60);

/// Submissions of one instant in event-by-event order, before its completions.
const SUBMIT_FIRST: Phase = Phase(5);

/// How the events of one instant are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseOrder {
    /// All completions, then all submissions, then one decision of each scheduler.
    #[default]
    Instant,
    /// Event by event, with a decision after each: submissions first, then completions in the order
    /// in which the jobs started. It serves to compare with simulators that work so.
    PerEvent,
}

impl PhaseOrder {
    /// The phase of submissions.
    pub const fn submit(self) -> Phase {
        match self {
            PhaseOrder::Instant => SUBMIT,
            PhaseOrder::PerEvent => SUBMIT_FIRST,
        }
    }
}
