//! Facts of a trace about a job, besides its request.

use serde::{Deserialize, Serialize};

use super::ids::ClusterId;
use kernel::time::Span;

/// A job's recorded waiting time, its partition, and the cluster that this stands for or that it is
/// bound to. Jobs that come from no trace have no wait and no partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// In ticks; negative if there is none.
    wait: i64,
    /// A cluster, or a list of clusters with [`LIST`] added; `u32::MAX` if there is neither.
    cluster: u32,
    /// Column 16 of a trace; negative if there is none.
    partition: i32,
}

/// Marks the number of a list.
const LIST: u32 = 1 << 31;

impl Default for Recorded {
    fn default() -> Recorded {
        Recorded::new(None, None)
    }
}

impl Recorded {
    /// Creates the record of a job.
    pub fn new(wait: Option<Span>, cluster: Option<ClusterId>) -> Recorded {
        Recorded {
            wait: wait.map_or(-1, |wait| wait.ticks().max(0)),
            cluster: cluster.map_or(u32::MAX, |cluster| cluster.0),
            partition: -1,
        }
    }

    /// The same with a partition of a trace; a negative one is none.
    #[inline]
    #[must_use]
    pub fn of_partition(self, partition: i32) -> Recorded {
        Recorded { partition, ..self }
    }

    /// Returns the partition that its trace names.
    #[inline]
    pub fn partition(&self) -> Option<i32> {
        (self.partition >= 0).then_some(self.partition)
    }

    /// Returns the time that it waited on the real machine.
    #[inline]
    pub fn wait(&self) -> Option<Span> {
        (self.wait >= 0).then(|| Span::from_ticks(self.wait))
    }

    /// Returns the only cluster that it may use.
    #[inline]
    pub fn cluster(&self) -> Option<ClusterId> {
        (self.cluster < LIST).then_some(ClusterId(self.cluster))
    }

    /// Returns the number of the list of clusters that it may use, among those of its plan; `None` if
    /// its organization's list counts.
    #[inline]
    pub fn list(&self) -> Option<u32> {
        let is_list = self.cluster >= LIST && self.cluster != u32::MAX;
        is_list.then(|| self.cluster - LIST)
    }

    /// Binds the job to a cluster.
    #[must_use]
    pub fn bound_to(self, ClusterId(cluster): ClusterId) -> Recorded {
        Recorded { cluster, ..self }
    }

    /// Binds the job to a list of clusters, by its number in the plan.
    ///
    /// # Panics
    /// If the number is not below 2^31 - 1.
    #[must_use]
    pub fn among(self, list: u32) -> Recorded {
        assert!(list < LIST - 1, "fewer than 2^31 - 1 lists are kept");
        Recorded { cluster: list + LIST, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_recorded_unless_it_is_given() {
        assert_eq!((Recorded::default().wait(), Recorded::default().cluster()), (None, None));
        let both = Recorded::new(Some(Span::ZERO), Some(ClusterId(0)));
        assert_eq!((both.wait(), both.cluster()), (Some(Span::ZERO), Some(ClusterId(0))));
        assert_eq!((both.list(), both.among(7).list()), (None, Some(7)));
        assert_eq!((both.among(7).cluster(), both.among(7).wait()), (None, Some(Span::ZERO)));
        assert_eq!([both, both.of_partition(3)].map(|one| one.partition()), [None, Some(3)]);
        assert_eq!((Recorded::default().list(), size_of::<Recorded>()), (None, 16));
    }
}
