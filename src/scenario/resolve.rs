//! Resolves a scenario into a plan: names become numbers, files are read, and mistakes are reported
//! with their place.

mod campaign;
mod checks;
mod coalition;
pub(super) mod game;
mod grid;
mod listed;
mod machines;
mod partitions;
mod precision;
mod until;
mod workloads;

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bounded;
use super::diagnostics::{Diagnostic, Label, MAX_DIAGNOSTICS, MAX_LABELS, all_of, nearest, show};
use super::files::{Files, Place, similar};
use super::path::Path;
use super::plan::{
    Campaign, Cluster, ClusterKind, Organization, Plan, Until, Workload, WorkloadKind, World,
};
use super::raw;
use super::root::Root;
use super::tree::Node;
use crate::findings::target::{By, Precision};
use crate::model::foreign::Foreign;
use crate::model::ids::{ClusterId, OrganizationId, Uses};
use crate::model::name::{is_control, is_formula};
use crate::model::speed::Speed;
use crate::policy::plan::Planned;
use crate::sim::clairvoyance::Clairvoyance;
use crate::sim::grid::Settings;
use crate::workload::applications::wfcommons::Ledger;
use crate::workload::invalid::Invalid;
use crate::workload::owners::Owners;
use crate::workload::swf::Survey;
use listed::ListedUses;
use machines::ByTrace;

/// Maximum number of organizations or clusters in a scenario. Each takes some 5 kB in a run: 1 GB.
const MOST: u64 = 200_000;
/// Maximum number of replications. Their results in `summary.json` take 0.7 GB of memory.
pub(super) const MOST_REPLICATIONS: u32 = 1_000_000;
/// Maximum number of clusters that all organizations together may use.
const MOST_USES: u64 = 20_000_000;

/// Names that pandas reads as missing values in a CSV file; R does so with `NA`.
const MISSING: [&str; 18] = [
    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>",
    "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];
/// Maximum number of names searched for the one that was meant.
const MOST_NAMES: usize = 400_000;

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
        by_name: BTreeMap::new(),
        cluster_by_name: BTreeMap::new(),
        looked_at: 0,
        surveys: BTreeMap::new(),
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

/// Digests the scenario with its defaults, except the seed, the contents of its workloads, and the
/// sizes of the clusters that it leaves to a trace.
fn digest(
    raw: &raw::Scenario,
    workloads: &[Workload],
    sizes: &[u32],
    campaign: Option<&Campaign>,
) -> String {
    let output = raw::Output { jobs: Some(raw.writes_jobs()), ..raw.output.clone() };
    let unseeded = raw::Scenario { seed: 0, output, ..raw.clone() };
    let text = serde_json::to_string(&unseeded).expect("a scenario has only plain keys");
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    for workload in workloads {
        hasher.update(workload.digest().unwrap_or_default().as_bytes());
        if let WorkloadKind::Swf { survey, .. } = &workload.kind {
            // That digest is without recorded waits and partitions.
            survey.blocks().iter().for_each(|block| _ = hasher.update(&block.to_le_bytes()));
        }
        if let Some(drawn) = workload.kind.drawn() {
            // The scenario contains only the names of the files that jobs are drawn from.
            hasher.update(drawn.digest().unwrap_or_default().as_bytes());
        }
    }
    if let Some(raw::GridWorkload::Swf(raw::SharedSwf { owners: Owners::File { .. }, .. })) =
        &raw.workload
        && let Some(WorkloadKind::Swf { survey, assignment, .. }) =
            workloads.first().map(|w| &w.kind)
    {
        // The scenario contains only the file's name; the owners of the jobs are in the file.
        let owners: Vec<(u32, u32)> =
            survey.users.keys().map(|&user| (user, assignment.of(user, 0))).collect();
        let text = serde_json::to_string(&(assignment.names(), owners));
        hasher.update(text.expect("names and numbers are plain").as_bytes());
    }
    if let Some(campaign) = campaign {
        // The scenario contains only the names of the files with times and workflows.
        hasher.update(campaign.applications.digest().as_bytes());
    }
    for processors in sizes {
        hasher.update(&processors.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
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
    by_name: BTreeMap<String, OrganizationId>,
    cluster_by_name: BTreeMap<String, ClusterId>,
    /// Number of names that unknown ones were compared with.
    looked_at: usize,
    /// Surveys by trace, so that a trace shared by several organizations is surveyed once.
    surveys: BTreeMap<String, Arc<Survey>>,
    /// Clusters that take their processors from a trace and do not have them yet.
    by_trace: Vec<ByTrace>,
    /// Lists of clusters that jobs name, each with the jobs' organization.
    lists: Vec<(OrganizationId, Uses)>,
    /// Rows of files that name clusters, by workload.
    listed: Vec<(usize, ListedUses)>,
    /// Processors of these clusters, in their order.
    sizes: Vec<u32>,
    /// How tasks of recorded workflows became classes, by application.
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

/// Expands an entry with a count into its names.
fn numbered(name: &str, count: u32) -> impl Iterator<Item = String> {
    (1..=count).map(move |n| if count == 1 { name.to_owned() } else { format!("{name}-{n}") })
}

/// Returns the problem and remedy if a scenario's title is not valid.
fn title_trouble(name: &str) -> Option<(&'static str, &'static str)> {
    let plain = |c: char| c.is_alphanumeric() || " -_.,:+()".contains(c);
    let has_word = name.chars().any(char::is_alphanumeric);
    let is_wrong = !has_word || !name.chars().all(plain) || name.starts_with('.');
    is_wrong.then_some((
        "a scenario's name also names its results directory",
        "use letters, digits, blanks and any of `-_.,:+()`, at least one letter or digit, and do \
         not begin with `.`",
    ))
}

/// Returns the problem and remedy if a name cannot appear in CSV files and tables. In these, `*`
/// means the whole grid. Returns `None` for a valid name.
pub fn name_trouble(name: &str) -> Option<(String, &'static str)> {
    let trouble = |c: char| is_control(c) || c == '"' || c == ',';
    if name.trim() != name || name.is_empty() || name == "*" || name.contains(trouble) {
        let help = "use letters, digits and signs, but no comma, quote, line break, blank at an end \
                    or character that is not seen, and not `*` alone";
        return Some((format!("`{}` is no name", show(name)), help));
    }
    if is_formula(name) {
        let help = "spreadsheets that open the CSV files would run it as a formula; begin with \
                    another character than `=`, `+`, `-` or `@`";
        return Some((format!("`{}` is no name", show(name)), help));
    }
    let help = "programs that read CSV files take it for a missing value; choose another";
    MISSING.contains(&name).then(|| (format!("`{name}` is no name"), help))
}

impl Resolver<'_> {
    /// Reports a mistake, once per place: the copies of an entry with a count share its mistakes, and
    /// so do the entries that one `--set` changes.
    fn tell(
        &mut self,
        at: Path,
        message: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let diagnostic = Diagnostic::at_path(self.tree, &at, message);
        let place = diagnostic.place().cloned();
        let is_new = self.shown.insert((place, diagnostic.message.clone()));
        if self.told.insert(at) && is_new {
            self.errors.push(more(diagnostic));
        }
    }

    fn wrong(&mut self, at: Path, message: impl Into<String>) {
        self.tell(at, message, |wrong| wrong);
    }

    fn help(&mut self, at: Path, message: impl Into<String>, help: impl Into<String>) {
        self.tell(at, message, |wrong| wrong.help(help));
    }

    /// Reports an unknown name, and suggests the one that was perhaps meant. A name that is written
    /// in several places is reported once, with all of them.
    fn unknown(&mut self, at: Path, what: &str, name: &str) {
        let message = format!("there is no {what} called `{}`", show(name));
        if let Some(&index) = self.unknown.get(&message) {
            let place = Diagnostic::at_path(self.tree, &at, "").place().cloned();
            let known = &mut self.errors[index];
            if let Some(place) = place
                && self.told.insert(at)
                && known.labels.iter().all(|label| label.place != place)
                && known.labels.len() < MAX_LABELS
            {
                known.labels.push(Label { place, text: "and here".to_owned(), primary: false });
            }
            return;
        }
        let names = self.by_name.len().max(self.cluster_by_name.len());
        self.looked_at += names;
        // Each search takes time proportional to the number of names; a few suggestions are enough.
        let enough = self.errors.len() >= MAX_DIAGNOSTICS || self.looked_at > MOST_NAMES;
        let known: Vec<&str> = match what {
            _ if enough => Vec::new(),
            "cluster" => self.cluster_by_name.keys().map(String::as_str).collect(),
            _ => self.by_name.keys().map(String::as_str).collect(),
        };
        let near = nearest(name, known.iter().copied());
        let help = match near.first() {
            Some(near) => Some(format!("did you mean `{}`?", show(near))),
            None => all_of(what, &known),
        };
        let index = self.errors.len();
        self.tell(at, message.clone(), |mut wrong| {
            wrong.help.extend(help);
            wrong
        });
        if self.errors.len() > index {
            self.unknown.insert(message, index);
        }
    }

    /// Returns the file named at a path, relative to the file in which that is written.
    fn file(&self, at: &Path, named: &FilePath) -> PathBuf {
        let (node, _) = self.tree.nearest(at);
        self.files.folder(node.place.file).join(named)
    }

    /// Reports a problem with a file that the scenario names, and where such files can be found.
    fn wrong_file(
        &mut self,
        at: Path,
        file: &FilePath,
        message: String,
        unreadable: bool,
        source: Option<&str>,
    ) {
        let written = self.tree.nearest(&at).0.place.file;
        let relative = self.files.relative(written);
        self.tell(at, message, |wrong| {
            if !unreadable {
                return wrong;
            }
            let wrong = wrong.by_system();
            match similar(file) {
                Some(similar) => wrong.help(similar),
                None => source.into_iter().fold(wrong.help(relative), Diagnostic::help),
            }
        });
    }

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

    /// Reports two values that contradict each other.
    fn contradiction(
        &mut self,
        at: Path,
        message: impl Into<String>,
        other: &Path,
        help: impl Into<String>,
    ) {
        let place = Diagnostic::at_path(self.tree, other, "").place().cloned();
        self.tell(at, message, |wrong| match place {
            Some(place) => wrong.also(place, "this contradicts it").help(help),
            None => wrong.help(help),
        });
    }

    fn invalid(&mut self, at: Path, invalid: &Invalid) {
        let field = invalid.field.parse().unwrap_or_default();
        self.wrong(at.join(&field), invalid.message.clone());
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

    fn names(&mut self) {
        if let Some((message, help)) = title_trouble(&self.raw.name) {
            self.help(path("name"), message, help);
        }
        for (index, written) in self.raw.organization.iter().enumerate() {
            for name in numbered(&written.name, written.count) {
                self.add_organization(name, organization(index).key("name"));
            }
        }
    }

    fn add_organization(&mut self, name: String, at: Path) {
        let id = OrganizationId(self.organizations.len() as u32);
        self.check_name(&name, &at);
        if self.by_name.insert(name.clone(), id).is_some() {
            let message = format!("there are two organizations called `{}`", show(&name));
            self.help(at, message, "give one of them another name");
        }
        self.organizations.push(Organization { name, ..Organization::default() });
    }

    fn check_name(&mut self, name: &str, at: &Path) {
        if let Some((message, help)) = name_trouble(name) {
            self.help(at.clone(), message, help);
        }
    }

    fn clusters(&mut self) {
        let mut id = 0;
        for (index, written) in self.raw.organization.iter().enumerate() {
            for _ in 0..written.count {
                if let Some(kind) = &written.cluster {
                    let name = self.organizations[id as usize].name.clone();
                    let at = organization(index).key("cluster");
                    self.add_cluster(name, OrganizationId(id), kind, at);
                }
                id += 1;
            }
        }
        for (index, written) in self.raw.cluster.iter().enumerate() {
            let at = Path::root().key("cluster").index(index);
            let Some(owner) = self.known_organization(&written.owner, at.clone().key("owner"))
            else {
                continue;
            };
            for name in numbered(&written.name, written.count) {
                self.check_name(&name, &at.clone().key("name"));
                if self.cluster_by_name.contains_key(&name) {
                    let message = format!("there are two clusters called `{}`", show(&name));
                    let help = "an organization's own cluster has the organization's name";
                    self.help(at.clone().key("name"), message, help);
                }
                self.add_cluster(name, owner, &written.kind, at.clone().key("kind"));
            }
        }
        if self.clusters.is_empty() && self.errors.is_empty() {
            if self.raw.is_campaign() {
                return self.no_sites();
            }
            let help = match self.filler() {
                Some(_) => "give an organization one: `cluster.space_shared = { processors = 64 }`",
                None => {
                    "give an organization one: `cluster.space_shared = { processors = 64, \
                     scheduler.easy = {} }` or `cluster.time_shared = {}`"
                }
            };
            self.help(Path::root(), "the grid has no cluster", help);
        }
    }

    fn add_cluster(
        &mut self,
        name: String,
        owner: OrganizationId,
        kind: &raw::ClusterKind,
        at: Path,
    ) {
        let foreign = match kind {
            raw::ClusterKind::SpaceShared(space) => space.foreign,
            raw::ClusterKind::TimeShared(_) | raw::ClusterKind::Site(_) => Foreign::default(),
        };
        let kind = match kind {
            raw::ClusterKind::TimeShared(time) => {
                let at = at.key("time_shared").key("processors");
                ClusterKind::TimeShared { processors: self.processors(time.processors, at) }
            }
            // What it has and costs is the campaign's.
            raw::ClusterKind::Site(site) => ClusterKind::SpaceShared {
                processors: site.processors,
                scheduler: None,
                kill_at_estimate: false,
                speed: Speed::new(site.speed).unwrap_or_default(),
            },
            raw::ClusterKind::SpaceShared(space) => {
                let at = at.key("space_shared").key("processors");
                ClusterKind::SpaceShared {
                    speed: Speed::new(space.speed).unwrap_or_default(),
                    processors: self.processors(space.processors, at),
                    scheduler: space.scheduler.clone(),
                    kill_at_estimate: space.kill_at_estimate,
                }
            }
        };
        let id = ClusterId(self.clusters.len() as u32);
        self.cluster_by_name.insert(name.clone(), id);
        self.clusters.push(Cluster { name, owner, kind, foreign });
    }

    fn known_organization(&mut self, name: &str, at: Path) -> Option<OrganizationId> {
        if let Some(&id) = self.by_name.get(name) {
            return Some(id);
        }
        self.unknown(at, "organization", name);
        None
    }

    fn check_schedulers(&mut self) {
        if self.raw.run.clairvoyance != Clairvoyance::None {
            return;
        }
        let blind = self.clusters.iter().find_map(|cluster| match &cluster.kind {
            ClusterKind::SpaceShared { scheduler: Some(scheduler), .. }
                if scheduler.needs_expected() =>
            {
                Some((cluster.name.clone(), scheduler.name()))
            }
            _ => None,
        });
        if let Some((cluster, scheduler)) = blind {
            self.help(
                path("run.clairvoyance"),
                format!(
                    "the scheduler `{scheduler}` of cluster `{cluster}` needs expected runtimes, \
                     and this run gives none"
                ),
                "set `run.clairvoyance` to `estimate`, `predicted` or `runtime`, \
                 or use `fcfs` or `list`",
            );
        }
    }

    fn known_clusters(&mut self, names: &[String], at: Path) -> Option<Vec<ClusterId>> {
        let mut ids = Vec::new();
        let mut named = FxHashSet::default();
        for (index, name) in names.iter().enumerate() {
            let at = at.clone().index(index);
            match self.cluster_by_name.get(name) {
                Some(&id) if named.insert(id) => ids.push(id),
                Some(_) => self.wrong(at, format!("`{}` is named twice", show(name))),
                None => self.unknown(at, "cluster", name),
            }
        }
        Some(ids)
    }
}
