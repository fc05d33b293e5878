//! The world of a grid: rigid jobs on clusters.
//!
//! Life of a job: its source yields it -> the grid admits it and sends it to one of the clusters it
//! may use -> it starts -> it finishes -> the observer is notified -> its slot is free again. The
//! grid keeps only live jobs.

use serde::{Deserialize, Serialize};

use super::clairvoyance::{Clairvoyance, Oracle};
use super::cluster::{ClusterAgent, Due, Ended, OutOfTime};
use super::observer::{Chosen, Decided, Finished, Observer, Started, Unfinished};
use super::phase::{FINISH, PhaseOrder, SCHEDULE};
use crate::kernel::calendar::{Agent, Instant, Phase};
use crate::kernel::engine::{Engine, Moved, World};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::model::ids::{ClusterId, JobId, OrganizationId};
use crate::model::job::Job;
use crate::model::jobs::{Alive, Jobs};
use crate::policy::local::Reason;
use crate::workload::{Ahead, Source, SourceError};

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

/// The world of a grid; `C` is the kind of cluster, `S` the kind of source, `O` the observer.
///
/// Agents are the sources, then the clusters, each in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Grid<C, S: Source, O> {
    settings: Settings,
    /// Clusters that each organization's jobs may use.
    uses: Vec<Vec<ClusterId>>,
    /// Whether each organization is left out; empty if none is.
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
    /// A grid without organizations, clusters or jobs.
    pub fn new(settings: Settings, observer: O) -> Grid<C, S, O> {
        Grid {
            settings,
            uses: Vec::new(),
            absent: Vec::new(),
            clusters: Vec::new(),
            sources: Vec::new(),
            jobs: Jobs::default(),
            oracle: Oracle::new(settings.clairvoyance),
            observer,
            counts: Counts::default(),
            touched: Vec::new(),
            is_touched: Vec::new(),
            started: Vec::new(),
            why: Vec::new(),
            traced: tracing::enabled!(target: "gridpact::decision", tracing::Level::DEBUG),
        }
    }

    /// Adds a cluster.
    pub fn add_cluster(&mut self, cluster: C) -> ClusterId {
        let id = ClusterId(self.clusters.len() as u32);
        self.clusters.push(cluster);
        self.is_touched.push(false);
        id
    }

    /// Adds an organization whose jobs go to the given clusters. With several, each job goes to the
    /// admitting cluster with the least demand for its processors, ties to the first. A job that is
    /// bound to a cluster goes there.
    pub fn add_organization(&mut self, uses: Vec<ClusterId>) -> OrganizationId {
        let id = OrganizationId(self.uses.len() as u32);
        self.uses.push(uses);
        id
    }

    /// Leaves an organization out: its jobs are dropped as they arrive. They count as submitted, and
    /// no observer sees them.
    pub fn leave_out(&mut self, organization: OrganizationId) {
        self.absent.resize(self.uses.len(), false);
        self.absent[organization.index()] = true;
    }

    /// Parts the organizations: each may use only those of its clusters that it owns, given the owner
    /// of each cluster, and its jobs are predicted from its own alone.
    pub fn part(&mut self, owners: &[OrganizationId]) {
        for (index, uses) in self.uses.iter_mut().enumerate() {
            uses.retain(|cluster| owners[cluster.index()].index() == index);
        }
        self.oracle.part();
    }

    /// Adds a source of jobs.
    ///
    /// # Errors
    /// Fails if its first job cannot be read.
    pub fn add_source(&mut self, source: S) -> Result<(), SourceError> {
        self.sources.push(Ahead::new(source)?);
        Ok(())
    }

    /// The grid in an engine, ready to run.
    pub fn start(self) -> Engine<Grid<C, S, O>> {
        Engine::new(self)
    }

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

    /// Numbers of jobs so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Ends the run and returns the observer. Notifies it of every job still waiting or running, in
    /// order of (submission, source, number, slot), and then of the end of the run.
    pub fn finish(mut self, now: Time) -> O {
        let mut left: Vec<(JobId, &Alive)> = self.jobs.iter().collect();
        left.sort_by_key(|(_, alive)| (alive.job.submit, alive.job.source, alive.job.number));
        for (id, alive) in left {
            self.observer.unfinished(Unfinished {
                id,
                job: &alive.job,
                expected: alive.expected,
                cluster: alive.cluster,
                start: (alive.started != Time::NEVER).then_some(alive.started),
            });
        }
        self.observer.ended(now);
        self.observer
    }

    #[inline]
    fn touch(&mut self, cluster: ClusterId) {
        if !std::mem::replace(&mut self.is_touched[cluster.index()], true) {
            self.touched.push(cluster);
        }
    }

    /// Destination of a job, if any cluster it may use admits it.
    #[inline]
    fn destination(&self, job: &Job) -> Option<ClusterId> {
        let uses = self.uses.get(job.organization.index());
        let uses = uses.expect("every organization that has jobs was added to the grid");
        if let Some(bound) = job.recorded.cluster() {
            let is_open = uses.contains(&bound) && self.clusters[bound.index()].admits(job);
            return is_open.then_some(bound);
        }
        if let [only] = uses[..] {
            return self.clusters[only.index()].admits(job).then_some(only);
        }
        let admitting = uses.iter().copied().filter(|id| self.clusters[id.index()].admits(job));
        admitting.min_by(|a, b| {
            let [a, b] = [a, b].map(|id| {
                let cluster = &self.clusters[id.index()];
                (u128::from(cluster.demand()), u128::from(cluster.processors()))
            });
            (a.0 * b.1).cmp(&(b.0 * a.1))
        })
    }

    #[inline]
    fn submit(&mut self, job: &Job, now: Time) {
        self.counts.submitted += 1;
        if self.absent.get(job.organization.index()).is_some_and(|&absent| absent) {
            self.counts.dropped += 1;
            return;
        }
        let Some(cluster) = self.destination(job) else {
            self.counts.rejected += 1;
            self.observer.rejected(job, now);
            if self.traced {
                tell(now, job, None, "rejected");
            }
            return;
        };
        if self.observer.asks_why() {
            self.tell_choice(job, cluster, now);
        }
        let id = self.jobs.insert(job, self.oracle.expected(job), cluster);
        self.clusters[cluster.index()].submit(id, &self.jobs, now);
        self.observer.submitted(id, job, now);
        self.observer.placed(job, cluster, now);
        self.touch(cluster);
        if self.traced {
            tell(now, job, Some(cluster), "submitted");
        }
    }

    #[inline]
    fn wake_source(&mut self, index: usize, now: Time) -> Result<(), GridError> {
        for _ in 0..PIECE {
            let Some(&job) = self.sources[index].peek() else {
                return Ok(());
            };
            self.submit(&job, now);
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
            let Some(Ended { id, killed }) = agent.wake(now, &mut self.jobs) else {
                return;
            };
            let more = agent.next() == Some((now, Due::Finish));
            let alive = self.jobs.get(id);
            let (start, expected) = (alive.started, alive.expected);
            let job = self.jobs.remove(id);
            self.counts.finished += 1;
            self.oracle.completed(&job, now - start);
            let finish = now;
            self.observer.finished(Finished {
                id,
                job: &job,
                expected,
                cluster,
                start,
                finish,
                killed,
            });
            if self.traced {
                tell(now, &job, Some(cluster), if killed { "killed" } else { "finished" });
            }
            if !more || self.settings.phase_order.is_per_event() {
                return;
            }
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
    fn tell_choice(&mut self, job: &Job, cluster: ClusterId, now: Time) {
        let uses = &self.uses[job.organization.index()];
        if uses.len() > 1 && job.recorded.cluster().is_none() {
            let all = uses.iter().map(|&id| (id, &self.clusters[id.index()]));
            let admitting = all.filter(|(_, cluster)| cluster.admits(job));
            let demands: Vec<_> = admitting.map(|(id, cluster)| (id, cluster.demand())).collect();
            self.observer.chosen(Chosen { job, cluster, demands: &demands, now });
        }
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
        self.sources.len() + self.clusters.len()
    }

    #[inline]
    fn next(&self, agent: Agent) -> Option<Instant> {
        let index = agent.0 as usize;
        if let Some(source) = self.sources.get(index) {
            return source.at().map(|at| (at, self.settings.phase_order.submit()));
        }
        let cluster = index - self.sources.len();
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
        if index >= self.sources.len() {
            self.wake_cluster(ClusterId((index - self.sources.len()) as u32), now);
            return Ok(());
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
        for index in 0..self.touched.len() {
            let cluster = self.touched[index];
            self.is_touched[cluster.index()] = false;
            self.settle_cluster(cluster, now)?;
            moved.push(Agent(self.sources.len() as u32 + cluster.0));
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
        put(&(self.counts, &self.touched), out);
        self.sources.save(out);
        self.clusters.save(out);
        self.jobs.save(out);
        self.oracle.save(out);
        self.observer.save(out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
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
        self.oracle.load(from)?;
        self.observer.load(from)?;
        Ok(())
    }
}
