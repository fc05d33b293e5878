//! A federation's grid: each organization pools its clusters for a time, or keeps to them.
//!
//! Members' jobs go through the grid scheduler or planner, on members' clusters. An outsider's go to the
//! schedulers of its own clusters, on these alone. A job that fits on no cluster that it may use now
//! waits for another membership.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::super::access::{Access, Groups};
use super::super::cluster::ClusterAgent;
use super::super::federation::site::Site;
use super::super::federation::stakes::Costs;
use super::super::observer::{Observer, Submitted};
use super::super::phase::{PhaseOrder, SCHEDULE};
use super::super::placing::{Arrived, Chosen, Placing};
use super::limits::{Limits, Room};
use super::{Grid, GridError, tell};
use kernel::calendar::Instant;
use kernel::order::InOrder as _;
use kernel::rng::Streams;
use kernel::state::Corrupt;
use kernel::time::{LIMIT_TICKS, Span, Time};
use model::ids::{ClusterId, JobId, OrganizationId, Uses};
use model::job::Job;
use model::jobs::Alive;
use policy::grid::GridOptions;
use workload::{Ahead, Piece, Source};

/// The part that each organization takes for a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Membership {
    /// By organization: true if it pools its clusters.
    pub is_in: Vec<bool>,
    /// By organization: the most work of others that its clusters hold.
    pub levels: Vec<Option<Span>>,
    /// By organization: true if it does not follow the plan. Its jobs run on its own clusters, before
    /// those of others.
    pub apart: Vec<bool>,
    /// By organization: factor of the runtimes that it lets others expect of the jobs that it submits; empty
    /// if nobody lies.
    pub factors: Vec<f64>,
}

/// The organizations that pool their clusters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Members {
    now: Membership,
    /// Jobs that are too wide for all clusters that they may use now.
    too_wide: Vec<JobId>,
    /// The instant of the last change, until schedulers looked at it.
    look: Option<Time>,
    #[serde(skip)]
    costs: Costs,
    #[serde(skip)]
    limits: Limits,
    /// Jobs under way to a cluster, with the time that they take.
    ways: BTreeMap<JobId, Span>,
    /// Jobs that turned back: when they arrive, and their rank among all that did.
    back: BTreeSet<(Time, u64, JobId)>,
    turned: u64,
}

impl Members {
    pub fn next(&self, order: PhaseOrder) -> Option<Instant> {
        let look = self.look.map(|at| (at, SCHEDULE));
        let back = self.back.first().map(|&(at, ..)| (at, order.submit()));
        look.into_iter().chain(back).min()
    }

    /// A job is under way to a cluster.
    pub fn sets_out(&mut self, id: JobId, way: Span) {
        self.ways.insert(id, way);
    }

    /// It has arrived.
    pub fn arrives(&mut self, id: JobId) {
        self.ways.remove(&id);
    }

    /// Takes a job that is back now.
    pub fn comes_back(&mut self, now: Time) -> Option<JobId> {
        let is_back = self.back.first().is_some_and(|&(at, ..)| at <= now);
        if is_back { self.back.pop_first().map(|(.., id)| id) } else { None }
    }

    pub fn looked(&mut self, now: Time) {
        self.look.take_if(|at| *at <= now);
    }
}

impl<C, S, O> Grid<C, S, O>
where
    C: ClusterAgent,
    S: Source<Load = Job>,
    O: Observer,
{
    /// The clusters that a job may use if all are members.
    fn may_use(&self, job: &Job) -> &[ClusterId] {
        let uses = &self.uses[job.organization.index()];
        match (job.recorded.cluster(), job.recorded.list()) {
            (Some(cluster), _) => {
                let only = uses.iter().position(|one| *one == cluster);
                only.map_or(&[], |at| &uses[at..=at])
            }
            (None, Some(list)) => &self.lists[list as usize].1,
            (None, None) => uses,
        }
    }

    /// Destination of a job, as its organization is in or out.
    pub(super) fn access_among(&self, members: &Members, job: &Job) -> Access {
        let bound = job.recorded.cluster();
        if members.now.is_in[job.organization.index()] {
            let is_there =
                |cluster: ClusterId| members.now.is_in[self.terms[cluster.index()].owner.index()];
            if bound.is_some_and(|cluster| !is_there(cluster)) {
                return Access::Nowhere;
            }
            return self.lasting_access(job);
        }
        let own = self.may_use(job).iter().copied().filter(|cluster| {
            self.terms[cluster.index()].owner == job.organization
                && self.clusters[cluster.index()].admits(job)
        });
        let part = |cluster: &ClusterId| {
            let cluster = &self.clusters[cluster.index()];
            (u128::from(cluster.demand()), u128::from(cluster.processors()))
        };
        let less = |one: &ClusterId, other: &ClusterId| {
            let ((demand, processors), (other_demand, others)) = (part(one), part(other));
            (demand * others).cmp(&(other_demand * processors))
        };
        own.min_by(less).map_or(Access::Nowhere, Access::Direct)
    }

    /// True if a job could run if others were members.
    pub(super) fn waits_for_members(&self, job: &Job) -> bool {
        let admits = |cluster: &ClusterId| self.clusters[cluster.index()].admits(job);
        self.members.is_some() && self.may_use(job).iter().any(admits)
    }

    /// A job comes that fits nowhere now.
    pub(super) fn wait_for_members(&mut self, job: &Job, now: Time) {
        let id = self.jobs.hold(job, self.expected(job));
        self.members.as_mut().expect("it is a federation").too_wide.push(id);
        self.observer.submitted(Submitted { id, job, cluster: None, now });
        if self.traced {
            tell(now, job, None, "submitted");
        }
    }

    /// A job that waits goes its way anew.
    pub(super) fn go_again(&mut self, id: JobId, now: Time) -> Result<(), GridError> {
        let &Alive { job, expected, .. } = self.jobs.get(id);
        match self.access(&job) {
            Access::Direct(cluster) if self.clusters[cluster.index()].admits(&job) => {
                self.jobs.place(id, cluster);
                self.at_speed_of(cluster, id);
                self.queue(id, cluster, now);
                Ok(())
            }
            Access::Grid { group, widest }
                if job.processors <= widest && self.is_taken(&job, expected) =>
            {
                self.place_in_grid(id, group, now)
            }
            _ => {
                self.members.as_mut().expect("it is a federation").too_wide.push(id);
                Ok(())
            }
        }
    }

    /// The runtime that is expected of a job that is submitted now: of a member that lies, not the true one.
    pub(super) fn expected(&self, job: &Job) -> Option<Span> {
        let expected = self.oracle.expected(job)?;
        let factors = self.members.as_ref().map(|members| &members.now.factors[..]);
        let factor = factors.and_then(|all| all.get(job.organization.index()));
        let Some(&factor) = factor.filter(|&&factor| factor != 1.0) else { return Some(expected) };
        let told = (expected.ticks() as f64 * factor).round().clamp(1.0, LIMIT_TICKS as f64);
        Some(Span::from_ticks(told as i64))
    }

    /// Forgets which jobs were abroad and are gone, before somebody asks for [`room`](Self::room).
    pub(super) fn forget_gone(&mut self) {
        if let Some(members) = &mut self.members {
            members.limits.forget(&self.jobs, &self.terms);
        }
    }

    /// The room that limits leave now, if there are any.
    pub(super) fn room(&self, now: Time) -> Option<Room<'_>> {
        let limits = self.members.as_ref().map(|members| &members.limits);
        let limits = limits.filter(|limits| !limits.are_none())?;
        Some(Room::new(limits, &self.jobs, &self.terms, now))
    }

    /// True if some cluster that a job may use now takes it at least while it has no other of others.
    pub(super) fn is_taken(&self, job: &Job, expected: Option<Span>) -> bool {
        let Some(members) = &self.members else { return true };
        let is_apart = members.now.apart[job.organization.index()];
        if members.limits.are_none() && !is_apart {
            return true;
        }
        self.may_use(job).iter().any(|&cluster| {
            let terms = &self.terms[cluster.index()];
            members.now.is_in[terms.owner.index()]
                && (!is_apart || terms.owner == job.organization)
                && self.clusters[cluster.index()].admits(job)
                && members.limits.ever(job, expected, cluster, terms)
        })
    }

    /// Makes it a federation, of which nobody is a member yet, given the costs of taking part and, by
    /// cluster, the most processors that others' jobs may have.
    pub fn federate(&mut self, costs: Costs, shares: Vec<Option<u32>>) {
        let limits = Limits::new(shares, costs.of_job());
        let [is_in, apart] = [vec![false; self.uses.len()], vec![false; self.uses.len()]];
        let levels = vec![None; self.uses.len()];
        self.members = Some(Box::new(Members {
            now: Membership { is_in, levels, apart, factors: Vec::new() },
            too_wide: Vec::new(),
            look: None,
            costs,
            limits,
            ways: BTreeMap::new(),
            back: BTreeSet::new(),
            turned: 0,
        }));
    }

    /// Time that a job is under way to a cluster because that is another owner's.
    pub(super) fn way(&self, organization: OrganizationId, cluster: ClusterId) -> Span {
        let is_abroad = self.terms[cluster.index()].owner != organization;
        let members = self.members.as_ref().filter(|_| is_abroad);
        members.map_or(Span::ZERO, |members| members.costs.of_way())
    }

    /// Adds the cost of running abroad to a job that got its cluster.
    pub(super) fn charge(&mut self, id: JobId, cluster: ClusterId) {
        let Some(members) = &mut self.members else { return };
        let is_abroad = self.terms[cluster.index()].owner != self.jobs.get(id).job.organization;
        let added = if is_abroad { members.costs.of_job() } else { Span::ZERO };
        self.jobs.add(id, added);
        if is_abroad {
            members.limits.sets_out(id);
        }
    }

    /// The same for all jobs that were loaded.
    pub(super) fn charge_all(&mut self) {
        let Some(added) = self.members.as_ref().map(|members| members.costs.of_job()) else {
            return;
        };
        let terms = &self.terms;
        self.jobs.add_to_all(|organization, cluster| {
            let is_abroad = terms[cluster.index()].owner != organization;
            if is_abroad { added } else { Span::ZERO }
        });
        if let Some(members) = &mut self.members {
            members.limits.note(&self.jobs, &self.terms);
        }
    }

    /// Finds out where members' jobs go, and builds the grid scheduler or planner anew.
    pub(super) fn compose(&mut self, streams: &Streams) {
        let Some(members) = &self.members else { return };
        let least_demand = || GridOptions::LeastDemand(Default::default());
        let options = self.grid_scheduler.clone().unwrap_or_else(least_demand);
        let chosen = match &self.planned {
            Some(planned) => Chosen::Planner(planned, self.settings.clairvoyance.corrects()),
            None => Chosen::Scheduler(&options),
        };
        let processors: Vec<u32> = self.clusters.iter().map(C::processors).collect();
        let is_filled = vec![chosen.starts(); processors.len()];
        let mut groups = Groups::new(&self.terms, &processors, &is_filled, chosen.starts());
        let is_choosy = !members.limits.are_none();
        groups.holds_others = is_choosy || members.costs.of_way() > Span::ZERO;
        let owner = |cluster: ClusterId| self.terms[cluster.index()].owner;
        let pools = |cluster: &&ClusterId| members.now.is_in[owner(**cluster).index()];
        let mut access = |one: OrganizationId, uses: &Uses| {
            if !members.now.is_in[one.index()] {
                return Access::Nowhere;
            }
            let pooled: Uses = uses.iter().filter(pools).copied().collect();
            groups.access(one, &pooled)
        };
        let organizations = (0..).map(OrganizationId).zip(&self.uses);
        self.access = organizations.map(|(one, uses)| access(one, uses)).collect();
        let lists = self.lists.iter();
        self.list_access = lists.map(|(one, clusters)| access(*one, clusters)).collect();
        let nobody = OrganizationId(u32::MAX);
        let clusters = (0..processors.len() as u32).map(ClusterId);
        self.bound = clusters
            .map(|cluster| {
                if !self.expects_bound || !pools(&&cluster) {
                    return [Access::Nowhere; 2];
                }
                // A list of its own each, as access by a known list is not found anew.
                [owner(cluster), nobody].map(|one| groups.access(one, &[cluster].into()))
            })
            .collect();
        let Groups { groups, .. } = groups;
        let before = self.placing.take();
        let terms = self.terms.clone();
        let organizations = self.uses.len() as u32;
        let placing = Placing::new(&chosen, &self.clusters, terms, &groups, organizations, streams);
        let mut placing = placing.goes_on(before).choosy(is_choosy).apart(&members.now.apart);
        if chosen.starts() {
            let lent = (0..processors.len() as u32).map(|id| pools(&&ClusterId(id))).collect();
            let free: Vec<u32> = self.clusters.iter().map(C::free).collect();
            placing = placing.on_loan(lent, &free);
        }
        self.placing = Some(Box::new(placing));
    }

    /// Takes up saved members, before the rest of a state.
    pub(super) fn load_members(&mut self, mut members: Members) -> Result<(), Corrupt> {
        if let Some(own) = self.members.take() {
            members.costs = own.costs;
            members.limits = own.limits.clone();
            members.limits.levels.clone_from(&members.now.levels);
        }
        let Membership { is_in, levels, apart, .. } = &members.now;
        if [is_in.len(), levels.len(), apart.len()] != [self.uses.len(); 3] {
            return Err(Corrupt::Content("another number of members".to_owned()));
        }
        self.members = Some(Box::new(members));
        // Their draws are loaded.
        self.compose(&Streams::new(1));
        Ok(())
    }

    /// Leaves organizations out for a time: their jobs are dropped as they arrive.
    pub fn set_absent(&mut self, absent: Vec<bool>) {
        self.absent = absent;
    }

    /// Begins again as a blank copy of itself, with pieces of its sources. The observer stays, and is
    /// told of the jobs that have not ended.
    ///
    /// # Errors
    /// Fails if a source cannot be reopened or read.
    pub fn begin_again(
        &mut self,
        blank: &Grid<C, S, ()>,
        streams: &Streams,
        pieces: &[Piece],
    ) -> Result<(), GridError>
    where
        C: Clone,
    {
        self.tell_unfinished();
        self.clusters.clone_from(&blank.clusters);
        (self.jobs, self.oracle) = (blank.jobs.clone(), blank.oracle.clone());
        self.members.clone_from(&blank.members);
        self.touched.clear();
        self.is_touched.fill(false);
        self.compose(streams);
        let mut sources = self.sources.iter_mut().zip(pieces);
        sources.try_for_each(|(source, piece)| source.restart(streams, *piece))?;
        Ok(())
    }

    /// True if a job is there that can run with the present members.
    pub fn has_work(&self) -> bool {
        self.jobs.len() > self.members.as_ref().map_or(0, |members| members.too_wide.len())
    }

    /// No more jobs are submitted.
    pub fn close(&mut self) {
        self.sources.iter_mut().for_each(Ahead::close);
    }

    /// A copy under another observer, which goes on by itself.
    pub fn watched_by<P: Observer>(&self, observer: P) -> Grid<C, S, P>
    where
        C: Clone,
        S: Clone,
    {
        Grid {
            settings: self.settings,
            uses: self.uses.clone(),
            lists: self.lists.clone(),
            access: self.access.clone(),
            list_access: self.list_access.clone(),
            bound: self.bound.clone(),
            expects_bound: self.expects_bound,
            terms: self.terms.clone(),
            has_speeds: self.has_speeds,
            grid_scheduler: self.grid_scheduler.clone(),
            planned: self.planned.clone(),
            placing: self.placing.clone(),
            members: self.members.clone(),
            before_clusters: self.before_clusters,
            placements: Vec::new(),
            absent: self.absent.clone(),
            clusters: self.clusters.clone(),
            sources: self.sources.clone(),
            jobs: self.jobs.clone(),
            oracle: self.oracle.clone(),
            observer,
            counts: self.counts,
            touched: self.touched.clone(),
            is_touched: self.is_touched.clone(),
            started: Vec::new(),
            why: Vec::new(),
            traced: false,
        }
    }
}

impl<S, O> Grid<Site, S, O>
where
    S: Source<Load = Job>,
    O: Observer,
{
    /// Makes it a copy that is about the jobs of some organizations, until its members are set: the others'
    /// are dropped if they wait or will come, and what runs goes on. A copy of all stays so where expected
    /// runtimes may follow from others' jobs, or jobs are under way.
    pub fn only_for(&mut self, concerned: impl Fn(usize) -> bool) {
        let members = self.members.as_mut().expect("it is a federation");
        if self.oracle.learns() || !members.ways.is_empty() || !members.back.is_empty() {
            return;
        }
        let is_dropped = |one: OrganizationId| !concerned(one.index());
        for source in &mut self.sources {
            if source.owner().is_some_and(is_dropped) {
                source.close();
            }
        }
        let waiting = self.jobs.iter().filter(|(_, alive)| {
            alive.started == Time::NEVER && is_dropped(alive.job.organization)
        });
        let waiting: Vec<(JobId, Option<ClusterId>)> =
            waiting.map(|(id, alive)| (id, alive.cluster())).collect();
        let too_wide: BTreeSet<JobId> = members.too_wide.iter().copied().collect();
        members.too_wide.retain(|id| !is_dropped(self.jobs.get(*id).job.organization));
        for (id, cluster) in waiting {
            if let Some(cluster) = cluster {
                self.clusters[cluster.index()].withdraw(id, &self.jobs);
            } else if !too_wide.contains(&id) {
                // The grid holds it, and begins anew even with the same members.
                members.now.levels.clear();
            }
            self.jobs.remove(id);
        }
        let organizations = (0..self.uses.len()).map(|one| OrganizationId(one as u32));
        let absent = self.absent.iter().copied().chain(std::iter::repeat(false));
        self.absent = organizations.zip(absent).map(|(one, is)| is || is_dropped(one)).collect();
    }

    /// True if an organization is a member.
    pub fn is_in(&self, organization: usize) -> bool {
        self.members.as_ref().is_some_and(|members| members.now.is_in[organization])
    }

    /// Changes the members before the events of `now`. Jobs that run stay where they are. Those
    /// under way to a cluster that they may no longer use turn back. Of those that wait, the ones
    /// whose way has changed go it anew, in the order of their submission. A grid scheduler or
    /// planner begins again with those that wait in the grid; it draws from `streams`. Members hold
    /// at most their levels of others' work.
    ///
    /// # Errors
    /// Fails if a job would arrive beyond the range of times.
    pub fn set_members(
        &mut self,
        membership: &Membership,
        now: Time,
        streams: &Streams,
    ) -> Result<(), GridError> {
        let members = self.members.as_mut().expect("it is a federation");
        if members.now == *membership {
            return Ok(());
        }
        let Membership { is_in, levels, apart, .. } = membership;
        members.limits.levels.clone_from(levels);
        members.limits.note(&self.jobs, &self.terms);
        let was_in = std::mem::replace(&mut members.now, membership.clone()).is_in;
        members.too_wide.clear();
        members.look = Some(now);
        let owner = |cluster: ClusterId| self.terms[cluster.index()].owner.index();
        let stays = |organization: usize, cluster: ClusterId| {
            let same = |one: usize| is_in[one] == was_in[one];
            same(organization) && same(owner(cluster))
        };
        let jobs = &self.jobs;
        let turns = |one: &Arrived| {
            let organization = jobs.get(one.job).job.organization.index();
            let is_abroad = owner(one.cluster) != organization;
            !stays(organization, one.cluster) || is_abroad && apart[organization]
        };
        let mut turned = match &mut self.placing {
            Some(placing) => placing.turn_back(turns, jobs),
            None => Vec::new(),
        };
        turned.order_by_key(|(one, _)| {
            let job = &jobs.get(one.job).job;
            (job.submit, job.source, job.number)
        });
        for (one, arrival) in turned {
            let job = self.jobs.get(one.job).job;
            let way = members.ways.remove(&one.job).unwrap_or_default();
            let is_home = self.terms[one.cluster.index()].owner == job.organization;
            let back = if is_home { Some(arrival) } else { now.checked_add(way) };
            let back = back.filter(|&at| at < Time::NEVER);
            let back = back.ok_or(GridError::OutOfTime { number: job.number })?;
            if one.starts {
                self.clusters[one.cluster.index()].give_back(job.processors);
            }
            self.jobs.hold_again(one.job);
            members.back.insert((back, members.turned, one.job));
            members.turned += 1;
        }
        let are_back: BTreeSet<JobId> = members.back.iter().map(|&(.., id)| id).collect();
        let waiting = self
            .jobs
            .iter()
            .filter(|(id, alive)| alive.started == Time::NEVER && !are_back.contains(id));
        let mut moved: Vec<(JobId, Option<ClusterId>)> = waiting
            .filter(|(_, alive)| {
                let organization = alive.job.organization.index();
                alive.cluster().is_none_or(|cluster| !stays(organization, cluster))
            })
            .map(|(id, alive)| (id, alive.cluster()))
            .collect();
        let jobs = &self.jobs;
        moved.order_by_key(|(id, _)| {
            let job = &jobs.get(*id).job;
            (job.submit, job.source, job.number)
        });
        for &(id, cluster) in &moved {
            if let Some(cluster) = cluster {
                self.clusters[cluster.index()].withdraw(id, &self.jobs);
                self.jobs.hold_again(id);
            }
        }
        let starts =
            self.planned.is_some() || self.grid_scheduler.as_ref().is_some_and(GridOptions::starts);
        for (cluster, terms) in self.clusters.iter_mut().zip(&self.terms).filter(|_| starts) {
            match (was_in[terms.owner.index()], is_in[terms.owner.index()]) {
                (false, true) => cluster.lend(&self.jobs, now),
                (true, false) => cluster.take_back(&self.jobs),
                _ => {}
            }
        }
        self.compose(streams);
        moved.into_iter().try_for_each(|(id, _)| self.go_again(id, now))
    }
}
