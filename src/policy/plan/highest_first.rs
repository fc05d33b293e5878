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
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::Range;

use super::{Busy, Known, Problem};
use kernel::time::Time;
use model::ids::ClusterId;

/// Waiting jobs of one organization that may use the same clusters, widest first, equal ones in order
/// of submission.
struct Waiting {
    /// The place of the organization in [`Lists::owners`].
    owner: usize,
    /// The organization's clusters that they may use, the smallest first.
    own: Vec<ClusterId>,
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

/// An organization that has jobs.
struct Owner {
    lists: Range<usize>,
    clusters: Vec<ClusterId>,
}

/// A job that a list offers: its width, then its number, its list and its place there.
type Offer = (Reverse<u32>, u32, usize, usize);

/// Processors that become free: when, where, how many. Equal times are in no order of importance.
type End = Reverse<i128>;

struct Lists<'p> {
    problem: &'p Problem,
    lists: Vec<Waiting>,
    owners: Vec<Owner>,
    /// By cluster: the place of its organization in `owners`.
    owner_of: Vec<Option<usize>>,
    others_help: bool,
    /// By cluster: the lists of all that may use it, if others help.
    at: Vec<Vec<usize>>,
    free: Vec<u32>,
    ends: BinaryHeap<End>,
    placed: Vec<Option<(ClusterId, Time)>>,
}

/// Returns cluster and start of every job; `None` for those that fit on no cluster of their own, if
/// others do not help.
pub(super) fn highest_first(
    problem: &Problem,
    others_help: bool,
) -> Vec<Option<(ClusterId, Time)>> {
    let mut lists = Lists::new(problem, others_help);
    if others_help {
        lists.ends.extend(problem.running.iter().map(end));
        lists.run((0..lists.owners.len()).collect());
        return lists.placed;
    }
    // Then organizations do not meet: one after the other.
    let owned = |busy: &Busy| Some((lists.owner_of[busy.cluster.index()]?, end(busy)));
    let mut running: Vec<(usize, End)> = problem.running.iter().filter_map(owned).collect();
    running.sort_unstable_by_key(|&(owner, _)| owner);
    let mut running = &running[..];
    for owner in 0..lists.owners.len() {
        let its = running.partition_point(|one| one.0 == owner);
        lists.ends.extend(running[..its].iter().map(|one| one.1));
        running = &running[its..];
        lists.run(vec![owner]);
        lists.ends.clear();
    }
    lists.placed
}

fn end(&Busy { end, cluster, processors }: &Busy) -> End {
    Reverse(end.with(u64::from(cluster.0) << 32 | u64::from(processors)))
}

impl<'p> Lists<'p> {
    fn new(problem: &'p Problem, others_help: bool) -> Lists<'p> {
        // The organization and the clusters, then the width, the widest first, and the number.
        let key = |(index, job): (u32, &Known)| {
            let list = u64::from(problem.ranks[index as usize]) << 32 | u64::from(job.uses);
            (list, u64::from(!job.processors()) << 32 | u64::from(index))
        };
        let mut keys: Vec<(u64, u64)> = (0..).zip(&problem.jobs).map(key).collect();
        keys.sort_unstable_by_key(|&(list, job)| u128::from(list) << 64 | u128::from(job));
        let ids = &problem.owners;
        let mut owners: Vec<Owner> =
            ids.iter().map(|_| Owner { lists: 0..0, clusters: Vec::new() }).collect();
        let mut owner_of = vec![None; problem.sites.len()];
        for cluster in problem.open() {
            let owner = ids.binary_search(&problem.sites[cluster.index()].owner).ok();
            owner_of[cluster.index()] = owner;
            if let Some(owner) = owner {
                owners[owner].clusters.push(cluster);
            }
        }
        let size = |cluster: &ClusterId| (problem.sites[cluster.index()].processors, *cluster);
        owners.iter_mut().for_each(|owner| owner.clusters.sort_unstable_by_key(size));
        let mut at = vec![Vec::new(); problem.sites.len()];
        let mut lists: Vec<Waiting> = Vec::new();
        for jobs in keys.chunk_by(|one, other| one.0 == other.0) {
            let (owner, uses) = ((jobs[0].0 >> 32) as usize, jobs[0].0 as u32);
            let uses = &problem.uses[uses as usize];
            if others_help {
                uses.iter().for_each(|cluster| at[cluster.index()].push(lists.len()));
            }
            let is_usable = |cluster: &&ClusterId| uses.binary_search(cluster).is_ok();
            let own = owners[owner].clusters.iter().filter(is_usable).copied().collect();
            let next = (0..jobs.len() as u32).collect();
            let jobs = jobs.iter().map(|&(_, job)| (!((job >> 32) as u32), job as u32)).collect();
            if owners[owner].lists.is_empty() {
                owners[owner].lists = lists.len()..lists.len();
            }
            owners[owner].lists.end += 1;
            lists.push(Waiting { owner, own, jobs, next });
        }
        let mut free: Vec<u32> = problem.sites.iter().map(|site| site.processors).collect();
        for busy in &problem.running {
            free[busy.cluster.index()] -= busy.processors;
        }
        let (placed, ends) = (vec![None; problem.jobs.len()], BinaryHeap::new());
        Lists { problem, lists, owners, owner_of, others_help, at, free, ends, placed }
    }

    /// Starts the jobs of some organizations, over time.
    fn run(&mut self, mut owners: Vec<usize>) {
        let mut now = self.problem.now;
        let mut clusters = BTreeSet::new();
        if self.others_help {
            clusters.extend(self.problem.open());
        }
        loop {
            owners.sort_unstable();
            owners.dedup();
            for owner in owners.drain(..) {
                self.start_own(owner, now);
            }
            while let Some(cluster) = clusters.pop_first() {
                self.help(cluster, now, &mut clusters);
            }
            let Some(&Reverse(next)) = self.ends.peek() else { break };
            now = Time::of(next);
            if now == Time::NEVER {
                break;
            }
            while let Some(&Reverse(end)) = self.ends.peek()
                && Time::of(end) == now
            {
                self.ends.pop();
                let cluster = ClusterId((end >> 32) as u32);
                self.free[cluster.index()] += end as u32;
                owners.extend(self.owner_of[cluster.index()]);
                if self.others_help {
                    // When the last of its own jobs has started, it looks for others'.
                    clusters.insert(cluster);
                    if let Some(owner) = self.owner_of[cluster.index()] {
                        clusters.extend(&self.owners[owner].clusters);
                    }
                }
            }
        }
    }

    fn start(&mut self, (_, job, list, place): Offer, cluster: ClusterId, now: Time) {
        let known = &self.problem.jobs[job as usize];
        self.lists[list].take(place);
        self.placed[job as usize] = Some((cluster, now));
        self.free[cluster.index()] -= known.processors();
        let (end, processors) = (self.problem.end(job, (cluster, now)), known.processors());
        self.ends.push(self::end(&Busy { cluster, processors, end }));
    }

    /// Starts all jobs of an organization that fit on its own clusters.
    fn start_own(&mut self, owner: usize, now: Time) {
        loop {
            let mut best: Option<Offer> = None;
            for list in self.owners[owner].lists.clone() {
                let waiting = &mut self.lists[list];
                let free = waiting.own.iter().map(|one| self.free[one.index()]).max().unwrap_or(0);
                let first = waiting.first(free);
                let offer = first.map(|(place, (width, job))| (Reverse(width), job, list, place));
                best = [best, offer].into_iter().flatten().min();
            }
            let Some(offer) = best else { return };
            let (Reverse(width), _, list, _) = offer;
            let mut own = self.lists[list].own.iter();
            let cluster = own.find(|one| self.free[one.index()] >= width);
            self.start(offer, *cluster.expect("it fits on one"), now);
        }
    }

    /// Lets a cluster start jobs of others, if none of its owner's waits for it. A cluster whose
    /// owner's last job is started elsewhere joins `look`.
    fn help(&mut self, cluster: ClusterId, now: Time, look: &mut BTreeSet<ClusterId>) {
        let own = self.owner_of[cluster.index()];
        let size = self.problem.sites[cluster.index()].processors;
        loop {
            let mut best: Option<Offer> = None;
            for &list in &self.at[cluster.index()] {
                let waiting = &mut self.lists[list];
                let is_own = own == Some(waiting.owner);
                let limit = if is_own { size } else { self.free[cluster.index()] };
                let Some((place, (width, job))) = waiting.first(limit) else { continue };
                if is_own {
                    return;
                }
                best = [best, Some((Reverse(width), job, list, place))].into_iter().flatten().min();
            }
            let Some(offer) = best else { return };
            let owner = self.lists[offer.2].owner;
            self.start(offer, cluster, now);
            look.extend(self.owners[owner].clusters.iter().filter(|&&one| one != cluster));
        }
    }
}
