//! Why a job of a grid waited.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::read::{Job, Line, Name, Rows, Told};
use super::{ExplainError, Which, known, question};
use crate::kernel::time::Time;
use crate::report::figure;
use crate::report::json::{ClusterEntry, Manifest};
use crate::report::recorded;

/// How many jobs that fit are named where one has to be said.
const NAMED: usize = 4;

/// All that is known of a job's wait.
#[derive(Debug)]
pub struct WhyJob {
    /// The job.
    pub job: Job,
    /// The processors of its cluster; 0 of a job that was rejected.
    pub processors: u32,
    /// The name of the cluster's scheduler; none of a time-shared one.
    pub scheduler: Option<String>,
    /// The processors of the largest cluster of the run.
    pub largest: u32,
    /// True where decisions were recorded.
    pub recorded: bool,
    /// The clusters that it might have gone to, where it had a choice.
    pub candidates: Vec<Candidate>,
    /// Processors that were free after what happened at its submission.
    pub free: u32,
    /// Jobs that ran then.
    pub running: u64,
    /// The jobs that came before it and waited then, in the order in which they came.
    pub ahead: Vec<Yielded>,
    /// For what it waited, one after the other.
    pub stages: Vec<Stage>,
    /// The jobs that came after it and started before it, in the order of their starts.
    pub overtakers: Vec<Overtaker>,
    /// The jobs whose ends let it start: those that ended on the cluster when it started.
    pub freed: Vec<Freed>,
    /// The job that came first of those whom it overtook when it started, where that is recorded.
    pub overtook: Option<(String, u64)>,
}

/// A cluster that a job might have gone to.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name.
    pub cluster: String,
    /// Its processors.
    pub processors: u32,
    /// The processors that running and waiting jobs asked for.
    pub demand: u64,
    /// True of the one that the job went to.
    pub chosen: bool,
}

/// A job that waited ahead of another.
#[derive(Clone, Debug)]
pub struct Yielded {
    /// The job.
    pub job: Job,
    /// For what it waited then, where that is recorded.
    pub line: Option<Line>,
}

/// For what a job waited for some time.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Until when; none where it still waited at the end of the run.
    pub until: Option<Time>,
    /// Since when, and for what.
    pub line: Line,
}

/// A job that came later and started earlier.
#[derive(Clone, Debug)]
pub struct Overtaker {
    /// The job.
    pub job: Job,
    /// When the other one was expected to start, as of just before.
    pub expected_before: Option<Time>,
    /// The same after it.
    pub expected_after: Option<Time>,
}

impl Overtaker {
    /// Did it push the other's expected start back? Nothing where that had none.
    pub fn delayed(&self) -> Option<bool> {
        let before = self.expected_before?;
        Some(self.expected_after.is_none_or(|after| after > before))
    }
}

/// A job that ended and gave its processors back.
#[derive(Clone, Debug)]
pub struct Freed {
    /// The job.
    pub job: Job,
}

/// Explains why a job waited.
///
/// # Errors
/// When files are missing or are not what a run writes, and when none or more than one job is
/// meant.
pub fn why(folder: &Path, manifest: &Manifest, which: &Which) -> Result<WhyJob, ExplainError> {
    needs_jobs(manifest)?;
    if which.round.is_some() {
        return Err(question("a grid has no rounds", "leave out `--round`"));
    }
    let job = find(folder, manifest, which)?;
    let entry = manifest.clusters.iter().find(|cluster| cluster.name == job.cluster);
    let recorded = has(manifest, "decisions");
    let mut why = WhyJob {
        processors: entry.map_or(0, |entry| entry.processors),
        scheduler: entry.and_then(|entry| entry.scheduler.clone()),
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
    if why.job.cluster.is_empty() {
        return Ok(why);
    }
    let others = others(folder, &why.job)?;
    let lines = if recorded { lines(folder, &why.job, &others)? } else { BTreeMap::new() };
    why.around(others, &lines);
    why.tell(&lines, &manifest.clusters);
    Ok(why)
}

/// Were records of this kind written?
pub(super) fn has(manifest: &Manifest, kind: &str) -> bool {
    !recorded::of_kind(kind, manifest.files.keys().map(String::as_str)).is_empty()
}

pub(super) fn needs_jobs(manifest: &Manifest) -> Result<(), ExplainError> {
    if has(manifest, "jobs") {
        return Ok(());
    }
    Err(question(
        "the run wrote no jobs.csv, without which nothing is known of single jobs",
        "set `output.jobs = true` and run again",
    ))
}

/// The job that is meant.
fn find(folder: &Path, manifest: &Manifest, which: &Which) -> Result<Job, ExplainError> {
    if let Some(name) = &which.organization {
        known("organization", name, manifest.organizations.iter().map(String::as_str))?;
    }
    if let Some(name) = &which.workload {
        known("workload", name, manifest.workloads.iter().map(|one| &*one.name))?;
    }
    if let Some(number) = which.replication {
        super::replication(manifest, Some(number))?;
    }
    let mut rows = Rows::open(folder, "jobs")?;
    let (mut found, mut more) = (Vec::new(), 0_u64);
    // The numbers next to the one that is asked for.
    let (mut below, mut above, mut all) = (None::<u64>, None::<u64>, 0_u64);
    while let Some(row) = rows.next()? {
        let fits = |said: &Option<String>, column: &str| -> Result<bool, ExplainError> {
            Ok(match said {
                Some(said) => row.text(column)? == said,
                None => true,
            })
        };
        let replication = match which.replication {
            Some(number) => row.number::<u32>("replication")? == number,
            None => true,
        };
        if !replication
            || !fits(&which.organization, "organization")?
            || !fits(&which.workload, "workload_name")?
        {
            continue;
        }
        all += 1;
        let number: u64 = row.number("job_id")?;
        if number < which.number {
            below = below.max(Some(number));
        } else if number > which.number {
            above = Some(above.map_or(number, |above| above.min(number)));
        } else if found.len() <= NAMED {
            found.push(Job::read(&row)?);
        } else {
            more += 1;
        }
    }
    match found.len() {
        0 => {
            let near: Vec<String> =
                [below, above].iter().flatten().map(|number| number.to_string()).collect();
            let help = match (all, near.is_empty()) {
                (0, _) | (_, true) => "no job is there at all".to_owned(),
                _ => format!(
                    "of {}, the nearest numbers are {}",
                    figure::counted(all, "job", "jobs"),
                    near.join(" and ")
                ),
            };
            Err(question(format!("there is no job {}", which.number), help))
        }
        1 => Ok(found.remove(0)),
        _ => Err(ambiguous(which.number, &found, more)),
    }
}

/// What tells the jobs of one number apart.
fn ambiguous(number: u64, found: &[Job], more: u64) -> ExplainError {
    let several =
        |text: fn(&Job) -> String| found.iter().map(text).collect::<BTreeSet<_>>().len() > 1;
    let replications = several(|job| job.replication.to_string());
    let workloads = several(|job| job.workload.clone());
    let organizations = several(|job| job.organization.clone());
    let mut help = String::from("say which one is meant:");
    for job in found.iter().take(NAMED) {
        help.push_str("\n ");
        if organizations && !workloads {
            help.push_str(&format!(" --organization '{}'", job.organization));
        }
        if workloads {
            help.push_str(&format!(" --workload '{}'", job.workload));
        }
        if replications {
            help.push_str(&format!(" --replication {}", job.replication));
        }
        help.push_str(&format!("   (submitted at {})", job.submit));
    }
    if !(replications || workloads || organizations) {
        help = "the trace repeats this number, so it names no single job; `import` can number \
                jobs anew"
            .to_owned();
    }
    let all = found.len() as u64 + more;
    question(format!("there are {} jobs {number}", figure::count(all)), help)
}

/// The other jobs that were alive on the cluster while a job waited, or ended when it started, in
/// the order of submission.
fn others(folder: &Path, job: &Job) -> Result<Vec<Job>, ExplainError> {
    let mut rows = Rows::open(folder, "jobs")?;
    let mut others = Vec::new();
    while let Some(row) = rows.next()? {
        if row.text("cluster")? != job.cluster
            || row.number::<u32>("replication")? != job.replication
            || row.number::<u64>("arrival")? == job.arrival
        {
            continue;
        }
        let came =
            job.start.is_none_or(|start| row.time("submission_time").is_ok_and(|at| at <= start));
        let ended = row.some_time("finish_time")?.is_some_and(|end| end < job.submit);
        if came && !ended {
            others.push(Job::read(&row)?);
        }
    }
    others.sort_by_key(|other| other.arrival);
    Ok(others)
}

/// What was recorded of a job and of those around it, up to its start.
fn lines(
    folder: &Path,
    job: &Job,
    others: &[Job],
) -> Result<BTreeMap<Name, Vec<Line>>, ExplainError> {
    let names = others.iter().map(Job::name).chain([job.name()]);
    let mut lines: BTreeMap<Name, Vec<Line>> = names.map(|name| (name, Vec::new())).collect();
    let mut rows = Rows::open(folder, "decisions")?;
    while let Some(row) = rows.next()? {
        if row.number::<u32>("replication")? != job.replication {
            continue;
        }
        let (name, line) = Line::read(&row)?;
        if job.start.is_some_and(|start| line.time > start) {
            continue;
        }
        if let Some(lines) = lines.get_mut(&name) {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// The reason that held at a time, after what happened then.
pub(super) fn reason_at(lines: &[Line], at: Time) -> Option<&Line> {
    let past = lines.iter().take_while(|line| line.time <= at);
    past.filter(|line| line.told.is_reason()).last()
}

impl WhyJob {
    /// Who was ahead, who overtook and who made room.
    fn around(&mut self, others: Vec<Job>, lines: &BTreeMap<Name, Vec<Line>>) {
        let (submit, start) = (self.job.submit, self.job.start);
        let used: u32 =
            others.iter().filter(|other| other.runs(submit)).map(|other| other.processors).sum();
        let itself = if self.job.runs(submit) { self.job.processors } else { 0 };
        self.free = self.processors.saturating_sub(used + itself);
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
                self.freed.push(Freed { job: other });
            }
        }
        self.overtakers.sort_by_key(|one| (one.job.start, one.job.arrival));
    }

    /// What was recorded of the job itself.
    fn tell(&mut self, lines: &BTreeMap<Name, Vec<Line>>, clusters: &[ClusterEntry]) {
        let Some(own) = lines.get(&self.job.name()) else { return };
        for line in own {
            match line.told {
                Told::Candidate | Told::Chosen => {
                    let entry = clusters.iter().find(|entry| entry.name == line.cluster);
                    self.candidates.push(Candidate {
                        cluster: line.cluster.clone(),
                        processors: entry.map_or(0, |entry| entry.processors),
                        demand: line.demand.unwrap_or(0),
                        chosen: line.told == Told::Chosen,
                    });
                }
                Told::Overtook => self.overtook.clone_from(&line.by),
                Told::Started => {}
                _ => {
                    // Of several lines of an instant the last one holds.
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
