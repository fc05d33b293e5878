//! The grid's own half of the work: jobs that wait for a cluster, those under way to one, and the
//! machines that have no scheduler of their own. A grid scheduler or a planner places the jobs.
//!
//! All of it is one agent of the calendar, so that thousands of machines cost no more per event than
//! one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::access::Terms;
use super::cluster::{ClusterAgent, Ended};
use super::grid::limits::Room;
use super::phase::{FINISH, PhaseOrder, SCHEDULE};
use super::planning::{Desk, Made};
use kernel::calendar::Instant;
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::foreign::Foreign;
use model::ids::{ClusterId, JobId};
use model::jobs::{Alive, Jobs};
use model::machine::{Ends, Machine};
use policy::grid::{AnyGrid, GridOptions, GridScheduler, Group, Placement, Setup, Site, Sites};
use policy::plan::{self, Planned};

/// A job under way: where to, and whether it starts there or joins the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct UnderWay {
    arrival: Time,
    order: u64,
    job: JobId,
    cluster: ClusterId,
    starts: bool,
}

/// A job that arrives at its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrived {
    pub job: JobId,
    pub cluster: ClusterId,
    /// True if it starts there; false if it joins the queue.
    pub starts: bool,
}

/// The next thing that happens here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Ends(Ended, ClusterId),
    Arrives(Arrived),
    Nothing,
}

/// The built grid scheduler or planner.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
enum Placer {
    Scheduler(AnyGrid),
    Planner(Box<Desk>),
}

/// The chosen way to place jobs: a grid scheduler or a planner.
#[derive(Clone, Debug)]
pub(super) enum Chosen<'a> {
    Scheduler(&'a GridOptions),
    /// A planner, and whether predictions are corrected when they expire.
    Planner(&'a Planned, bool),
}

impl Placer {
    #[inline]
    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        match self {
            Placer::Scheduler(scheduler) => scheduler.freed(cluster, idle),
            Placer::Planner(desk) => desk.freed(cluster, idle),
        }
    }
}

impl Chosen<'_> {
    /// True if it starts jobs itself.
    pub fn starts(&self) -> bool {
        match self {
            Chosen::Scheduler(options) => options.starts(),
            Chosen::Planner(..) => true,
        }
    }

    fn build(&self, setup: &Setup<'_>) -> Placer {
        match *self {
            Chosen::Scheduler(options) => Placer::Scheduler(options.build(setup)),
            Chosen::Planner(planned, corrects) => {
                let site = |&Site { owner, processors, speed, .. }: &Site| plan::Site {
                    owner,
                    processors,
                    speed,
                };
                let sites = setup.sites.iter().map(site).collect();
                let uses = setup.groups.iter().map(|group| group.clusters.clone().into()).collect();
                Placer::Planner(Box::new(Desk::new(planned, corrects, sites, uses)))
            }
        }
    }
}

/// A grid scheduler or planner, the machines that it fills, and the jobs under way.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    placer: Placer,
    /// True if the scheduler is asked after every submission.
    at_once: bool,
    /// True if the agent can have something to do.
    pub acts: bool,
    /// By cluster; those that have a scheduler of their own have no processors.
    machines: Vec<Machine>,
    ends: Ends,
    under_way: BinaryHeap<Reverse<UnderWay>>,
    sent: u64,
    /// By cluster: processors of the jobs under way to it.
    coming: Vec<u64>,
    /// True if jobs of others may start on a cluster whenever a job ends there.
    guards: bool,
    /// Machines that got processors back in this instant.
    freed: Vec<ClusterId>,
    is_freed: Vec<bool>,
    /// True if the scheduler is to decide when this wave settles.
    pub asked: bool,
    /// By cluster of a federation: true if jobs are started there, on its own machine.
    lent: Vec<bool>,
}

/// The clusters as a grid scheduler sees them.
struct Seen<'a, C> {
    clusters: &'a [C],
    coming: &'a [u64],
    room: Option<&'a Room<'a>>,
}

impl<C: ClusterAgent> Sites for Seen<'_, C> {
    #[inline]
    fn demand(&self, cluster: ClusterId) -> u64 {
        self.clusters[cluster.index()].demand() + self.coming[cluster.index()]
    }

    fn are_choosy(&self) -> bool {
        self.room.is_some()
    }

    #[inline]
    fn takes(&self, job: JobId, cluster: ClusterId, placed: &[Placement]) -> bool {
        self.room.is_none_or(|room| room.takes(job, cluster, placed))
    }
}

impl Placing {
    pub fn new<C: ClusterAgent>(
        chosen: &Chosen<'_>,
        clusters: &[C],
        terms: Vec<Terms>,
        groups: &[Group],
        organizations: u32,
        streams: &Streams,
    ) -> Placing {
        let sites: Vec<Site> = (clusters.iter().zip(&terms))
            .map(|(cluster, terms)| Site {
                processors: cluster.processors(),
                owner: terms.owner,
                foreign: terms.foreign,
                speed: terms.speed,
            })
            .collect();
        let machines: Vec<Machine> = clusters
            .iter()
            .map(|cluster| cluster.machine().unwrap_or_else(|| Machine::new(0)))
            .collect();
        let guards = terms.iter().any(|terms| terms.foreign == Foreign::WhenNoneWaits);
        let starts = chosen.starts();
        let delays = matches!(chosen, Chosen::Scheduler(options) if options.delays());
        Placing {
            placer: chosen.build(&Setup { sites: &sites, groups, organizations, streams }),
            at_once: !starts,
            acts: starts || guards || delays,
            coming: vec![0; machines.len()],
            guards: guards && !starts,
            is_freed: vec![false; machines.len()],
            machines,
            ends: Ends::default(),
            under_way: BinaryHeap::new(),
            sent: 0,
            freed: Vec::new(),
            asked: false,
            lent: Vec::new(),
        }
    }

    /// Starts jobs on the machines of these clusters, given the processors that are free on each.
    #[must_use]
    pub fn on_loan(mut self, lent: Vec<bool>, free: &[u32]) -> Placing {
        for (cluster, _) in (0..).map(ClusterId).zip(&lent).filter(|(_, is_lent)| **is_lent) {
            self.placer.freed(cluster, free[cluster.index()]);
        }
        Placing { lent, ..self }
    }

    /// Tells whether clusters may refuse jobs that fit: those are asked for again when jobs end.
    #[must_use]
    pub fn choosy(self, is_choosy: bool) -> Placing {
        Placing { guards: self.guards || is_choosy && self.at_once, ..self }
    }

    /// Tells a planner which organizations do not follow its plan.
    #[must_use]
    pub fn apart(mut self, apart: &[bool]) -> Placing {
        if let Placer::Planner(desk) = &mut self.placer {
            desk.apart = apart.to_vec();
        }
        self
    }

    /// Goes on with the jobs that are under way.
    #[must_use]
    pub fn goes_on(mut self, before: Option<Box<Placing>>) -> Placing {
        match before.map(|before| *before) {
            Some(Placing { placer, under_way, sent, coming, .. }) => {
                if let (Placer::Scheduler(now), Placer::Scheduler(before)) =
                    (&mut self.placer, placer)
                {
                    now.remembers(before);
                }
                Placing { under_way, sent, coming, ..self }
            }
            None => self,
        }
    }

    /// Stops jobs that are under way; returns them with the times at which they would have arrived.
    pub fn turn_back(
        &mut self,
        turns: impl Fn(&Arrived) -> bool,
        jobs: &Jobs,
    ) -> Vec<(Arrived, Time)> {
        let mut turned = Vec::new();
        let coming = &mut self.coming;
        self.under_way.retain(|Reverse(one)| {
            let UnderWay { arrival, job, cluster, starts, .. } = *one;
            let one = Arrived { job, cluster, starts };
            let is_turned = turns(&one);
            if is_turned {
                turned.push((one, arrival));
                if !starts {
                    coming[cluster.index()] -= u64::from(jobs.get(job).job.processors);
                }
            }
            !is_turned
        });
        turned
    }

    /// Messages that clusters exchanged so far.
    pub fn messages(&self) -> u64 {
        match &self.placer {
            Placer::Scheduler(scheduler) => scheduler.messages(),
            Placer::Planner(_) => 0,
        }
    }

    /// Utility of each organization's jobs, if the scheduler knows it.
    pub fn utilities(&self, now: Time) -> Vec<f64> {
        match &self.placer {
            Placer::Scheduler(scheduler) => scheduler.utilities(now),
            Placer::Planner(_) => Vec::new(),
        }
    }

    /// True if no more jobs are placed than those that came.
    #[inline]
    pub fn is_closed(&self) -> bool {
        match &self.placer {
            Placer::Scheduler(scheduler) => scheduler.is_closed(),
            Placer::Planner(desk) => desk.is_closed(),
        }
    }

    /// Takes the plan that was made last, if it was not taken yet.
    #[inline]
    pub fn made(&mut self) -> Option<Box<Made>> {
        match &mut self.placer {
            Placer::Scheduler(_) => None,
            Placer::Planner(desk) => desk.made(),
        }
    }

    /// The jobs under way, sorted.
    pub fn under_way(&self) -> Vec<JobId> {
        let mut jobs: Vec<JobId> = self.under_way.iter().map(|one| one.0.job).collect();
        jobs.sort_unstable();
        jobs
    }

    /// The next instant at which something happens here.
    #[inline]
    pub fn next(&self, order: PhaseOrder) -> Option<Instant> {
        let ends = self.ends.first().map(|end| (end.at(), FINISH));
        let arrives = self.under_way.peek().map(|one| (one.0.arrival, order.submit()));
        let decides = match self.asked {
            // It decides when this wave settles.
            true => None,
            false => match &self.placer {
                Placer::Scheduler(scheduler) => scheduler.wake(),
                Placer::Planner(desk) => desk.wake(),
            },
        };
        let decides = decides.map(|at| (at, SCHEDULE));
        ends.into_iter().chain(arrives).chain(decides).min()
    }

    /// The phases in which jobs are asked for, one after the other.
    #[inline]
    pub fn wake(&mut self, now: Time, jobs: &Jobs, phase_order: PhaseOrder) -> Next {
        let is_due = |instant: Option<Instant>| instant.is_some_and(|(at, _)| at == now);
        let next = self.next(phase_order);
        if !is_due(next) {
            return Next::Nothing;
        }
        match next {
            Some((_, FINISH)) => {
                let id = self.ends.pop().expect("a job ends").id();
                let alive = jobs.get(id);
                let cluster = alive.cluster().expect("a job runs on a cluster");
                let machine = &mut self.machines[cluster.index()];
                machine.give_back(alive.job.processors);
                let killed = machine.kills(&alive.job);
                if !std::mem::replace(&mut self.is_freed[cluster.index()], true) {
                    self.freed.push(cluster);
                }
                self.asked = true;
                Next::Ends(Ended { id, killed }, cluster)
            }
            Some((_, SCHEDULE)) => {
                self.asked = true;
                Next::Nothing
            }
            _ => {
                let Some(Reverse(one)) = self.under_way.pop() else { return Next::Nothing };
                let UnderWay { job, cluster, starts, .. } = one;
                if !starts {
                    let processors = u64::from(jobs.get(job).job.processors);
                    self.coming[cluster.index()] -= processors;
                }
                Next::Arrives(Arrived { job, cluster, starts })
            }
        }
    }

    /// Takes in a job that waits. Returns true if the scheduler is to decide at once.
    #[inline]
    pub fn submit(&mut self, id: JobId, group: u32, jobs: &Jobs, now: Time) -> bool {
        match &mut self.placer {
            Placer::Scheduler(scheduler) => {
                scheduler.submit(jobs.get(id).submission(id), group, now);
            }
            Placer::Planner(desk) => desk.submit(id, group, now),
        }
        self.asked |= !self.at_once;
        self.at_once
    }

    /// Lets the scheduler or planner decide; `room` is what clusters take of others, if they have
    /// limits.
    #[inline]
    pub fn decide<C: ClusterAgent>(
        &mut self,
        now: Time,
        clusters: &[C],
        jobs: &Jobs,
        room: Option<&Room<'_>>,
        out: &mut Vec<Placement>,
    ) {
        self.asked = false;
        for cluster in self.freed.drain(..) {
            self.is_freed[cluster.index()] = false;
            let idle = match self.lent.is_empty() {
                true => self.machines[cluster.index()].free,
                false => clusters[cluster.index()].free(),
            };
            self.placer.freed(cluster, idle);
        }
        let coming = &*self.coming;
        match &mut self.placer {
            Placer::Scheduler(scheduler) => {
                scheduler.decide(now, &Seen { clusters, coming, room }, out);
            }
            Placer::Planner(desk) if self.lent.is_empty() => {
                let running = self.ends.jobs().map(|id| (id, jobs.get(id).started));
                desk.decide(now, jobs, running, None, out);
            }
            Placer::Planner(desk) => {
                let runs_here = |alive: &Alive| {
                    let cluster = alive.cluster().filter(|_| alive.started != Time::NEVER);
                    cluster.is_some_and(|cluster| self.lent[cluster.index()])
                };
                let running = jobs.iter().filter(|(_, alive)| runs_here(alive));
                let running = running.map(|(id, alive)| (id, alive.started));
                // Who is under way has its processors.
                let under_way = self.under_way.iter().map(|one| (one.0.job, one.0.arrival));
                let running = running.chain(under_way);
                desk.decide(now, jobs, running, room, out);
            }
        }
    }

    /// Gives a job processors of a machine.
    #[inline]
    pub fn take(&mut self, cluster: ClusterId, processors: u32) {
        self.machines[cluster.index()].take(processors);
    }

    /// A job starts on a machine.
    ///
    /// # Errors
    /// Fails if it would end beyond the range of times.
    #[inline]
    pub fn start(
        &mut self,
        id: JobId,
        cluster: ClusterId,
        jobs: &Jobs,
        now: Time,
    ) -> Result<(), model::machine::OutOfTime> {
        let runs = self.machines[cluster.index()].runs(&jobs.get(id).job, Span::ZERO);
        self.ends.start(id, now, runs)
    }

    /// A job sets out for a cluster.
    pub fn send(&mut self, one: Arrived, arrival: Time, jobs: &Jobs) {
        let Arrived { job, cluster, starts } = one;
        if !starts {
            self.coming[cluster.index()] += u64::from(jobs.get(job).job.processors);
        }
        let order = self.sent;
        self.sent += 1;
        self.under_way.push(Reverse(UnderWay { arrival, order, job, cluster, starts }));
    }

    /// A job ended on a cluster.
    #[inline]
    pub fn ended(&mut self, job: JobId, cluster: ClusterId, now: Time) {
        if let (false, Placer::Scheduler(scheduler)) = (self.at_once, &mut self.placer) {
            scheduler.ended(job, now);
        }
        self.asked |= self.guards;
        if self.lent.get(cluster.index()).is_some_and(|&is_lent| is_lent) {
            self.asked = true;
            if !std::mem::replace(&mut self.is_freed[cluster.index()], true) {
                self.freed.push(cluster);
            }
        }
    }
}

impl State for Placing {
    fn save(&self, out: &mut Vec<u8>) {
        let free: Vec<u32> = self.machines.iter().map(|machine| machine.free).collect();
        let mut under_way: Vec<UnderWay> = self.under_way.iter().map(|one| one.0).collect();
        under_way.sort_unstable();
        put(&(free, self.ends.saved(), under_way, self.sent), out);
        // Two places of states that were saved before are empty.
        let (waits, again) = (None::<Vec<u32>>, None::<Time>);
        put(&(&self.coming, waits, &self.freed, self.asked, again), out);
        match &self.placer {
            Placer::Scheduler(scheduler) => scheduler.save(out),
            Placer::Planner(desk) => desk.save(out),
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (free, ends, under_way): (Vec<u32>, _, Vec<UnderWay>);
        (free, ends, under_way, self.sent) = take(from)?;
        (self.coming, _, self.freed, self.asked, _) =
            take::<(_, Option<Vec<u32>>, _, _, Option<Time>)>(from)?;
        let clusters: Range<usize> = 0..self.machines.len();
        let fits = free.len() == clusters.len()
            && self.coming.len() == clusters.len()
            && self.freed.iter().all(|one| clusters.contains(&one.index()))
            && under_way.iter().all(|one| clusters.contains(&one.cluster.index()));
        if !fits {
            return Err(Corrupt::Content("another number of clusters".to_owned()));
        }
        for (machine, free) in self.machines.iter_mut().zip(free) {
            machine.free = free;
        }
        self.is_freed.fill(false);
        for cluster in &self.freed {
            self.is_freed[cluster.index()] = true;
        }
        self.ends = Ends::loaded(ends);
        self.under_way = under_way.into_iter().map(Reverse).collect();
        match &mut self.placer {
            Placer::Scheduler(scheduler) => scheduler.load(from),
            Placer::Planner(desk) => desk.load(from),
        }
    }
}
