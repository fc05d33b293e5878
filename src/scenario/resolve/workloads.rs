//! Resolves the sources of jobs: surveys traces, reads lists, and assigns owners.

use std::ops::Range;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use super::listed::ListedUses;
use super::{Resolver, organization, path};
use crate::diagnostics::show;
use crate::drawn::Drawn;
use crate::path::Path;
use crate::plan::{Workload, WorkloadKind};
use crate::raw;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::ids::OrganizationId;
use model::job::Job;
use workload::jobs::{About, JobsOptions, ListSource, read_jobs};
use workload::lublin_feitelson::{LublinFeitelsonOptions, Model};
use workload::owners::{Assignment, Owners, OwnersError};
use workload::sacct;
use workload::swf::{self, Survey};
use workload::synthetic::{SyntheticModel, SyntheticOptions};
use workload::values::ValuesError;

/// Remedy for a missing trace.
const NO_TRACE: &str = "traces of real machines are in the Parallel Workloads Archive, \
    https://www.cs.huji.ac.il/labs/parallel/workload/";
/// Maximum number of jobs written one by one. Each takes some 80 bytes.
const MOST_JOBS: u64 = 20_000_000;
/// Placeholder owner of listed jobs without an organization, until their owner is known.
const NOBODY: OrganizationId = OrganizationId(u32::MAX);

/// Where a checkout of the project, in which the program runs, has a trace of this name.
fn in_the_project(file: &FilePath) -> Option<String> {
    let here = FilePath::new("scenarios/traces").join(file.file_name()?);
    here.is_file().then(|| format!("a trace of this name is here: `{}`", here.display()))
}

impl Resolver<'_> {
    pub(super) fn workloads(&mut self) {
        if let Some(workload) = &self.raw.workload {
            self.grid_workload(workload);
        }
        let mut first = 0;
        for (index, written) in self.raw.organization.iter().enumerate() {
            let copies = first..first + written.count;
            first = copies.end;
            if let Some(workload) = &written.workload {
                self.own_workloads(copies, workload, organization(index).key("workload"));
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

    fn add_workload(&mut self, name: &str, kind: WorkloadKind, at: Path) {
        self.workloads.push(Workload { name: name.to_owned(), kind });
        self.places.push(at);
    }

    /// Returns a name for a workload that no single organization brings. Other workloads have the
    /// names of their organizations, and records tell workloads apart by name.
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
                let table = at.key("jobs");
                if let Some((jobs, uses)) = self.jobs_file(jobs, None, &table) {
                    let at = table.key("file");
                    let name = self.shared_name("grid");
                    self.listed.extend(uses.map(|uses| (self.workloads.len(), uses)));
                    self.add_workload(&name, WorkloadKind::List(jobs), at);
                }
            }
            // It makes a campaign, whose applications are resolved there.
            raw::GridWorkload::Applications(_) => {}
            raw::GridWorkload::Shared(shared) => self.shared_jobs(shared, at.key("shared")),
            raw::GridWorkload::Swf(shared) => {
                let at = at.key("swf");
                let Some(survey) = self.survey(&shared.file, &shared.import, &at) else {
                    return;
                };
                let mut owners = shared.owners.clone();
                let mut named = PathBuf::new();
                if let Owners::File { path } = &mut owners {
                    let at = at.clone().key("owners").key("file").key("path");
                    *path = self.file(&at, path);
                    named.clone_from(path);
                }
                match owners.assign(&survey, "") {
                    Err(OwnersError::Options(invalid)) => self.invalid(at.key("owners"), &invalid),
                    Err(error) => {
                        let unreadable = matches!(
                            &error,
                            OwnersError::Read { error, .. } if error.is_io_error()
                        );
                        let at = at.key("owners").key("file").key("path");
                        self.wrong_file(at, &named, error.to_string(), unreadable, None);
                    }
                    Ok(assignment) => {
                        let declared = self.declared(assignment.names());
                        let next = OrganizationId(self.organizations.len() as u32);
                        if declared.is_none() {
                            for name in assignment.names() {
                                self.add_organization(name.clone(), at.clone().key("owners"));
                            }
                        }
                        let base = declared.unwrap_or(next);
                        let routes = self.routes(&shared.partitions, &survey, &at);
                        let dealt = None;
                        let kind = WorkloadKind::Swf { survey, assignment, base, routes, dealt };
                        let name = self.shared_name("grid");
                        self.add_workload(&name, kind, at);
                    }
                }
            }
        }
    }

    /// Returns the first of these organizations, if all are declared, one after the other.
    fn declared(&self, names: &[String]) -> Option<OrganizationId> {
        let &first = self.by_name.get(names.first()?)?;
        let is_next = |(name, id)| self.by_name.get(name) == Some(&OrganizationId(id));
        names.iter().zip(first.0..).all(is_next).then_some(first)
    }

    /// Adds one stream whose jobs belong to all declared organizations.
    fn shared_jobs(&mut self, shared: &raw::SharedJobs, at: Path) {
        if self.organizations.is_empty() {
            self.help(
                at,
                "there is no organization that these jobs could belong to",
                "write one `[[organization]]` or more; the first gets the most jobs",
            );
            return;
        }
        let owners = shared.owners;
        let table = owners.table(self.organizations.len());
        let table = self.valid(at.clone().key("owners"), table);
        let source_at = at.key("source");
        let drawn = |(source, table)| WorkloadKind::Shared { source, owners, table };
        let (kind, source_at) = match &shared.source {
            raw::SharedSource::Synthetic(options) => {
                let at = source_at.key("synthetic");
                (self.synthetic(options, &at).zip(table).map(drawn), at)
            }
            raw::SharedSource::LublinFeitelson(options) => {
                let at = source_at.key("lublin_feitelson");
                (self.lublin_feitelson(options, &at).zip(table).map(drawn), at)
            }
            raw::SharedSource::Swf(written) => {
                let at = source_at.key("swf");
                let survey = self.survey(&written.file, &written.import, &at);
                let kind = survey.zip(table).map(|(survey, table)| WorkloadKind::Swf {
                    routes: self.routes(&written.partitions, &survey, &at),
                    assignment: Assignment::one(""),
                    base: OrganizationId(0),
                    dealt: Some((owners, table)),
                    survey,
                });
                (kind, at)
            }
        };
        if let Some(kind) = kind {
            let name = self.shared_name("grid");
            self.add_workload(&name, kind, source_at);
        }
    }

    /// Adds the workload of an entry to each of its copies. It is read and checked once, since
    /// there may be a million copies.
    fn own_workloads(&mut self, copies: Range<u32>, workload: &raw::Workload, at: Path) {
        match workload {
            raw::Workload::Swf(written) => {
                let at = at.key("swf");
                let Some(survey) = self.survey(&written.file, &written.import, &at) else { return };
                let routes = self.routes(&written.partitions, &survey, &at);
                for id in copies.map(OrganizationId) {
                    let name = self.organizations[id.index()].name.clone();
                    let (survey, assignment) = (Arc::clone(&survey), Assignment::one(&name));
                    let routes = routes.clone();
                    let kind =
                        WorkloadKind::Swf { survey, assignment, base: id, routes, dealt: None };
                    self.add_workload(&name, kind, at.clone());
                }
            }
            raw::Workload::Jobs(jobs) => {
                let table = at.key("jobs");
                let Some((jobs, uses)) = self.jobs_file(jobs, Some(NOBODY), &table) else { return };
                let at = table.key("file");
                for id in copies.map(OrganizationId) {
                    let source = self.workloads.len() as u32;
                    let own = jobs.jobs().iter().map(|job| match job.organization {
                        NOBODY => Job { organization: id, source, ..*job },
                        _ => Job { source, ..*job },
                    });
                    let about = Arc::clone(jobs.about());
                    let kind = WorkloadKind::List(ListSource::new(own.collect()).with(about));
                    self.listed.extend(uses.clone().map(|uses| (self.workloads.len(), uses)));
                    let name = self.organizations[id.index()].name.clone();
                    self.add_workload(&name, kind, at.clone());
                }
            }
            raw::Workload::Synthetic(options) => {
                let at = at.key("synthetic");
                let Some(drawn) = self.synthetic(options, &at) else { return };
                self.drawn_workloads(copies, &drawn, &at);
            }
            raw::Workload::LublinFeitelson(options) => {
                let at = at.key("lublin_feitelson");
                let Some(drawn) = self.lublin_feitelson(options, &at) else { return };
                self.drawn_workloads(copies, &drawn, &at);
            }
        }
    }

    fn drawn_workloads(&mut self, copies: Range<u32>, drawn: &Drawn, at: &Path) {
        for id in copies.map(OrganizationId) {
            let name = self.organizations[id.index()].name.clone();
            self.add_workload(&name, WorkloadKind::Drawn(drawn.clone(), id), at.clone());
        }
    }

    /// Builds drawn jobs, after checking the parameters and reading the files.
    fn synthetic(&mut self, options: &SyntheticOptions, at: &Path) -> Option<Drawn> {
        let mut options = options.clone();
        let files = self.files_of(at, options.files_mut());
        let model = self.modelled(at, &files, SyntheticModel::new(options))?;
        Some(Drawn::Synthetic(Arc::new(model)))
    }

    /// Finds the files that parameters name, and returns them with the places that name them.
    pub(super) fn files_of<'f>(
        &self,
        at: &Path,
        files: impl Iterator<Item = (&'static str, &'f mut PathBuf)>,
    ) -> Vec<(PathBuf, Path)> {
        files
            .map(|(field, file)| {
                let at = at.clone().join(&path(field));
                *file = self.file(&at, file);
                (file.clone(), at)
            })
            .collect()
    }

    /// Returns a model whose parameters and files are right.
    pub(super) fn modelled<M>(
        &mut self,
        at: &Path,
        files: &[(PathBuf, Path)],
        model: Result<M, ValuesError>,
    ) -> Option<M> {
        match model {
            Ok(model) => return Some(model),
            Err(ValuesError::Options(invalid)) => self.invalid(at.clone(), &invalid),
            Err(error) => {
                let of = files.iter().find(|(file, _)| error.file() == Some(file)).cloned();
                let (file, at) = of.unwrap_or_else(|| (PathBuf::new(), at.clone()));
                self.wrong_file(at, &file, error.to_string(), error.is_unreadable(), None);
            }
        }
        None
    }

    /// Builds jobs of the Lublin-Feitelson model, after checking the parameters.
    fn lublin_feitelson(&mut self, options: &LublinFeitelsonOptions, at: &Path) -> Option<Drawn> {
        let model = self.valid(at.clone(), Model::new(options.clone()))?;
        Some(Drawn::LublinFeitelson(Arc::new(model)))
    }

    fn survey(
        &mut self,
        file: &FilePath,
        options: &swf::Options,
        at: &Path,
    ) -> Option<Arc<Survey>> {
        let file = self.file(&at.clone().key("file"), file);
        self.valid(at.clone().key("import"), options.check())?;
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
                let dropped = survey.ledger.rows().filter(|row| row.kind == swf::Kind::Dropped);
                let rules: Vec<String> = dropped
                    .map(|row| format!("`{}` {} ({})", row.rule, row.count, row.effect))
                    .collect();
                self.help(
                    at.clone().key("file"),
                    format!(
                        "no job of the {} in this trace is left: {}",
                        survey.ledger.read,
                        rules.join(", ")
                    ),
                    "loosen these rules and selections of `import`",
                );
                None
            }
            Ok(survey) => {
                tracing::info!(
                    file = %survey.file.display(),
                    lines = survey.ledger.read,
                    jobs = survey.jobs,
                    in_memory = survey.holds_jobs(),
                    "trace surveyed"
                );
                let survey = Arc::new(survey);
                self.surveys.insert(key, Arc::clone(&survey));
                Some(survey)
            }
            Err(error) => {
                let at = at.clone().key("file");
                let unreadable = error.is_unreadable();
                let elsewhere = in_the_project(&file);
                let help = elsewhere.as_deref().unwrap_or(NO_TRACE);
                self.wrong_file(at, &file, error.to_string(), unreadable, Some(help));
                None
            }
        }
    }

    /// Reads the jobs of a file, as the next workload, and its rows that name clusters; `table` is the
    /// place of its settings.
    fn jobs_file(
        &mut self,
        jobs: &raw::JobsFile,
        owner: Option<OrganizationId>,
        table: &Path,
    ) -> Option<(ListSource, Option<ListedUses>)> {
        let at = &table.clone().key("file");
        let names = self.organizations.iter().map(|organization| organization.name.clone());
        let names: Vec<String> = names.collect();
        let source = self.workloads.len() as u32;
        let options = JobsOptions { source, organizations: &names, owner };
        let file = self.file(at, &jobs.file);
        let start = jobs.start.as_deref().map(|text| {
            let start = sacct::moment(text);
            if start.is_none() {
                let message = format!("`{}` is no date with a time", show(text));
                let help = "write it as `start = \"2026-03-02T12:00:00\"`";
                self.help(table.clone().key("start"), message, help);
            }
            start
        });
        self.valid(table.clone().key("import"), jobs.import.check())?;
        let read = read_jobs(&file, options).and_then(|mut listed| {
            let applied = (!jobs.import.is_plain()).then(|| jobs.import.apply(&file, &mut listed));
            Ok((listed, applied.transpose()?))
        });
        match read {
            Err(error) => {
                let unreadable = error.is_unreadable();
                self.wrong_file(at.clone(), &file, error.to_string(), unreadable, None);
                None
            }
            Ok((listed, applied)) if listed.jobs.is_empty() => {
                let message = match applied {
                    Some((ledger, _)) if ledger.read > 0 => {
                        "no job of this file is left; loosen `from` and `until` of `import`"
                    }
                    _ => "there are no jobs in this file",
                };
                self.wrong(at.clone(), message);
                None
            }
            Ok((listed, applied)) => {
                let shift = applied.as_ref().map_or(Span::ZERO, |applied| applied.1);
                let seconds = shift.ticks() / TICKS_PER_UNIT;
                let about = About {
                    file: file.clone(),
                    tags: Arc::new(listed.tags),
                    ledger: applied.map(|applied| applied.0),
                    start: start.flatten().map(|start| start + seconds),
                };
                let uses = (!listed.uses.is_empty()).then(|| ListedUses {
                    file,
                    at: at.clone(),
                    rows: listed.uses.into(),
                });
                Some((ListSource::new(listed.jobs).with(Arc::new(about)), uses))
            }
        }
    }

    fn explicit_jobs(&mut self) {
        let source = self.workloads.len() as u32;
        let mut jobs = Vec::new();
        for (index, written) in self.raw.job.iter().enumerate() {
            let at = Path::root().key("job").index(index);
            let owner =
                self.known_organization(&written.organization, at.clone().key("organization"));
            let mut time = |key: &str, units: f64| self.span(units, at.clone().key(key));
            let submit = Time::ZERO + time("submit", written.submit);
            let runtime = time("runtime", written.runtime);
            let estimate = written.estimate.map_or(runtime, |units| time("estimate", units));
            let Some(organization) = owner else { continue };
            if jobs.len() as u64 + u64::from(written.count) > MOST_JOBS {
                let message = format!("more than {MOST_JOBS} jobs are written here");
                self.help(at.key("count"), message, "lower the `count`, or let jobs be drawn");
                return;
            }
            let job = Job {
                number: 0,
                source,
                submit,
                runtime,
                estimate,
                processors: written.processors,
                user: written.user,
                organization,
                ..Job::default()
            };
            for _ in 0..written.count {
                jobs.push(Job { number: jobs.len() as u64 + 1, ..job });
            }
        }
        if !jobs.is_empty() {
            let name = self.shared_name("jobs");
            self.add_workload(&name, WorkloadKind::List(ListSource::new(jobs)), path("job"));
        }
    }
}
