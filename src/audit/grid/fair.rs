//! Fair sharing by definition: sums over all jobs that have started.

use std::collections::BTreeMap;

use super::{Asking, FairRule, Sites};

/// A running job.
#[derive(Clone, Copy, Debug)]
struct Running {
    user: u32,
    owner: u32,
    processors: i128,
    start: i128,
}

/// Jobs that have ended, of a user on the sites of an owner.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    /// Sum of processors times length.
    area: i128,
    /// Sum of processors times the ticks in which they worked, numbered from 0.
    ticks: i128,
}

/// Processors in use, used processor time, and utility, of some jobs.
type Sums = [i128; 3];

/// The waiting jobs, and all others.
#[derive(Clone, Debug)]
pub(super) struct Fair {
    rule: FairRule,
    pub now: i128,
    waiting: BTreeMap<usize, Asking>,
    running: BTreeMap<usize, Running>,
    done: BTreeMap<(u32, u32), Done>,
    last: Option<u32>,
    /// Credit gained or lost by user, in parts of that of a processor.
    paid: BTreeMap<u32, i128>,
}

/// Credit of a processor at first.
const CREDIT: i128 = 1 << 20;

/// Sum of the numbers from `from` up to before `to`.
fn sum(from: i128, to: i128) -> i128 {
    (to - from) * (from + to - 1) / 2
}

impl Fair {
    pub fn new(rule: FairRule) -> Fair {
        let (waiting, running, done) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let paid = BTreeMap::new();
        Fair { rule, now: 0, waiting, running, done, last: None, paid }
    }

    pub fn submit(&mut self, job: &Asking) {
        self.waiting.insert(job.id, *job);
    }

    /// A running job ends now.
    pub fn ended(&mut self, id: usize) {
        let Some(Running { user, owner, processors, start }) = self.running.remove(&id) else {
            return;
        };
        let done = self.done.entry((user, owner)).or_default();
        done.area += processors * (self.now - start);
        done.ticks += processors * sum(start, self.now);
    }

    /// Sums over the jobs of a user on the sites of an owner, if these are given.
    fn sums(&self, user: u32, of: Option<u32>) -> Sums {
        let is = |one: u32, owner: u32| one == user && of.is_none_or(|of| of == owner);
        let running = self.running.values().filter(|one| is(one.user, one.owner));
        let mut sums = [0; 3];
        for one in running {
            let area = one.processors * (self.now - one.start);
            sums[0] += one.processors;
            sums[1] += area;
            sums[2] += area * self.now - one.processors * sum(one.start, self.now);
        }
        for (_, done) in self.done.iter().filter(|(key, _)| is(key.0, key.1)) {
            sums[1] += done.area;
            sums[2] += done.area * self.now - done.ticks;
        }
        sums
    }

    fn owned(user: u32, sites: &Sites) -> i128 {
        let owned = (0..sites.len()).filter(|&one| sites.owner(one) == user);
        owned.map(|one| i128::from(sites.processors(one))).sum()
    }

    fn credit(&self, user: u32, sites: &Sites) -> i128 {
        Fair::owned(user, sites) * CREDIT + self.paid.get(&user).copied().unwrap_or(0)
    }

    /// The least goes first: an amount and what it is divided by. With 0 it is behind all others.
    fn key(&self, user: u32, rank: usize, sites: &Sites) -> (i128, i128) {
        let [current, used, utility] = self.sums(user, None);
        let owned = Fair::owned(user, sites);
        let owner = sites.owner(rank);
        match self.rule {
            FairRule::Share => (used, owned),
            FairRule::Current => (current, owned),
            FairRule::Utility => (utility, owned),
            FairRule::Favors if user == owner => (i128::from(i64::MIN) * (1 << 32), 1),
            FairRule::Favors => {
                let consumed = self.sums(owner, Some(user))[1];
                let donated = self.sums(user, Some(owner))[1];
                (-(consumed - donated).max(0), 1)
            }
            FairRule::Auction => (-self.credit(user, sites), 1),
            FairRule::RoundRobin => (user.into(), self.last.is_none_or(|last| user > last).into()),
        }
    }

    /// Site after site, starts jobs as long as one fits, until there is none.
    pub fn decide(&mut self, sites: &mut Sites) -> Vec<(usize, usize)> {
        let mut starts = Vec::new();
        loop {
            let before = starts.len();
            for rank in 0..sites.len() {
                loop {
                    let bidders = self.in_order(rank, sites);
                    let Some(job) = bidders.first() else { break };
                    self.waiting.remove(&job.id);
                    let (user, owner) = (job.owner, sites.owner(rank));
                    let next = bidders.get(1).filter(|_| self.rule == FairRule::Auction);
                    let price = next.map_or(0, |next| self.credit(next.owner, sites) / 2);
                    *self.paid.entry(user).or_default() -= price;
                    *self.paid.entry(owner).or_default() += price;
                    let (processors, start) = (job.processors.into(), self.now);
                    self.running.insert(job.id, Running { user, owner, processors, start });
                    self.last = Some(user);
                    starts.push(sites.start(job.id, rank));
                }
            }
            if starts.len() == before {
                return starts;
            }
        }
    }

    /// The first jobs of all users that a site can start now; the first of them starts.
    fn in_order(&self, rank: usize, sites: &Sites) -> Vec<Asking> {
        let mut firsts: BTreeMap<u32, Asking> = BTreeMap::new();
        for job in self.waiting.values() {
            let may = sites.groups()[job.group].contains(&rank);
            if may && sites.takes(rank, job.processors, job.owner) {
                firsts.entry(job.owner).or_insert(*job);
            }
        }
        let keyed = firsts.into_values().map(|job| (self.key(job.owner, rank, sites), job));
        let mut keyed: Vec<_> = keyed.collect();
        keyed.sort_by(|(one, a), (other, b)| {
            let order = match (one.1, other.1) {
                (0, 0) => one.0.cmp(&other.0),
                (0, _) | (_, 0) => other.1.min(1).cmp(&one.1.min(1)),
                _ => (one.0 * other.1).cmp(&(other.0 * one.1)),
            };
            order.then(a.id.cmp(&b.id))
        });
        keyed.into_iter().map(|one| one.1).collect()
    }
}
