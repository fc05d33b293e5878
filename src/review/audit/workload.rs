//! Checks the jobs of a run against its workload: source, submission, owner and request.
//!
//! The scenario kept beside the results is loaded again and its jobs are drawn as in a run. It is
//! only used if its digest matches the manifest.

use std::path::Path;

use audit::{Check, JobFacts, Violation};
use kernel::time::Time;
use model::job::Job;
use report::files::{Manifest, Stop};
use run::kept::SavedRun;
use run::workload::Stream;
use scenario::files::Files;
use scenario::plan::Plan;
use workload::SourceError;

/// Compares the jobs of a run one by one, in order of submission.
pub(super) struct Against<'a> {
    manifest: &'a Manifest,
    plan: Option<Plan>,
    stream: Option<(u32, Stream)>,
    check: Check,
}

/// Reason given if nothing can be compared.
const NOT_READ: &str = "the scenario of the run, or a trace or list of jobs that it names, is not \
                        there as it was";

impl<'a> Against<'a> {
    pub fn new(folder: &Path, manifest: &'a Manifest) -> Against<'a> {
        let plan = SavedRun::read(folder).ok().and_then(|kept| {
            let plan = kept.origin.load(&mut Files::default()).ok()?.0;
            let is_same = plan.digest == manifest.scenario_digest && plan.seed == manifest.seed;
            is_same.then_some(plan)
        });
        let notes = if plan.is_some() { Vec::new() } else { vec![NOT_READ.to_owned()] };
        let means = "the jobs are those that the scenario brings, with their times, processors, \
                     users and owners, on the clusters of their partitions, and all of them";
        let check = Check { notes, ..Check::new("workload", means) };
        Against { manifest, plan, stream: None, check }
    }

    /// The plan of the run, if its scenario is there as it was.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// Compares the next job, in the order of submission. Returns what the workload brings there.
    pub fn look(&mut self, job: &JobFacts) -> Option<Job> {
        if self.stream.as_ref().is_none_or(|(replication, _)| *replication != job.replication) {
            self.end();
            self.open(job.replication);
        }
        match self.draw() {
            Ok(Some(drawn)) => {
                self.check.looked_at += 1;
                if let Some(what) = self.differs(job, &drawn) {
                    self.wrong(job.replication, job.number, job.submit, &what);
                }
                return Some(drawn);
            }
            Ok(None) if self.stream.is_some() => {
                self.check.looked_at += 1;
                let what = "the workload brings no job there";
                self.wrong(job.replication, job.number, job.submit, what);
            }
            Ok(None) => {}
            Err(_) => self.give_up(),
        }
        None
    }

    fn open(&mut self, replication: u32) {
        let Some(plan) = self.plan.as_ref() else { return };
        // Numbers beyond the last replication are reported by another check.
        if replication >= self.manifest.replications {
            self.stream = None;
            return;
        }
        match Stream::open(plan, replication, u64::MAX) {
            Ok(stream) => self.stream = Some((replication, stream)),
            Err(_) => self.give_up(),
        }
    }

    fn draw(&mut self) -> Result<Option<Job>, SourceError> {
        self.stream.as_mut().map_or(Ok(None), |(_, stream)| stream.draw())
    }

    fn give_up(&mut self) {
        (self.plan, self.stream) = (None, None);
        self.check.notes = vec![NOT_READ.to_owned()];
    }

    /// Ends a replication: the workload must bring no further job before the end of the run.
    fn end(&mut self) {
        let Some((replication, _)) = self.stream else { return };
        let next = self.draw();
        self.stream = None;
        // A run for precision may stop at any time.
        let stopped = match self.manifest.until {
            _ if self.manifest.precision.is_some() => Time::ZERO,
            Stop::Drained => Time::NEVER,
            Stop::Time(time) => time,
        };
        if let Ok(Some(job)) = next
            && job.submit < stopped
        {
            self.wrong(replication, job.number, job.submit, "it is missing");
        }
    }

    /// Describes the difference, if any.
    fn differs(&self, job: &JobFacts, drawn: &Job) -> Option<String> {
        let Manifest { workloads, organizations, clusters, .. } = self.manifest;
        let source = |at: u32| workloads.get(at as usize).map_or("", |one| &one.name).to_owned();
        let owner = |at: usize| organizations.get(at).cloned().unwrap_or_default();
        let cluster = |at: usize| clusters.get(at).map_or("", |one| &*one.name);
        let is_same = job.number == drawn.number
            && job.source == Some(drawn.source)
            && job.submit == drawn.submit
            && job.runtime == drawn.runtime
            && job.requested == drawn.estimate
            && job.processors == drawn.processors
            && job.user == drawn.user
            && job.organization == drawn.organization.index();
        if is_same {
            // A job that is too large for its cluster is rejected, and has none.
            let ran = job.cluster?;
            if let Some(bound) = drawn.recorded.cluster().filter(|bound| bound.index() != ran) {
                let (ran, bound) = (cluster(ran), cluster(bound.index()));
                let by = match drawn.recorded.partition() {
                    Some(_) => "its partition is",
                    None => "it is bound to",
                };
                return Some(format!("it is on {ran}, and {by} {bound}"));
            }
            let (_, uses) = self.plan.as_ref()?.lists.get(drawn.recorded.list()? as usize)?;
            let is_outside = uses.iter().all(|cluster| cluster.index() != ran);
            return is_outside
                .then(|| format!("it is on {}, which is not in its `uses`", cluster(ran)));
        }
        let pairs: [(&str, [String; 2]); 8] = [
            ("job_id", [job.number, drawn.number].map(|one| one.to_string())),
            ("workload_name", [job.source.unwrap_or(u32::MAX), drawn.source].map(source)),
            ("submission_time", [job.submit, drawn.submit].map(|one| one.to_string())),
            ("runtime", [job.runtime, drawn.runtime].map(|one| one.to_string())),
            ("requested_time", [job.requested, drawn.estimate].map(|one| one.to_string())),
            (
                "requested_number_of_resources",
                [job.processors, drawn.processors].map(|one| one.to_string()),
            ),
            ("user", [job.user, drawn.user].map(|one| one.to_string())),
            ("organization", [job.organization, drawn.organization.index()].map(owner)),
        ];
        let (column, [said, drawn]) = pairs.into_iter().find(|(_, [said, drawn])| said != drawn)?;
        Some(format!("{column} is {said}, and {drawn} in the workload"))
    }

    fn wrong(&mut self, replication: u32, number: u64, submit: Time, what: &str) {
        self.check.violated(|| {
            let text = format!("job {number}, submitted at {submit}: {what}");
            let (jobs, time) = (vec![number], Some(submit));
            Violation { jobs, time, ..Violation::new(replication, text) }
        });
    }

    /// Ends the last replication and returns the check.
    pub fn finish(mut self) -> Check {
        self.end();
        self.check
    }
}
