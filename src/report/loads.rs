//! Offered load of each part of the grid, to warn about overload and unstable queues.
//!
//! A connected part consists of organizations that may use each other's clusters, directly or
//! through others, with all these clusters. That is not enough: organizations that may use only
//! some of the clusters can overload them while others idle. So there is also a part for each set
//! of clusters that some organization may use, with all organizations that may use nothing else
//! (after Hall's condition; unions of such sets are not considered).
//!
//! The load of given jobs, here and in `gridpact workload show`, is defined by [`load`]: the span
//! runs from the first to the last submission of the part's own jobs.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::time::Time;
use crate::model::ids::ClusterId;
use crate::policy::local::LocalOptions;
use crate::policy::local::list::Order;
use crate::scenario::plan::{ClusterKind, Plan, Until, WorkloadKind};
use crate::sim::accounts::Account;
use crate::workload::dealt::DrawnOwners;
use crate::workload::swf::Share;

/// Maximum number of cluster sets in a connected part; beyond that, only the whole part is
/// considered.
const MOST_SETS: usize = 256;
/// Minimum number of jobs that the processors can complete while jobs arrive.
///
/// If they can do fewer, the jobs are one batch to be worked off and not a growing queue.
const MOST_OF_A_HEAP: i128 = 10;
/// A measured load counts as above one if it exceeds one by more than this ...
const CLEARLY: f64 = 0.05;
/// ... and by more than this over the square root of the number of jobs.
///
/// It is nearly three standard errors if interarrival times and areas vary like exponential ones.
const NOISE: f64 = 4.0;

/// A group of organizations and all the clusters that they may use.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Indices of the organizations.
    pub organizations: Vec<usize>,
    /// The clusters.
    pub clusters: Vec<ClusterId>,
    /// Number of their jobs that count, in all replications.
    pub jobs: u64,
    /// Number of processors of the clusters.
    processors: u64,
    /// Mean number of busy processors that the jobs ask for, if all jobs are drawn and it is known.
    rate: Option<f64>,
    /// True if some jobs were too wide or were killed, so that `rate` overestimates.
    is_less: bool,
    /// Work of the jobs, in processor-ticks.
    work: i128,
    /// Processor-ticks between the first and the last submission.
    time: i128,
}

/// Offered load: the work of some jobs over what processors can do between the first and the last
/// submission.
///
/// `None` if all jobs arrive at once.
pub fn load(work: i128, processors: u64, submits: Option<(Time, Time)>) -> Option<f64> {
    ratio(work, processor_time(processors, submits))
}

fn ratio(work: i128, time: i128) -> Option<f64> {
    (time > 0).then(|| work as f64 / time as f64)
}

/// Processor-ticks between the first and the last submission.
fn processor_time(processors: u64, submits: Option<(Time, Time)>) -> i128 {
    let span = submits.map_or(0, |(first, last)| (last - first).ticks());
    i128::from(processors) * i128::from(span)
}

/// A load of one or above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overload {
    /// Long-run load of the models that the jobs are drawn from.
    Expected(f64),
    /// Load of the jobs that came.
    Measured(f64),
}

impl Part {
    /// Offered load: work of the jobs over processor time while jobs arrive.
    ///
    /// `None` if all jobs arrive at once.
    pub fn load(&self) -> Option<f64> {
        ratio(self.work, self.time)
    }

    /// Adds the jobs of a replication; `is_less` if some of them were too wide or were killed.
    fn add(&mut self, share: Share, is_less: bool) {
        self.is_less |= is_less;
        self.jobs += share.jobs;
        self.work += share.area;
        self.time += processor_time(self.processors, share.submits);
    }

    /// Long-run offered load, if it is known, all jobs are drawn and none was rejected or killed.
    pub fn expected(&self) -> Option<f64> {
        self.rate
            .filter(|_| !self.is_less && self.processors > 0)
            .map(|rate| rate / self.processors as f64)
    }

    /// The load if it is one or above.
    ///
    /// A measured load must be significantly above one, and the part must be a queue and not just a
    /// batch of work. That depends on how long jobs keep arriving, not on how long it takes to work
    /// them off afterwards: the worse the overload, the longer that takes.
    pub fn overload(&self) -> Option<Overload> {
        if let Some(load) = self.expected() {
            return (load > 1.0 - 1e-9).then_some(Overload::Expected(load));
        }
        let load = self.load()?;
        let noise = NOISE / (self.jobs as f64).sqrt();
        let is_above = load > 1.0 + noise.max(CLEARLY) && self.is_queue();
        is_above.then_some(Overload::Measured(load))
    }

    /// True if enough jobs could be completed while jobs arrive to call it a queue.
    fn is_queue(&self) -> bool {
        let could_be_done = self.time.saturating_mul(i128::from(self.jobs));
        could_be_done >= self.work.saturating_mul(MOST_OF_A_HEAP)
    }

    /// Number of processors of the clusters.
    pub fn processors(&self) -> u64 {
        self.processors
    }
}

/// Offered loads of all parts.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    parts: Vec<Part>,
}

impl Loads {
    /// Loads without jobs.
    ///
    /// O(organizations + clusters that each may use), more if the sets of usable clusters overlap.
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
            let share = |account: &Account| Share {
                jobs: account.jobs.submitted,
                area: account.areas.submitted,
                submits: (account.first_submit != Time::NEVER)
                    .then_some((account.first_submit, account.last_submit)),
            };
            let is_less = of().any(|account| account.jobs.rejected + account.jobs.killed > 0);
            part.add(Share::sum(of().map(share)), is_less);
        }
    }

    /// Loads that are known before a run.
    ///
    /// They are long-run loads for drawn jobs, and loads over the arrival period for given jobs.
    pub fn offered(plan: &Plan) -> Loads {
        let mut loads = Loads::new(plan);
        let given = given(plan);
        for part in &mut loads.parts {
            let is_known = part.rate.is_none()
                && part.organizations.iter().all(|&index| {
                    plan.workloads.iter().all(|workload| {
                        workload.kind.drawn().is_none()
                            || !workload.kind.owners(plan.organizations.len()).contains(&index)
                    })
                });
            if is_known {
                part.add(Share::sum(part.organizations.iter().map(|&index| given[index])), false);
            }
        }
        loads
    }

    /// For each organization the place of the narrowest part that it belongs to.
    ///
    /// That is the clusters that it may use with all organizations that may use nothing else, or the
    /// connected part if there are too many sets of clusters.
    pub fn narrowest(&self, organizations: usize) -> Vec<usize> {
        let mut narrowest: Vec<Option<usize>> = vec![None; organizations];
        for (place, part) in self.parts.iter().enumerate() {
            for &index in &part.organizations {
                let known = narrowest[index].map(|known| self.parts[known].clusters.len());
                if known.is_none_or(|known| part.clusters.len() < known) {
                    narrowest[index] = Some(place);
                }
            }
        }
        let part = |place: Option<usize>| place.expect("every organization belongs to a part");
        narrowest.into_iter().map(part).collect()
    }

    /// The parts, in the order of their first organizations.
    ///
    /// A connected part is followed by the parts of its organizations that may use fewer clusters.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Given jobs by organization; drawn ones are not included.
fn given(plan: &Plan) -> Vec<Share> {
    let mut all = vec![Share::default(); plan.organizations.len()];
    for workload in &plan.workloads {
        match &workload.kind {
            WorkloadKind::Swf { survey, assignment, base, .. } => {
                for (number, share) in assignment.shares(survey).into_iter().enumerate() {
                    all[base.index() + number].add(share);
                }
            }
            WorkloadKind::List(list) => {
                for job in list.jobs() {
                    all[job.organization.index()].add(Share::one(job.area(), job.submit));
                }
            }
            WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => {}
        }
    }
    all
}

/// Demand of each organization's jobs.
#[derive(Debug, Default)]
struct Asks {
    /// Demand of each organization's own workloads.
    own: Vec<Vec<Ask>>,
    /// Demand of shared workloads, with each organization's share of the jobs.
    shared: Vec<(Ask, Vec<f64>)>,
}

/// Demand of a workload.
#[derive(Clone, Copy, Debug)]
struct Ask {
    /// Mean number of busy processors, if known.
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

    /// Mean number of processors that the jobs of some organizations keep busy.
    ///
    /// `None` if that is not known, or if one workload may have ended while another goes on.
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

/// Probabilities with which the owners of jobs are drawn, among `count` organizations.
fn shares(owners: DrawnOwners, count: usize) -> Vec<f64> {
    let weight = |rank: usize| match owners {
        DrawnOwners::Zipf { exponent } => libm::pow(rank as f64, -exponent),
        DrawnOwners::Uniform {} => 1.0,
    };
    let all: f64 = (1..=count).map(weight).sum();
    (1..=count).map(|rank| weight(rank) / all).collect()
}

/// Organizations that may use each other's clusters, and these clusters.
struct Connected {
    organizations: Vec<usize>,
    clusters: Vec<ClusterId>,
}

/// Each set of clusters that some of the organizations may use.
///
/// A set comes with all organizations that may use nothing else. Empty if there are too many sets.
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

/// The connected parts, in the order of their first organizations.
fn connected(plan: &Plan) -> Vec<Connected> {
    let organizations = plan.organizations.len();
    // Union-find over organizations, then clusters: each entry leads towards the first of its part.
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

/// True for each organization, and last for the grid, if figures differ between replications.
///
/// They differ if jobs or the order of their starts are drawn, for the organization or for any that
/// it is connected with. If the total number of jobs ends the run, or if the warm-up is found in
/// each replication, an organization's measured jobs depend on all others.
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
    let is_shared = matches!(plan.until, Until::Jobs(_)) || plan.found.anything();
    if is_shared && differs.contains(&true) {
        differs.fill(true);
    }
    differs
}

/// True for each organization some of whose jobs are drawn.
pub(super) fn draws(plan: &Plan) -> Vec<bool> {
    let mut draws = vec![false; plan.organizations.len()];
    for workload in plan.workloads.iter().filter(|workload| workload.kind.drawn().is_some()) {
        draws[workload.kind.owners(plan.organizations.len())].fill(true);
    }
    draws
}

/// Root of an entry in the union-find, with path halving.
fn root(leads: &mut [usize], mut one: usize) -> usize {
    while leads[one] != one {
        leads[one] = leads[leads[one]];
        one = leads[one];
    }
    one
}
