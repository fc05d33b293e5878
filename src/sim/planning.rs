//! The planner of a grid at work: jobs that wait for a plan, the plan that is played, and its starts.
//!
//! A plan is for all jobs that wait: those that came since the last one, and those of earlier plans
//! that have not started. Each cluster has a queue of its planned jobs, in the order of their planned
//! starts.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::grid::limits::Room;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::handed::Handed;
use model::ids::{ClusterId, JobId, OrganizationId, Uses};
use model::jobs::{Alive, Jobs};
use model::view::{Expected, View as _};
use policy::grid::Placement;
use policy::plan::{
    AnyPlanner, Busy, Known, Planned, Planner as _, PlannerOptions, Planning, Plans, PlaysBy,
    Problem, Site,
};

/// A job that waits for a plan, or to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Waiting {
    /// Rank among all submissions.
    number: u64,
    id: JobId,
    /// Its group of clusters.
    group: u32,
}

/// A job of the plan that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Next {
    job: Waiting,
    processors: u32,
    start: Time,
}

/// A plan that was made: the problem, the candidates, and the one that is played.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// Rank among the plans of the run, from 1.
    pub number: u64,
    pub problem: Problem,
    pub plans: Plans,
    pub played: usize,
}

/// The planner and the plan that is played.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    planner: AnyPlanner,
    planning: Planning,
    /// True if predictions are corrected when they expire.
    corrects: bool,
    sites: Vec<Site>,
    /// By group: its clusters.
    uses: Vec<Uses>,
    /// By organization of a federation: true if it does not follow the plan.
    pub apart: Vec<bool>,
    submitted: u64,
    handed: Handed<Waiting>,
    /// By cluster.
    queues: Vec<VecDeque<Next>>,
    idle: Vec<u32>,
    /// Processors that jobs hold.
    busy: u64,
    /// Clusters whose next job is due later.
    due: BTreeSet<(Time, ClusterId)>,
    /// Clusters that may have a job to start.
    look: Vec<ClusterId>,
    plans: u64,
    /// The last plan, until it is told.
    made: Option<Box<Made>>,
}

impl Desk {
    /// No jobs, given the clusters and the groups of jobs.
    pub fn new(planned: &Planned, corrects: bool, sites: Vec<Site>, uses: Vec<Uses>) -> Desk {
        Desk {
            planner: planned.planner.build(),
            planning: planned.planning.clone(),
            corrects,
            uses,
            apart: Vec::new(),
            submitted: 0,
            handed: Handed::new(planned.planning.asked),
            queues: vec![VecDeque::new(); sites.len()],
            idle: sites.iter().map(|site| site.processors).collect(),
            busy: 0,
            sites,
            due: BTreeSet::new(),
            look: Vec::new(),
            plans: 0,
            made: None,
        }
    }

    /// Returns true if no more plans are made.
    pub fn is_closed(&self) -> bool {
        self.handed.is_closed()
    }

    /// Takes the plan that was made last, if it was not taken yet.
    pub fn made(&mut self) -> Option<Box<Made>> {
        self.made.take()
    }

    /// A job was submitted.
    pub fn submit(&mut self, id: JobId, group: u32, now: Time) {
        let number = self.submitted;
        self.submitted += 1;
        self.handed.hold(Waiting { number, id, group }, now);
    }

    /// A cluster got processors back; now `idle` ones are free.
    pub fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.busy = self.busy + u64::from(self.idle[cluster.index()]) - u64::from(idle);
        self.idle[cluster.index()] = idle;
        self.look.push(cluster);
    }

    /// Time of the next decision if no event happens before.
    #[inline]
    pub fn wake(&self) -> Option<Time> {
        let due = self.due.first().map(|due| due.0);
        self.handed.wake().into_iter().chain(due).min()
    }

    /// Makes a plan if it is time, and pushes the starts that are due. `running` are the jobs that run,
    /// or will at a time.
    pub fn decide(
        &mut self,
        now: Time,
        jobs: &Jobs,
        running: impl Iterator<Item = (JobId, Time)>,
        room: Option<&Room<'_>>,
        out: &mut Vec<Placement>,
    ) {
        let is_over = self.busy == 0 && self.queues.iter().all(VecDeque::is_empty);
        let fresh: Vec<Waiting> = self.handed.due(now, is_over).collect();
        if !fresh.is_empty() {
            self.plan(fresh, now, jobs, running, room);
        }
        if room.is_some() {
            // A job that ends on a cluster may leave room on others of its owner.
            self.look.extend((0..self.sites.len() as u32).map(ClusterId));
        }
        while let Some(&(due, cluster)) = self.due.first()
            && due <= now
        {
            self.due.pop_first();
            self.look.push(cluster);
        }
        self.look.sort_unstable();
        self.look.dedup();
        for cluster in std::mem::take(&mut self.look) {
            self.start(cluster, now, room, out);
        }
    }

    /// True if an organization does not follow the plan.
    fn is_apart(&self, organization: OrganizationId) -> bool {
        self.apart.get(organization.index()).is_some_and(|&is_apart| is_apart)
    }

    /// Plans all jobs that wait. Whoever does not follow the plan has its own jobs first on its own
    /// clusters; the others' plan has these clusters once those jobs have ended.
    fn plan(
        &mut self,
        fresh: Vec<Waiting>,
        now: Time,
        jobs: &Jobs,
        running: impl Iterator<Item = (JobId, Time)>,
        room: Option<&Room<'_>>,
    ) {
        let planned = self.queues.iter_mut().flat_map(|queue| queue.drain(..));
        let mut waiting: Vec<Waiting> = planned.map(|next| next.job).chain(fresh).collect();
        waiting.sort_unstable_by_key(|one| one.number);
        let is_apart = |one: &Waiting| self.is_apart(jobs.get(one.id).job.organization);
        let (apart, waiting): (Vec<Waiting>, Vec<Waiting>) =
            waiting.into_iter().partition(is_apart);
        let mut busy: Vec<Busy> =
            running.map(|(id, started)| self.holds(jobs.get(id), started, now)).collect();
        if !apart.is_empty() {
            let own_first = PlannerOptions::MyJobsFirst(Default::default()).build();
            let ends = self.lay(&apart, Some(own_first), busy.clone(), now, jobs, room);
            for (cluster, end) in (0..).map(ClusterId).zip(ends).filter(|one| one.1 > now) {
                let (own, others) = busy.into_iter().partition(|one| one.cluster == cluster);
                busy = others;
                let own: Vec<Busy> = own;
                let end = own.iter().map(|one| one.end).max().max(Some(end)).unwrap_or(end);
                let processors = self.sites[cluster.index()].processors;
                busy.push(Busy { cluster, processors, end });
            }
        }
        if !waiting.is_empty() {
            self.lay(&waiting, None, busy, now, jobs, room);
        }
        self.due.clear();
        self.look.clear();
        self.look.extend((0..self.sites.len() as u32).map(ClusterId));
    }

    /// Plans jobs by a planner, else by that of the grid, behind those in the queues. Returns the last
    /// planned end of each cluster.
    fn lay(
        &mut self,
        waiting: &[Waiting],
        planner: Option<AnyPlanner>,
        busy: Vec<Busy>,
        now: Time,
        jobs: &Jobs,
        room: Option<&Room<'_>>,
    ) -> Vec<Time> {
        let mut uses: Vec<Vec<ClusterId>> = self.uses.iter().map(|uses| uses.to_vec()).collect();
        let known = |one: &Waiting| {
            let submission = jobs.get(one.id).submission(one.id);
            let owner = submission.job.organization;
            let is_apart = self.is_apart(owner);
            let job = Expected::cut(&submission);
            let all = &uses[one.group as usize];
            let takes = |cluster: &ClusterId| {
                let is_own = self.sites[cluster.index()].owner == owner;
                is_own || !is_apart && room.is_none_or(|room| room.ever(one.id, *cluster))
            };
            let some: Vec<ClusterId> = all.iter().copied().filter(takes).collect();
            if some.len() == all.len() {
                return Known { job, uses: one.group };
            }
            uses.push(some);
            Known { job, uses: uses.len() as u32 - 1 }
        };
        let known = waiting.iter().map(known).collect();
        let without_jobs = self.planning.without_jobs;
        let problem = Problem::new(now, self.sites.clone(), uses, known, busy, without_jobs);
        let mut plans = Plans::default();
        match planner {
            Some(mut planner) => planner.plan(&problem, &mut plans),
            None => self.planner.plan(&problem, &mut plans),
        }
        let played = self.planning.plays.choose(&problem, &plans);
        let mut steps = plans.steps(played).to_vec();
        steps.sort_unstable_by_key(|step| step.start.with(step.job.into()));
        let mut ends = vec![now; self.sites.len()];
        for step in steps {
            let end = &mut ends[step.cluster.index()];
            *end = (*end).max(problem.end(step.job, (step.cluster, step.start)));
            let job = waiting[step.job as usize];
            let processors = problem.jobs[step.job as usize].processors();
            self.queues[step.cluster.index()].push_back(Next {
                job,
                processors,
                start: step.start,
            });
        }
        self.plans += 1;
        self.made = Some(Box::new(Made { number: self.plans, problem, plans, played }));
        ends
    }

    /// Returns the processors that a running job holds, and its expected end.
    fn holds(&self, alive: &Alive, started: Time, now: Time) -> Busy {
        let expected = alive.expected_now().expect("a run with a planner gives expected runtimes");
        let mut end = started.saturating_add(expected);
        let mut times = 0;
        // What has outrun its prediction is expected to end at the next correction.
        let estimate = alive.estimate();
        while end <= now && self.corrects && expected < estimate {
            times += 1;
            let longer = alive.expected_after(times).expect("as above");
            end = started.saturating_add(longer);
            if longer >= estimate {
                break;
            }
        }
        Busy {
            cluster: alive.cluster().expect("a job runs on a cluster"),
            processors: alive.job.processors,
            end: end.max(now.saturating_add(Span::TICK)),
        }
    }

    /// Starts the next jobs of a cluster, as far as they are due and fit.
    fn start(
        &mut self,
        cluster: ClusterId,
        now: Time,
        room: Option<&Room<'_>>,
        out: &mut Vec<Placement>,
    ) {
        let by_time = self.planning.plays_by == PlaysBy::Time;
        let (queue, idle) = (&mut self.queues[cluster.index()], &mut self.idle[cluster.index()]);
        while let Some(&next) = queue.front() {
            if by_time && next.start > now && next.start < Time::NEVER {
                self.due.insert((next.start, cluster));
                return;
            }
            let takes = |room: &Room<'_>| room.takes(next.job.id, cluster, out);
            if next.processors > *idle || !room.is_none_or(takes) {
                return;
            }
            queue.pop_front();
            *idle -= next.processors;
            self.busy += u64::from(next.processors);
            out.push(Placement::Start { job: next.job.id, cluster, delay: Span::ZERO });
        }
    }
}

impl State for Desk {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.submitted, &self.handed, &self.queues, &self.look, self.plans), out);
        put(&(&self.idle, &self.due), out);
        self.planner.save(out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.submitted, self.handed, self.queues, self.look, self.plans) = take(from)?;
        (self.idle, self.due) = take(from)?;
        let is_known = |cluster: &ClusterId| cluster.index() < self.sites.len();
        let fits = self.queues.len() == self.sites.len()
            && self.idle.len() == self.sites.len()
            && self.idle.iter().zip(&self.sites).all(|(&idle, site)| idle <= site.processors)
            && self.look.iter().all(is_known)
            && self.due.iter().all(|(_, cluster)| is_known(cluster));
        if !fits {
            return Err(Corrupt::Content("a plan for other clusters".to_owned()));
        }
        let held = |(&idle, site): (&u32, &Site)| u64::from(site.processors - idle);
        self.busy = self.idle.iter().zip(&self.sites).map(held).sum();
        self.planner.load(from)
    }
}
