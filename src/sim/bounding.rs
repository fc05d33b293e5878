//! The makespan of a whole replication beside the least that any schedule could have; an observer.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::accounts::Owned;
use super::observer::{Finished, Observer, Submitted};
use bounds::instance::{Instance, Task};
use bounds::lower::LowerBound;
use bounds::optimum::optimum;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::ids::OrganizationId;

/// Maximum number of jobs of a replication whose optimum is searched.
pub const MOST_JOBS: usize = 14;
/// Maximum number of nodes of that search: some seconds.
const MOST_NODES: u64 = 5_000_000;

/// Keeps what the bounds of a replication's makespan need: one sum for each size of clusters, and the
/// jobs, while they are few.
#[derive(Clone, Debug)]
pub struct Bounding {
    /// The clusters, the narrowest first.
    clusters: Vec<Owned>,
    /// The organizations with jobs and the widest job, where clusters of the others do not count.
    with_jobs: Option<(BTreeSet<OrganizationId>, u32)>,
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

impl State for Bounding {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.lower, &self.kept), out);
        self.with_jobs.iter().for_each(|with_jobs| put(with_jobs, out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.lower, self.kept) = take(from)?;
        self.with_jobs = self.with_jobs.take().map(|_| take(from)).transpose()?;
        Ok(())
    }
}

impl Bounding {
    /// No jobs yet, given the clusters; `kills` if every cluster kills jobs at their estimates,
    /// `is_open` if every job may use every cluster, and `leaves_out` if the clusters of organizations
    /// without jobs are not used.
    pub fn new(mut clusters: Vec<Owned>, kills: bool, is_open: bool, leaves_out: bool) -> Bounding {
        clusters.retain(|one| one.processors > 0);
        clusters.sort_unstable_by_key(|one| one.processors);
        let lower = LowerBound::new(&sizes(&clusters));
        let with_jobs = leaves_out.then(Default::default);
        Bounding { clusters, with_jobs, kills, is_open, lower, kept: Kept::default() }
    }

    /// Processors of the clusters that count, ascending.
    ///
    /// Where those of organizations without jobs are left out, they count all the same if some job
    /// could run nowhere else.
    fn used(&self) -> Vec<u32> {
        let Some((owners, widest)) = &self.with_jobs else { return sizes(&self.clusters) };
        let of_them = self.clusters.iter().filter(|one| owners.contains(&one.owner));
        let used: Vec<u32> = of_them.map(|one| one.processors).collect();
        if used.last() >= Some(widest) { used } else { sizes(&self.clusters) }
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
        let lower = self.with_jobs.as_ref().map(|_| self.lower.within(&self.used()));
        let bound = lower.as_ref().unwrap_or(&self.lower).value();
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
        let instance = Instance { clusters: self.used(), tasks: tasks.collect() };
        let best = optimum(&instance, MOST_NODES).ok()?.makespan.proved()?;
        Some(makespan / best.ticks() as f64)
    }
}

fn sizes(clusters: &[Owned]) -> Vec<u32> {
    clusters.iter().map(|one| one.processors).collect()
}

impl Observer for Bounding {
    fn submitted(&mut self, Submitted { job, .. }: Submitted<'_>) {
        let first = *self.kept.first.get_or_insert(job.submit);
        let length = if self.kills { job.runtime.min(job.estimate) } else { job.runtime };
        let release = Time::ZERO + (job.submit - first);
        self.lower.add(job.processors, length, release);
        if let Some((owners, widest)) = &mut self.with_jobs {
            owners.insert(job.organization);
            *widest = job.processors.max(*widest);
        }
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
