//! The expected ends of the running jobs, in order.

use serde::{Deserialize, Serialize};

use crate::kernel::time::{Span, Time};
use crate::model::ids::JobId;

/// When a running job is expected to give back how many processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct End {
    pub at: Time,
    pub id: JobId,
    pub processors: u32,
}

/// Sorted by expected end. To change it is linear in the number of running jobs, but for a move of
/// a few hundred bytes; the search compares single integers, so that it has no branches to
/// mispredict.
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

    /// Has some job outrun its expected length at `now`?
    pub fn overdue(&self, now: Time) -> bool {
        self.0.first().is_some_and(|end| end.at <= now)
    }

    /// The job that has outrun its expected length at `now` by the most, and when it should have
    /// ended.
    pub fn first_overdue(&self, now: Time) -> Option<(JobId, Time)> {
        self.0.first().filter(|end| end.at <= now).map(|end| (end.id, end.at))
    }

    /// Each job with its expected end, however long ago that was.
    pub fn iter(&self) -> impl Iterator<Item = &End> {
        self.0.iter()
    }

    /// The ends as they look at `now`: a job that should have ended is expected to end in a tick.
    pub fn from(&self, now: Time) -> impl Iterator<Item = End> {
        let soon = now + Span::TICK;
        self.0.iter().map(move |end| End { at: end.at.max(soon), ..*end })
    }
}
