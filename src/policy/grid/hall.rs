//! Waiting jobs, a line for each organization, and the idle processors of the clusters.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::places::Places;
use super::waiting::Waiting;
use super::{Placement, Setup, Sites};
use kernel::state::{Corrupt, State, put, take};
use model::ids::{ClusterId, JobId, OrganizationId};

/// The order of organizations: the least goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rank {
    is_last: bool,
    whole: i128,
    rest: i128,
    of: i128,
}

impl Rank {
    /// A plain number.
    pub fn of(number: i128) -> Rank {
        Rank { is_last: false, whole: number, rest: 0, of: 1 }
    }

    /// An amount over a share; with a share of 0 behind all others, by the amount.
    pub fn over(amount: i128, share: i128) -> Rank {
        match share {
            0 => Rank { is_last: true, ..Rank::of(amount) },
            of => Rank { whole: amount / of, rest: amount % of, of, is_last: false },
        }
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        let rests = (self.rest * other.of).cmp(&(other.rest * self.of));
        (self.is_last, self.whole).cmp(&(other.is_last, other.whole)).then(rests)
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The first job of an organization that fits on a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub organization: OrganizationId,
    pub processors: u32,
    group: u32,
    number: u64,
    /// The organization that would be first without this one.
    pub second: Option<OrganizationId>,
}

/// The lines and the clusters.
#[derive(Clone, Debug)]
pub(super) struct Hall {
    places: Places,
    /// The clusters by size.
    clusters: Vec<ClusterId>,
    /// By group and organization, in order of submission.
    lines: BTreeMap<(u32, OrganizationId), Waiting<u64>>,
    submitted: u64,
    opened: Vec<ClusterId>,
}

impl Hall {
    /// No jobs.
    pub fn new(setup: &Setup<'_>) -> Hall {
        let places = Places::new(setup);
        let mut clusters: Vec<ClusterId> = (0..setup.sites.len() as u32).map(ClusterId).collect();
        clusters.sort_by_key(|&cluster| places.rank(cluster));
        Hall { places, clusters, lines: BTreeMap::new(), submitted: 0, opened: Vec::new() }
    }

    /// Processors of the largest cluster that a group may use.
    pub fn widest(&self, group: u32) -> u32 {
        self.places.chain(group).largest()
    }

    /// A job joins the line of its organization.
    pub fn submit(&mut self, id: JobId, processors: u32, group: u32, owner: OrganizationId) {
        let widest = self.widest(group);
        let line = self.lines.entry((group, owner)).or_insert_with(|| Waiting::new(widest));
        line.push(processors, self.submitted, id);
        self.submitted += 1;
        self.tell(group);
    }

    /// A cluster has so many idle processors.
    pub fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.places.freed(cluster, idle);
    }

    /// Idle processors of a cluster.
    pub fn idle(&self, cluster: ClusterId) -> u32 {
        self.places.idle(cluster)
    }

    /// Tells the places what waits in a group.
    fn tell(&mut self, group: u32) {
        if self.places.is_guarded() {
            let smallest = self.of(group).filter_map(|(_, line)| line.smallest_above(0)).min();
            self.places.waits(group, smallest, &mut self.opened);
            self.opened.clear();
        }
    }

    /// The lines of a group.
    fn of(&self, group: u32) -> impl Iterator<Item = (OrganizationId, &Waiting<u64>)> {
        let all = (group, OrganizationId(0))..=(group, OrganizationId(u32::MAX));
        self.lines.range(all).map(|(key, line)| (key.1, line))
    }

    /// The first job, of those that can start on a cluster, of the organization that is first; of
    /// equals, the one that was submitted first.
    pub fn first(
        &self,
        cluster: ClusterId,
        rank: impl Fn(OrganizationId) -> Rank,
        sites: &impl Sites,
        placed: &[Placement],
    ) -> Option<Found> {
        let mut best: Option<((Rank, u64), Found)> = None;
        let mut second: Option<((Rank, u64), OrganizationId)> = None;
        for seat in self.places.seats(cluster) {
            let group = seat.group;
            let idle = self.places.row(group).get(seat.place as usize);
            for (organization, line) in self.of(group).filter(|one| idle > 0 && !one.1.is_empty()) {
                let takes = |&(size, _, job): &(u32, u64, JobId)| {
                    size <= idle && sites.takes(job, cluster, placed)
                };
                let first = match sites.are_choosy() {
                    false => line.first(0, idle),
                    true => line.iter().filter(takes).map(|one| (one.1, one.0)).min(),
                };
                let Some((number, processors)) = first else { continue };
                let key = (rank(organization), number);
                let mut own =
                    Some((key, Found { organization, processors, group, number, second: None }));
                if best.is_none_or(|best| key < best.0) {
                    std::mem::swap(&mut best, &mut own);
                }
                // The other one is second, if it is another organization's.
                let is_other = |one: &((Rank, u64), Found)| {
                    best.is_some_and(|best| best.1.organization != one.1.organization)
                };
                if let Some(own) = own.filter(is_other)
                    && second.is_none_or(|second| own.0 < second.0)
                {
                    second = Some((own.0, own.1.organization));
                }
            }
        }
        let second = second.map(|second| second.1);
        best.map(|best| Found { second, ..best.1 })
    }

    /// Starts jobs until none can start. Clusters are taken by size, or as `choose` picks one of those
    /// that are left; `started` hears of each job.
    pub fn decide<T>(
        &mut self,
        told: &mut T,
        sites: &impl Sites,
        out: &mut Vec<Placement>,
        mut choose: impl FnMut(&mut T, &Hall, &[ClusterId]) -> usize,
        rank: impl Fn(&T, ClusterId, OrganizationId) -> Rank,
        mut started: impl FnMut(&mut T, JobId, ClusterId, Found, &mut Vec<Placement>),
    ) {
        loop {
            let clusters = self.clusters.iter().copied();
            let mut left: Vec<ClusterId> = clusters.filter(|&one| self.idle(one) > 0).collect();
            let mut has_started = false;
            while !left.is_empty() && self.lines.values().any(|line| !line.is_empty()) {
                let at = choose(told, self, &left);
                let cluster = left[at];
                let found = self.first(cluster, |one| rank(told, cluster, one), sites, out);
                let Some(found) = found else {
                    left.remove(at);
                    continue;
                };
                let line = self.lines.get_mut(&(found.group, found.organization));
                let id = line.expect("it has a job").remove(found.processors, found.number);
                self.places.take(cluster, found.processors);
                self.tell(found.group);
                started(told, id, cluster, found, out);
                has_started = true;
                if self.idle(cluster) == 0 {
                    left.remove(at);
                }
            }
            // A cluster may take others' jobs once its owner's have started.
            if !has_started || !self.places.is_guarded() && !sites.are_choosy() {
                return;
            }
        }
    }
}

impl State for Hall {
    fn save(&self, out: &mut Vec<u8>) {
        self.places.save(out);
        put(&(self.submitted, self.lines.len() as u64), out);
        for (key, line) in &self.lines {
            put(key, out);
            line.save(out);
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.places.load(from)?;
        let (submitted, lines): (u64, u64) = take(from)?;
        self.submitted = submitted;
        self.lines.clear();
        for _ in 0..lines {
            let (group, owner): (u32, OrganizationId) = take(from)?;
            if group as usize >= self.places.groups() {
                return Err(Corrupt::Content("a job of another grid".to_owned()));
            }
            let mut line = Waiting::new(self.widest(group));
            line.load(from)?;
            self.lines.insert((group, owner), line);
        }
        (0..self.places.groups() as u32).for_each(|group| self.tell(group));
        Ok(())
    }
}
