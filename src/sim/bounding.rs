//! The makespan of a whole replication beside the least that any schedule could have; an observer.

use serde::{Deserialize, Serialize};

use super::observer::{Finished, Observer, Submitted};
use bounds::instance::{Instance, Task};
use bounds::lower::LowerBound;
use bounds::optimum::optimum;
use kernel::state_of_fields;
use kernel::time::{Span, Time};

/// Maximum number of jobs of a replication whose optimum is searched.
pub const MOST_JOBS: usize = 14;
/// Maximum number of nodes of that search: some seconds.
const MOST_NODES: u64 = 5_000_000;

/// Keeps what the bounds of a replication's makespan need: one sum for each size of clusters, and the
/// jobs, while they are few.
#[derive(Clone, Debug)]
pub struct Bounding {
    /// Processors of the clusters, ascending.
    clusters: Vec<u32>,
    kills: bool,
    /// True if every job may use every cluster, so that the optimum is that of the instance.
    is_open: bool,
    lower: LowerBound,
    kept: Kept,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Kept {
    first: Option<Time>,
    last: Time,
    alive: u64,
    jobs: u64,
    /// Processors, length and release of the first jobs.
    few: Vec<(u32, Span, Time)>,
}

state_of_fields!(Bounding { lower, kept });

impl Bounding {
    /// No jobs yet, given the processors of the clusters; `kills` if every cluster kills jobs at their
    /// estimates, and `is_open` if every job may use every cluster.
    pub fn new(mut clusters: Vec<u32>, kills: bool, is_open: bool) -> Bounding {
        clusters.retain(|&processors| processors > 0);
        clusters.sort_unstable();
        let lower = LowerBound::new(&clusters);
        Bounding { clusters, kills, is_open, lower, kept: Kept::default() }
    }

    /// The makespan: last finish minus first submission. `None` if a job has not finished, or if
    /// there is none.
    fn makespan(&self) -> Option<f64> {
        let Kept { first, last, alive, .. } = self.kept;
        (alive == 0).then_some(())?;
        Some((last - first?).ticks() as f64).filter(|&ticks| ticks > 0.0)
    }

    /// The makespan divided by its lower bound.
    pub fn over_bound(&self) -> Option<f64> {
        let bound = self.lower.value();
        Some(self.makespan()? * bound.denominator as f64 / bound.numerator as f64)
    }

    /// The makespan divided by the optimum, if the jobs are few enough for that.
    pub fn over_optimum(&self) -> Option<f64> {
        let makespan = self.makespan()?;
        if !self.is_open || self.kept.jobs > MOST_JOBS as u64 {
            return None;
        }
        let tasks = self.kept.few.iter().map(|&(processors, length, release)| Task {
            processors,
            length,
            release,
        });
        let instance = Instance { clusters: self.clusters.clone(), tasks: tasks.collect() };
        let best = optimum(&instance, MOST_NODES).ok()?.makespan.proved()?;
        Some(makespan / best.ticks() as f64)
    }
}

impl Observer for Bounding {
    fn submitted(&mut self, Submitted { job, .. }: Submitted<'_>) {
        let first = *self.kept.first.get_or_insert(job.submit);
        let length = if self.kills { job.runtime.min(job.estimate) } else { job.runtime };
        let release = Time::ZERO + (job.submit - first);
        self.lower.add(job.processors, length, release);
        self.kept.alive += 1;
        self.kept.jobs += 1;
        if self.kept.jobs <= MOST_JOBS as u64 {
            self.kept.few.push((job.processors, length, release));
        }
    }

    fn finished(&mut self, finished: Finished<'_>) {
        self.kept.alive -= 1;
        self.kept.last = self.kept.last.max(finished.finish);
    }
}
