//! Resolves a scenario into a plan: names become numbers, files are read, and mistakes are reported
//! with their place.

mod campaign;
mod checks;
mod choices;
mod clusters;
mod coalition;
mod digest;
pub(super) mod game;
mod grid;
mod listed;
mod machines;
mod mistakes;
mod named_files;
mod names;
mod partitions;
mod precision;
mod until;
mod workloads;

use kernel::map::Map;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::diagnostics::Diagnostic;
use super::files::Files;
use super::path::Path;
use super::plan::{Cluster, Organization, Plan, Until, Workload, World};
use super::raw;
use super::root::Root;
use super::tree::Node;
use digest::digest;
use findings::target::{By, Precision};
use listed::ListedUses;
use machines::ByTrace;
use mistakes::Mistakes;
use model::ids::{ClusterId, OrganizationId, Uses};
pub use names::name_trouble;
use names::{numbered, title_trouble};
use policy::grid::GridOptions;
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
        files,
        mistakes: Mistakes::new(tree, Root::Grid),
        organizations: Vec::new(),
        clusters: Vec::new(),
        shares: Vec::new(),
        workloads: Vec::new(),
        places: Vec::new(),
        by_name: Map::new(),
        cluster_by_name: Map::new(),
        surveys: Map::new(),
        by_trace: Vec::new(),
        lists: Vec::new(),
        listed: Vec::new(),
        sizes: Vec::new(),
        imports: Vec::new(),
    };
    if resolver.too_many() {
        return Err(resolver.mistakes.errors);
    }
    resolver.names();
    let all_are_named = resolver.errors.is_empty();
    resolver.clusters();
    let campaign = match resolver.root {
        Root::Campaign => resolver.campaign(),
        _ => {
            resolver.jobs_on_clusters(all_are_named);
            None
        }
    };
    let precision = resolver.precision();
    let until = resolver.until(precision.as_ref());
    resolver.belonging_elsewhere();
    let coalition = raw.coalition.as_ref().filter(|_| resolver.root.has_rounds());
    let coalition = coalition.and_then(|written| resolver.coalition(written, until));
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
        return Err(resolver.mistakes.errors);
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
    let mut grid_scheduler = raw.grid_scheduler.clone();
    let command = grid_scheduler.as_mut().and_then(GridOptions::command);
    resolver.place_command(files, &path("grid_scheduler"), command);
    let plan = Plan {
        name: raw.name.clone(),
        changes: Vec::new(),
        seed: raw.seed,
        until,
        goes_on: match raw.run.until {
            raw::Until::GoesOn(probability) => Some(probability),
            _ => None,
        },
        replications: replications(raw, precision.as_ref()),
        precision,
        settings,
        counting,
        found,
        output: raw::Output { jobs: Some(raw.writes_jobs()), ..raw.output.clone() },
        organizations: resolver.organizations,
        clusters: resolver.clusters,
        grid_scheduler,
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
    Ok((plan, resolver.mistakes.warnings))
}

struct Resolver<'a> {
    raw: &'a raw::Scenario,
    files: &'a Files,
    mistakes: Mistakes<'a>,
    organizations: Vec<Organization>,
    clusters: Vec<Cluster>,
    /// By cluster: the most processors of others' jobs.
    shares: Vec<Option<u32>>,
    workloads: Vec<Workload>,
    /// Place of each workload.
    places: Vec<Path>,
    by_name: Map<String, OrganizationId>,
    cluster_by_name: Map<String, ClusterId>,
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

impl<'a> Deref for Resolver<'a> {
    type Target = Mistakes<'a>;

    fn deref(&self) -> &Mistakes<'a> {
        &self.mistakes
    }
}

impl DerefMut for Resolver<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.mistakes
    }
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
        let is_right = sums.map(|(what, sum)| {
            self.at_most(MOST, sum, &format!("{what}s"), path(what), "lower a `count`")
        });
        is_right.contains(&false)
    }

    /// Resolves the jobs of a grid or a coalition, and where they may run.
    fn jobs_on_clusters(&mut self, all_are_named: bool) {
        if matches!(self.root, Root::Grid | Root::Federation) {
            self.check_sight();
            self.check_planner();
            self.check_speeds();
            self.check_guests();
            self.check_grid_scheduler();
        }
        let clusters_are_known = self.errors.is_empty();
        if all_are_named {
            self.workloads();
            self.check_coalitions();
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
