//! The parts of a plan's grid whose offered loads are told, and which of its figures are drawn.
//!
//! A connected part consists of organizations that may use each other's clusters, directly or
//! through others, with all these clusters. That is not enough: organizations that may use only
//! some of the clusters can overload them while others idle. So there is also a part for each set
//! of clusters that some organization may use, with all organizations that may use nothing else
//! (after Hall's condition; unions of such sets are not considered).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use findings::grid::loads::{Loads, Part};
use model::ids::{ClusterId, Uses};
use policy::grid::GridOptions;
use policy::local::LocalOptions;
use scenario::plan::{ClusterKind, Plan, Until, WorkloadKind};
use workload::dealt::DrawnOwners;
use workload::swf::Share;

/// Maximum number of cluster sets in a connected part; beyond that, only the whole part is
/// considered.
const MOST_SETS: usize = 256;
/// Loads without jobs.
///
/// O(organizations + clusters that each may use), more if the sets of usable clusters overlap.
pub fn of(plan: &Plan) -> Loads {
    let asks = Asks::of(plan);
    let processors = |cluster: &ClusterId| u64::from(plan.clusters[cluster.index()].processors());
    let part = |organizations: Vec<usize>, clusters: &[ClusterId]| {
        let rate = asks.rate(&organizations);
        let count: u64 = clusters.iter().map(processors).sum();
        let speed = |cluster: &ClusterId| {
            let cluster = &plan.clusters[cluster.index()];
            f64::from(cluster.processors()) * cluster.speed().value()
        };
        let speed = clusters.iter().map(speed).sum::<f64>() / (count as f64).max(1.0);
        Part::new(organizations, clusters, (count, speed), rate)
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
    Loads::new(parts)
}

/// Loads that are known before a run.
///
/// They are long-run loads for drawn jobs, and loads over the arrival period for given jobs.
pub fn offered(plan: &Plan) -> Loads {
    let mut loads = of(plan);
    let given = given(plan);
    for part in loads.parts_mut() {
        let is_known = part.rate.is_none()
            && part.organizations.iter().all(|&index| {
                plan.workloads.iter().all(|workload| {
                    let is_given =
                        workload.kind.drawn().is_none() && workload.kind.drawn_owners().is_none();
                    is_given || !workload.kind.owners(plan.organizations.len()).contains(&index)
                })
            });
        if is_known {
            part.add(Share::sum(part.organizations.iter().map(|&index| given[index])), false);
        }
    }
    loads
}

/// Given jobs by organization; drawn ones and those of drawn owners are not included.
fn given(plan: &Plan) -> Vec<Share> {
    let mut all = vec![Share::default(); plan.organizations.len()];
    for workload in &plan.workloads {
        match &workload.kind {
            WorkloadKind::Swf { dealt: Some(_), .. } => {}
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
                WorkloadKind::Swf { dealt: Some((owners, _)), .. } => {
                    asks.shared.push((given, shares(*owners, count)));
                }
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
        // Not a sum of floats, as that of none is -0.
        let mut rate = 0.0;
        for ask in own() {
            rate += ask.rate?;
        }
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
    let uses = |index: usize| &plan.organizations[index].uses;
    // Most organizations share the list of the one before: it is looked up once for all of them.
    for sharing in organizations.chunk_by(|&one, &next| is_same(uses(one), uses(next))) {
        lists.entry(uses(sharing[0])).or_default().extend(sharing);
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

/// True if two organizations share a list, which is said without reading it.
fn is_same(one: &Uses, other: &Uses) -> bool {
    Arc::ptr_eq(one, other)
}

/// The connected parts, in the order of their first organizations.
fn connected(plan: &Plan) -> Vec<Connected> {
    let organizations = plan.organizations.len();
    // Union-find over organizations, then clusters: each entry leads towards the first of its part.
    let mut leads: Vec<usize> = (0..organizations + plan.clusters.len()).collect();
    let mut before: Option<&Uses> = None;
    for (index, organization) in plan.organizations.iter().enumerate() {
        let uses = &organization.uses;
        // The clusters of a list that the organization before shares are connected already.
        let is_known = before.replace(uses).is_some_and(|before| is_same(before, uses));
        for cluster in &uses[..if is_known { uses.len().min(1) } else { uses.len() }] {
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
pub fn differs(plan: &Plan) -> Vec<bool> {
    let is_own = draws(plan);
    let mut differs = vec![false; plan.organizations.len() + 1];
    for Connected { organizations, clusters } in connected(plan) {
        let by_jobs = organizations.iter().any(|&index| is_own[index]);
        let by_order = clusters.iter().any(|cluster| {
            let ClusterKind::SpaceShared { scheduler, .. } = &plan.clusters[cluster.index()].kind
            else {
                return false;
            };
            scheduler.as_ref().is_some_and(LocalOptions::draws)
        });
        if by_jobs || by_order || plan.grid_scheduler.as_ref().is_some_and(GridOptions::draws) {
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
