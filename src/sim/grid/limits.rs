//! Limits that owners of a federation set to the jobs of others: processors of a cluster, and work that
//! their clusters hold at a time.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::super::access::Terms;
use kernel::time::{Span, Time};
use model::ids::{ClusterId, JobId};
use model::job::Job;
use model::jobs::{Alive, Jobs};
use policy::grid::Placement;

/// The limits of a federation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in super::super) struct Limits {
    /// By cluster: the most processors that others' jobs hold or wait for there.
    #[serde(skip)]
    pub shares: Vec<Option<u32>>,
    /// By organization: the most work of others, in processor-ticks, that its clusters hold.
    pub levels: Vec<Option<Span>>,
    /// Work that is added to a job abroad.
    #[serde(skip)]
    pub added: Span,
    /// The jobs that got a cluster abroad, and some that are gone. They follow from the jobs.
    #[serde(skip)]
    abroad: BTreeSet<JobId>,
}

impl Limits {
    /// Limits by cluster, with the work that is added to a job abroad.
    pub fn new(shares: Vec<Option<u32>>, added: Span) -> Limits {
        Limits { shares, added, ..Limits::default() }
    }

    /// A job got a cluster that is not its owner's.
    pub fn sets_out(&mut self, id: JobId) {
        if !self.are_none() {
            self.abroad.insert(id);
        }
    }

    /// Finds out anew which jobs are abroad.
    pub fn note(&mut self, jobs: &Jobs, terms: &[Terms]) {
        self.abroad.clear();
        if self.are_none() {
            return;
        }
        let there = jobs.iter().filter(|(_, alive)| is_abroad(alive, terms));
        self.abroad = there.map(|(id, _)| id).collect();
    }

    /// Forgets the jobs that are gone.
    pub fn forget(&mut self, jobs: &Jobs, terms: &[Terms]) {
        self.abroad.retain(|&id| jobs.find(id).is_some_and(|alive| is_abroad(alive, terms)));
    }

    /// True if there are none.
    pub fn are_none(&self) -> bool {
        self.shares.iter().all(Option::is_none) && self.levels.iter().all(Option::is_none)
    }

    /// Work of a job on a cluster that is not its owner's. Without an expectation it is none.
    fn work(&self, job: &Job, expected: Option<Span>, at: &Terms) -> i128 {
        let runs = at.speed.runs(expected.unwrap_or(Span::ZERO) + self.added);
        i128::from(job.processors) * i128::from(runs.ticks())
    }

    fn level(&self, at: &Terms) -> Option<i128> {
        let level = self.levels.get(at.owner.index()).copied().flatten()?;
        Some(level.ticks().into())
    }

    fn share(&self, cluster: ClusterId) -> Option<u64> {
        self.shares.get(cluster.index()).copied().flatten().map(u64::from)
    }

    /// True if a cluster takes a job at least while it has no other of others.
    pub fn ever(&self, job: &Job, expected: Option<Span>, cluster: ClusterId, at: &Terms) -> bool {
        at.owner == job.organization
            || self.share(cluster).is_none_or(|share| u64::from(job.processors) <= share)
                && self.level(at).is_none_or(|level| self.work(job, expected, at) <= level)
    }
}

/// True if a job has a cluster that is not its owner's.
fn is_abroad(alive: &Alive, terms: &[Terms]) -> bool {
    let cluster = alive.cluster();
    cluster.is_some_and(|one| terms[one.index()].owner != alive.job.organization)
}

/// The room that limits leave at a time.
#[derive(Clone, Debug)]
pub(in super::super) struct Room<'a> {
    limits: &'a Limits,
    jobs: &'a Jobs,
    terms: &'a [Terms],
    /// By cluster: processors that others' jobs have.
    held: Vec<u64>,
    /// By cluster: work that others' jobs have left.
    work: Vec<i128>,
}

impl<'a> Room<'a> {
    /// The room beside all jobs that run, wait or are under way to a cluster.
    pub fn new(limits: &'a Limits, jobs: &'a Jobs, terms: &'a [Terms], now: Time) -> Room<'a> {
        let (held, work) = (vec![0; terms.len()], vec![0; terms.len()]);
        let mut room = Room { limits, jobs, terms, held, work };
        for alive in limits.abroad.iter().filter_map(|&id| jobs.find(id)) {
            let Some(cluster) = alive.cluster().filter(|one| room.is_abroad(alive, *one)) else {
                continue;
            };
            let processors = alive.job.processors;
            let expected = alive.expected_now().unwrap_or(Span::ZERO);
            let left = match alive.started {
                Time::NEVER => expected,
                started => (started.saturating_add(expected) - now).max(Span::ZERO),
            };
            room.held[cluster.index()] += u64::from(processors);
            room.work[cluster.index()] += i128::from(processors) * i128::from(left.ticks());
        }
        room
    }

    fn is_abroad(&self, alive: &Alive, cluster: ClusterId) -> bool {
        self.terms[cluster.index()].owner != alive.job.organization
    }

    /// True if a cluster takes a job at least while it has no other of others.
    pub fn ever(&self, id: JobId, cluster: ClusterId) -> bool {
        let alive = self.jobs.get(id);
        self.limits.ever(&alive.job, alive.expected, cluster, &self.terms[cluster.index()])
    }

    /// True if a cluster takes a job beside those that this decision has placed.
    pub fn takes(&self, id: JobId, cluster: ClusterId, placed: &[Placement]) -> bool {
        let (alive, at) = (self.jobs.get(id), &self.terms[cluster.index()]);
        if !self.is_abroad(alive, cluster) {
            return true;
        }
        let mut held = self.held[cluster.index()] + u64::from(alive.job.processors);
        let is_its = |one: usize| self.terms[one].owner == at.owner;
        let work: i128 =
            (0..self.terms.len()).filter(|&one| is_its(one)).map(|one| self.work[one]).sum();
        let mut work = work + self.limits.work(&alive.job, alive.expected, at);
        for placement in placed {
            let (Placement::Start { job, cluster: there, .. }
            | Placement::Send { job, cluster: there, .. }) = *placement;
            let other = self.jobs.get(job);
            if is_its(there.index()) && self.is_abroad(other, there) {
                work += self.limits.work(&other.job, other.expected, &self.terms[there.index()]);
                held += if there == cluster { u64::from(other.job.processors) } else { 0 };
            }
        }
        self.limits.share(cluster).is_none_or(|share| held <= share)
            && self.limits.level(at).is_none_or(|level| work <= level)
    }
}
