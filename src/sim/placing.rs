//! The grid's own half of the work: jobs that wait for a cluster, those under way to one, and the
//! machines that have no scheduler of their own.
//!
//! All of it is one agent of the calendar, so that thousands of machines cost no more per event than
//! one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::cluster::{ClusterAgent, Ended};
use super::phase::{FINISH, PhaseOrder, SCHEDULE};
use crate::kernel::calendar::Instant;
use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::model::foreign::Foreign;
use crate::model::ids::{ClusterId, JobId, OrganizationId, Uses};
use crate::model::jobs::Jobs;
use crate::model::machine::{Ends, Machine};
use crate::policy::grid::{
    AnyGrid, GridOptions, GridScheduler, Group, Placement, Setup, Site, Sites,
};

/// Where the jobs of an organization, or of a list of clusters, go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Nowhere.
    Nowhere,
    /// To this cluster's own scheduler.
    Direct(ClusterId),
    /// To the grid scheduler, if they need at most so many processors.
    Grid {
        /// Their group.
        group: u32,
        /// Processors of the largest of its clusters.
        widest: u32,
    },
}

/// An owner's terms for a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The organization that owns it.
    pub owner: OrganizationId,
    /// Its terms for others' jobs.
    pub foreign: Foreign,
}

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

/// The grid scheduler, what it places jobs on, and the jobs under way.
#[derive(Clone, Debug)]
pub(super) struct Placing {
    scheduler: AnyGrid,
    /// True if the scheduler is asked after every submission.
    at_once: bool,
    /// True if the agent can have something to do.
    pub acts: bool,
    terms: Vec<Terms>,
    /// By cluster; those that have a scheduler of their own have no processors.
    machines: Vec<Machine>,
    ends: Ends,
    under_way: BinaryHeap<Reverse<UnderWay>>,
    sent: u64,
    /// By cluster: processors of the jobs under way to it.
    coming: Vec<u64>,
    /// By cluster: jobs of its owner that wait there, if a cluster asks for that.
    owner_waits: Option<Vec<u32>>,
    /// Machines that got processors back in this instant.
    freed: Vec<ClusterId>,
    is_freed: Vec<bool>,
    /// True if the scheduler is to decide when this wave settles.
    pub asked: bool,
    /// The instant in which it is asked again.
    again: Option<Time>,
}

/// The clusters as a grid scheduler sees them.
struct Seen<'a, C> {
    clusters: &'a [C],
    coming: &'a [u64],
    owner_waits: Option<&'a [u32]>,
}

impl<C: ClusterAgent> Sites for Seen<'_, C> {
    #[inline]
    fn demand(&self, cluster: ClusterId) -> u64 {
        self.clusters[cluster.index()].demand() + self.coming[cluster.index()]
    }

    fn owner_waits(&self, cluster: ClusterId) -> bool {
        self.owner_waits.is_some_and(|waits| waits[cluster.index()] > 0)
    }
}

/// Numbers the groups of jobs that may use the same clusters.
pub(super) struct Groups<'a> {
    terms: &'a [Terms],
    processors: &'a [u32],
    /// True for each cluster that the grid scheduler fills.
    is_bare: &'a [bool],
    starts: bool,
    /// By owner: the clusters that take others' jobs only while none of the owner's waits.
    guarded: FxHashMap<OrganizationId, Vec<ClusterId>>,
    pub groups: Vec<Group>,
    by_clusters: FxHashMap<Group, u32>,
    /// By the place of a shared list in memory, which is looked up only. The lists are kept, so that no
    /// other list comes to that place.
    by_list: FxHashMap<(*const ClusterId, usize, Option<OrganizationId>), (Access, Uses)>,
}

impl<'a> Groups<'a> {
    pub fn new(
        terms: &'a [Terms],
        processors: &'a [u32],
        is_bare: &'a [bool],
        starts: bool,
    ) -> Groups<'a> {
        let (groups, by_clusters) = (Vec::new(), FxHashMap::default());
        let by_list = FxHashMap::default();
        let mut guarded: FxHashMap<OrganizationId, Vec<ClusterId>> = FxHashMap::default();
        for (cluster, terms) in (0..).map(ClusterId).zip(terms) {
            if terms.foreign == Foreign::WhenNoneWaits {
                guarded.entry(terms.owner).or_default().push(cluster);
            }
        }
        Groups { terms, processors, is_bare, starts, guarded, groups, by_clusters, by_list }
    }

    /// Where the jobs of an organization go that may use some clusters.
    pub fn access(&mut self, organization: OrganizationId, uses: &Uses) -> Access {
        let guards =
            |cluster: &ClusterId| self.terms[cluster.index()].foreign == Foreign::WhenNoneWaits;
        let owns = |cluster: &ClusterId| self.terms[cluster.index()].owner == organization;
        // Who owns none is found without reading the list, which many organizations may share.
        let own = self.guarded.get(&organization);
        let is_owner = own.is_some_and(|own| own.iter().any(|cluster| uses.contains(cluster)));
        let owner = is_owner.then_some(organization);
        let key = (uses.as_ptr(), uses.len(), owner);
        if let Some(known) = self.by_list.get(&key) {
            return known.0;
        }
        let is_bare = |cluster: &ClusterId| self.is_bare[cluster.index()];
        let of_the_grid = |cluster: &&ClusterId| is_bare(cluster) == self.starts;
        let clusters: Vec<ClusterId> = uses.iter().filter(of_the_grid).copied().collect();
        let others = uses.iter().find(|cluster| !is_bare(cluster));
        let access = match (&clusters[..], others) {
            (&[only], _) if !self.starts && (!guards(&only) || owns(&only)) => Access::Direct(only),
            ([], Some(&other)) => Access::Direct(other),
            ([], None) => Access::Nowhere,
            _ => self.group(Group { clusters, owner }),
        };
        self.by_list.insert(key, (access, Uses::clone(uses)));
        access
    }

    fn group(&mut self, group: Group) -> Access {
        let processors = group.clusters.iter().map(|cluster| self.processors[cluster.index()]);
        let widest = processors.max().unwrap_or(0);
        let next = self.groups.len() as u32;
        let number = *self.by_clusters.entry(group.clone()).or_insert(next);
        if number == next {
            self.groups.push(group);
        }
        Access::Grid { group: number, widest }
    }
}

impl Placing {
    pub fn new<C: ClusterAgent>(
        options: &GridOptions,
        clusters: &[C],
        terms: Vec<Terms>,
        groups: &[Group],
        streams: &Streams,
    ) -> Placing {
        let sites: Vec<Site> = (clusters.iter().zip(&terms))
            .map(|(cluster, terms)| Site {
                processors: cluster.processors(),
                owner: terms.owner,
                foreign: terms.foreign,
            })
            .collect();
        let machines: Vec<Machine> = clusters
            .iter()
            .map(|cluster| cluster.machine().unwrap_or_else(|| Machine::new(0)))
            .collect();
        let guards = terms.iter().any(|terms| terms.foreign == Foreign::WhenNoneWaits);
        let starts = options.starts();
        Placing {
            scheduler: options.build(&Setup { sites: &sites, groups, streams }),
            at_once: !starts,
            acts: starts || guards || options.delays(),
            coming: vec![0; machines.len()],
            owner_waits: (guards && !starts).then(|| vec![0; machines.len()]),
            is_freed: vec![false; machines.len()],
            machines,
            terms,
            ends: Ends::default(),
            under_way: BinaryHeap::new(),
            sent: 0,
            freed: Vec::new(),
            asked: false,
            again: None,
        }
    }

    /// Messages that clusters exchanged so far.
    pub fn messages(&self) -> u64 {
        self.scheduler.messages()
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
            false => self.again.into_iter().chain(self.scheduler.wake()).min(),
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
                self.again = None;
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
        self.scheduler.submit(jobs.get(id).submission(id), group, now);
        self.asked |= !self.at_once;
        self.at_once
    }

    /// Lets the scheduler decide.
    #[inline]
    pub fn decide<C: ClusterAgent>(&mut self, now: Time, clusters: &[C], out: &mut Vec<Placement>) {
        self.asked = false;
        for cluster in self.freed.drain(..) {
            self.is_freed[cluster.index()] = false;
            self.scheduler.freed(cluster, self.machines[cluster.index()].free);
        }
        let (coming, owner_waits) = (&*self.coming, self.owner_waits.as_deref());
        self.scheduler.decide(now, &Seen { clusters, coming, owner_waits }, out);
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
    ) -> Result<(), crate::model::machine::OutOfTime> {
        let runs = self.machines[cluster.index()].runs(&jobs.get(id).job);
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

    /// A job joined a cluster's own queue.
    #[inline]
    pub fn queued(&mut self, organization: OrganizationId, cluster: ClusterId) {
        if let Some(waits) = &mut self.owner_waits
            && self.terms[cluster.index()].owner == organization
        {
            waits[cluster.index()] += 1;
        }
    }

    /// A job left a cluster's own queue. If it was the last of the owner's, jobs of others may go
    /// there now.
    #[inline]
    pub fn left(&mut self, organization: OrganizationId, cluster: ClusterId, now: Time) {
        if let Some(waits) = &mut self.owner_waits
            && self.terms[cluster.index()].owner == organization
        {
            waits[cluster.index()] -= 1;
            if waits[cluster.index()] == 0 {
                self.again = Some(now);
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
        put(&(&self.coming, &self.owner_waits, &self.freed, self.asked, self.again), out);
        self.scheduler.save(out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (free, ends, under_way): (Vec<u32>, _, Vec<UnderWay>);
        (free, ends, under_way, self.sent) = take(from)?;
        (self.coming, self.owner_waits, self.freed, self.asked, self.again) = take(from)?;
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
        self.scheduler.load(from)
    }
}
