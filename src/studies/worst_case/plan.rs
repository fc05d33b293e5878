//! Writes the jobs of an instance down in list order, together with their reference schedule.

use super::{Known, Worst};
use bounds::instance::{Instance, Placement, Task};
use kernel::time::{Span, Time};

/// An instance and its reference schedule, as far as written.
pub(super) struct Plan {
    clusters: Vec<u32>,
    tasks: Vec<Task>,
    reference: Vec<Placement>,
    release: Time,
}

impl Plan {
    /// Starts with the clusters, in groups of (number, processors) with ascending processors.
    pub(super) fn new(groups: &[(usize, u32)]) -> Plan {
        let mut clusters = Vec::new();
        for &(count, processors) in groups {
            clusters.extend(std::iter::repeat_n(processors, count));
        }
        Plan { clusters, tasks: Vec::new(), reference: Vec::new(), release: Time::ZERO }
    }

    /// Sets the release of the jobs that follow.
    pub(super) fn release(&mut self, release: Time) {
        self.release = release;
    }

    /// Writes `count` jobs and takes the reference place of each from `places`.
    pub(super) fn add(
        &mut self,
        count: usize,
        (processors, length): (u32, Span),
        places: &mut impl Iterator<Item = Placement>,
    ) {
        let (before, task) = (self.tasks.len(), Task { processors, length, release: self.release });
        self.tasks.extend(std::iter::repeat_n(task, count));
        self.reference.extend(places.take(count));
        assert_eq!(self.reference.len(), before + count, "a place for each job");
    }

    /// Ends the instance; the reference schedule is to be one of the makespan in `optimum`.
    pub(super) fn finish(self, optimum: Known, makespan: Option<Time>, note: String) -> Worst {
        let instance = Instance { clusters: self.clusters, tasks: self.tasks };
        Worst { instance, optimum, reference: self.reference, makespan, note }
    }
}

/// Returns a place that is taken by all jobs.
pub(super) fn at(start: Time, cluster: usize) -> impl Iterator<Item = Placement> {
    std::iter::repeat(Placement { start, cluster })
}

/// Returns places row by row: from `start`, every `length`, `slots` places on each of the
/// `clusters` from cluster `first` on.
pub(super) fn rows(
    start: Time,
    length: Span,
    (first, clusters): (usize, usize),
    slots: usize,
) -> impl Iterator<Item = Placement> {
    let row = move |row: i64| {
        let start = start + length * row;
        (first..first + clusters)
            .flat_map(move |cluster| std::iter::repeat_n(Placement { start, cluster }, slots))
    };
    (0..).flat_map(row)
}
