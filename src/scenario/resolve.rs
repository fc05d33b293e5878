//! From what is written to a plan: names become numbers, files are read, and what makes no sense is
//! said with the place where it stands.

mod checks;
mod coalition;
pub(super) mod game;
mod precision;
mod workloads;

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::diagnostics::{Diagnostic, MAX_DIAGNOSTICS, all_of, nearest, show};
use super::files::{Files, similar};
use super::path::Path;
use super::plan::precision::{By, Precision};
use super::plan::{Cluster, ClusterKind, Organization, Plan, Until, Workload, WorkloadKind};
use super::raw;
use super::tree::Node;
use crate::kernel::time::Time;
use crate::model::ids::{ClusterId, OrganizationId};
use crate::sim::clairvoyance::Clairvoyance;
use crate::sim::grid::Settings;
use crate::workload::invalid::Invalid;
use crate::workload::owners::Owners;
use crate::workload::swf::Survey;

/// The most organizations or clusters of one scenario.
const MOST: u64 = 1_000_000;
/// The most clusters that all organizations together may use.
const MOST_USES: u64 = 20_000_000;

/// Names that pandas reads as missing values, wherever they stand in a CSV file; R does so of `NA`.
const MISSING: [&str; 18] = [
    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>",
    "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];
/// The most names among which those are sought that were perhaps meant.
const MOST_NAMES: usize = 400_000;

/// Makes a plan of a scenario, or says all that is wrong with it. The diagnostics of a plan that
/// was made are warnings.
///
/// # Errors
/// What is wrong, in the order in which it was found.
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
        warnings: Vec::new(),
        organizations: Vec::new(),
        clusters: Vec::new(),
        workloads: Vec::new(),
        places: Vec::new(),
        by_name: BTreeMap::new(),
        cluster_by_name: BTreeMap::new(),
        looked_at: 0,
        surveys: BTreeMap::new(),
    };
    if resolver.too_many() {
        return Err(resolver.errors);
    }
    resolver.names();
    let all_are_named = resolver.errors.is_empty();
    resolver.clusters();
    resolver.check_schedulers();
    let clusters_are_known = resolver.errors.is_empty();
    if all_are_named {
        resolver.workloads();
    }
    if clusters_are_known {
        resolver.uses();
    }
    let precision = resolver.precision();
    let until = resolver.until(precision.as_ref());
    let coalition = resolver.coalition(until);
    if resolver.errors.is_empty() {
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
    let lineage = digest(&raw::Scenario { run, ..raw.clone() }, &resolver.workloads);
    let digest = digest(raw, &resolver.workloads);
    let plan = Plan {
        name: raw.name.clone(),
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
        workloads: resolver.workloads,
        coalition,
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

/// The scenario with its defaults, but for the seed, and the content of its workloads.
fn digest(raw: &raw::Scenario, workloads: &[Workload]) -> String {
    let output = raw::Output { jobs: Some(raw.writes_jobs()), ..raw.output.clone() };
    let unseeded = raw::Scenario { seed: 0, output, ..raw.clone() };
    let text = serde_json::to_string(&unseeded).expect("a scenario has only plain keys");
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    for workload in workloads {
        hasher.update(workload.digest().unwrap_or_default().as_bytes());
        if let Some(drawn) = workload.kind.drawn() {
            // The scenario names only the files that are drawn from.
            hasher.update(drawn.digest().unwrap_or_default().as_bytes());
        }
    }
    if let Some(raw::GridWorkload::Swf(raw::SharedSwf { owners: Owners::File { .. }, .. })) =
        &raw.workload
        && let Some(WorkloadKind::Swf { survey, assignment, .. }) =
            workloads.first().map(|w| &w.kind)
    {
        // The scenario names only the file, and whose the jobs are stands in it.
        let owners: Vec<(u32, u32)> =
            survey.users.keys().map(|&user| (user, assignment.of(user, 0))).collect();
        let text = serde_json::to_string(&(assignment.names(), owners));
        hasher.update(text.expect("names and numbers are plain").as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

struct Resolver<'a> {
    raw: &'a raw::Scenario,
    tree: &'a Node,
    files: &'a Files,
    errors: Vec<Diagnostic>,
    /// The places where something was said already.
    told: FxHashSet<Path>,
    warnings: Vec<Diagnostic>,
    organizations: Vec<Organization>,
    clusters: Vec<Cluster>,
    workloads: Vec<Workload>,
    /// By workload, where it stands.
    places: Vec<Path>,
    by_name: BTreeMap<String, OrganizationId>,
    cluster_by_name: BTreeMap<String, ClusterId>,
    /// Names that unknown ones were compared with.
    looked_at: usize,
    /// A trace that several organizations bring is surveyed once.
    surveys: BTreeMap<String, Arc<Survey>>,
}

fn path(text: &str) -> Path {
    text.parse().expect("the paths in this file are written well")
}

/// Where it stands how long the replications for a precision are.
fn each() -> Path {
    path("run.until.precision.each")
}

/// How many replications there are at most.
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

/// The names that an entry with a count stands for.
fn numbered(name: &str, count: u32) -> impl Iterator<Item = String> {
    (1..=count).map(move |n| if count == 1 { name.to_owned() } else { format!("{name}-{n}") })
}

/// What is wrong with a file's name for itself, and what to do.
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

/// What is wrong with a name that stands in CSV files and in tables, where `*` means the whole
/// grid, and what to do.
fn name_trouble(name: &str) -> Option<(String, &'static str)> {
    let trouble = |c: char| c.is_control() || c == '"' || c == ',';
    if name.trim() != name || name.is_empty() || name == "*" || name.contains(trouble) {
        let help = "use letters, digits and signs, but no comma, quote, line break or blank at an \
                    end, and not `*` alone";
        return Some((format!("`{}` is no name", show(name)), help));
    }
    let help = "programs that read CSV files take it for a missing value; choose another";
    MISSING.contains(&name).then(|| (format!("`{name}` is no name"), help))
}

impl Resolver<'_> {
    /// Says what is wrong, once for each place: the copies of an entry with a count share its
    /// mistakes.
    fn tell(
        &mut self,
        at: Path,
        message: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let diagnostic = Diagnostic::at_path(self.tree, &at, message);
        if self.told.insert(at) {
            self.errors.push(more(diagnostic));
        }
    }

    fn wrong(&mut self, at: Path, message: impl Into<String>) {
        self.tell(at, message, |wrong| wrong);
    }

    fn help(&mut self, at: Path, message: impl Into<String>, help: impl Into<String>) {
        self.tell(at, message, |wrong| wrong.help(help));
    }

    /// Says that a name means nothing, and which was perhaps meant.
    fn unknown(&mut self, at: Path, what: &str, name: &str) {
        let names = self.by_name.len().max(self.cluster_by_name.len());
        self.looked_at += names;
        // Every look takes time in proportion to the names; a few show what is wrong.
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
        self.tell(at, format!("there is no {what} called `{}`", show(name)), |mut wrong| {
            wrong.help.extend(help);
            wrong
        });
    }

    /// A file that is named at a path, which is relative to the file where that is written.
    fn file(&self, at: &Path, named: &FilePath) -> PathBuf {
        let (node, _) = self.tree.nearest(at);
        self.files.folder(node.place.file).join(named)
    }

    /// Says what is wrong with a file that a scenario names, and where such files may be had.
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

    /// More organizations or clusters than can be, which is told before any is made.
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

    fn invalid(&mut self, at: Path, invalid: &Invalid) {
        let field = invalid.field.parse().unwrap_or_default();
        self.wrong(at.join(&field), invalid.message.clone());
    }

    fn names(&mut self) {
        if let Some((message, help)) = title_trouble(&self.raw.name) {
            self.help(path("name"), message, help);
        }
        for (index, written) in self.raw.organization.iter().enumerate() {
            if written.count == 0 {
                self.wrong(organization(index).key("count"), "there must be at least 1 of them");
            }
            for name in numbered(&written.name, written.count) {
                self.add_organization(name, organization(index).key("name"));
            }
        }
        if self.raw.run.replications == 0 {
            self.wrong(path("run.replications"), "there must be at least 1 replication");
        }
    }

    fn add_organization(&mut self, name: String, at: Path) {
        let id = OrganizationId(self.organizations.len() as u32);
        self.check_name(&name, &at);
        if self.by_name.insert(name.clone(), id).is_some() {
            let message = format!("there are two organizations called `{}`", show(&name));
            self.help(at, message, "give one of them another name");
        }
        self.organizations.push(Organization { name, uses: Vec::new() });
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
            if written.count == 0 {
                self.wrong(at.clone().key("count"), "there must be at least 1 of them");
            }
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
            self.help(
                Path::root(),
                "the grid has no cluster",
                "give an organization one: `cluster.space_shared = { processors = 64, \
                 scheduler.easy = {} }` or `cluster.time_shared = {}`",
            );
        }
    }

    fn add_cluster(
        &mut self,
        name: String,
        owner: OrganizationId,
        kind: &raw::ClusterKind,
        at: Path,
    ) {
        let kind = match kind {
            raw::ClusterKind::TimeShared(time) => {
                if time.processors == 0 {
                    let at = at.clone().key("time_shared").key("processors");
                    self.wrong(at, "a cluster has at least 1 processor");
                }
                ClusterKind::TimeShared { processors: time.processors }
            }
            raw::ClusterKind::SpaceShared(space) => {
                if space.processors == 0 {
                    let at = at.clone().key("space_shared").key("processors");
                    self.wrong(at, "a cluster has at least 1 processor");
                }
                ClusterKind::SpaceShared {
                    processors: space.processors,
                    scheduler: space.scheduler.clone(),
                    kill_at_estimate: space.kill_at_estimate,
                }
            }
        };
        let id = ClusterId(self.clusters.len() as u32);
        self.cluster_by_name.insert(name.clone(), id);
        self.clusters.push(Cluster { name, owner, kind });
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
            ClusterKind::SpaceShared { scheduler, .. } if scheduler.needs_expected() => {
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

    /// By organization, the clusters that its jobs may use: those named, else its own, else all.
    fn uses(&mut self) {
        let all: Vec<ClusterId> = (0..self.clusters.len() as u32).map(ClusterId).collect();
        let mut own = vec![Vec::new(); self.organizations.len()];
        for (cluster, &id) in self.clusters.iter().zip(&all) {
            own[cluster.owner.index()].push(id);
        }
        let named: Vec<Option<Vec<ClusterId>>> = (self.raw.organization.iter().enumerate())
            .map(|(index, written)| {
                let names = written.uses.as_ref()?;
                self.known_clusters(names, organization(index).key("uses"))
            })
            .collect();
        // Counted before lists are copied: a million organizations may name many clusters each.
        let copies = self.raw.organization.iter().zip(&named).flat_map(|(written, named)| {
            std::iter::repeat_n(named.as_deref(), written.count as usize)
        });
        // Organizations of a grid-wide workload come after those that are written.
        let mut copies: Vec<Option<&[ClusterId]>> = copies.collect();
        copies.resize(self.organizations.len(), None);
        let uses = copies.into_iter().zip(&own).map(|(named, own)| match named {
            Some(named) => named,
            None if own.is_empty() => &all[..],
            None => own,
        });
        let links = uses.clone().map(|uses| uses.len() as u64).sum::<u64>();
        if links > MOST_USES {
            self.help(
                path("organization"),
                format!(
                    "the organizations may use {links} clusters altogether, more than {MOST_USES}"
                ),
                "an organization without a cluster uses all of them: name a few with `uses`",
            );
            return;
        }
        for (organization, uses) in self.organizations.iter_mut().zip(uses) {
            organization.uses = uses.to_vec();
        }
    }

    fn known_clusters(&mut self, names: &[String], at: Path) -> Option<Vec<ClusterId>> {
        if names.is_empty() {
            self.help(
                at,
                "jobs that may use no cluster cannot run",
                "name the clusters that they may use, or leave it out: an organization may then use \
                 its own cluster, or all where it has none",
            );
            return None;
        }
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

    fn until(&mut self, precision: Option<&Precision>) -> Until {
        let at = path("run.until");
        match &self.raw.run.until {
            raw::Until::Drained {} => Until::Drained,
            raw::Until::Jobs(jobs) => self.until_jobs(at, *jobs),
            raw::Until::Rounds(rounds) => self.until_rounds(at, *rounds),
            raw::Until::Time(units) => self.until_time(at, *units),
            raw::Until::Precision(written) => match (written.each, precision) {
                (None, Some(precision)) => Until::Jobs(precision.at_most),
                (None, None) | (Some(raw::Each::Drained {}), _) => Until::Drained,
                (Some(raw::Each::Jobs(jobs)), _) => self.until_jobs(each(), jobs),
                (Some(raw::Each::Rounds(rounds)), _) => self.until_rounds(each(), rounds),
                (Some(raw::Each::Time(units)), _) => self.until_time(each(), units),
            },
        }
    }

    fn until_jobs(&mut self, at: Path, jobs: u64) -> Until {
        if jobs == 0 {
            self.wrong(at.key("jobs"), "a run of no jobs shows nothing");
        }
        Until::Jobs(jobs.max(1))
    }

    fn until_rounds(&mut self, at: Path, rounds: u64) -> Until {
        if rounds == 0 {
            self.wrong(at.key("rounds"), "a run of no rounds shows nothing");
        }
        Until::Rounds(rounds.max(1))
    }

    fn until_time(&mut self, at: Path, units: f64) -> Until {
        match Time::from_units(units) {
            Ok(Time::ZERO) => {
                self.wrong(at.key("time"), "a run of no time shows nothing");
                Until::Drained
            }
            Ok(time) => Until::Time(time),
            Err(error) => {
                self.wrong(at.key("time"), error.to_string());
                Until::Drained
            }
        }
    }
}
