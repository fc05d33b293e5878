//! Explains the waiting time of a job of a grid.

use kernel::map::{Map, Set};
use std::path::Path;

use super::read::{Job, Name, RecordedDecision};
use super::words::{self, UNRECORDED, listed, long, named, processors, reason, when};
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
use report::table::Table;
use stats::shown;

/// Most jobs that are named in each list.
const SHOWN: (&str, usize) = ("  ", 5);
/// Number of stages described from the start, and from the end.
const STAGES: usize = 4;

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

    /// Its effect on the other job's expected start, in words.
    fn effect(&self, recorded: bool) -> String {
        let (before, after) = (self.expected_before.map(when), self.expected_after.map(when));
        match (self.delayed(), before, after) {
            (Some(false), Some(before), Some(after)) if before == after => {
                format!("; its start was still expected at {after}: no delay")
            }
            (Some(is_later), Some(before), Some(after)) => {
                let verdict = if is_later { "later" } else { "no delay" };
                format!("; its start was expected at {before} before, at {after} after: {verdict}")
            }
            (Some(_), Some(before), None) => {
                format!("; its start was expected at {before} before, and was not known after")
            }
            _ if recorded => "; no start was promised to it then".to_owned(),
            _ => String::new(),
        }
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
    // WhichJob of the waiting jobs comes next is a grid scheduler's affair, and has no queue.
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

impl WhyJob {
    /// The explanation in words.
    pub fn text(&self) -> String {
        let WhyJob { job, .. } = self;
        let mut out = format!("Job {} of `{}`", job.number, job.organization);
        if job.workload != job.organization {
            out += &format!(", from `{}`,", job.workload);
        }
        let needs = processors(job.processors);
        out += &format!(" came at {} and needs ", when(job.submit));
        if job.cluster.is_empty() && job.is_held {
            return out + &needs + ".\nIt still waited in the grid at the end of the run.\n";
        }
        if job.cluster.is_empty() {
            let largest = shown::count(self.largest.into());
            return out
                + &format!(
                    "{needs}.\nIt was rejected: no cluster that it may use is large enough; the largest \
                     of the run has {largest}.\n"
                );
        }
        out += &format!(
            "{} of the {} of `{}` ({}).\n",
            shown::count(job.processors.into()),
            processors(self.processors),
            job.cluster,
            words::scheduler(self.scheduler.as_deref())
        );
        out += &self.held();
        out += &match job.start {
            Some(start) if start == job.submit => "It started at once".to_owned(),
            Some(start) => {
                let waited = long(start - job.submit);
                format!("It started at {}, after waiting {waited}", when(start))
            }
            None => "It still waited at the end of the run".to_owned(),
        };
        let ended = job.finish.map(|finish| format!(", and ended at {}", when(finish)));
        out += &format!("{}.\n", ended.unwrap_or_default());
        out += &self.plans();
        if self.is_bare {
            // WhichJob of the waiting jobs comes next is a grid scheduler's affair, and has no queue.
            return out;
        }
        if !self.candidates.is_empty() {
            out += "\nOf the clusters that it may use it went to the least loaded one:\n";
        }
        for one in &self.candidates {
            let chosen = if one.chosen { ", where it went" } else { "" };
            let (demand, all) = (shown::count(one.demand), processors(one.processors));
            out += &format!("  `{}`: jobs asked for {demand} of {all}{chosen}\n", one.cluster);
        }
        out += &self.queue();
        out += &self.waits();
        out += &self.starts();
        out += &self.overtaken();
        if !self.recorded {
            out += &format!("\n{UNRECORDED}\n");
        }
        out
    }

    /// Its wait for a cluster, if it was held in the grid.
    fn held(&self) -> String {
        let job = &self.job;
        let (true, Some(sent)) = (job.is_held, job.sent) else { return String::new() };
        let waited = match sent == job.submit {
            true => "It got its cluster at once".to_owned(),
            false => {
                let waited = long(sent - job.submit);
                format!("It waited in the grid for {waited}, and got its cluster at {}", when(sent))
            }
        };
        let by = self.scheduler.as_deref().unwrap_or_default();
        match job.start {
            _ if !self.is_bare => format!("{waited}.\n"),
            Some(start) if start > sent => {
                format!("{waited} from `{by}`; it was under way for {}.\n", long(start - sent))
            }
            None => format!("{waited} from `{by}`; it was still under way at the end.\n"),
            Some(_) => format!("{waited} from `{by}`.\n"),
        }
    }

    /// The plans that it was in.
    fn plans(&self) -> String {
        let last = self.planned.len().saturating_sub(1);
        let plans = self.planned.iter().enumerate().map(|(place, one)| {
            let start = one.start.map_or("beyond the range of times".to_owned(), when);
            let again = if place == 0 { "It was planned" } else { "Then it was planned" };
            let ran = self.job.start.filter(|_| place == last);
            let ran = ran.map_or(String::new(), |start| format!("; it ran at {}", when(start)));
            format!("{again} at {} for {start} by {}{ran}.\n", when(one.asked), one.by)
        });
        plans.collect()
    }

    /// The queue at its submission.
    fn queue(&self) -> String {
        let running = match self.running {
            0 => "nothing else was running".to_owned(),
            1 => "1 other job was running".to_owned(),
            count => format!("{} other jobs were running", shown::count(count)),
        };
        let were = if self.free == 1 { "was" } else { "were" };
        let waiting = match self.ahead.len() {
            0 => "nobody waited ahead of it.".to_owned(),
            count => words::jobs(count, "waited ahead of it:", "waited ahead of it:"),
        };
        let free = processors(self.free);
        let home = &*self.job.workload;
        let ahead = listed(SHOWN, "ahead", &self.ahead, |Yielded { job, line }| {
            let told = line.as_ref().map(|line| reason(line, job.processors, home));
            let told = told.map_or(String::new(), |told| format!(", {told}"));
            let name = named(&job.workload, job.number, home);
            format!("{name} ({}){told}", processors(job.processors))
        });
        format!("\nWhen it came, {running}, {free} {were} free, and {waiting}\n{ahead}")
    }

    /// The reasons for its wait.
    fn waits(&self) -> String {
        if self.stages.is_empty() {
            return String::new();
        }
        let told = |stage: &Stage| {
            let until =
                stage.until.map_or("to the end".to_owned(), |at| format!("to {}", when(at)));
            let why = reason(&stage.line, self.job.processors, &self.job.workload);
            format!("  from {} {until}: {why}\n", when(stage.line.time))
        };
        let all = self.stages.len();
        let (first, last) = if all > 2 * STAGES { (STAGES, all - STAGES) } else { (all, all) };
        let mut out = "\nIt waited\n".to_owned();
        out.extend(self.stages[..first].iter().map(told));
        if last > first {
            let left = shown::count((last - first) as u64);
            out += &format!("  ... {left} more changes (`--table stages`)\n");
        }
        out.extend(self.stages[last..].iter().map(told));
        out
    }

    /// The jobs that let it start, and the one that it overtook.
    fn starts(&self) -> String {
        let home = &*self.job.workload;
        let mut out = String::new();
        for (index, job) in self.freed.iter().take(SHOWN.1).enumerate() {
            let early = match (job.expected_end(), job.finish) {
                (Some(expected), Some(end)) if expected > end => {
                    format!(", {} before it was expected to end", long(expected - end))
                }
                (Some(expected), Some(end)) if expected < end => {
                    format!(", {} after it was expected to end", long(end - expected))
                }
                (Some(_), _) => ", as expected".to_owned(),
                (None, _) => String::new(),
            };
            let lead = if index == 0 { "\nIt started when " } else { "  and " };
            let by = named(&job.workload, job.number, home);
            out += &format!("{lead}{by} gave back {}{early}.\n", processors(job.processors));
        }
        if let Some((workload, number)) = &self.overtook {
            let by = named(workload, *number, home);
            out += &format!("\nIt started before {by}, which came earlier and went on waiting.\n");
        }
        out
    }

    /// The jobs that overtook it.
    fn overtaken(&self) -> String {
        if self.overtakers.is_empty() {
            return String::new();
        }
        let (one, many) =
            ("that came later was started before it:", "that came later were started before it:");
        let jobs = words::jobs(self.overtakers.len(), one, many);
        let list = listed(SHOWN, "overtakers", &self.overtakers, |one| {
            let Overtaker { job, .. } = one;
            let name = named(&job.workload, job.number, &self.job.workload);
            let (needs, at) = (processors(job.processors), job.start.map(when).unwrap_or_default());
            format!("{name} ({needs}) at {at}{}", one.effect(self.recorded))
        });
        format!("\n{jobs}\n{list}")
    }

    /// All tables; the stages of the wait come last.
    pub fn tables(&self) -> Vec<Table> {
        vec![
            self.job_table(),
            Table::of("candidates", &self.candidates)
                .text("cluster", |one| &*one.cluster)
                .figure("processors", |one| one.processors)
                .figure("demand", |one| one.demand)
                .figure("chosen", |one| one.chosen)
                .table(),
            Table::of("ahead", &self.ahead)
                .text("workload_name", |one| &*one.job.workload)
                .figure("job_id", |one| one.job.number)
                .figure("processors", |one| one.job.processors)
                .figure("submission_time", |one| one.job.submit)
                .text("reason", |one| Some(one.line.as_ref()?.told.word()))
                .text("by_workload", |one| one.line.as_ref()?.by_workload())
                .figure("by_job", |one| one.line.as_ref()?.by_job())
                .figure("expected_start", |one| one.line.as_ref()?.expected_start)
                .figure("starting_time", |one| one.job.start)
                .table(),
            Table::of("freed", &self.freed)
                .text("workload_name", |job| &*job.workload)
                .figure("job_id", |job| job.number)
                .figure("processors", |job| job.processors)
                .figure("finish_time", |job| job.finish)
                .figure("expected_end", Job::expected_end)
                .table(),
            Table::of("overtakers", &self.overtakers)
                .text("workload_name", |one| &*one.job.workload)
                .figure("job_id", |one| one.job.number)
                .figure("processors", |one| one.job.processors)
                .figure("starting_time", |one| one.job.start)
                .figure("expected_start_before", |one| one.expected_before)
                .figure("expected_start_after", |one| one.expected_after)
                .figure("delayed", Overtaker::delayed)
                .table(),
            Table::of("stages", &self.stages)
                .figure("from", |one| one.line.time)
                .figure("until", |one| one.until)
                .text("reason", |one| one.line.told.word())
                .text("by_workload", |one| one.line.by_workload())
                .figure("by_job", |one| one.line.by_job())
                .figure("due", |one| one.line.due)
                .figure("expected_start", |one| one.line.expected_start)
                .figure("free", |one| one.line.free)
                .figure("extra", |one| one.line.extra)
                .table(),
        ]
    }

    fn job_table(&self) -> Table {
        let cluster = (!self.job.cluster.is_empty()).then_some(&*self.job.cluster);
        let waited = self.job.start.map(|start| start - self.job.submit);
        Table::of("job", [(self, &self.job)])
            .figure("job_id", |(_, job)| job.number)
            .text("workload_name", |(_, job)| &*job.workload)
            .figure("replication", |(_, job)| job.replication)
            .text("organization", |(_, job)| &*job.organization)
            .text("cluster", |_| cluster)
            .text("scheduler", |(why, _)| why.scheduler.as_deref())
            .figure("processors", |(_, job)| job.processors)
            .figure("cluster_processors", |(why, _)| cluster.map(|_| why.processors))
            .text("final_state", |(_, job)| &*job.state)
            .figure("submission_time", |(_, job)| job.submit)
            .figure("starting_time", |(_, job)| job.start)
            .figure("finish_time", |(_, job)| job.finish)
            .figure("waiting_time", |_| waited)
            .figure("free_at_submission", |(why, _)| why.free)
            .figure("running_at_submission", |(why, _)| why.running)
            .figure("ahead_at_submission", |(why, _)| why.ahead.len())
            .figure("overtakers", |(why, _)| why.overtakers.len())
            .figure("decisions_recorded", |(why, _)| why.recorded)
            .table()
    }
}
