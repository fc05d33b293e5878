//! Explains the waiting time of a job of a grid: what is read, and what follows from it.

mod told;

use kernel::map::{Map, Set};
use std::path::Path;

use super::read::{Job, Name, RecordedDecision};
use super::{ExplainError, NAMED, Near, WhichJob, has, needs_jobs, question};
use kernel::order::InOrder as _;
use kernel::time::Time;
use records::decisions::{self, Decision};
use records::jobs;
use records::plans;
use records::record::Record as _;
use records::recorded::Rows;
use report::files::Manifest;
use report::grid::entry::ClusterEntry;

/// Everything known about a job's waiting time.
#[derive(Debug)]
pub struct WhyJob {
    /// True if a grid scheduler started it.
    pub is_bare: bool,
    /// The plans that the job was in, as played, one after the other.
    pub planned: Vec<PlannedFor>,
    /// The job.
    pub job: Job,
    /// Processors of its cluster; 0 if the job was rejected.
    pub processors: u32,
    /// Name of the cluster's scheduler; none for a time-shared cluster.
    pub scheduler: Option<String>,
    /// Processors of the largest cluster of the run.
    pub largest: u32,
    /// True if the run recorded decisions.
    pub recorded: bool,
    /// Clusters that were eligible, if there was a choice.
    pub candidates: Vec<Candidate>,
    /// Processors that no other job had at its submission, after everything that happened then.
    pub free: u32,
    /// Jobs running at its submission.
    pub running: u64,
    /// Jobs submitted before it and still waiting then, in order of submission.
    pub ahead: Vec<Yielded>,
    /// The reasons it waited for, one after the other.
    pub stages: Vec<Stage>,
    /// Jobs submitted later that started earlier, in order of start.
    pub overtakers: Vec<Overtaker>,
    /// Jobs that ended on the cluster at the moment it started, and so let it start.
    pub freed: Vec<Job>,
    /// The first-submitted job that it overtook at its start, if recorded.
    pub overtook: Option<(String, u64)>,
}

/// The place of a job in a plan that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFor {
    /// Time at which the planner was asked.
    pub asked: Time,
    /// Name of the planner.
    pub by: String,
    /// The cluster.
    pub cluster: String,
    /// Its planned start; none beyond the range of times.
    pub start: Option<Time>,
}

/// A cluster that was eligible for a job.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name.
    pub cluster: String,
    /// Its processors.
    pub processors: u32,
    /// Processors requested by running and waiting jobs.
    pub demand: u64,
    /// True for the cluster that the job was sent to.
    pub chosen: bool,
}

/// A job that waited ahead of the one in question.
#[derive(Clone, Debug)]
pub struct Yielded {
    /// The job.
    pub job: Job,
    /// The reason it waited then, if recorded.
    pub line: Option<RecordedDecision>,
}

/// One reason for which a job waited, and its duration.
#[derive(Clone, Debug)]
pub struct Stage {
    /// End of this stage; none if the job still waited when the run ended.
    pub until: Option<Time>,
    /// The start of this stage and its reason.
    pub line: RecordedDecision,
}

/// A job submitted later that started earlier.
#[derive(Clone, Debug)]
pub struct Overtaker {
    /// The job.
    pub job: Job,
    /// Expected start of the overtaken job just before.
    pub expected_before: Option<Time>,
    /// Expected start of the overtaken job just after.
    pub expected_after: Option<Time>,
}

impl Overtaker {
    /// True if it delayed the other job's expected start; none if that had no expected start.
    pub fn delayed(&self) -> Option<bool> {
        let before = self.expected_before?;
        Some(self.expected_after.is_none_or(|after| after > before))
    }
}

/// Explains the waiting time of a job.
///
/// # Errors
/// Fails if files are missing or are not what a run writes, or if no job or more than one job
/// matches.
pub fn why(folder: &Path, manifest: &Manifest, which: &WhichJob) -> Result<WhyJob, ExplainError> {
    needs_jobs(manifest)?;
    if which.round.is_some() {
        return Err(question("a grid has no rounds", "leave out `--round`"));
    }
    let job = find(folder, manifest, which)?;
    let entry = manifest.clusters.iter().find(|cluster| cluster.name == job.cluster);
    let local = |job: Job| match entry {
        Some(entry) => job.at_speed_of(entry),
        None => job,
    };
    let job = local(job);
    let recorded = has(manifest, "decisions");
    let is_bare = entry.is_none_or(|entry| entry.is_bare);
    let of_grid = manifest.placer().filter(|_| is_bare).map(str::to_owned);
    let mut why = WhyJob {
        is_bare: is_bare && of_grid.is_some(),
        planned: planned(folder, manifest, &job)?,
        processors: entry.map_or(0, |entry| entry.processors),
        scheduler: entry.and_then(|entry| entry.scheduler.clone()).or(of_grid),
        largest: manifest.clusters.iter().map(|cluster| cluster.processors).max().unwrap_or(0),
        recorded,
        candidates: Vec::new(),
        free: 0,
        running: 0,
        ahead: Vec::new(),
        stages: Vec::new(),
        overtakers: Vec::new(),
        freed: Vec::new(),
        overtook: None,
        job,
    };
    // A grid scheduler decides which of the waiting jobs comes next; there is no queue.
    if why.job.cluster.is_empty() || is_bare {
        return Ok(why);
    }
    let others: Vec<Job> = others(folder, &why.job)?.into_iter().map(local).collect();
    let lines = if recorded { lines(folder, &why.job, &others)? } else { Map::new() };
    why.around(others, &lines);
    why.tell(&lines, &manifest.clusters);
    Ok(why)
}

/// The plans that a job was in, as played.
fn planned(folder: &Path, manifest: &Manifest, job: &Job) -> Result<Vec<PlannedFor>, ExplainError> {
    let mut all = Vec::new();
    if !has(manifest, "plans") {
        return Ok(all);
    }
    let mut rows = Rows::found(folder, "plans")?;
    while let Some(row) = rows.read()? {
        let line = plans::Line::read(&row)?;
        let is_its = line.replication == job.replication
            && line.job_id == job.number
            && line.workload_name == job.workload;
        if is_its && line.played {
            all.push(PlannedFor {
                asked: line.asked_time,
                by: line.candidate_name.to_owned(),
                cluster: line.cluster.to_owned(),
                start: line.planned_start,
            });
        }
    }
    Ok(all)
}

/// The job that a number or a label names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its number.
    pub number: u64,
    /// Another job with this number as its label.
    pub other: Option<u64>,
}

/// Finds the job that has this number, or else this label in `metadata`. `label=4211` is no number; of
/// a step, such as `4211.batch`, the job is meant.
///
/// # Errors
/// Fails if the files are not what a run writes, or if no job or several have the label.
pub fn named(folder: &Path, manifest: &Manifest, asked: &str) -> Result<Named, ExplainError> {
    let label = asked.strip_prefix("label=").unwrap_or(asked).trim();
    let number = asked.parse::<u64>().ok();
    if let Some(number) = number.filter(|_| !has(manifest, "jobs") || manifest.coalition.is_some())
    {
        return Ok(Named { number, other: None });
    }
    needs_jobs(manifest)?;
    let written = label.replace(';', ",");
    let job = written.split_once('.').map_or(&*written, |(job, _step)| job);
    let (mut found, mut of_job, mut is_number) = (Set::new(), Set::new(), false);
    let mut rows = Rows::found(folder, "jobs")?;
    while let Some(row) = rows.read().map_err(ExplainError::from)? {
        let line = jobs::Line::read(&row)?;
        is_number |= number == Some(line.job_id);
        match line.metadata.split(';').find_map(|part| part.strip_prefix("label=")) {
            Some(own) if own == written => drop(found.insert(line.job_id)),
            Some(own) if own == job => drop(of_job.insert(line.job_id)),
            _ => {}
        }
    }
    let found = if found.is_empty() { of_job } else { found };
    let numbers: Vec<u64> = found.into_iter().collect();
    match (number.filter(|_| is_number || numbers.is_empty()), &numbers[..]) {
        (Some(number), others) => {
            let other = others.iter().copied().find(|&other| other != number);
            Ok(Named { number, other })
        }
        (None, &[number]) => Ok(Named { number, other: None }),
        (None, []) => Err(question(
            format!("no job has the label `{label}`"),
            "labels are in `metadata` of jobs.csv; a job is known by its number too, `job_id` there",
        )),
        (None, several) => {
            let told: Vec<String> = several.iter().take(NAMED).map(u64::to_string).collect();
            let more = if several.len() > NAMED { ", ..." } else { "" };
            Err(question(
                format!("{} jobs have the label `{label}`", several.len()),
                format!("ask for one by its number: {}{more}", told.join(", ")),
            ))
        }
    }
}

/// Finds the job in question.
fn find(folder: &Path, manifest: &Manifest, which: &WhichJob) -> Result<Job, ExplainError> {
    which.check(manifest)?;
    let mut rows = Rows::found(folder, "jobs")?;
    let mut near = Near::new(which.number);
    while let Some(row) = rows.read()? {
        let line = jobs::Line::read(&row)?;
        let fits = |said: &Option<String>, name| said.as_ref().is_none_or(|said| said == name);
        if which.replication.is_none_or(|number| number == line.replication)
            && fits(&which.organization, line.organization)
            && fits(&which.workload, line.workload_name)
        {
            near.add(line.job_id, || Job::of(&line));
        }
    }
    near.only(|| "no job is there at all".to_owned(), ambiguous)
}

/// Names the fields that tell jobs with the same number apart.
fn ambiguous(found: &[Job]) -> String {
    let several = |text: fn(&Job) -> String| found.iter().map(text).collect::<Set<_>>().len() > 1;
    let replications = several(|job| job.replication.to_string());
    let workloads = several(|job| job.workload.clone());
    let organizations = several(|job| job.organization.clone());
    if !(replications || workloads || organizations) {
        return "the trace repeats this number, so it names no single job; `import` can number \
                jobs anew"
            .to_owned();
    }
    let mut help = String::from("say which one is meant:");
    for job in found.iter().take(NAMED) {
        help += "\n ";
        if organizations && !workloads {
            help += &format!(" --organization '{}'", job.organization);
        }
        if workloads {
            help += &format!(" --workload '{}'", job.workload);
        }
        if replications {
            help += &format!(" --replication {}", job.replication);
        }
        help += &format!("   (submitted at {})", job.submit);
    }
    help
}

/// The other jobs alive on the cluster while a job waited, in order of submission. Includes those
/// that finished when it started.
fn others(folder: &Path, job: &Job) -> Result<Vec<Job>, ExplainError> {
    let mut rows = Rows::found(folder, "jobs")?;
    let mut others = Vec::new();
    while let Some(row) = rows.read()? {
        let line = jobs::Line::read(&row)?;
        if line.cluster != job.cluster
            || line.replication != job.replication
            || line.arrival == job.arrival
        {
            continue;
        }
        let came = job.start.is_none_or(|start| line.submission_time <= start);
        let ended = line.finish_time.is_some_and(|end| end < job.submit);
        if came && !ended {
            others.push(Job::of(&line));
        }
    }
    others.order_by_key(|other| other.arrival);
    Ok(others)
}

/// The recorded decisions on a job and the jobs around it, up to its start.
fn lines(
    folder: &Path,
    job: &Job,
    others: &[Job],
) -> Result<Map<Name, Vec<RecordedDecision>>, ExplainError> {
    let names = others.iter().map(Job::name).chain([job.name()]);
    let mut lines: Map<Name, Vec<RecordedDecision>> =
        names.map(|name| (name, Vec::new())).collect();
    let mut rows = Rows::found(folder, "decisions")?;
    while let Some(row) = rows.read()? {
        let line = decisions::Line::read(&row)?;
        if line.replication != job.replication {
            continue;
        }
        let (name, line) = RecordedDecision::of(&line);
        if job.start.is_some_and(|start| line.time > start) {
            continue;
        }
        if let Some(lines) = lines.get_mut(&name) {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// The reason in force at a given time, after everything that happened then.
pub(super) fn reason_at(lines: &[RecordedDecision], at: Time) -> Option<&RecordedDecision> {
    let past = lines.iter().take_while(|line| line.time <= at);
    past.filter(|line| line.told.is_reason()).last()
}

impl WhyJob {
    /// Adds the jobs ahead, the overtakers and the jobs that made room.
    fn around(&mut self, others: Vec<Job>, lines: &Map<Name, Vec<RecordedDecision>>) {
        let (submit, start) = (self.job.submit, self.job.start);
        let used: u32 =
            others.iter().filter(|other| other.runs(submit)).map(|other| other.processors).sum();
        self.free = self.processors.saturating_sub(used);
        self.running = others.iter().filter(|other| other.runs(submit)).count() as u64;
        let of = |job: &Job| lines.get(&job.name()).map_or(&[][..], |lines| lines);
        let own = of(&self.job);
        for other in others {
            if other.arrival < self.job.arrival && other.waits(submit) {
                let line = reason_at(of(&other), submit).cloned();
                self.ahead.push(Yielded { job: other.clone(), line });
            }
            let overtakes = other.arrival > self.job.arrival
                && other.start.is_some_and(|at| start.is_none_or(|start| at < start));
            if let (true, Some(at)) = (overtakes, other.start) {
                let before = own.iter().take_while(|line| line.time < at);
                let before = before.filter(|line| line.told.is_reason()).last();
                self.overtakers.push(Overtaker {
                    expected_before: before.and_then(|line| line.expected_start),
                    expected_after: reason_at(own, at).and_then(|line| line.expected_start),
                    job: other.clone(),
                });
            }
            if start.is_some() && other.finish == start && start > Some(submit) {
                self.freed.push(other);
            }
        }
        self.overtakers.order_by_key(|one| (one.job.start, one.job.arrival));
    }

    /// Adds the recorded decisions on the job itself.
    fn tell(&mut self, lines: &Map<Name, Vec<RecordedDecision>>, clusters: &[ClusterEntry]) {
        let Some(own) = lines.get(&self.job.name()) else { return };
        for line in own {
            match line.told {
                Decision::Candidate | Decision::Chosen => {
                    let entry = clusters.iter().find(|entry| entry.name == line.cluster);
                    self.candidates.push(Candidate {
                        cluster: line.cluster.clone(),
                        processors: entry.map_or(0, |entry| entry.processors),
                        demand: line.demand.unwrap_or(0),
                        chosen: line.told == Decision::Chosen,
                    });
                }
                Decision::Overtook => self.overtook.clone_from(&line.by),
                Decision::Started => {}
                _ => {
                    // The last of several lines at the same instant holds.
                    if self.stages.last().is_some_and(|stage| stage.line.time == line.time) {
                        self.stages.pop();
                    }
                    if let Some(stage) = self.stages.last_mut() {
                        stage.until = Some(line.time);
                    }
                    self.stages.push(Stage { until: self.job.start, line: line.clone() });
                }
            }
        }
        let submit = self.job.submit;
        self.stages.retain(|stage| stage.until.is_none_or(|until| until > submit));
        let start = self.job.start;
        self.stages.retain(|stage| start.is_none_or(|start| stage.line.time < start));
    }
}
