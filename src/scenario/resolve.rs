//! From what is written to a plan: names become numbers, files are read, and what makes no sense is
//! said with the place where it stands.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::diagnostics::{Diagnostic, MAX_DIAGNOSTICS, Severity, nearest, show};
use super::path::Path;
use super::plan::{Cluster, ClusterKind, Organization, Plan, Until, Workload, WorkloadKind};
use super::raw;
use super::tree::Node;
use crate::kernel::time::{Span, Time};
use crate::model::ids::{ClusterId, OrganizationId};
use crate::model::job::Job;
use crate::sim::accounts::Counting;
use crate::sim::clairvoyance::Clairvoyance;
use crate::sim::grid::Settings;
use crate::workload::Source as _;
use crate::workload::invalid::Invalid;
use crate::workload::jobs::{JobsError, JobsOptions, ListSource, read_jobs};
use crate::workload::owners::{Assignment, Owners, OwnersError};
use crate::workload::swf::{self, Survey, SwfSource};
use crate::workload::synthetic::{SyntheticOptions, Widths};

/// The most organizations or clusters of one scenario.
const MOST: u64 = 1_000_000;
/// The most clusters that all organizations together may use.
const MOST_USES: u64 = 20_000_000;

/// Makes a plan of a scenario, or says all that is wrong with it. The diagnostics of a plan that
/// was made are warnings.
///
/// # Errors
/// What is wrong, in the order in which it was found.
pub fn resolve(
    raw: &raw::Scenario,
    tree: &Node,
    folder: &FilePath,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut resolver = Resolver {
        raw,
        tree,
        folder,
        errors: Vec::new(),
        told: FxHashSet::default(),
        warnings: Vec::new(),
        organizations: Vec::new(),
        clusters: Vec::new(),
        workloads: Vec::new(),
        places: Vec::new(),
        by_name: BTreeMap::new(),
        cluster_by_name: BTreeMap::new(),
        surveys: BTreeMap::new(),
    };
    if resolver.too_many() {
        return Err(resolver.errors);
    }
    resolver.names();
    resolver.clusters();
    resolver.check_schedulers();
    if resolver.errors.is_empty() {
        resolver.workloads();
        resolver.uses();
    }
    let until = resolver.until();
    if resolver.errors.is_empty() {
        resolver.check_sizes();
        resolver.check_end(until);
    }
    let counting = resolver.counting(until);
    if !resolver.errors.is_empty() {
        return Err(resolver.errors);
    }
    let settings = Settings {
        clairvoyance: raw.run.clairvoyance,
        phase_order: raw.run.phase_order,
        most_jobs: match until {
            Until::Jobs(most) => Some(most),
            Until::Drained | Until::Time(_) => None,
        },
    };
    let digest = digest(raw, &resolver.workloads);
    let plan = Plan {
        name: raw.name.clone(),
        seed: raw.seed,
        until,
        replications: raw.run.replications,
        settings,
        counting,
        output: raw.output.clone(),
        organizations: resolver.organizations,
        clusters: resolver.clusters,
        workloads: resolver.workloads,
        digest,
    };
    Ok((plan, resolver.warnings))
}

/// The scenario with its defaults, but for the seed, and the content of its workloads.
fn digest(raw: &raw::Scenario, workloads: &[Workload]) -> String {
    let unseeded = raw::Scenario { seed: 0, ..raw.clone() };
    let text = serde_json::to_string(&unseeded).expect("a scenario has only plain keys");
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    for workload in workloads {
        hasher.update(workload.digest().unwrap_or_default().as_bytes());
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
    folder: &'a FilePath,
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
    /// A trace that several organizations bring is surveyed once.
    surveys: BTreeMap<String, Arc<Survey>>,
}

fn path(text: &str) -> Path {
    text.parse().expect("the paths in this file are written well")
}

fn organization(index: usize) -> Path {
    Path::root().key("organization").index(index)
}

/// The names that an entry with a count stands for.
fn numbered(name: &str, count: u32) -> impl Iterator<Item = String> {
    (1..=count).map(move |n| if count == 1 { name.to_owned() } else { format!("{name}-{n}") })
}

/// Jobs that need more processors than any cluster they may use.
struct TooLarge {
    /// The number of the first; none where all are alike.
    number: Option<u64>,
    /// The first.
    job: Job,
    /// The processors of the largest cluster it may use.
    largest: u32,
    /// How many more there are.
    others: u64,
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
        let near = match what {
            // Every look takes time in proportion to the names; a few show what is wrong.
            _ if self.errors.len() >= MAX_DIAGNOSTICS => Vec::new(),
            "cluster" => nearest(name, self.cluster_by_name.keys().map(String::as_str)),
            _ => nearest(name, self.by_name.keys().map(String::as_str)),
        };
        let help = near.first().map(|near| format!("did you mean `{}`?", show(near)));
        self.tell(at, format!("there is no {what} called `{}`", show(name)), |mut wrong| {
            wrong.help.extend(help);
            wrong
        });
    }

    /// Says what is wrong with a file that a scenario names.
    fn wrong_file(&mut self, at: Path, message: impl Into<String>, unreadable: bool) {
        self.tell(at, message, |wrong| {
            if unreadable {
                wrong.by_system().help("paths are relative to the scenario file")
            } else {
                wrong
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
        let name = &self.raw.name;
        let plain = |c: char| c.is_alphanumeric() || " -_.,:+()".contains(c);
        if name.trim().is_empty() || !name.chars().all(plain) || name.starts_with('.') {
            self.help(
                path("name"),
                "a scenario's name also names its results directory",
                "use letters, digits, blanks and any of `-_.,:+()`, and begin with none of `.`",
            );
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

    /// A name stands in CSV files and in tables, where `*` means the whole grid.
    fn check_name(&mut self, name: &str, at: &Path) {
        let trouble = |c: char| c.is_control() || c == '"' || c == ',';
        if name.trim() != name || name.is_empty() || name == "*" || name.contains(trouble) {
            self.help(
                at.clone(),
                format!("`{}` is no name", show(name)),
                "use letters, digits and signs, but no comma, quote, line break or blank at an \
                 end, and not `*` alone",
            );
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
            raw::ClusterKind::TimeShared {} => ClusterKind::TimeShared,
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

    fn workloads(&mut self) {
        if let Some(workload) = &self.raw.workload {
            self.grid_workload(workload);
        }
        let names = self.organization_names();
        let mut id = 0;
        for (index, written) in self.raw.organization.iter().enumerate() {
            for _ in 0..written.count {
                if let Some(workload) = &written.workload {
                    let at = organization(index).key("workload");
                    self.own_workload(OrganizationId(id), workload, at, &names);
                }
                id += 1;
            }
        }
        self.explicit_jobs();
        if self.workloads.is_empty() && self.errors.is_empty() {
            self.help(
                Path::root(),
                "no jobs arrive",
                "give an organization jobs: `workload.swf = { file = \"trace.swf.gz\" }` or \
                 `workload.synthetic = { arrivals.poisson = { rate = 0.2 }, \
                 size.exponential = { mean = 4.0 } }`, or write `[[job]]` rows",
            );
        }
    }

    fn organization_names(&self) -> Vec<String> {
        self.organizations.iter().map(|organization| organization.name.clone()).collect()
    }

    fn add_workload(&mut self, name: &str, kind: WorkloadKind, at: Path) {
        self.workloads.push(Workload { name: name.to_owned(), kind });
        self.places.push(at);
    }

    /// A name for a workload that no organization brings by itself. The others have the names of
    /// their organizations, and records tell workloads apart by name.
    fn shared_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.by_name.contains_key(&name) {
            name.push_str("-workload");
        }
        name
    }

    fn grid_workload(&mut self, workload: &raw::GridWorkload) {
        let at = path("workload");
        match workload {
            raw::GridWorkload::Jobs(jobs) => {
                let names = self.organization_names();
                let name = self.shared_name("grid");
                self.jobs_file(&name, jobs, None, at.key("jobs").key("file"), &names);
            }
            raw::GridWorkload::Swf(shared) => {
                let at = at.key("swf");
                let Some(survey) = self.survey(&shared.file, &shared.import, &at) else {
                    return;
                };
                let mut owners = shared.owners.clone();
                if let Owners::File { path } = &mut owners {
                    *path = self.folder.join(&*path);
                }
                let base = OrganizationId(self.organizations.len() as u32);
                match owners.assign(&survey, "") {
                    Err(OwnersError::Options(invalid)) => self.invalid(at.key("owners"), &invalid),
                    Err(error) => {
                        let unreadable = matches!(
                            &error,
                            OwnersError::Read { error, .. } if error.is_io_error()
                        );
                        let at = at.key("owners").key("file").key("path");
                        self.wrong_file(at, error.to_string(), unreadable);
                    }
                    Ok(assignment) => {
                        for name in assignment.names() {
                            self.add_organization(name.clone(), at.clone().key("owners"));
                        }
                        let kind = WorkloadKind::Swf { survey, assignment, base };
                        let name = self.shared_name("grid");
                        self.add_workload(&name, kind, at);
                    }
                }
            }
        }
    }

    fn own_workload(
        &mut self,
        id: OrganizationId,
        workload: &raw::Workload,
        at: Path,
        names: &[String],
    ) {
        let name = names[id.index()].clone();
        match workload {
            raw::Workload::Swf(written) => {
                let at = at.key("swf");
                if let Some(survey) = self.survey(&written.file, &written.import, &at) {
                    let assignment = Assignment::one(&name);
                    self.add_workload(
                        &name,
                        WorkloadKind::Swf { survey, assignment, base: id },
                        at,
                    );
                }
            }
            raw::Workload::Jobs(jobs) => {
                self.jobs_file(&name, jobs, Some(id), at.key("jobs").key("file"), names);
            }
            raw::Workload::Synthetic(options) => {
                let at = at.key("synthetic");
                match options.validate() {
                    Err(invalid) => self.invalid(at, &invalid),
                    Ok(()) if options.jobs == Some(0) => {
                        self.wrong(at.key("jobs"), "0 jobs leave nothing to run; give at least 1");
                    }
                    Ok(()) => {
                        self.add_workload(&name, WorkloadKind::Synthetic(*options, id), at);
                    }
                }
            }
        }
    }

    fn survey(
        &mut self,
        file: &FilePath,
        options: &swf::Options,
        at: &Path,
    ) -> Option<Arc<Survey>> {
        let file: PathBuf = self.folder.join(file);
        if let Err(invalid) = options.validate() {
            self.invalid(at.clone().key("import"), &invalid);
            return None;
        }
        let key = format!("{} {options:?}", file.display());
        if let Some(known) = self.surveys.get(&key) {
            return Some(Arc::clone(known));
        }
        match swf::survey(&file, options) {
            Ok(survey) if survey.jobs == 0 && survey.ledger.read == 0 => {
                self.wrong(at.clone().key("file"), "there are no jobs in this trace");
                None
            }
            Ok(survey) if survey.jobs == 0 => {
                let dropped = survey.ledger.dropped();
                self.help(
                    at.clone().key("file"),
                    format!("no job of this trace is left after {dropped} were dropped"),
                    "loosen the rules and selections of `import`",
                );
                None
            }
            Ok(survey) => {
                let survey = Arc::new(survey);
                self.surveys.insert(key, Arc::clone(&survey));
                Some(survey)
            }
            Err(error) => {
                let at = at.clone().key("file");
                self.wrong_file(at, error.to_string(), error.is_unreadable());
                None
            }
        }
    }

    fn jobs_file(
        &mut self,
        name: &str,
        jobs: &raw::JobsFile,
        owner: Option<OrganizationId>,
        at: Path,
        names: &[String],
    ) {
        let source = self.workloads.len() as u32;
        let options = JobsOptions { source, organizations: names, owner };
        match read_jobs(&self.folder.join(&jobs.file), options) {
            Err(error) => {
                let unreadable =
                    matches!(&error, JobsError::Read { error, .. } if error.is_io_error());
                self.wrong_file(at, error.to_string(), unreadable);
            }
            Ok(jobs) if jobs.is_empty() => {
                self.wrong(at, "there are no jobs in this file");
            }
            Ok(jobs) => self.add_workload(name, WorkloadKind::List(ListSource::new(jobs)), at),
        }
    }

    fn explicit_jobs(&mut self) {
        let source = self.workloads.len() as u32;
        let mut jobs = Vec::new();
        for (index, written) in self.raw.job.iter().enumerate() {
            let at = Path::root().key("job").index(index);
            let owner =
                self.known_organization(&written.organization, at.clone().key("organization"));
            let mut time = |key: &str, units: f64| match Span::from_units(units) {
                Ok(span) => span,
                Err(error) => {
                    self.wrong(at.clone().key(key), error.to_string());
                    Span::ZERO
                }
            };
            let submit = Time::ZERO + time("submit", written.submit);
            let runtime = time("runtime", written.runtime);
            let estimate = written.estimate.map_or(runtime, |units| time("estimate", units));
            if written.processors == 0 {
                self.wrong(at.key("processors"), "a job needs at least 1 processor");
            }
            let Some(organization) = owner else { continue };
            jobs.push(Job {
                number: index as u64 + 1,
                source,
                submit,
                runtime,
                estimate,
                processors: written.processors,
                user: written.user,
                organization,
            });
        }
        if !jobs.is_empty() {
            let name = self.shared_name("jobs");
            self.add_workload(&name, WorkloadKind::List(ListSource::new(jobs)), path("job"));
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
            self.wrong(at, "jobs that may use no cluster cannot run");
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

    fn until(&mut self) -> Until {
        match self.raw.run.until {
            raw::Until::Drained {} => Until::Drained,
            raw::Until::Jobs(0) => {
                self.wrong(path("run.until.jobs"), "a run of no jobs shows nothing");
                Until::Jobs(1)
            }
            raw::Until::Jobs(jobs) => Until::Jobs(jobs),
            raw::Until::Time(units) => match Time::from_units(units) {
                Ok(Time::ZERO) => {
                    self.wrong(path("run.until.time"), "a run of no time shows nothing");
                    Until::Drained
                }
                Ok(time) => Until::Time(time),
                Err(error) => {
                    self.wrong(path("run.until.time"), error.to_string());
                    Until::Drained
                }
            },
        }
    }

    /// The largest job that an organization can run.
    fn largest(&self, organization: OrganizationId) -> u32 {
        let uses = &self.organizations[organization.index()].uses;
        uses.iter().map(|id| self.clusters[id.index()].processors()).max().unwrap_or(0)
    }

    /// A job that can never run is an error where it can be known, unless it is to be rejected.
    fn check_sizes(&mut self) {
        for index in 0..self.workloads.len() {
            if self.told.contains(&self.places[index]) {
                continue;
            }
            let Some(TooLarge { number, job, largest, others }) = self.never_runs(index) else {
                continue;
            };
            let which = number.map_or("every job".to_owned(), |number| format!("job {number}"));
            let owner = &self.organizations[job.organization.index()].name;
            let needs = format!(
                "{which} of `{}` needs {} processors, but the largest cluster it may use has \
                 {largest}{}",
                show(owner),
                job.processors,
                match others {
                    0 => String::new(),
                    1 => "; 1 more job can never run".to_owned(),
                    more => format!("; {more} more jobs can never run"),
                }
            );
            let at = self.place_of(index, number);
            if self.raw.run.never_runs == raw::NeverRuns::Error {
                self.help(
                    at,
                    needs,
                    "give it a larger cluster, or set `run.never_runs = \"reject\"` to count such \
                     jobs as rejected",
                );
                self.told.insert(self.places[index].clone());
            } else if self.told.insert(self.places[index].clone()) {
                let mut warning = Diagnostic::at_path(self.tree, &at, needs);
                warning.severity = Severity::Warning;
                self.warnings
                    .push(warning.note("such jobs are rejected, as `run.never_runs` says"));
            }
        }
    }

    /// Where the processors of a job stand.
    fn place_of(&self, workload: usize, number: Option<u64>) -> Path {
        let at = self.places[workload].clone();
        match (&self.workloads[workload].kind, number) {
            (WorkloadKind::Synthetic(..), _) => at.key("processors").key("constant"),
            (WorkloadKind::Swf { .. }, _) => at.key("file"),
            (WorkloadKind::List(_), Some(number)) if at == path("job") => {
                at.index(number as usize - 1).key("processors")
            }
            (WorkloadKind::List(_), _) => at,
        }
    }

    /// What a workload has of jobs that can never run.
    fn never_runs(&self, index: usize) -> Option<TooLarge> {
        let mut found: Option<TooLarge> = None;
        let mut look = |number: Option<u64>, job: Job| {
            let largest = self.largest(job.organization);
            if job.processors > largest {
                match &mut found {
                    None => found = Some(TooLarge { number, job, largest, others: 0 }),
                    Some(found) => found.others += 1,
                }
            }
        };
        match &self.workloads[index].kind {
            WorkloadKind::List(list) => {
                list.jobs().iter().for_each(|&job| look(Some(job.number), job));
            }
            WorkloadKind::Synthetic(SyntheticOptions { processors, .. }, organization) => {
                let Widths::Constant(processors) = *processors;
                look(
                    None,
                    Job {
                        number: 0,
                        source: index as u32,
                        submit: Time::ZERO,
                        runtime: Span::ZERO,
                        estimate: Span::ZERO,
                        processors,
                        user: 0,
                        organization: *organization,
                    },
                );
            }
            WorkloadKind::Swf { survey, assignment, base } => {
                let organizations = assignment.names().len() as u32;
                let smallest = (base.0..base.0 + organizations)
                    .map(|id| self.largest(OrganizationId(id)))
                    .min()
                    .unwrap_or(0);
                if survey.max_processors > smallest {
                    let mut source = SwfSource::new(survey, assignment.clone(), 0, *base);
                    while let Ok(Some(job)) = source.next() {
                        look(Some(job.number), job);
                    }
                }
            }
        }
        found
    }

    fn check_end(&mut self, until: Until) {
        if until != Until::Drained {
            return;
        }
        for index in 0..self.workloads.len() {
            if let WorkloadKind::Synthetic(options, _) = &self.workloads[index].kind
                && options.jobs.is_none()
                && options.until.is_none()
            {
                let name = self.workloads[index].name.clone();
                self.help(
                    self.places[index].clone(),
                    format!("the jobs of `{name}` never end, so the run would not either"),
                    "end the run with `run.until.time` or `run.until.jobs`, \
                     or the workload with `jobs = ...` or `until = ...`",
                );
                return;
            }
        }
    }

    fn counting(&mut self, until: Until) -> Counting {
        let output = &self.raw.output;
        let mut span = |key: &str, units: f64| match Span::from_units(units) {
            Ok(span) => span,
            Err(error) => {
                self.wrong(path("output").key(key), error.to_string());
                Span::ZERO
            }
        };
        let warm_up = span("warm_up", output.warm_up);
        let cool_down = span("cool_down", output.cool_down);
        let tau = span("tau", output.tau);
        let from = Time::ZERO + warm_up;
        let mut counting = Counting { from, until: Time::NEVER, tau, quantiles: output.histograms };
        let known_end = match until {
            Until::Time(end) => Some(end),
            Until::Drained | Until::Jobs(_) => self.last_submit(),
        };
        if cool_down > Span::ZERO {
            match known_end.filter(|_| !self.is_cut_short(until)) {
                Some(end) => counting.until = end - cool_down,
                None => self.help(
                    path("output.cool_down"),
                    "it is not known beforehand when these jobs end",
                    "end the run with `run.until.time`",
                ),
            }
        }
        // A run that stops at a time takes nothing in at that time; a list ends with a submission.
        let end = known_end.map_or(counting.until, |end| end.min(counting.until));
        let whole = cool_down == Span::ZERO && matches!(until, Until::Drained | Until::Jobs(_));
        if (end < from || end == from && !whole) && self.errors.is_empty() {
            let key = if warm_up > Span::ZERO { "warm_up" } else { "cool_down" };
            let at = path("output").key(key);
            let help = format!("what counts would last from {from} to {end}");
            self.help(at, "warm-up and cool-down leave no job to be counted", help);
        }
        counting
    }

    /// May the run end with a job before the last one of its workloads?
    fn is_cut_short(&self, until: Until) -> bool {
        let all: Option<u64> = self.workloads.iter().map(Workload::jobs).sum();
        matches!(until, Until::Jobs(most) if all.is_none_or(|all| all > most))
    }

    /// The last submission of all workloads, where it is known.
    fn last_submit(&self) -> Option<Time> {
        let last = self.workloads.iter().map(|workload| match &workload.kind {
            WorkloadKind::Swf { survey, .. } => survey.last_submit,
            WorkloadKind::List(list) => list.jobs().iter().map(|job| job.submit).max(),
            WorkloadKind::Synthetic(..) => None,
        });
        last.collect::<Option<Vec<Time>>>()?.into_iter().max()
    }
}
