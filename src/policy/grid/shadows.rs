//! Coalitions of organizations that are played beside the grid: each has its members' clusters and
//! jobs, and no others. From what they reach follow Shapley values.
//!
//! Source: algorithms REF and RAND of Skowron and Rzadca (2013). A clairvoyant reference: jobs end, in
//! a coalition, after the runtime that is expected of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rand::seq::SliceRandom as _;
use serde::{Deserialize, Serialize};

use super::hall::{Hall, Rank};
use super::tally::{Tally, worth};
use super::{Setup, Site, Sites};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::ids::{ClusterId, JobId, OrganizationId};
use model::speed::Speed;
use model::view::Blind;

/// Organizations, a bit each.
type Members = u64;

/// The end of a job in a coalition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct End {
    at: Time,
    coalition: u32,
    organization: OrganizationId,
    cluster: ClusterId,
    processors: u32,
}

/// The grid of a coalition.
#[derive(Clone, Debug)]
struct Shadow {
    members: Members,
    hall: Hall,
    used: Vec<Tally>,
}

/// All coalitions but that of everybody, which is the grid itself.
#[derive(Clone, Debug)]
pub(super) struct Shadows {
    /// By their members.
    shadows: Vec<Shadow>,
    /// Random orders of the organizations; empty if all orders count.
    orders: Vec<Vec<u32>>,
    organizations: u32,
    speeds: Vec<Speed>,
    ends: BinaryHeap<Reverse<End>>,
    /// Coalitions that have something to decide.
    touched: BTreeSet<u32>,
    /// Expected runtimes of jobs, and in how many coalitions they wait.
    lengths: BTreeMap<u32, (Span, u32)>,
    submitted: u32,
}

/// Clusters that take every job.
struct Open;

impl Sites for Open {
    fn demand(&self, _: ClusterId) -> u64 {
        0
    }
}

fn bit(organization: u32) -> Members {
    1 << organization
}

impl Shadows {
    /// Coalitions without jobs.
    pub fn new(orders: u32, setup: &Setup<'_>) -> Shadows {
        let organizations = setup.organizations;
        let mut draws = setup.streams.stream("grid_scheduler/orders");
        let orders = (0..orders).map(|_| {
            let mut order: Vec<u32> = (0..organizations).collect();
            order.shuffle(&mut draws);
            order
        });
        let orders: Vec<Vec<u32>> = orders.collect();
        let prefixes = orders.iter().flat_map(|order| {
            order.iter().scan(0, |all: &mut Members, &one| {
                *all |= bit(one);
                Some(*all)
            })
        });
        let everybody = (0..organizations).fold(0, |all, one| all | bit(one));
        let mut coalitions: BTreeSet<Members> = match orders.is_empty() {
            true => (1..everybody).collect(),
            false => prefixes.collect(),
        };
        coalitions.remove(&everybody);
        let shadows = coalitions.into_iter().map(|members| {
            let of_member =
                |site: &Site| site.owner.0 < organizations && members & bit(site.owner.0) > 0;
            let site = |site: &Site| Site {
                processors: if of_member(site) { site.processors } else { 0 },
                ..*site
            };
            let sites: Vec<Site> = setup.sites.iter().map(site).collect();
            let hall = Hall::new(&Setup { sites: &sites, ..*setup });
            Shadow { members, hall, used: vec![Tally::default(); organizations as usize] }
        });
        Shadows {
            shadows: shadows.collect(),
            orders,
            organizations,
            speeds: setup.sites.iter().map(|site| site.speed).collect(),
            ends: BinaryHeap::new(),
            touched: BTreeSet::new(),
            lengths: BTreeMap::new(),
            submitted: 0,
        }
    }

    /// A job joins the coalitions of its organization that have a cluster for it.
    pub fn submit(&mut self, job: &Blind, expected: Span, group: u32, now: Time) {
        self.play_before(now);
        let (id, mut waits) = (self.submitted, 0);
        for (shadow, index) in self.shadows.iter_mut().zip(0..) {
            let is_in = shadow.members & bit(job.organization.0) > 0;
            if is_in && job.processors <= shadow.hall.widest(group) {
                shadow.hall.submit(JobId(id), job.processors, group, job.organization);
                self.touched.insert(index);
                waits += 1;
            }
        }
        if waits > 0 {
            self.lengths.insert(id, (expected, waits));
            self.submitted = self.submitted.wrapping_add(1);
        }
    }

    /// Shapley values times a number, and that number, given what the grid itself has reached.
    pub fn owed(&mut self, worth: i128, now: Time) -> (Vec<i128>, i128) {
        self.play_before(now);
        self.play_at(now);
        let all = (0..self.organizations).fold(0, |all, one| all | bit(one));
        let of = |members| if members == all { worth } else { self.worth(members, now) };
        if self.orders.is_empty() {
            return self.shapley(all, of);
        }
        let mut owed = vec![0; self.organizations as usize];
        for order in &self.orders {
            let (mut members, mut before) = (0, 0);
            for &one in order {
                members |= bit(one);
                let with = of(members);
                owed[one as usize] = i128::saturating_add(owed[one as usize], with - before);
                before = with;
            }
        }
        (owed, self.orders.len() as i128)
    }

    /// The utility of all jobs of a coalition.
    fn worth(&self, members: Members, now: Time) -> i128 {
        let known = self.shadows.binary_search_by_key(&members, |shadow| shadow.members);
        known.map_or(0, |index| worth(&self.shadows[index].used, now))
    }

    /// Shapley values of a coalition's members times the factorial of their number, and that.
    fn shapley(&self, all: Members, of: impl Fn(Members) -> i128) -> (Vec<i128>, i128) {
        let factorial = |number: u32| (1..=i128::from(number)).product::<i128>();
        let mut owed: Vec<i128> = vec![0; self.organizations as usize];
        let mut members = all;
        while members > 0 {
            let weight =
                factorial(members.count_ones() - 1) * factorial((all & !members).count_ones());
            let with = of(members);
            for one in (0..self.organizations).filter(|&one| members & bit(one) > 0) {
                let more = with.saturating_sub(of(members & !bit(one))).saturating_mul(weight);
                owed[one as usize] = owed[one as usize].saturating_add(more);
            }
            members = (members - 1) & all;
        }
        (owed, factorial(all.count_ones()))
    }

    fn play_before(&mut self, now: Time) {
        while let Some(at) = self.ends.peek().map(|end| end.0.at).filter(|&at| at < now) {
            self.play_at(at);
        }
    }

    /// Ends jobs, and then lets the coalitions start others.
    fn play_at(&mut self, now: Time) {
        loop {
            while self.ends.peek().is_some_and(|end| end.0.at <= now) {
                let Some(Reverse(end)) = self.ends.pop() else { break };
                let Shadow { hall, used, .. } = &mut self.shadows[end.coalition as usize];
                hall.freed(end.cluster, hall.idle(end.cluster) + end.processors);
                used[end.organization.index()].change(-i128::from(end.processors), now);
                self.touched.insert(end.coalition);
            }
            if self.touched.is_empty() {
                return;
            }
            // A start changes no utility at its own instant, so the order of coalitions is none.
            while let Some(coalition) = self.touched.pop_first() {
                self.start(coalition, now);
            }
        }
    }

    fn start(&mut self, coalition: u32, now: Time) {
        let members = self.shadows[coalition as usize].members;
        let (owed, scale) = match self.orders.is_empty() {
            true => self.shapley(members, |members| self.worth(members, now)),
            false => (Vec::new(), 0),
        };
        let Shadow { hall, used, .. } = &mut self.shadows[coalition as usize];
        let (ends, lengths, speeds) = (&mut self.ends, &mut self.lengths, &self.speeds);
        hall.decide(
            used,
            &Open,
            &mut Vec::new(),
            |_, _, _| 0,
            |used, _, one| {
                let had = used[one.index()].at(now).utility.saturating_mul(scale);
                Rank::of(had.saturating_sub(owed.get(one.index()).copied().unwrap_or(0)))
            },
            |used, JobId(id), cluster, found, _| {
                let (organization, processors) = (found.organization, found.processors);
                used[organization.index()].change(processors.into(), now);
                let Some((length, waits)) = lengths.get_mut(&id) else { return };
                let at = now.checked_add(speeds[cluster.index()].runs(*length));
                let at = at.unwrap_or(Time::NEVER);
                ends.push(Reverse(End { at, coalition, organization, cluster, processors }));
                *waits -= 1;
                if *waits == 0 {
                    lengths.remove(&id);
                }
            },
        );
    }
}

impl State for Shadows {
    fn save(&self, out: &mut Vec<u8>) {
        let mut ends: Vec<End> = self.ends.iter().map(|end| end.0).collect();
        ends.sort_unstable();
        put(&(ends, &self.touched, &self.lengths, self.submitted), out);
        for shadow in &self.shadows {
            shadow.hall.save(out);
            put(&shadow.used, out);
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let ends: Vec<End>;
        (ends, self.touched, self.lengths, self.submitted) = take(from)?;
        let (coalitions, organizations) = (self.shadows.len(), self.organizations as usize);
        let knows = |end: &End| {
            (end.coalition as usize) < coalitions
                && end.organization.index() < organizations
                && end.cluster.index() < self.speeds.len()
        };
        let mut fits =
            ends.iter().all(knows) && self.touched.iter().all(|&one| (one as usize) < coalitions);
        self.ends = ends.into_iter().map(Reverse).collect();
        for shadow in &mut self.shadows {
            shadow.hall.load(from)?;
            shadow.used = take(from)?;
            fits &= shadow.used.len() == organizations;
        }
        match fits {
            true => Ok(()),
            false => Err(Corrupt::Content("coalitions of another grid".to_owned())),
        }
    }
}
