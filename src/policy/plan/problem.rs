//! Input of a planner: jobs, clusters, what runs, and the schedule of each organization alone.

use super::highest_first::highest_first;
use super::{Step, WithoutJobs};
use kernel::time::{Span, Time};
use model::ids::{ClusterId, OrganizationId};
use model::speed::Speed;
use model::view::Expected;

/// A cluster as planners know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The organization that owns it.
    pub owner: OrganizationId,
    /// Its processors.
    pub processors: u32,
    /// Their speed.
    pub speed: Speed,
}

/// A job to be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The job, with its expected runtime at unit speed.
    pub job: Expected,
    /// The clusters that it may use, by their place in [`Problem::uses`].
    pub uses: u32,
}

impl Known {
    /// Its processors.
    #[inline]
    pub fn processors(&self) -> u32 {
        self.job.job.processors
    }

    /// Its organization.
    #[inline]
    pub fn owner(&self) -> OrganizationId {
        self.job.job.organization
    }

    /// Returns its expected execution time on a cluster: a tick or more.
    #[inline]
    pub fn length(&self, site: &Site) -> Span {
        site.speed.runs(self.job.expected)
    }

    /// Its expected area in processor-ticks, at unit speed.
    pub fn area(&self) -> i128 {
        i128::from(self.processors()) * i128::from(self.job.expected.ticks())
    }
}

/// Processors that a running job holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy {
    /// Its cluster.
    pub cluster: ClusterId,
    /// Their number.
    pub processors: u32,
    /// Its expected end, later than the time of the problem.
    pub end: Time,
}

/// Input of a planner.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The time at which the planner is asked.
    pub now: Time,
    /// All clusters, those that are left out too.
    pub sites: Vec<Site>,
    /// Lists of clusters that jobs may use, each in the order of their numbers, without those that are
    /// left out.
    pub uses: Vec<Vec<ClusterId>>,
    /// The jobs, in order of submission. Each fits on a cluster that it may use, and is expected to take
    /// a tick or more.
    pub jobs: Vec<Known>,
    /// The jobs that run.
    pub running: Vec<Busy>,
    /// By cluster: whether it is used.
    pub is_open: Vec<bool>,
    /// By job: cluster and start in the schedule of its organization alone, widest jobs first, on its
    /// own clusters. `None` for a job that is wider than these.
    pub alone: Vec<Option<(ClusterId, Time)>>,
    /// The organizations that have jobs, in order.
    pub(super) owners: Vec<OrganizationId>,
    /// By job: the place of its organization in `owners`.
    pub(super) ranks: Vec<u32>,
}

impl Problem {
    /// A problem whose jobs, in order of submission, refer to lists of clusters in `uses`. A job without
    /// length is planned for a tick: in a plan, nothing happens between two jobs of one instant.
    pub fn new(
        now: Time,
        sites: Vec<Site>,
        uses: Vec<Vec<ClusterId>>,
        jobs: Vec<Known>,
        running: Vec<Busy>,
        without_jobs: WithoutJobs,
    ) -> Problem {
        let is_open = vec![true; sites.len()];
        let mut owners: Vec<OrganizationId> = jobs.iter().map(Known::owner).collect();
        owners.sort_unstable();
        owners.dedup();
        let rank = |job: &Known| owners.partition_point(|&owner| owner < job.owner()) as u32;
        let (ranks, alone) = (jobs.iter().map(rank).collect(), Vec::new());
        let mut problem =
            Problem { now, sites, uses, jobs, running, is_open, alone, owners, ranks };
        for job in &mut problem.jobs {
            job.job.expected = job.job.expected.max(Span::TICK);
        }
        problem.uses.iter_mut().for_each(|uses| uses.sort_unstable());
        if without_jobs == WithoutJobs::LeftOut {
            problem.leave_out();
        }
        problem.alone = highest_first(&problem, false);
        problem
    }

    /// Leaves out the clusters of organizations without jobs, unless some job needs one of them.
    fn leave_out(&mut self) {
        let has_jobs = |site: &Site| self.owners.binary_search(&site.owner).is_ok();
        let is_open: Vec<bool> = self.sites.iter().map(has_jobs).collect();
        let open = |uses: &Vec<ClusterId>| -> Vec<ClusterId> {
            uses.iter().copied().filter(|cluster| is_open[cluster.index()]).collect()
        };
        let uses: Vec<Vec<ClusterId>> = self.uses.iter().map(open).collect();
        let width = |&cluster: &ClusterId| self.sites[cluster.index()].processors;
        let widest: Vec<u32> =
            uses.iter().map(|uses| uses.iter().map(width).max().unwrap_or(0)).collect();
        if self.jobs.iter().all(|job| job.processors() <= widest[job.uses as usize]) {
            (self.is_open, self.uses) = (is_open, uses);
        }
    }

    /// Returns the expected end of a job that starts at a time on a cluster.
    #[inline]
    pub fn end(&self, job: u32, (cluster, start): (ClusterId, Time)) -> Time {
        let site = &self.sites[cluster.index()];
        start.saturating_add(self.jobs[job as usize].length(site))
    }

    /// Returns the clusters that a job may use.
    #[inline]
    pub fn clusters(&self, job: u32) -> &[ClusterId] {
        &self.uses[self.jobs[job as usize].uses as usize]
    }

    /// Returns true if a job may use a cluster.
    #[inline]
    pub fn may_use(&self, job: u32, cluster: ClusterId) -> bool {
        self.clusters(job).binary_search(&cluster).is_ok()
    }

    /// Sorts jobs, the widest first; equal widths are in order of submission.
    pub(super) fn widest_first(&self, mut jobs: Vec<u32>) -> Vec<u32> {
        let key = |job: u32| u64::from(!self.jobs[job as usize].processors()) << 32;
        jobs.sort_unstable_by_key(|&job| key(job) | u64::from(job));
        jobs
    }

    /// Returns the clusters that are used.
    pub fn open(&self) -> impl Iterator<Item = ClusterId> {
        let all = (0..).map(ClusterId).zip(&self.is_open);
        all.filter(|&(_, &is_open)| is_open).map(|(cluster, _)| cluster)
    }

    /// Returns the processors of the clusters that are used.
    pub fn processors(&self) -> i128 {
        self.open().map(|cluster| i128::from(self.sites[cluster.index()].processors)).sum()
    }

    /// Returns the running jobs on clusters that are used.
    fn runs(&self) -> impl Iterator<Item = &Busy> {
        self.running.iter().filter(|busy| self.is_open[busy.cluster.index()])
    }

    /// Returns the work to be done from now on, in processor-ticks: the area of all jobs, and what is
    /// left of those that run.
    pub fn work(&self) -> i128 {
        let left =
            |busy: &Busy| i128::from(busy.processors) * i128::from((busy.end - self.now).ticks());
        self.jobs.iter().map(Known::area).sum::<i128>() + self.runs().map(left).sum::<i128>()
    }

    /// Returns the longest time that a job still needs.
    pub fn longest(&self) -> Span {
        let jobs = self.jobs.iter().map(|job| job.job.expected);
        jobs.chain(self.runs().map(|busy| busy.end - self.now)).max().unwrap_or(Span::ZERO)
    }

    /// Returns, for clusters that are equally fast, the lower bound of the time from now to the last
    /// end, times the number of processors: the larger of the work that each processor has on average
    /// and the longest job.
    pub fn bound(&self) -> i128 {
        self.work().max(self.processors() * i128::from(self.longest().ticks()))
    }

    /// Returns a time from now on, times the number of processors.
    pub(super) fn scaled(&self, at: Time) -> i128 {
        self.processors() * i128::from((at - self.now).ticks())
    }

    /// Returns the last end of a plan; now if it has no jobs.
    pub fn makespan(&self, steps: &[Step]) -> Time {
        let ends = steps.iter().map(|step| self.end(step.job, (step.cluster, step.start)));
        ends.max().unwrap_or(self.now)
    }

    /// Returns the sum of the flow times of a plan in ticks, from submission to end.
    pub fn flow(&self, steps: &[Step]) -> i128 {
        let flow = |step: &Step| {
            let job = &self.jobs[step.job as usize];
            let end = self.end(step.job, (step.cluster, step.start));
            i128::from(end.ticks()) - i128::from(job.job.job.submit.ticks())
        };
        steps.iter().map(flow).sum()
    }

    /// Returns the last end of each organization's jobs, of those that it could run alone, given where
    /// each job is placed. Organizations without such jobs are left out; the others are in order.
    pub fn ends_by_owner(
        &self,
        place: impl Fn(u32) -> Option<(ClusterId, Time)>,
    ) -> Vec<(OrganizationId, Time)> {
        let mut ends: Vec<Option<Time>> = vec![None; self.owners.len()];
        for index in 0..self.jobs.len() as u32 {
            if self.alone[index as usize].is_some()
                && let Some(place) = place(index)
            {
                let end = &mut ends[self.ranks[index as usize] as usize];
                *end = (*end).max(Some(self.end(index, place)));
            }
        }
        let owners = self.owners.iter().zip(ends);
        owners.filter_map(|(&owner, end)| Some((owner, end?))).collect()
    }

    /// Returns the last end of each organization's jobs alone; see
    /// [`ends_by_owner`](Self::ends_by_owner).
    pub fn ends_alone(&self) -> Vec<(OrganizationId, Time)> {
        self.ends_by_owner(|job| self.alone[job as usize])
    }
}
