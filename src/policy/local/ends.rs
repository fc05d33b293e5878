//! Expected ends of the running jobs, in order.

use serde::{Deserialize, Serialize};

use kernel::time::{Span, Time};
use model::ids::JobId;

/// Expected end of a running job, with its processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    pub at: Time,
    pub id: JobId,
    pub processors: u32,
}

/// Sorted by expected end. Changes are linear in the number of running jobs, but only move a few
/// hundred bytes; the search compares single integers without unpredictable branches.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ends(Vec<End>);

impl Ends {
    #[inline]
    pub fn add(&mut self, end: End) {
        let place = self.0.partition_point(|other| other.at <= end.at);
        self.0.insert(place, end);
    }

    /// Removes a job that was expected to end at `at`.
    #[inline]
    pub fn remove(&mut self, at: Time, id: JobId) {
        let first = self.0.partition_point(|other| other.at < at);
        let later = self.0[first..].iter().position(|other| other.id == id);
        self.0.remove(first + later.expect("a job that ends ran here"));
    }

    /// True if some job has outrun its expected runtime at `now`.
    pub fn overdue(&self, now: Time) -> bool {
        self.0.first().is_some_and(|end| end.at <= now)
    }

    /// The job that is overdue by the most at `now`, and its expected end.
    pub fn first_overdue(&self, now: Time) -> Option<(JobId, Time)> {
        self.0.first().filter(|end| end.at <= now).map(|end| (end.id, end.at))
    }

    /// Each job with its expected end, even if that has passed.
    pub fn iter(&self) -> impl Iterator<Item = &End> {
        self.0.iter()
    }

    /// Ends as expected at `now`: an overdue job is expected to end in one tick.
    pub fn from(&self, now: Time) -> impl Iterator<Item = End> {
        let soon = now + Span::TICK;
        self.0.iter().map(move |end| End { at: end.at.max(soon), ..*end })
    }
}
