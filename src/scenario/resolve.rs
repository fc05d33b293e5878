//! Resolves a scenario into a plan: names become numbers, files are read, and mistakes are reported
//! with their place.

mod campaign;
mod checks;
mod clusters;
mod coalition;
mod digest;
pub(super) mod game;
mod grid;
mod listed;
mod machines;
mod names;
mod partitions;
mod precision;
mod told;
mod until;
mod workloads;

use kernel::map::Map;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bounded;
use super::diagnostics::Diagnostic;
use super::files::{Files, Place};
use super::path::Path;
use super::plan::{Cluster, Organization, Plan, Until, Workload, World};
use super::raw;
use super::root::Root;
use super::tree::Node;
use digest::digest;
use findings::target::{By, Precision};
use listed::ListedUses;
use machines::ByTrace;
use model::ids::{ClusterId, OrganizationId, Uses};
pub use names::name_trouble;
use names::{numbered, title_trouble};
use policy::plan::Planned;
use sim::grid::Settings;
use workload::applications::wfcommons::Ledger;
use workload::swf::Survey;

/// Maximum number of organizations or clusters in a scenario. Each takes some 5 kB in a run: 1 GB.
const MOST: u64 = 200_000;
/// Maximum number of replications. Their results in `summary.json` take 0.7 GB of memory.
pub(super) const MOST_REPLICATIONS: u32 = 1_000_000;
/// Maximum number of clusters that all organizations together may use.
const MOST_USES: u64 = 20_000_000;

/// Turns a scenario into a plan, or reports all mistakes. Diagnostics returned with a plan are
/// warnings.
///
/// # Errors
/// All mistakes, in the order in which they were found.
pub fn resolve(
    raw: &raw::Scenario,
    tree: &Node,
    files: &Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut resolver = Resolver {
        raw,
        tree,
        files,
        errors: Vec::new(),
        told: FxHashSet::default(),
        shown: FxHashSet::default(),
        unknown: FxHashMap::default(),
        warnings: Vec::new(),
        organizations: Vec::new(),
        clusters: Vec::new(),
        workloads: Vec::new(),
        places: Vec::new(),
        by_name: Map::new(),
        cluster_by_name: Map::new(),
        looked_at: 0,
        surveys: Map::new(),
        by_trace: Vec::new(),
        lists: Vec::new(),
        listed: Vec::new(),
        sizes: Vec::new(),
        imports: Vec::new(),
    };
    if resolver.too_many() {
        return Err(resolver.errors);
    }
    for (at, refusal) in bounded::refusals(tree, Root::Grid) {
        resolver.wrong(at, refusal);
    }
    resolver.names();
    let all_are_named = resolver.errors.is_empty();
    resolver.clusters();
    let campaign = resolver.campaign();
    if !raw.is_campaign() {
        resolver.jobs_on_clusters(all_are_named);
    }
    let precision = resolver.precision();
    let until = resolver.until(precision.as_ref());
    let coalition = resolver.coalition(until);
    if resolver.errors.is_empty() && campaign.is_none() {
        resolver.check_sizes();
        resolver.check_estimates();
        resolver.check_longest_estimates();
        resolver.check_end(until);
        resolver.check_replications(precision.as_ref());
    }
    resolver.check_records();
    let (counting, found) = resolver.counting(until, precision.as_ref());
    if !resolver.errors.is_empty() {
        return Err(resolver.errors);
    }
    let settings = Settings {
        clairvoyance: raw.run.clairvoyance,
        phase_order: raw.run.phase_order,
        most_jobs: match until {
            Until::Jobs(most) => Some(most),
            Until::Drained | Until::Time(_) | Until::Rounds(_) => None,
        },
    };
    let run = raw::Run { until: raw::Until::default(), replications: 1, ..raw.run.clone() };
    let Resolver { workloads, sizes, .. } = &resolver;
    let lineage =
        digest(&raw::Scenario { run, ..raw.clone() }, workloads, sizes, campaign.as_ref());
    let digest = digest(raw, workloads, sizes, campaign.as_ref());
    let plan = Plan {
        name: raw.name.clone(),
        changes: Vec::new(),
        seed: raw.seed,
        until,
        replications: replications(raw, precision.as_ref()),
        precision,
        settings,
        counting,
        found,
        output: raw::Output { jobs: Some(raw.writes_jobs()), ..raw.output.clone() },
        organizations: resolver.organizations,
        clusters: resolver.clusters,
        grid_scheduler: raw.grid_scheduler.clone(),
        planned: raw.planner.clone().map(|planner| {
            let planning = raw.planning.clone().unwrap_or_default();
            Planned { planner, planning }
        }),
        lists: resolver.lists,
        workloads: resolver.workloads,
        world: match (campaign, coalition) {
            (Some(campaign), _) => World::Campaign(campaign),
            (None, Some(coalition)) => World::Coalition(coalition),
            (None, None) => World::Grid,
        },
        digest,
        lineage,
    };
    tracing::info!(
        organizations = plan.organizations.len(),
        clusters = plan.clusters.len(),
        workloads = plan.workloads.len(),
        jobs = plan.jobs(),
        "scenario read"
    );
    Ok((plan, resolver.warnings))
}

struct Resolver<'a> {
    raw: &'a raw::Scenario,
    tree: &'a Node,
    files: &'a Files,
    errors: Vec<Diagnostic>,
    /// Paths that already have a diagnostic.
    told: FxHashSet<Path>,
    /// Diagnostics so far: the same place may be the value of several paths.
    shown: FxHashSet<(Option<Place>, String)>,
    /// Index of the error about each unknown name, by its message.
    unknown: FxHashMap<String, usize>,
    warnings: Vec<Diagnostic>,
    organizations: Vec<Organization>,
    clusters: Vec<Cluster>,
    workloads: Vec<Workload>,
    /// Place of each workload.
    places: Vec<Path>,
    by_name: Map<String, OrganizationId>,
    cluster_by_name: Map<String, ClusterId>,
    /// Number of names that unknown ones were compared with.
    looked_at: usize,
    /// Surveys by trace, so that a trace shared by several organizations is surveyed once.
    surveys: Map<String, Arc<Survey>>,
    /// Clusters that take their processors from a trace and do not have them yet.
    by_trace: Vec<ByTrace>,
    /// Lists of clusters that jobs name, each with the jobs' organization.
    lists: Vec<(OrganizationId, Uses)>,
    /// Rows of files that name clusters, by workload.
    listed: Vec<(usize, ListedUses)>,
    /// Processors of these clusters, in their order.
    sizes: Vec<u32>,
    /// Ledgers of recorded workflows whose tasks became classes, by application.
    imports: Vec<(String, Ledger)>,
}

fn path(text: &str) -> Path {
    text.parse().expect("the paths in this file are written well")
}

/// Returns the path of the key for the length of replications under a precision.
fn each() -> Path {
    path("run.until.precision.each")
}

/// Returns the maximum number of replications.
fn replications(raw: &raw::Scenario, precision: Option<&Precision>) -> u32 {
    match precision {
        None => raw.run.replications,
        Some(Precision { by: By::Batches, .. }) => 1,
        Some(Precision { at_most, .. }) => u32::try_from(*at_most).unwrap_or(u32::MAX),
    }
}

fn organization(index: usize) -> Path {
    Path::root().key("organization").index(index)
}

impl Resolver<'_> {
    /// Reports more organizations or clusters than allowed, before any is created.
    fn too_many(&mut self) -> bool {
        let organizations = self.raw.organization.iter().map(|one| u64::from(one.count));
        let clusters = self.raw.cluster.iter().map(|one| u64::from(one.count));
        let sums = [("organization", organizations.sum::<u64>()), ("cluster", clusters.sum())];
        for (what, sum) in sums {
            if sum > MOST {
                let message = format!("{sum} {what}s are too many: {MOST} is the most");
                self.help(path(what), message, "lower a `count`");
            }
        }
        !self.errors.is_empty()
    }

    /// Resolves the jobs of a grid or a coalition, and where they may run.
    fn jobs_on_clusters(&mut self, all_are_named: bool) {
        self.check_schedulers();
        self.check_planner();
        self.check_speeds();
        self.check_grid_scheduler();
        let clusters_are_known = self.errors.is_empty();
        if all_are_named {
            self.workloads();
        }
        if clusters_are_known {
            self.uses();
            self.bind_jobs();
            self.bind_listed();
        }
        if self.errors.is_empty() {
            self.check_routes();
            self.size_by_traces();
        }
    }
}
