//! Where the jobs come from: traces are surveyed, lists read, and it is said whose the jobs are.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use super::{Resolver, organization, path};
use crate::kernel::time::{Span, Time};
use crate::model::ids::OrganizationId;
use crate::model::job::Job;
use crate::scenario::path::Path;
use crate::scenario::plan::{Workload, WorkloadKind};
use crate::scenario::raw;
use crate::workload::jobs::{JobsError, JobsOptions, ListSource, read_jobs};
use crate::workload::owners::{Assignment, Owners, OwnersError};
use crate::workload::swf::{self, Survey};

/// What to do where a trace is missing.
const NO_TRACE: &str = "traces of real machines are in the Parallel Workloads Archive, \
    https://www.cs.huji.ac.il/labs/parallel/workload/";

impl Resolver<'_> {
    pub(super) fn workloads(&mut self) {
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
                let mut named = PathBuf::new();
                if let Owners::File { path } = &mut owners {
                    let at = at.clone().key("owners").key("file").key("path");
                    *path = self.file(&at, path);
                    named.clone_from(path);
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
                        self.wrong_file(at, &named, error.to_string(), unreadable, None);
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
        let file = self.file(&at.clone().key("file"), file);
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
                self.wrong_file(at, &file, error.to_string(), unreadable, Some(NO_TRACE));
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
        let file = self.file(&at, &jobs.file);
        match read_jobs(&file, options) {
            Err(error) => {
                let unreadable =
                    matches!(&error, JobsError::Read { error, .. } if error.is_io_error());
                self.wrong_file(at, &file, error.to_string(), unreadable, None);
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
}
