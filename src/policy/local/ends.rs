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

/// Sorted by (expected end, id); linear in the number of running jobs to change.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ends(Vec<End>);

impl Ends {
    pub fn add(&mut self, end: End) {
        let place = self.0.partition_point(|other| (other.at, other.id) < (end.at, end.id));
        self.0.insert(place, end);
    }

    /// Removes a job that was expected to end at `at`.
    pub fn remove(&mut self, at: Time, id: JobId) {
        let place = self.0.partition_point(|other| (other.at, other.id) < (at, id));
        debug_assert_eq!(self.0[place].id, id, "a job ends that did not run here");
        self.0.remove(place);
    }

    /// Has some job outrun its expected length at `now`?
    pub fn overdue(&self, now: Time) -> bool {
        self.0.first().is_some_and(|end| end.at <= now)
    }

    /// The ends as they look at `now`: a job that should have ended is expected to end in a tick.
    pub fn from(&self, now: Time) -> impl Iterator<Item = End> {
        let soon = now + Span::TICK;
        self.0.iter().map(move |end| End { at: end.at.max(soon), ..*end })
    }
}
