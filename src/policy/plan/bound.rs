//! A problem as jobs bound to the processors of several owners.
//!
//! Each job is bound to a cluster: the only one that it may use, or else the one on which another plan
//! puts it. A cluster counts as one processor that runs a job at a time, so a job counts by its share:
//! its expected runtime, times its processors over those of the cluster, rounded up. That is its
//! runtime if it fills the cluster, as on dedicated processors; otherwise the order is decided by
//! shares, and the plan then starts the jobs in that order as soon as their processors are free.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Plans, Problem, Start, Step};
use game::dedicated::{Dedicated, Order};
use model::ids::{ClusterId, OrganizationId};

/// Jobs of a problem, each bound to a cluster.
#[derive(Debug)]
pub(super) struct Bound<'p> {
    problem: &'p Problem,
    /// The owners of jobs in order, and behind them one for all who own only clusters.
    pub instance: Dedicated,
    /// Added to an owner's sum to make it a flow time: the time its jobs have waited, and wait for
    /// what runs. The last owner's cost is below all others'.
    pub waits: Vec<i64>,
    /// The same for payoffs, which count from my jobs first.
    pub payoffs: Vec<i64>,
    /// By cluster and owner: the jobs, by size and then in order of submission.
    jobs: Vec<Vec<Vec<u32>>>,
}

/// Greatest common divisor, or the other number if one is 0.
fn divisor(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.abs()
}

/// An amount that is not negative over another one, rounded up.
fn up(amount: i128, over: i128) -> i128 {
    amount / over + i128::from(amount % over > 0)
}

impl<'p> Bound<'p> {
    /// Binds the jobs of a problem; `from` says where those run that may use several clusters.
    pub fn new(problem: &'p Problem, from: &Start) -> Bound<'p> {
        let owners = &problem.owners;
        let count = owners.len() + 1;
        let owner = |one: OrganizationId| owners.binary_search(&one).unwrap_or(owners.len());
        let is_open = |job: &u32| problem.clusters(*job).len() > 1;
        let plan =
            (0..problem.jobs.len() as u32).any(|job| is_open(&job)).then(|| from.schedule(problem));
        let mut jobs = vec![vec![Vec::new(); count]; problem.sites.len()];
        let mut sizes = vec![vec![Vec::new(); count]; problem.sites.len()];
        let mut waits = vec![0_i128; count];
        let ready = ready(problem);
        for (job, known) in (0..).zip(&problem.jobs) {
            let planned = plan.as_ref().and_then(|plan| plan.get(job));
            let cluster = match problem.clusters(job) {
                [only] => *only,
                _ => planned.expect("a plan places every job").0,
            };
            let processors = i128::from(problem.sites[cluster.index()].processors);
            let length = known.length(&problem.sites[cluster.index()]);
            let area = i128::from(known.processors()) * i128::from(length.ticks());
            let size = up(area, processors).max(1);
            let own = problem.ranks[job as usize] as usize;
            jobs[cluster.index()][own].push((size, job));
            sizes[cluster.index()][own].push(size);
            let waited = i128::from(problem.now.ticks()) - i128::from(known.job.job.submit.ticks());
            waits[own] += waited + ready[cluster.index()];
        }
        for jobs in jobs.iter_mut().flatten() {
            jobs.sort_unstable();
        }
        let all = sizes.iter().flatten().flatten().chain(&waits);
        let mut unit = all.fold(0, |unit, &one| divisor(unit, one)).max(1);
        let (instance, waits) = loop {
            // In a coarser unit if sums are too large; no size becomes 0.
            match counted(problem, &sizes, &waits, unit, owner) {
                Some(counted) => break counted,
                None => unit *= 2,
            }
        };
        let mut payoffs = instance.payoff_offset();
        payoffs[count - 1] = waits[count - 1];
        let jobs = jobs.into_iter().map(|cluster| {
            let numbers = |jobs: Vec<(i128, u32)>| jobs.into_iter().map(|(_, job)| job).collect();
            cluster.into_iter().map(numbers).collect()
        });
        Bound { problem, instance, waits, payoffs, jobs: jobs.collect() }
    }

    /// Writes a schedule as a candidate: each cluster starts its jobs in order.
    pub fn write(&self, schedule: &[Order], name: &'static str, out: &mut Plans) {
        let mut steps = Vec::with_capacity(self.problem.jobs.len());
        for (cluster, order) in (0..).map(ClusterId).zip(schedule) {
            let mut next = vec![0; self.instance.owners()];
            let jobs = order.iter().map(|&owner| {
                let owner = owner as usize;
                next[owner] += 1;
                self.jobs[cluster.index()][owner][next[owner] - 1]
            });
            self.start(cluster, jobs, &mut steps);
        }
        steps.sort_unstable_by_key(|step| step.job);
        steps.into_iter().for_each(|step| out.push(step));
        out.close(name);
    }

    /// Starts jobs on a cluster one after the other, each as soon as its processors are free.
    fn start(&self, cluster: ClusterId, jobs: impl Iterator<Item = u32>, out: &mut Vec<Step>) {
        let mut idle = self.problem.sites[cluster.index()].processors;
        let mut ends = BinaryHeap::new();
        for busy in self.problem.running.iter().filter(|busy| busy.cluster == cluster) {
            idle -= busy.processors;
            ends.push(Reverse((busy.end, busy.processors)));
        }
        let mut start = self.problem.now;
        for job in jobs {
            let known = &self.problem.jobs[job as usize];
            while idle < known.processors() {
                let Reverse((end, processors)) = ends.pop().expect("it fits on an idle cluster");
                start = start.max(end);
                idle += processors;
            }
            out.push(Step { job, cluster, start });
            idle -= known.processors();
            let end = self.problem.end(job, (cluster, start));
            ends.push(Reverse((end, known.processors())));
        }
    }
}

/// The time for which what runs would keep each cluster busy, as a whole.
fn ready(problem: &Problem) -> Vec<i128> {
    let mut work = vec![0_i128; problem.sites.len()];
    for busy in &problem.running {
        let left = i128::from((busy.end - problem.now).ticks());
        work[busy.cluster.index()] += left * i128::from(busy.processors);
    }
    let each = work.iter().zip(&problem.sites);
    each.map(|(work, site)| up(*work, i128::from(site.processors))).collect()
}

/// The instance in a unit, and the owners' waits; `None` if sums do not fit.
fn counted(
    problem: &Problem,
    sizes: &[Vec<Vec<i128>>],
    waits: &[i128],
    unit: i128,
    owner: impl Fn(OrganizationId) -> usize,
) -> Option<(Dedicated, Vec<i64>)> {
    let scaled = |amount: &i128| i64::try_from(up(*amount, unit)).ok();
    let processor = |(sizes, site): (&Vec<Vec<i128>>, &super::Site)| {
        let of = |sizes: &Vec<i128>| sizes.iter().map(scaled).collect::<Option<Vec<i64>>>();
        Some((owner(site.owner) as u32, sizes.iter().map(of).collect::<Option<Vec<_>>>()?))
    };
    let processors = sizes.iter().zip(&problem.sites).map(processor).collect::<Option<Vec<_>>>()?;
    let instance = Dedicated::new(waits.len(), processors).ok()?;
    let mut waits = waits.iter().map(scaled).collect::<Option<Vec<i64>>>()?;
    // Costs and their sums over owners stay in range.
    let most = i64::MAX / 8 / (waits.len() as i64 + 1);
    if waits.iter().any(|&wait| wait > most) {
        return None;
    }
    *waits.last_mut()? = -most;
    Some((instance, waits))
}
