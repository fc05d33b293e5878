//! A rigid job as submitted.

use serde::{Deserialize, Serialize};

use super::ids::OrganizationId;
use super::recorded::Recorded;
use kernel::time::{Span, Time};

/// The properties of a rigid job. `(source, number)` identifies it permanently, unless it comes
/// from a trace that repeats a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Number in its source: field 1 of an SWF line, the `id` of an explicit job, otherwise a count
    /// from 1.
    pub number: u64,
    /// Number of its source within the scenario.
    pub source: u32,
    /// Submission time.
    pub submit: Time,
    /// Runtime on a processor of unit speed. Schedulers do not see it.
    pub runtime: Span,
    /// Runtime estimated by the user; the true runtime if there is no estimate.
    pub estimate: Span,
    /// Number of processors held for the whole runtime, at least 1.
    pub processors: u32,
    /// Number of the user within the source, 0 if there are no users.
    pub user: u32,
    /// Organization that owns the job.
    pub organization: OrganizationId,
    /// Further facts of the trace that it comes from. Schedulers do not see them.
    pub recorded: Recorded,
}

/// A job of one processor and no length, of the first organization.
impl Default for Job {
    #[inline]
    fn default() -> Job {
        Job {
            number: 0,
            source: 0,
            submit: Time::ZERO,
            runtime: Span::ZERO,
            estimate: Span::ZERO,
            processors: 1,
            user: 0,
            organization: OrganizationId(0),
            recorded: Recorded::default(),
        }
    }
}

impl Job {
    /// Returns its work in processor-ticks.
    pub fn area(&self) -> i128 {
        i128::from(self.processors) * i128::from(self.runtime.ticks())
    }
}
