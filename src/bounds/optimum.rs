//! The exact optimal makespan of a small instance, by branch and bound.
//!
//! Jobs are rigid, have releases, run without interruption and on one cluster each. The search has
//! two levels:
//!
//! A job may have a time by which it must have ended; see [`promise`](super::promise).
//!
//! 1. `assignment` decides on the cluster of each job. It looks for a schedule one tick shorter
//!    than the best one so far, and starts from the best of a few list schedules.
//! 2. `one_cluster` decides whether the jobs of one cluster can meet that deadline, by building
//!    their schedules in the order of time. Its answers are exact, are used for incomplete
//!    assignments too, and are shared by clusters of one size.
//!
//! The search ends when it has been through all assignments or the best schedule is as short as the
//! lower bound, so the result is exact; each module gives the reasons for what it leaves out.
//! Twelve jobs take a millisecond or so, and one cluster with lengths that hardly ever add up to
//! the same sums is the hardest case. The time grows exponentially with the jobs on one cluster.

mod assignment;
mod list;
mod one_cluster;
mod prepared;
#[cfg(test)]
pub(super) mod tests;
mod weights;

use super::instance::{Instance, Placement};
use assignment::Assignment;
use kernel::time::Time;
use list::{Schedule, best_list_schedule};
use prepared::Prepared;

/// Largest number of jobs that is searched: as many as a set has bits.
const MOST_JOBS: usize = 64;

/// The optimal makespan of an instance, as far as it is known. Times are since time zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Makespan {
    /// The optimal makespan.
    Proved(Time),
    /// The search was cut short: the optimum is between these, inclusive.
    Between {
        /// No schedule is shorter.
        lower: Time,
        /// Makespan of the schedule found.
        upper: Time,
    },
}

/// The shortest schedule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The optimal makespan or bounds of it.
    pub makespan: Makespan,
    /// Start and cluster of each job, in the order of the instance.
    pub schedule: Vec<Placement>,
    /// Number of nodes visited; 0 if a list schedule is as short as the lower bound.
    pub nodes: u64,
}

/// The instance has no schedule, or none that can be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// A job asks for more processors than any cluster has.
    #[error("job {task} is wider than every cluster")]
    TooWide {
        /// Index of the job.
        task: usize,
    },
    /// A length or a release is negative.
    #[error("job {task} has a negative length or release")]
    Negative {
        /// Index of the job.
        task: usize,
    },
    /// All jobs one after the other would end beyond the range of times.
    #[error("all jobs one after the other end beyond the range of times")]
    TooLong,
}

/// A job of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Job {
    size: i64,
    length: i64,
    release: i64,
    /// Latest end; the largest number if there is none.
    due: i64,
}

impl Job {
    /// Returns the processors times the length.
    fn area(&self) -> i128 {
        i128::from(self.size) * i128::from(self.length)
    }
}

/// Nodes visited, and the most that may be.
#[derive(Clone, Copy, Debug)]
struct Budget {
    nodes: u64,
    limit: u64,
}

impl Makespan {
    /// Returns the optimal makespan if it is known.
    pub fn proved(self) -> Option<Time> {
        match self {
            Makespan::Proved(makespan) => Some(makespan),
            Makespan::Between { .. } => None,
        }
    }

    /// Returns the makespan of the schedule found.
    pub fn upper(self) -> Time {
        match self {
            Makespan::Proved(makespan) => makespan,
            Makespan::Between { upper, .. } => upper,
        }
    }

    /// Returns a time that no schedule is shorter than.
    pub fn lower(self) -> Time {
        match self {
            Makespan::Proved(makespan) => makespan,
            Makespan::Between { lower, .. } => lower,
        }
    }
}

impl Budget {
    /// Counts a node. Returns false, and counts none, if `limit` nodes have been visited.
    fn spend(&mut self) -> bool {
        if self.nodes >= self.limit {
            return false;
        }
        self.nodes += 1;
        true
    }
}

/// Finds a shortest schedule, visiting at most `limit` nodes.
///
/// Clusters and jobs may be in any order. A node takes about half a microsecond, and up to 200
/// bytes. Instances of more than 64 jobs are not searched; the result is a list schedule, and
/// bounds unless it is as short as the lower bound.
///
/// # Errors
/// A job that fits on no cluster, or times that are negative or too large.
pub fn optimum(instance: &Instance, limit: u64) -> Result<Optimum, Unsolvable> {
    let prepared = Prepared::new(instance)?;
    Ok(search(instance, &prepared, Schedule::none(), limit))
}

/// Finds a shortest schedule in which each job has ended by its due time, [`Time::NEVER`] for a job
/// without one. `start` is such a schedule.
pub(super) fn optimum_by(
    instance: &Instance,
    due: &[Time],
    start: &[Placement],
    limit: u64,
) -> Result<Optimum, Unsolvable> {
    let prepared = Prepared::with_due_times(instance, due)?;
    let start = prepared.schedule(start);
    Ok(search(instance, &prepared, start, limit))
}

fn search(instance: &Instance, prepared: &Prepared, start: Schedule, limit: u64) -> Optimum {
    let Prepared { jobs, clusters, lower, .. } = prepared;
    let best = best_list_schedule(jobs, clusters, *lower, start);
    let (best, optimal, nodes) = if best.makespan <= *lower {
        (best, true, 0)
    } else if jobs.len() > MOST_JOBS {
        (best, false, 0)
    } else {
        Assignment::new(jobs, clusters, *lower, best, Budget { nodes: 0, limit }).run()
    };
    // Jobs that are never in the way may end last, which the lower bound knows.
    let upper = prepared.time(best.makespan.max(*lower));
    let makespan = if optimal {
        Makespan::Proved(upper)
    } else {
        Makespan::Between { lower: prepared.time(*lower), upper }
    };
    Optimum { makespan, schedule: prepared.placements(instance, &best), nodes }
}
