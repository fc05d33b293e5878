//! The world of a grid: rigid jobs on clusters.
//!
//! Life of a job: its source yields it -> the grid admits it -> it goes to the only cluster it may
//! use, or the grid scheduler places it -> it starts -> it finishes -> the observer is notified -> its
//! slot is free again. The grid keeps only live jobs.

use serde::{Deserialize, Serialize};

use super::clairvoyance::{Clairvoyance, Oracle};
use super::cluster::{ClusterAgent, Due, Ended, OutOfTime};
use super::observer::{Chosen, Decided, Finished, Observer, Sent, Started, Unfinished};
use super::phase::{FINISH, PhaseOrder, SCHEDULE};
use super::placing::{Access, Arrived, Groups, Next, Placing, Terms};
use crate::kernel::calendar::{Agent, Instant, Phase};
use crate::kernel::engine::{Engine, Moved, World};
use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::foreign::Foreign;
use crate::model::ids::{ClusterId, JobId, OrganizationId, Uses};
use crate::model::job::Job;
use crate::model::jobs::{Alive, Jobs};
use crate::policy::grid::{GridOptions, Placement};
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
/// Agents are the sources, then the placing of jobs if it acts by itself, then the clusters, each in
/// the order in which they were added.
#[derive(Clone, Debug)]
pub struct Grid<C, S: Source, O> {
    settings: Settings,
    /// Clusters that each organization's jobs may use.
    uses: Vec<Uses>,
    /// Lists of clusters to which jobs are bound, each with the organization of the jobs.
    lists: Vec<(OrganizationId, Uses)>,
    /// Where jobs go, by organization, by list, and by cluster for those that are bound to one: the
    /// owner's and others'.
    access: Vec<Access>,
    list_access: Vec<Access>,
    bound: Vec<[Access; 2]>,
    expects_bound: bool,
    terms: Vec<Terms>,
    grid_scheduler: Option<GridOptions>,
    placing: Option<Box<Placing>>,
    /// Agents of the placing: 1 if it acts by itself, else 0.
    acting: usize,
    placements: Vec<Placement>,
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
            lists: Vec::new(),
            access: Vec::new(),
            list_access: Vec::new(),
            bound: Vec::new(),
            expects_bound: false,
            terms: Vec::new(),
            grid_scheduler: None,
            placing: None,
            acting: 0,
            placements: Vec::new(),
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

    /// Adds a cluster that takes everybody's jobs alike.
    pub fn add_cluster(&mut self, cluster: C) -> ClusterId {
        let nobody = OrganizationId(u32::MAX);
        self.add_owned_cluster(cluster, nobody, Foreign::Always)
    }

    /// Adds a cluster with its owner's terms. Lists of clusters have to heed [`Foreign::Never`].
    pub fn add_owned_cluster(
        &mut self,
        cluster: C,
        owner: OrganizationId,
        foreign: Foreign,
    ) -> ClusterId {
        let id = ClusterId(self.clusters.len() as u32);
        self.clusters.push(cluster);
        self.is_touched.push(false);
        self.terms.push(Terms { owner, foreign });
        id
    }

    /// Adds an organization whose jobs may use the given clusters. With several, the grid scheduler
    /// places each job. A job that is bound to a cluster goes there.
    pub fn add_organization(&mut self, uses: impl Into<Uses>) -> OrganizationId {
        let id = OrganizationId(self.uses.len() as u32);
        self.uses.push(uses.into());
        id
    }

    /// Adds a list of clusters that jobs of an organization can be bound to; returns its number.
    pub fn add_list(&mut self, organization: OrganizationId, clusters: impl Into<Uses>) -> u32 {
        self.lists.push((organization, clusters.into()));
        self.lists.len() as u32 - 1
    }

    /// Expects jobs that are bound to one cluster. Without that, they are rejected where a grid
    /// scheduler starts them.
    pub fn expect_bound(&mut self) {
        self.expects_bound = true;
    }

    /// Chooses the grid scheduler; without one, jobs that may use several clusters go to the one with
    /// the least demand for its processors.
    pub fn schedule(&mut self, scheduler: GridOptions) {
        self.grid_scheduler = Some(scheduler);
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
        let own = |organization: usize, uses: &Uses| -> Uses {
            let own = |cluster: &&ClusterId| owners[cluster.index()].index() == organization;
            uses.iter().filter(own).copied().collect()
        };
        for (index, uses) in self.uses.iter_mut().enumerate() {
            *uses = own(index, uses);
        }
        for (organization, clusters) in &mut self.lists {
            *clusters = own(organization.index(), clusters);
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

    /// The grid in an engine, ready to run. A grid scheduler that draws at random has the streams of
    /// seed 1; see [`start_with`](Grid::start_with).
    pub fn start(self) -> Engine<Grid<C, S, O>> {
        self.start_with(&Streams::new(1))
    }

    /// The grid in an engine, ready to run, with the random streams of a replication.
    pub fn start_with(mut self, streams: &Streams) -> Engine<Grid<C, S, O>> {
        self.open(streams);
        Engine::new(self)
    }

    /// Finds out where the jobs of each organization go, and builds the grid scheduler if one is
    /// needed.
    fn open(&mut self, streams: &Streams) {
        let least_demand = || GridOptions::LeastDemand(Default::default());
        let options = self.grid_scheduler.clone().unwrap_or_else(least_demand);
        let processors: Vec<u32> = self.clusters.iter().map(C::processors).collect();
        let is_bare: Vec<bool> = self.clusters.iter().map(|one| one.machine().is_some()).collect();
        let mut groups = Groups::new(&self.terms, &processors, &is_bare, options.starts());
        let organizations = (0..).map(OrganizationId).zip(&self.uses);
        self.access = organizations.map(|(one, uses)| groups.access(one, uses)).collect();
        let lists = self.lists.iter();
        self.list_access = lists.map(|(one, clusters)| groups.access(*one, clusters)).collect();
        // Jobs can be bound to a cluster by traces and lists; only these have to know groups of one.
        let nobody = OrganizationId(u32::MAX);
        self.bound = (0..)
            .map(ClusterId)
            .zip(&self.terms)
            .map(|(cluster, terms)| {
                let only: Uses = [cluster].into();
                let is_alike = terms.foreign != Foreign::WhenNoneWaits;
                if !is_bare[cluster.index()] && (is_alike || options.starts()) {
                    return [Access::Direct(cluster); 2];
                }
                if !self.expects_bound {
                    return [Access::Nowhere; 2];
                }
                [terms.owner, nobody].map(|one| groups.access(one, &only))
            })
            .collect();
        let Groups { groups, .. } = groups;
        if !groups.is_empty() {
            let terms = self.terms.clone();
            let placing = Placing::new(&options, &self.clusters, terms, &groups, streams);
            self.acting = usize::from(placing.acts);
            self.placing = Some(Box::new(placing));
        }
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

    /// Messages that clusters exchanged so far, to place jobs.
    pub fn messages(&self) -> u64 {
        self.placing.as_ref().map_or(0, |placing| placing.messages())
    }

    /// Numbers of jobs so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Ends the run and returns the observer. Notifies it of every job still waiting or running, in
    /// order of (submission, source, number, slot), and then of the end of the run.
    pub fn finish(mut self, now: Time) -> O {
        let under_way = self.placing.as_ref().map_or(Vec::new(), |placing| placing.under_way());
        let mut left: Vec<(JobId, &Alive)> = self.jobs.iter().collect();
        left.sort_by_key(|(_, alive)| (alive.job.submit, alive.job.source, alive.job.number));
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
        self.observer.ended(now);
        self.observer
    }

    #[inline]
    fn touch(&mut self, cluster: ClusterId) {
        if !std::mem::replace(&mut self.is_touched[cluster.index()], true) {
            self.touched.push(cluster);
        }
    }

    /// Where a job goes, if it is not too wide.
    #[inline]
    fn access(&self, job: &Job) -> Access {
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
                let id = self.jobs.insert(job, self.oracle.expected(job), cluster);
                self.queue(id, cluster, now);
                self.observer.submitted(id, job, now);
                self.observer.placed(job, cluster, now);
                if self.traced {
                    tell(now, job, Some(cluster), "submitted");
                }
                Ok(())
            }
            Access::Grid { group, widest } if job.processors <= widest => {
                self.hold(job, group, now)
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

    /// A job joins the queue of a cluster's own scheduler.
    #[inline]
    fn queue(&mut self, id: JobId, cluster: ClusterId, now: Time) {
        self.clusters[cluster.index()].submit(id, &self.jobs, now);
        if let Some(placing) = &mut self.placing {
            placing.queued(self.jobs.get(id).job.organization, cluster);
        }
        self.touch(cluster);
    }

    /// A job comes to the grid scheduler.
    #[inline]
    fn hold(&mut self, job: &Job, group: u32, now: Time) -> Result<(), GridError> {
        let id = self.jobs.hold(job, self.oracle.expected(job));
        let placing = self.placing.as_mut().expect("there are groups");
        let at_once = placing.submit(id, group, &self.jobs, now);
        if at_once {
            self.placements.clear();
            placing.decide(now, &self.clusters, &mut self.placements);
            // Without a delay it is as if it had come to its cluster.
            if let [Placement::Send { job: only, cluster, delay }] = self.placements[..]
                && only == id
                && delay == Span::ZERO
            {
                if self.observer.asks_why() {
                    self.tell_choice(job, cluster, now);
                }
                self.jobs.place(id, cluster);
                self.queue(id, cluster, now);
                self.observer.submitted(id, job, now);
                self.observer.placed(job, cluster, now);
                if self.traced {
                    tell(now, job, Some(cluster), "submitted");
                }
                return Ok(());
            }
        }
        self.observer.submitted(id, job, now);
        self.observer.held(job, now);
        if self.traced {
            tell(now, job, None, "submitted");
        }
        if at_once { self.carry_out(now) } else { Ok(()) }
    }

    /// Carries out the placements.
    fn carry_out(&mut self, now: Time) -> Result<(), GridError> {
        for index in 0..self.placements.len() {
            let (id, cluster, delay, starts) = match self.placements[index] {
                Placement::Start { job, cluster, delay } => (job, cluster, delay, true),
                Placement::Send { job, cluster, delay } => (job, cluster, delay, false),
            };
            self.jobs.place(id, cluster);
            let job = self.jobs.get(id).job;
            let placing = self.placing.as_mut().expect("it placed jobs");
            if starts {
                placing.take(cluster, job.processors);
            }
            let arrival = now.checked_add(delay).filter(|&at| at < Time::NEVER);
            let arrival = arrival.ok_or(GridError::OutOfTime { number: job.number })?;
            if !starts && self.observer.asks_why() {
                self.tell_choice(&job, cluster, now);
            }
            self.observer.sent(Sent { id, job: &job, cluster, now, arrival });
            let one = Arrived { job: id, cluster, starts };
            if arrival > now {
                if self.traced {
                    tell(now, &job, Some(cluster), "sent");
                }
                let placing = self.placing.as_mut().expect("it placed jobs");
                placing.send(one, arrival, &self.jobs);
            } else {
                self.arrive(one, now)?;
            }
        }
        self.placements.clear();
        Ok(())
    }

    /// A job arrives at its cluster.
    #[inline]
    fn arrive(&mut self, arrived: Arrived, now: Time) -> Result<(), GridError> {
        let Arrived { job: id, cluster, starts } = arrived;
        if !starts {
            self.queue(id, cluster, now);
            return Ok(());
        }
        self.jobs.start(id, now);
        let placing = self.placing.as_mut().expect("it placed jobs");
        let started = placing.start(id, cluster, &self.jobs, now);
        let job = &self.jobs.get(id).job;
        started.map_err(|OutOfTime(_)| GridError::OutOfTime { number: job.number })?;
        self.counts.started += 1;
        self.observer.started(Started { id, job, cluster, start: now });
        if self.traced {
            tell(now, job, Some(cluster), "started");
        }
        Ok(())
    }

    /// Wakes the placing of jobs: machines, jobs under way, the grid scheduler.
    fn wake_placing(&mut self, now: Time) -> Result<(), GridError> {
        let order = self.settings.phase_order;
        for _ in 0..PIECE {
            let placing = self.placing.as_mut().expect("it acts");
            match placing.wake(now, &self.jobs, order) {
                Next::Ends(ended, cluster) => self.end(ended, cluster, now),
                Next::Arrives(arrived) => self.arrive(arrived, now)?,
                Next::Nothing => return Ok(()),
            }
            if order.is_per_event() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Lets the grid scheduler decide.
    #[inline]
    fn settle_placing(&mut self, now: Time) -> Result<(), GridError> {
        let Some(placing) = &mut self.placing else { return Ok(()) };
        if !placing.asked {
            return Ok(());
        }
        self.placements.clear();
        placing.decide(now, &self.clusters, &mut self.placements);
        self.carry_out(now)
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
    #[inline]
    fn end(&mut self, Ended { id, killed }: Ended, cluster: ClusterId, now: Time) {
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
            if let Some(placing) = &mut self.placing {
                placing.left(job.organization, cluster, now);
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
        let uses = match job.recorded.list() {
            Some(list) => &self.lists[list as usize].1,
            None => &self.uses[job.organization.index()],
        };
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
        // Machines without a scheduler of their own come to nothing by themselves.
        let is_agent = |cluster: &C| cluster.machine().is_none();
        let last = self.clusters.iter().rposition(is_agent).map_or(0, |last| last + 1);
        self.sources.len() + self.acting + last
    }

    #[inline]
    fn next(&self, agent: Agent) -> Option<Instant> {
        let index = agent.0 as usize;
        if let Some(source) = self.sources.get(index) {
            return source.at().map(|at| (at, self.settings.phase_order.submit()));
        }
        let index = index - self.sources.len();
        if index < self.acting {
            return self.placing.as_ref()?.next(self.settings.phase_order);
        }
        let cluster = index - self.acting;
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
        if let Some(index) = index.checked_sub(self.sources.len()) {
            return match index.checked_sub(self.acting) {
                Some(cluster) => {
                    self.wake_cluster(ClusterId(cluster as u32), now);
                    Ok(())
                }
                None => self.wake_placing(now),
            };
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
        let first = (self.sources.len() + self.acting) as u32;
        for index in 0..self.touched.len() {
            let cluster = self.touched[index];
            self.is_touched[cluster.index()] = false;
            self.settle_cluster(cluster, now)?;
            moved.push(Agent(first + cluster.0));
        }
        if self.acting > 0 {
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
        self.placing.as_mut().map_or(Ok(()), |placing| placing.load(from))
    }
}
