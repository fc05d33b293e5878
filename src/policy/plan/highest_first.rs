//! List scheduling, widest jobs first, on the clusters of each organization.
//!
//! Whenever processors are free, the first job of an organization's list that fits starts, on the
//! smallest of its clusters where it fits. Equal widths are in order of submission. Pascual, Rzadca and
//! Trystram (2009), section 3.2, call it highest first; there an organization has one cluster.
//!
//! With help, a cluster for which none of its owner's jobs waits takes those of others, widest first:
//! section 4.4 there.
//!
//! Time grows with n log n for n jobs, times the number of lists that a cluster looks at.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::Problem;
use crate::kernel::time::Time;
use crate::model::ids::{ClusterId, OrganizationId};

/// Waiting jobs, widest first, equal ones in order of submission.
struct Waiting {
    owner: OrganizationId,
    /// The clusters that they may use.
    clusters: Vec<ClusterId>,
    /// Width and number of each.
    jobs: Vec<(u32, u32)>,
    /// By job: itself while it waits, else one behind it, towards the next that waits.
    next: Vec<u32>,
}

impl Waiting {
    /// Returns the place of the first job of at most so many processors, and the job.
    fn first(&mut self, processors: u32) -> Option<(usize, (u32, u32))> {
        let fits = self.jobs.partition_point(|job| job.0 > processors);
        let mut place = fits;
        while place < self.jobs.len() && self.next[place] as usize != place {
            place = self.next[place] as usize;
        }
        // Shorten the way for the next time.
        let mut back = fits;
        while back < place {
            back = std::mem::replace(&mut self.next[back], place as u32) as usize;
        }
        self.jobs.get(place).map(|&job| (place, job))
    }

    fn take(&mut self, place: usize) {
        self.next[place] = place as u32 + 1;
    }
}

/// A job that a list offers: its width, then its number, its list and its place there.
type Offer = (Reverse<u32>, u32, usize, usize);

struct Lists<'p> {
    problem: &'p Problem,
    lists: Vec<Waiting>,
    /// By owner: its lists, and its clusters.
    of_owner: BTreeMap<OrganizationId, (Vec<usize>, Vec<ClusterId>)>,
    /// By cluster: the lists of all that may use it.
    at: Vec<Vec<usize>>,
    free: Vec<u32>,
    ends: BinaryHeap<Reverse<(Time, ClusterId, u32)>>,
    placed: Vec<Option<(ClusterId, Time)>>,
}

/// Returns cluster and start of every job; `None` for those that fit on no cluster of their own, if
/// others do not help.
pub(super) fn highest_first(
    problem: &Problem,
    others_help: bool,
) -> Vec<Option<(ClusterId, Time)>> {
    let mut lists = Lists::new(problem);
    let mut now = problem.now;
    let mut owners: BTreeSet<OrganizationId> = lists.of_owner.keys().copied().collect();
    let mut clusters: BTreeSet<ClusterId> = problem.open().collect();
    loop {
        for &owner in &owners {
            lists.start_own(owner, now);
        }
        if others_help {
            while let Some(cluster) = clusters.pop_first() {
                lists.help(cluster, now, &mut clusters);
            }
        }
        owners.clear();
        clusters.clear();
        let Some(&Reverse((next, ..))) = lists.ends.peek() else { break };
        now = next;
        if now == Time::NEVER {
            break;
        }
        while let Some(&Reverse((end, cluster, processors))) = lists.ends.peek()
            && end == now
        {
            lists.ends.pop();
            lists.free[cluster.index()] += processors;
            let owner = problem.sites[cluster.index()].owner;
            owners.insert(owner);
            // When the last of its own jobs has started, it looks for others'.
            clusters.insert(cluster);
            if others_help && let Some((_, own)) = lists.of_owner.get(&owner) {
                clusters.extend(own);
            }
        }
    }
    lists.placed
}

impl<'p> Lists<'p> {
    fn new(problem: &'p Problem) -> Lists<'p> {
        let mut by_key: BTreeMap<(OrganizationId, u32), Vec<(u32, u32)>> = BTreeMap::new();
        for (index, job) in (0..).zip(&problem.jobs) {
            let jobs = by_key.entry((job.owner(), job.uses)).or_default();
            jobs.push((job.processors(), index));
        }
        let mut of_owner: BTreeMap<OrganizationId, (Vec<usize>, Vec<ClusterId>)> = BTreeMap::new();
        let mut at = vec![Vec::new(); problem.sites.len()];
        let lists = by_key.into_iter().enumerate().map(|(place, ((owner, uses), mut jobs))| {
            // A stable sort: equal widths keep the order of submission.
            jobs.sort_by_key(|job| Reverse(job.0));
            let clusters = problem.uses[uses as usize].clone();
            clusters.iter().for_each(|cluster: &ClusterId| at[cluster.index()].push(place));
            of_owner.entry(owner).or_default().0.push(place);
            let next = (0..jobs.len() as u32).collect();
            Waiting { owner, clusters, jobs, next }
        });
        let lists: Vec<Waiting> = lists.collect();
        for cluster in problem.open() {
            if let Some(one) = of_owner.get_mut(&problem.sites[cluster.index()].owner) {
                one.1.push(cluster);
            }
        }
        let mut free: Vec<u32> = problem.sites.iter().map(|site| site.processors).collect();
        let mut ends = BinaryHeap::new();
        for busy in &problem.running {
            free[busy.cluster.index()] -= busy.processors;
            ends.push(Reverse((busy.end, busy.cluster, busy.processors)));
        }
        let placed = vec![None; problem.jobs.len()];
        Lists { problem, lists, of_owner, at, free, ends, placed }
    }

    fn start(&mut self, (_, job, list, place): Offer, cluster: ClusterId, now: Time) {
        let known = &self.problem.jobs[job as usize];
        self.lists[list].take(place);
        self.placed[job as usize] = Some((cluster, now));
        self.free[cluster.index()] -= known.processors();
        self.ends.push(Reverse((known.end(now), cluster, known.processors())));
    }

    /// Starts all jobs of an organization that fit on its own clusters.
    fn start_own(&mut self, owner: OrganizationId, now: Time) {
        let Some((mine, own)) = self.of_owner.get(&owner) else { return };
        let (mine, own) = (mine.clone(), own.clone());
        loop {
            let mut best: Option<Offer> = None;
            for &list in &mine {
                let usable = own.iter().filter(|one| self.lists[list].clusters.contains(one));
                let free = usable.map(|one| self.free[one.index()]).max().unwrap_or(0);
                let first = self.lists[list].first(free);
                let offer = first.map(|(place, (width, job))| (Reverse(width), job, list, place));
                best = [best, offer].into_iter().flatten().min();
            }
            let Some(offer) = best else { return };
            let (Reverse(width), _, list, _) = offer;
            let fits = own.iter().filter(|one| {
                self.free[one.index()] >= width && self.lists[list].clusters.contains(one)
            });
            let size = |one: &&ClusterId| self.problem.sites[one.index()].processors;
            let cluster = *fits.min_by_key(|one| (size(one), **one)).expect("it fits on one");
            self.start(offer, cluster, now);
        }
    }

    /// Lets a cluster start jobs of others, if none of its owner's waits for it. A cluster whose
    /// owner's last job is started elsewhere joins `look`.
    fn help(&mut self, cluster: ClusterId, now: Time, look: &mut BTreeSet<ClusterId>) {
        let site = self.problem.sites[cluster.index()];
        loop {
            let mut best: Option<Offer> = None;
            for index in 0..self.at[cluster.index()].len() {
                let list = self.at[cluster.index()][index];
                let waiting = &mut self.lists[list];
                let is_own = waiting.owner == site.owner;
                let limit = if is_own { site.processors } else { self.free[cluster.index()] };
                let Some((place, (width, job))) = waiting.first(limit) else { continue };
                if is_own {
                    return;
                }
                best = [best, Some((Reverse(width), job, list, place))].into_iter().flatten().min();
            }
            let Some(offer) = best else { return };
            let owner = self.lists[offer.2].owner;
            self.start(offer, cluster, now);
            if let Some((_, own)) = self.of_owner.get(&owner) {
                look.extend(own.iter().filter(|&&one| one != cluster));
            }
        }
    }
}
