//! The grid scheduler of a run, as facts: its rule, and which jobs may use which clusters.

use rustc_hash::FxHashMap;

use super::Manifest;
use audit::grid::{FairRule, GridFacts, GridRule, ListOrder, Site};
use model::asked::Asked;
use model::foreign::Foreign;
use model::ids::{ClusterId, OrganizationId, Uses};
use model::job::Job;
use model::order::Order;
use policy::grid::GridOptions;
use policy::grid::fair::By;
use policy::grid::stealing::First;
use scenario::plan::Plan;

/// A group: clusters, and the owner if one of them treats the jobs as its owner's.
type Group = (Vec<usize>, Option<u32>);

/// The groups of jobs that a grid scheduler starts, by the scenario.
pub(super) struct Membership {
    groups: Vec<Vec<usize>>,
    organizations: Vec<Option<usize>>,
    lists: Vec<Option<usize>>,
    /// By cluster: the owner's and others'.
    bound: Vec<[Option<usize>; 2]>,
    owners: Vec<u32>,
    may_use: Vec<Uses>,
}

impl Membership {
    /// The groups of a plan.
    pub fn of(plan: &Plan) -> Membership {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known: FxHashMap<Group, usize> = FxHashMap::default();
        let mut group = |organization: u32, clusters: &[ClusterId]| {
            let bare = clusters.iter().map(|one| one.index());
            let bare: Vec<usize> = bare.filter(|&one| plan.clusters[one].is_bare()).collect();
            if bare.is_empty() {
                return None;
            }
            let is_owner = bare.iter().map(|&one| &plan.clusters[one]).any(|one| {
                one.foreign == Foreign::WhenNoneWaits && one.owner == OrganizationId(organization)
            });
            let key = (bare, is_owner.then_some(organization));
            Some(*known.entry(key.clone()).or_insert_with(|| {
                groups.push(key.0);
                groups.len() - 1
            }))
        };
        let mut guards = vec![false; plan.organizations.len()];
        for one in plan.clusters.iter().filter(|one| one.foreign == Foreign::WhenNoneWaits) {
            guards[one.owner.index()] = true;
        }
        // Organizations that share a list are of one group, unless they have terms of their own.
        let mut shared: FxHashMap<(*const ClusterId, usize), Option<usize>> = FxHashMap::default();
        let organizations = (0..).zip(&plan.organizations).map(|(index, one)| {
            if guards[index as usize] {
                return group(index, &one.uses);
            }
            let list = (one.uses.as_ptr(), one.uses.len());
            *shared.entry(list).or_insert_with(|| group(index, &one.uses))
        });
        let organizations = organizations.collect();
        let lists = plan.lists.iter().map(|(owner, clusters)| group(owner.0, clusters)).collect();
        let bound = (0..).zip(&plan.clusters).map(|(index, cluster)| {
            [cluster.owner.0, u32::MAX].map(|owner| group(owner, &[ClusterId(index)]))
        });
        let bound = bound.collect();
        Membership {
            organizations,
            lists,
            bound,
            groups,
            owners: plan.clusters.iter().map(|one| one.owner.0).collect(),
            may_use: plan.organizations.iter().map(|one| Uses::clone(&one.uses)).collect(),
        }
    }

    /// The group of a job; `None` if a cluster's own scheduler starts it, or nobody.
    pub fn group(&self, job: &Job) -> Option<usize> {
        if let Some(list) = job.recorded.list() {
            return self.lists[list as usize];
        }
        let Some(cluster) = job.recorded.cluster() else {
            return self.organizations[job.organization.index()];
        };
        if !self.may_use[job.organization.index()].contains(&cluster) {
            return None;
        }
        let is_other = self.owners[cluster.index()] != job.organization.0;
        self.bound[cluster.index()][usize::from(is_other)]
    }
}

/// The facts about the grid scheduler, if one starts jobs, or about the planner.
pub(super) fn facts(manifest: &Manifest, groups: Option<&Membership>) -> Option<GridFacts> {
    let scheduler = manifest.grid.as_ref().map(|grid| &grid.scheduler);
    if scheduler.is_some_and(|scheduler| !scheduler.starts()) {
        return None;
    }
    let name = manifest.placer()?.to_owned();
    let places: FxHashMap<&str, u32> =
        manifest.organizations.iter().map(|name| &**name).zip(0..).collect();
    let owners = manifest.clusters.iter().map(|cluster| {
        let place = places.get(&*cluster.owner);
        Site {
            processors: cluster.processors,
            owner: place.copied().unwrap_or(u32::MAX),
            foreign: cluster.foreign,
        }
    });
    let by_plan = || Err("a plan leaves the order of starts to the planner".to_owned());
    let rule = scheduler.map_or_else(by_plan, rule);
    let rule = rule.and_then(|rule| match (groups, manifest.phase_order) {
        (None, _) => Err("the scenario of the run, which says who may use which cluster, is not \
                          there as it was"
            .to_owned()),
        (_, sim::phase::PhaseOrder::Instant) => Ok(rule),
        _ => Err("it is defined for one decision an instant".to_owned()),
    });
    let batches = matches!(scheduler, Some(GridOptions::GridSubmission(one))
            if matches!(one.asked, Asked::Batch | Asked::Once));
    Some(GridFacts {
        name,
        rule,
        batches,
        sites: owners.collect(),
        groups: groups.map_or(Vec::new(), |groups| groups.groups.clone()),
    })
}

fn rule(scheduler: &GridOptions) -> Result<GridRule, String> {
    let drawn = || Err("what it draws is not recorded".to_owned());
    Ok(match scheduler {
        GridOptions::GridSubmission(options) => match options.asked {
            _ if options.shuffled => return drawn(),
            Asked::Every(_) => return Err("nothing checks when jobs are handed over".to_owned()),
            Asked::Arrival | Asked::Batch | Asked::Once => GridRule::Submission,
        },
        GridOptions::Stealing(options) => match options.first {
            First::Near => GridRule::StealNear,
            First::Big => GridRule::StealBig,
        },
        GridOptions::BestFit(_) => GridRule::BestFit,
        GridOptions::Fair(options) => GridRule::Fair(match options.by {
            By::Share => FairRule::Share,
            By::Current => FairRule::Current,
            By::Utility => FairRule::Utility,
            By::Favors => FairRule::Favors,
            By::RoundRobin => FairRule::RoundRobin,
            By::Auction => FairRule::Auction,
            By::Contribution => return drawn(),
            By::Shapley => return Err("nothing plays its coalitions again".to_owned()),
        }),
        GridOptions::List(options) => GridRule::List(match options.order {
            Order::Submit => ListOrder::Submit,
            Order::Shortest => ListOrder::Shortest,
            Order::Longest => ListOrder::Longest,
            Order::Smallest => ListOrder::Smallest,
            Order::Largest => ListOrder::Largest,
            Order::SmallestArea => ListOrder::SmallestArea,
            Order::LargestArea => ListOrder::LargestArea,
            Order::Random => return drawn(),
            Order::By(_) => return Err("nothing checks the formula of its order".to_owned()),
        }),
        GridOptions::Process(_) => return Err("a program of the user decides".to_owned()),
        GridOptions::LeastDemand(_) | GridOptions::Random(_) | GridOptions::RoundRobin(_) => {
            return Err("it sends jobs to the clusters' own schedulers".to_owned());
        }
    })
}
