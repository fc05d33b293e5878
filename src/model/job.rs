//! A rigid job as it arrives.

use serde::{Deserialize, Serialize};

use super::ids::OrganizationId;
use crate::kernel::time::{Span, Time};

/// The facts of a rigid job. `(source, number)` identifies it for ever, unless it comes from a
/// trace that repeats a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number in its source: field 1 of an SWF line, the `id` of an explicit job, else a count
    /// from 1.
    pub number: u64,
    /// Which of the scenario's sources it comes from.
    pub source: u32,
    /// When it is submitted.
    pub submit: Time,
    /// How long it runs on a processor of unit speed. Schedulers do not see it.
    pub runtime: Span,
    /// How long its user said it would run; the runtime itself where nobody said.
    pub estimate: Span,
    /// How many processors it holds for all of its runtime, at least 1.
    pub processors: u32,
    /// The user's number in the source, 0 where there are no users.
    pub user: u32,
    /// Whose it is.
    pub organization: OrganizationId,
}

impl Job {
    /// Its work in processor-ticks.
    pub fn area(&self) -> i128 {
        i128::from(self.processors) * i128::from(self.runtime.ticks())
    }
}
