//! The world of a grid: rigid jobs on clusters.
//!
//! Life of a job: its source yields it -> the grid admits it -> it goes to the only cluster it may
//! use, or the grid scheduler places it -> it starts -> it finishes -> the observer is notified -> its
//! slot is free again. The grid keeps only live jobs.
//!
//! `build` puts a grid together, `held` is the way of a job through the grid scheduler.

mod build;
mod held;
pub(super) mod limits;
mod members;

use serde::{Deserialize, Serialize};

use super::access::{Access, Terms};
use super::clairvoyance::{Clairvoyance, Oracle};
use super::cluster::{ClusterAgent, Due, Ended, OutOfTime};
use super::observer::{Decided, Finished, Observer, Started, Submitted, Unfinished};
use super::phase::{FINISH, PhaseOrder, SCHEDULE};
use super::placing::Placing;
use kernel::calendar::{Agent, Instant, Phase};
use kernel::engine::{Moved, World};
use kernel::order::InOrder as _;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use members::Members;
pub use members::Membership;
use model::ids::{ClusterId, JobId, OrganizationId, Uses};
use model::job::Job;
use model::jobs::{Alive, Jobs};
use policy::grid::{GridOptions, Placement};
use policy::local::Reason;
use policy::plan::Planned;
use workload::{Ahead, Source, SourceError};

/// Settings of a whole grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The runtime that schedulers may expect.
    pub clairvoyance: Clairvoyance,
    /// Order of the events within one instant.
    pub phase_order: PhaseOrder,
    /// Maximum number of jobs admitted.
    pub most_jobs: Option<u64>,
}

/// Maximum number of submissions or finishes handled in one wake. A source or cluster with more at
/// the same instant is woken again, so that a run can check for stop requests in between.
const PIECE: u32 = 64;

/// An error that ends a simulation early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A source of jobs failed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A job would end beyond the range of times.
    #[error(
        "job {number} would end more than 292 000 years after the start; \
         are its times in another unit than the rest of the scenario?"
    )]
    OutOfTime {
        /// The job's number in its source.
        number: u64,
    },
    /// A job came after the only instant at which jobs are placed.
    #[error(
        "job {number} came at {now}, after the only instant at which jobs are placed; \
         `asked = \"batch\"` asks again when all jobs before have ended"
    )]
    Late {
        /// The job's number in its source.
        number: u64,
        /// Time of its submission.
        now: Time,
    },
}

/// Numbers of jobs seen by the grid, over all organizations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Submitted jobs, including rejected and dropped ones.
    pub submitted: u64,
    /// Dropped jobs: those of organizations that are left out.
    pub dropped: u64,
    /// Rejected jobs: larger than every cluster they may use.
    pub rejected: u64,
    /// Started jobs.
    pub started: u64,
    /// Finished jobs.
    pub finished: u64,
}

impl Counts {
    /// Jobs that are over: finished, rejected or dropped.
    pub fn over(&self) -> u64 {
        self.finished + self.rejected + self.dropped
    }
}

/// The world of a grid; `C` is the kind of cluster, `S` the kind of source, `O` the observer.
///
/// Agents are the sources, then the placing of jobs if it acts by itself, then the clusters, each in
/// the order in which they were added.
#[derive(Clone, Debug)]
pub struct Grid<C, S: Source, O> {
    settings: Settings,
    /// Clusters that each organization's jobs may use.
    uses: Vec<Uses>,
    /// Lists of clusters to which jobs are bound, each with the organization of the jobs.
    lists: Vec<(OrganizationId, Uses)>,
    /// Destinations of jobs, by organization, by list, and by cluster for bound jobs (the owner's and
    /// others').
    access: Vec<Access>,
    list_access: Vec<Access>,
    bound: Vec<[Access; 2]>,
    expects_bound: bool,
    terms: Vec<Terms>,
    /// True if some cluster is not of unit speed.
    has_speeds: bool,
    grid_scheduler: Option<GridOptions>,
    planned: Option<Planned>,
    placing: Option<Box<Placing>>,
    /// The members of a federation.
    members: Option<Box<Members>>,
    /// Agents before the clusters: the sources, and the placing if it acts by itself.
    before_clusters: usize,
    placements: Vec<Placement>,
    /// True for each organization that is left out; empty if none is.
    absent: Vec<bool>,
    clusters: Vec<C>,
    sources: Vec<Ahead<S>>,
    jobs: Jobs,
    oracle: Oracle,
    observer: O,
    counts: Counts,
    /// Clusters with an event in this wave.
    touched: Vec<ClusterId>,
    is_touched: Vec<bool>,
    started: Vec<JobId>,
    /// Scratch space for the reasons of waiting jobs, if the observer asks.
    why: Vec<(JobId, Reason)>,
    /// True if decisions are traced; determined once, so that an untraced run pays one branch.
    traced: bool,
}

impl<C, S, O> Grid<C, S, O>
where
    C: ClusterAgent,
    S: Source<Load = Job>,
    O: Observer,
{
    /// The observer.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer, mutably.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// The live jobs: waiting or running.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// The clusters.
    pub fn clusters(&self) -> &[C] {
        &self.clusters
    }

    /// Messages that clusters exchanged so far, to place jobs.
    pub fn messages(&self) -> u64 {
        self.placing.as_ref().map_or(0, |placing| placing.messages())
    }

    /// Utility of each organization's jobs at a time, if the grid scheduler knows it.
    pub fn utilities(&self, now: Time) -> Vec<f64> {
        self.placing.as_ref().map_or(Vec::new(), |placing| placing.utilities(now))
    }

    /// Numbers of jobs so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Ends the run and returns the observer. Notifies it of every job still waiting or running, in
    /// order of (submission, source, number, slot), and then of the end of the run.
    pub fn finish(mut self, now: Time) -> O {
        self.tell_unfinished();
        self.observer.ended(now);
        self.observer
    }

    /// Tells the observer of the jobs that have not ended.
    fn tell_unfinished(&mut self) {
        let under_way = self.placing.as_ref().map_or(Vec::new(), |placing| placing.under_way());
        let mut left: Vec<(JobId, &Alive)> = self.jobs.iter().collect();
        left.order_by_key(|(_, alive)| (alive.job.submit, alive.job.source, alive.job.number));
        for (id, alive) in left {
            self.observer.unfinished(Unfinished {
                id,
                job: &alive.job,
                expected: alive.expected,
                cluster: alive.cluster(),
                start: (alive.started != Time::NEVER).then_some(alive.started),
                is_under_way: under_way.binary_search(&id).is_ok(),
            });
        }
    }

    #[inline]
    fn touch(&mut self, cluster: ClusterId) {
        if !std::mem::replace(&mut self.is_touched[cluster.index()], true) {
            self.touched.push(cluster);
        }
    }

    /// Destination of a job, if it is not too wide.
    #[inline]
    fn access(&self, job: &Job) -> Access {
        if let Some(members) = &self.members {
            return self.access_among(members, job);
        }
        self.lasting_access(job)
    }

    /// The same, given the clusters that each organization may use at present.
    #[inline]
    fn lasting_access(&self, job: &Job) -> Access {
        let organization = job.organization.index();
        if let Some(cluster) = job.recorded.cluster() {
            if !self.uses[organization].contains(&cluster) {
                return Access::Nowhere;
            }
            let is_other = self.terms[cluster.index()].owner != job.organization;
            return self.bound[cluster.index()][usize::from(is_other)];
        }
        if let Some(list) = job.recorded.list() {
            return self.list_access[list as usize];
        }
        let access = self.access.get(organization).copied();
        access.expect("every organization that has jobs was added to the grid")
    }

    #[inline]
    fn submit(&mut self, job: &Job, now: Time) -> Result<(), GridError> {
        self.counts.submitted += 1;
        if self.absent.get(job.organization.index()).is_some_and(|&absent| absent) {
            self.counts.dropped += 1;
            return Ok(());
        }
        match self.access(job) {
            Access::Direct(cluster) if self.clusters[cluster.index()].admits(job) => {
                let id = self.jobs.insert(job, self.expected(job), cluster);
                self.at_speed_of(cluster, id);
                self.queue(id, cluster, now);
                self.observer.submitted(Submitted { id, job, cluster: Some(cluster), now });
                if self.traced {
                    tell(now, job, Some(cluster), "submitted");
                }
                Ok(())
            }
            Access::Grid { group, widest }
                if job.processors <= widest && self.is_taken(job, self.expected(job)) =>
            {
                self.hold(job, group, now)
            }
            _ if self.waits_for_members(job) => {
                self.wait_for_members(job, now);
                Ok(())
            }
            _ => {
                self.counts.rejected += 1;
                self.observer.rejected(job, now);
                if self.traced {
                    tell(now, job, None, "rejected");
                }
                Ok(())
            }
        }
    }

    /// A job is to run on a cluster.
    #[inline]
    fn at_speed_of(&mut self, cluster: ClusterId, id: JobId) {
        if self.has_speeds {
            self.jobs.runs_at(id, self.terms[cluster.index()].speed);
        }
        if self.members.is_some() {
            self.charge(id, cluster);
        }
    }

    /// A job joins the queue of a cluster's own scheduler.
    #[inline(always)]
    fn queue(&mut self, id: JobId, cluster: ClusterId, now: Time) {
        self.clusters[cluster.index()].submit(id, &self.jobs, now);
        if self.clusters[cluster.index()].may_start() || self.observer.asks_why() {
            self.touch(cluster);
        }
    }

    #[inline]
    fn wake_source(&mut self, index: usize, now: Time) -> Result<(), GridError> {
        for _ in 0..PIECE {
            let Some(&job) = self.sources[index].peek() else {
                return Ok(());
            };
            self.submit(&job, now)?;
            if self.settings.most_jobs.is_some_and(|most| self.counts.submitted >= most) {
                self.sources.iter_mut().for_each(Ahead::close);
                return Ok(());
            }
            self.sources[index].advance()?;
            // A source that goes back in time is woken for the past, which the engine rejects.
            let more = self.sources[index].at() == Some(now);
            if !more || self.settings.phase_order.is_per_event() {
                return Ok(());
            }
        }
        Ok(())
    }

    #[inline]
    fn wake_cluster(&mut self, cluster: ClusterId, now: Time) {
        self.touch(cluster);
        for _ in 0..PIECE {
            let agent = &mut self.clusters[cluster.index()];
            let Some(ended) = agent.wake(now, &mut self.jobs) else {
                return;
            };
            let more = agent.next() == Some((now, Due::Finish));
            self.end(ended, cluster, now);
            if !more || self.settings.phase_order.is_per_event() {
                return;
            }
        }
    }

    /// A job has ended on a cluster.
    #[inline(always)]
    fn end(&mut self, Ended { id, killed }: Ended, cluster: ClusterId, now: Time) {
        let alive = self.jobs.get(id);
        let (&Alive { ref job, started: start, expected, .. }, added) = (alive, alive.added());
        self.counts.finished += 1;
        if self.oracle.learns() {
            let speed = self.terms[cluster.index()].speed;
            let ran = speed.runtime(now - start) - added;
            self.oracle.completed(job, ran.max(Span::ZERO));
        }
        let finish = now;
        self.observer.finished(Finished { id, job, expected, cluster, start, finish, killed });
        if self.traced {
            tell(now, job, Some(cluster), if killed { "killed" } else { "finished" });
        }
        self.jobs.remove(id);
        if let Some(placing) = &mut self.placing {
            placing.ended(id, cluster, now);
        }
    }

    #[inline]
    fn settle_cluster(&mut self, cluster: ClusterId, now: Time) -> Result<(), GridError> {
        self.started.clear();
        self.clusters[cluster.index()].settle(now, &mut self.jobs, &mut self.started).map_err(
            |OutOfTime(id)| GridError::OutOfTime { number: self.jobs.get(id).job.number },
        )?;
        for &id in &self.started {
            let job = &self.jobs.get(id).job;
            self.observer.started(Started { id, job, cluster, start: now });
            if self.traced {
                tell(now, job, Some(cluster), "started");
            }
        }
        self.counts.started += self.started.len() as u64;
        if self.observer.asks_why() {
            self.tell_decision(cluster, now);
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn tell_decision(&mut self, cluster: ClusterId, now: Time) {
        let agent = &self.clusters[cluster.index()];
        self.why.clear();
        let free = agent.reasons(now, &self.jobs, &mut self.why);
        self.observer.decided(Decided {
            cluster,
            now,
            free,
            started: &self.started,
            waiting: &self.why,
            jobs: &self.jobs,
        });
    }
}

/// Traces an event; kept out of line for untraced runs.
#[cold]
#[inline(never)]
fn tell(now: Time, job: &Job, cluster: Option<ClusterId>, what: &'static str) {
    let (organization, cluster) = (job.organization.0, cluster.map(|cluster| cluster.0));
    tracing::debug!(
        target: "gridpact::decision",
        %now, source = job.source, job = job.number, organization, cluster, "{what}"
    );
}

impl<C, S, O> World for Grid<C, S, O>
where
    C: ClusterAgent,
    S: Source<Load = Job>,
    O: Observer,
{
    const SETTLE: Phase = SCHEDULE;
    type Error = GridError;

    fn agents(&self) -> usize {
        // Machines without a scheduler of their own come to nothing by themselves.
        let is_agent = |cluster: &C| cluster.machine().is_none();
        let last = self.clusters.iter().rposition(is_agent).map_or(0, |last| last + 1);
        self.before_clusters + last
    }

    #[inline(always)]
    fn next(&self, agent: Agent) -> Option<Instant> {
        let Some(cluster) = (agent.0 as usize).checked_sub(self.before_clusters) else {
            return match self.sources.get(agent.0 as usize) {
                Some(source) => source.at().map(|at| (at, self.settings.phase_order.submit())),
                None => {
                    let order = self.settings.phase_order;
                    let next = self.placing.as_ref().and_then(|placing| placing.next(order));
                    let of_members = self.members.as_ref();
                    let of_members = of_members.and_then(|members| members.next(order));
                    next.into_iter().chain(of_members).min()
                }
            };
        };
        match self.clusters[cluster].next()? {
            (at, Due::Finish) => Some((at, FINISH)),
            (at, Due::Correct) => Some((at, SCHEDULE)),
            // It decides when this wave settles, and then announces its next event.
            (_, Due::Decide) if self.is_touched[cluster] => None,
            (at, Due::Decide) => Some((at, SCHEDULE)),
        }
    }

    #[inline]
    fn wake(
        &mut self,
        agent: Agent,
        (now, _): Instant,
        moved: &mut Moved,
    ) -> Result<(), GridError> {
        let index = agent.0 as usize;
        if let Some(cluster) = index.checked_sub(self.before_clusters) {
            self.wake_cluster(ClusterId(cluster as u32), now);
            return Ok(());
        }
        if index >= self.sources.len() {
            return self.wake_placing(now);
        }
        self.wake_source(index, now)?;
        if self.settings.most_jobs.is_some() && self.sources[index].at().is_none() {
            // All sources may have been closed.
            (0..self.sources.len()).for_each(|source| moved.push(Agent(source as u32)));
        }
        Ok(())
    }

    #[inline]
    fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), GridError> {
        self.settle_placing(now)?;
        let first = self.before_clusters as u32;
        for index in 0..self.touched.len() {
            let cluster = self.touched[index];
            self.is_touched[cluster.index()] = false;
            self.settle_cluster(cluster, now)?;
            moved.push(Agent(first + cluster.0));
        }
        if self.before_clusters > self.sources.len() {
            moved.push(Agent(first - 1));
        }
        self.touched.clear();
        Ok(())
    }

    fn settles_after_each_wake(&self) -> bool {
        self.settings.phase_order.is_per_event()
    }
}

/// Clusters are touched only if an instant was left unfinished.
impl<C, S, O> State for Grid<C, S, O>
where
    C: ClusterAgent,
    S: Source<Load = Job>,
    O: Observer,
{
    fn save(&self, out: &mut Vec<u8>) {
        if let Some(members) = &self.members {
            put(members, out);
        }
        put(&(self.counts, &self.touched), out);
        self.sources.save(out);
        self.clusters.save(out);
        self.jobs.save(out);
        self.oracle.save(out);
        self.observer.save(out);
        if let Some(placing) = &self.placing {
            placing.save(out);
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        if self.members.is_some() {
            self.load_members(take(from)?)?;
        }
        (self.counts, self.touched) = take(from)?;
        self.is_touched.fill(false);
        for cluster in &self.touched {
            let is_touched = self.is_touched.get_mut(cluster.index());
            *is_touched
                .ok_or_else(|| Corrupt::Content("another number of clusters".to_owned()))? = true;
        }
        self.sources.load(from)?;
        self.clusters.load(from)?;
        self.jobs.load(from)?;
        self.charge_all();
        self.oracle.load(from)?;
        self.observer.load(from)?;
        self.placing.as_mut().map_or(Ok(()), |placing| placing.load(from))
    }
}
