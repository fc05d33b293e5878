//! A small problem written out: clusters, and rigid jobs whose lengths are known.

use kernel::time::{Span, Time};

/// A rigid job of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Number of processors it holds while it runs, at least 1.
    pub processors: u32,
    /// Time it runs.
    pub length: Span,
    /// Submission time.
    pub release: Time,
}

/// Clusters by their processors, and jobs in the order of their submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Processors of each cluster, in ascending order.
    pub clusters: Vec<u32>,
    /// The jobs, by release; jobs of one release are in list order.
    pub tasks: Vec<Task>,
}

/// Start and cluster of one job in a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Time the job starts.
    pub start: Time,
    /// Index of its cluster in [`Instance::clusters`].
    pub cluster: usize,
}

/// A schedule breaks a rule of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Infeasible {
    /// The numbers of placements and jobs differ.
    #[error("the schedule places {placements} jobs and the instance has {tasks}")]
    Count {
        /// Number of placements.
        placements: usize,
        /// Number of jobs.
        tasks: usize,
    },
    /// A placement names a cluster that does not exist.
    #[error("job {task} is on cluster {cluster}, which does not exist")]
    NoCluster {
        /// Index of the job.
        task: usize,
        /// The cluster it names.
        cluster: usize,
    },
    /// A job starts before its submission.
    #[error("job {task} starts before its submission")]
    Early {
        /// Index of the job.
        task: usize,
    },
    /// A job ends beyond the range of times.
    #[error("job {task} ends beyond the range of times")]
    Late {
        /// Index of the job.
        task: usize,
    },
    /// More processors are in use than the cluster has when a job starts.
    #[error("cluster {cluster} has too few processors for its jobs when job {task} starts")]
    Overload {
        /// Index of the job.
        task: usize,
        /// Its cluster.
        cluster: usize,
    },
}

impl Instance {
    /// Returns the makespan of a schedule, after checking that it is feasible.
    ///
    /// A job holds its processors from its start up to, not including, its end, so a job of
    /// length zero holds none, and may even be wider than its cluster. The makespan of no jobs is zero.
    /// Takes time O(jobs log jobs).
    ///
    /// # Errors
    /// The first rule that the schedule breaks.
    pub fn makespan(&self, schedule: &[Placement]) -> Result<Time, Infeasible> {
        if schedule.len() != self.tasks.len() {
            let (placements, tasks) = (schedule.len(), self.tasks.len());
            return Err(Infeasible::Count { placements, tasks });
        }
        let mut ends = Vec::with_capacity(schedule.len());
        for (task, (job, place)) in self.tasks.iter().zip(schedule).enumerate() {
            if place.cluster >= self.clusters.len() {
                return Err(Infeasible::NoCluster { task, cluster: place.cluster });
            }
            if place.start < job.release {
                return Err(Infeasible::Early { task });
            }
            ends.push(place.start.checked_add(job.length).ok_or(Infeasible::Late { task })?);
        }
        // Ends come before starts of the same time; jobs of length zero hold nothing.
        let mut events: Vec<(usize, Time, bool, usize)> = Vec::with_capacity(2 * schedule.len());
        for (task, place) in schedule.iter().enumerate() {
            if place.start < ends[task] {
                events.push((place.cluster, place.start, true, task));
                events.push((place.cluster, ends[task], false, task));
            }
        }
        events.sort_unstable();
        let mut used = 0_u64;
        let mut open = usize::MAX;
        for (cluster, _, starts, task) in events {
            if cluster != open {
                (open, used) = (cluster, 0);
            }
            let processors = u64::from(self.tasks[task].processors);
            used = if starts { used + processors } else { used - processors };
            if used > u64::from(self.clusters[cluster]) {
                return Err(Infeasible::Overload { task, cluster });
            }
        }
        Ok(ends.into_iter().max().unwrap_or(Time::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(places: &[(i64, usize)]) -> Result<i64, Infeasible> {
        let task = |processors, length, release| Task {
            processors,
            length: Span::from_ticks(length),
            release: Time::from_ticks(release),
        };
        let tasks = vec![task(2, 3, 0), task(1, 2, 0), task(2, 0, 1)];
        let schedule: Vec<Placement> = places
            .iter()
            .map(|&(start, cluster)| Placement { start: Time::from_ticks(start), cluster })
            .collect();
        Instance { clusters: vec![1, 2], tasks }.makespan(&schedule).map(Time::ticks)
    }

    #[test]
    fn makespan_is_the_latest_end_of_a_feasible_schedule() {
        assert_eq!(check(&[(0, 1), (0, 0), (1, 1)]), Ok(3));
        assert_eq!(check(&[(0, 1), (3, 1), (1, 1)]), Ok(5));
        assert_eq!(check(&[(0, 1), (0, 0)]), Err(Infeasible::Count { placements: 2, tasks: 3 }));
        assert_eq!(
            check(&[(0, 1), (2, 1), (1, 1)]),
            Err(Infeasible::Overload { task: 1, cluster: 1 })
        );
        assert_eq!(
            check(&[(0, 0), (0, 0), (1, 1)]),
            Err(Infeasible::Overload { task: 0, cluster: 0 })
        );
        assert_eq!(check(&[(0, 1), (0, 0), (0, 1)]), Err(Infeasible::Early { task: 2 }));
        assert_eq!(
            check(&[(0, 2), (0, 0), (1, 1)]),
            Err(Infeasible::NoCluster { task: 0, cluster: 2 })
        );
        assert_eq!(check(&[(i64::MAX, 1), (0, 0), (1, 1)]), Err(Infeasible::Late { task: 0 }));
    }
}
