//! The order of events within one instant of a grid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use kernel::calendar::Phase;

/// Jobs finish and free their processors.
pub const FINISH: Phase = Phase(10);
/// A stage (a round, a period) ends and another begins.
pub const BOUNDARY: Phase = Phase(20);
/// Jobs are submitted.
pub const SUBMIT: Phase = Phase(30);
/// Coalition members balance their load.
pub const BALANCE: Phase = Phase(40);
/// Schedulers decide, after everything else at this instant.
pub const SCHEDULE: Phase = Phase(50);
/// Statistics are sampled.
pub const SAMPLE: Phase = Phase(60);

/// Phase of submissions in event-by-event order: before the completions.
const SUBMIT_FIRST: Phase = Phase(5);

/// Order of the events within one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseOrder {
    /// All completions, then all submissions, then one decision of each scheduler.
    #[default]
    Instant,
    /// One event at a time, with a decision after each: submissions first, then completions in
    /// order of the jobs' starts. For comparison with simulators that work this way.
    PerEvent,
    /// Like `per_event`, but jobs that finish as expected free their processors first. They are
    /// freed before the first event of that instant, and so available to a job submitted then, or
    /// to one that waits for another job to finish at that instant. The simulator pyss implements
    /// EASY backfilling this way.
    PerEventFreeWhenDue,
}

impl PhaseOrder {
    /// The phase of submissions.
    pub const fn submit(self) -> Phase {
        match self {
            PhaseOrder::Instant => SUBMIT,
            PhaseOrder::PerEvent | PhaseOrder::PerEventFreeWhenDue => SUBMIT_FIRST,
        }
    }

    /// True if there is a decision after every event.
    #[inline]
    pub(crate) const fn is_per_event(self) -> bool {
        !matches!(self, PhaseOrder::Instant)
    }
}
