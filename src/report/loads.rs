//! The offered load of each part of the grid, from which queues are told to grow.
//!
//! A part is, first, the organizations that may use each other's clusters, directly or by way of
//! others, with all these clusters. That is not enough: those who may use only some of the clusters
//! can ask too much of these while others idle. So a part is, second, for each set of clusters that
//! some organization may use, all organizations that may use nothing else (after Hall's condition;
//! unions of such sets are not looked at).

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::time::Time;
use crate::model::ids::ClusterId;
use crate::policy::local::LocalOptions;
use crate::policy::local::list::Order;
use crate::scenario::plan::{ClusterKind, Plan, WorkloadKind};
use crate::sim::accounts::Account;
use crate::workload::dealt::DrawnOwners;

/// Where organizations that are connected have more sets of clusters, these are not looked at.
const MOST_SETS: usize = 256;
/// A load that was measured is above one where it is by more than this ...
const CLEARLY: f64 = 0.05;
/// ... and by more than this over the root of the number of jobs: nearly three standard errors
/// where gaps and areas vary as exponential ones do.
const NOISE: f64 = 4.0;

/// Organizations and the clusters that all of them may use together, and nobody else's.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The organizations, by number.
    pub organizations: Vec<usize>,
    /// The clusters.
    pub clusters: Vec<ClusterId>,
    /// Their jobs that count, of all replications.
    pub jobs: u64,
    /// The processors of the clusters.
    processors: u64,
    /// The processors that the jobs keep busy on average, where all are drawn and that is known.
    rate: Option<f64>,
    /// Some of the jobs were too wide or were killed, so that the rate says too much.
    is_less: bool,
    /// Processor-ticks that these jobs need.
    work: i128,
    /// Processor-ticks between their first and their last submission.
    time: i128,
    /// Processor-ticks between their first submission and their last end.
    whole: i128,
}

/// A load above one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overload {
    /// In the long run, of the models that the jobs are drawn from.
    Expected(f64),
    /// Of the jobs that came.
    Measured(f64),
}

impl Part {
    /// What the jobs need of what the processors can do while they come; `None` where they all come
    /// at once.
    pub fn load(&self) -> Option<f64> {
        (self.time > 0).then(|| self.work as f64 / self.time as f64)
    }

    /// The same in the long run, where all jobs are drawn, all can run, and it is known.
    pub fn expected(&self) -> Option<f64> {
        self.rate.filter(|_| !self.is_less).map(|rate| rate / self.processors as f64)
    }

    /// The load where it is above one. One that is known only from jobs must be so clearly, and the
    /// jobs must come for at least half of the time that they take: else they are a heap to be
    /// worked off and no queue that grows.
    pub fn overload(&self) -> Option<Overload> {
        if let Some(load) = self.expected() {
            return (load > 1.0 + 1e-9).then_some(Overload::Expected(load));
        }
        let load = self.load()?;
        let noise = NOISE / (self.jobs as f64).sqrt();
        let is_above = load > 1.0 + noise.max(CLEARLY) && 2 * self.time >= self.whole;
        is_above.then_some(Overload::Measured(load))
    }
}

/// The loads of all parts.
#[derive(Clone, Debug)]
pub struct Loads {
    parts: Vec<Part>,
}

impl Loads {
    /// No jobs yet. O(organizations + clusters that each may use), and more where the clusters that
    /// they may use overlap.
    pub fn new(plan: &Plan) -> Loads {
        let asks = Asks::of(plan);
        let part = |organizations: Vec<usize>, clusters: &[ClusterId]| Part {
            processors: (clusters.iter())
                .map(|cluster| u64::from(plan.clusters[cluster.index()].processors()))
                .sum(),
            rate: asks.rate(&organizations),
            organizations,
            clusters: clusters.to_vec(),
            ..Part::default()
        };
        let mut parts = Vec::new();
        for Connected { organizations, clusters } in connected(plan) {
            let mut narrow = Vec::new();
            for (set, within) in sets(plan, &organizations) {
                if within.len() < organizations.len() {
                    narrow.push(part(within, &Vec::from_iter(set)));
                }
            }
            parts.push(part(organizations, &clusters));
            parts.append(&mut narrow);
        }
        Loads { parts }
    }

    /// Adds a replication, given by its accounts.
    pub fn add(&mut self, accounts: &[Account]) {
        for part in &mut self.parts {
            let of = || part.organizations.iter().map(|&index| &accounts[index]);
            let first = of().map(|account| account.first_submit).min();
            let last = of().map(|account| account.last_submit).max();
            let (Some(first), Some(last)) = (first, last) else { continue };
            if first == Time::NEVER {
                continue;
            }
            let processors = i128::from(part.processors);
            let finished = of().filter(|account| account.jobs.finished > 0);
            let finish = finished.map(|account| account.last_finish).max().unwrap_or(last);
            let jobs: u64 = of().map(|account| account.jobs.submitted).sum();
            let work: i128 = of().map(|account| account.areas.submitted).sum();
            let is_less = of().any(|account| account.jobs.rejected + account.jobs.killed > 0);
            part.is_less |= is_less;
            part.jobs += jobs;
            part.work += work;
            part.time += processors * i128::from((last - first).ticks());
            part.whole += processors * i128::from((finish - first).ticks());
        }
    }

    /// The parts, in the order of their first organizations; behind organizations that are
    /// connected come those of them who may use less.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// What each organization's jobs ask for.
#[derive(Debug, Default)]
struct Asks {
    /// By organization, workloads of its own.
    own: Vec<Vec<Ask>>,
    /// Of all together, with the share of its jobs that is each organization's.
    shared: Vec<(Ask, Vec<f64>)>,
}

/// What the jobs of a workload ask for.
#[derive(Clone, Copy, Debug)]
struct Ask {
    /// Processors that they keep busy, where that is known.
    rate: Option<f64>,
    is_endless: bool,
}

impl Asks {
    fn of(plan: &Plan) -> Asks {
        let count = plan.organizations.len();
        let mut asks = Asks { own: vec![Vec::new(); count], shared: Vec::new() };
        let given = Ask { rate: None, is_endless: false };
        for workload in &plan.workloads {
            let is_endless = workload.kind.is_endless();
            match &workload.kind {
                WorkloadKind::Swf { .. } => {
                    asks.own[workload.kind.owners(count)]
                        .iter_mut()
                        .for_each(|own| own.push(given));
                }
                WorkloadKind::List(list) => {
                    let owners = list.jobs().iter().map(|job| job.organization.index());
                    for owner in owners.collect::<BTreeSet<_>>() {
                        asks.own[owner].push(given);
                    }
                }
                WorkloadKind::Drawn(drawn, owner) => {
                    asks.own[owner.index()].push(Ask { rate: drawn.area_rate(), is_endless });
                }
                WorkloadKind::Shared { source, owners, .. } => {
                    let ask = Ask { rate: source.area_rate(), is_endless };
                    asks.shared.push((ask, shares(*owners, count)));
                }
            }
        }
        asks
    }

    /// The processors that the jobs of some organizations keep busy; none where that is not known,
    /// or where one workload may have ended while another goes on.
    fn rate(&self, organizations: &[usize]) -> Option<f64> {
        let own = || organizations.iter().flat_map(|&index| &self.own[index]);
        let of = || own().chain(self.shared.iter().map(|(ask, _)| ask));
        if of().count() != 1 && !of().all(|ask| ask.is_endless) {
            return None;
        }
        let mut rate: f64 = own().map(|ask| ask.rate).sum::<Option<f64>>()?;
        for (ask, shares) in &self.shared {
            rate += ask.rate? * organizations.iter().map(|&index| shares[index]).sum::<f64>();
        }
        Some(rate)
    }
}

/// The shares that owners among so many organizations are drawn with.
fn shares(owners: DrawnOwners, count: usize) -> Vec<f64> {
    let weight = |rank: usize| match owners {
        DrawnOwners::Zipf { exponent } => libm::pow(rank as f64, -exponent),
        DrawnOwners::Uniform {} => 1.0,
    };
    let all: f64 = (1..=count).map(weight).sum();
    (1..=count).map(|rank| weight(rank) / all).collect()
}

/// Organizations that may use each other's clusters, and these.
struct Connected {
    organizations: Vec<usize>,
    clusters: Vec<ClusterId>,
}

/// Each set of clusters that one of some organizations may use, with all that may use nothing else;
/// none where there are too many.
fn sets(plan: &Plan, organizations: &[usize]) -> Vec<(BTreeSet<ClusterId>, Vec<usize>)> {
    let mut lists: BTreeMap<&[ClusterId], Vec<usize>> = BTreeMap::new();
    for &index in organizations {
        lists.entry(&plan.organizations[index].uses).or_default().push(index);
    }
    if lists.len() > MOST_SETS {
        return Vec::new();
    }
    let mut sets: BTreeMap<BTreeSet<ClusterId>, Vec<usize>> = BTreeMap::new();
    for (list, users) in lists {
        sets.entry(list.iter().copied().collect()).or_default().extend(users);
    }
    let within = |set: &BTreeSet<ClusterId>| {
        let narrower = sets.iter().filter(|(other, _)| other.is_subset(set));
        let mut within: Vec<usize> = narrower.flat_map(|(_, users)| users).copied().collect();
        within.sort_unstable();
        within
    };
    sets.keys().map(|set| (set.clone(), within(set))).collect()
}

/// All that are connected, in the order of their first organizations.
fn connected(plan: &Plan) -> Vec<Connected> {
    let organizations = plan.organizations.len();
    // Organizations, then clusters: each leads to one of its part, at last to the first.
    let mut leads: Vec<usize> = (0..organizations + plan.clusters.len()).collect();
    for (index, organization) in plan.organizations.iter().enumerate() {
        for cluster in &organization.uses {
            let one = root(&mut leads, index);
            let other = root(&mut leads, organizations + cluster.index());
            leads[one.max(other)] = one.min(other);
        }
    }
    let mut parts: Vec<Connected> = (leads.iter())
        .map(|_| Connected { organizations: Vec::new(), clusters: Vec::new() })
        .collect();
    for index in 0..organizations {
        parts[root(&mut leads, index)].organizations.push(index);
    }
    for index in 0..plan.clusters.len() {
        let part = &mut parts[root(&mut leads, organizations + index)];
        part.clusters.push(ClusterId(index as u32));
    }
    parts.retain(|part| !part.organizations.is_empty());
    parts
}

/// By organization, then for the whole grid: do figures differ from one replication to the next? So
/// they do where jobs, or the order in which they start, are drawn, of the organization itself or
/// of any that it is connected with.
pub(super) fn differs(plan: &Plan) -> Vec<bool> {
    let is_own = draws(plan);
    let mut differs = vec![false; plan.organizations.len() + 1];
    for Connected { organizations, clusters } in connected(plan) {
        let by_jobs = organizations.iter().any(|&index| is_own[index]);
        let by_order = clusters.iter().any(|cluster| {
            let ClusterKind::SpaceShared { scheduler, .. } = &plan.clusters[cluster.index()].kind
            else {
                return false;
            };
            matches!(scheduler, LocalOptions::List(options) if options.order == Order::Random)
        });
        if by_jobs || by_order {
            for index in organizations.into_iter().chain([plan.organizations.len()]) {
                differs[index] = true;
            }
        }
    }
    differs
}

/// By organization: are jobs of it drawn?
pub(super) fn draws(plan: &Plan) -> Vec<bool> {
    let mut draws = vec![false; plan.organizations.len()];
    for workload in plan.workloads.iter().filter(|workload| workload.kind.drawn().is_some()) {
        draws[workload.kind.owners(plan.organizations.len())].fill(true);
    }
    draws
}

/// What stands for the part that one belongs to; the way to it is halved as it is walked.
fn root(leads: &mut [usize], mut one: usize) -> usize {
    while leads[one] != one {
        leads[one] = leads[leads[one]];
        one = leads[one];
    }
    one
}
