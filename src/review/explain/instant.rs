//! The state of a grid at a given time.

use kernel::map::Map;
use std::path::Path;

use super::read::{Job, Name, RecordedDecision};
use super::words::{self, UNRECORDED, listed, named, processors, reason, when};
use super::{ExplainError, has, known, needs_jobs, question};
use kernel::order::InOrder as _;
use kernel::time::Time;
use records::record::Record as _;
use records::recorded::Rows;
use records::{decisions, jobs};
use report::files::Manifest;
use report::table::Table;
use stats::shown;

/// Most jobs that are named in each list.
const SHOWN: (&str, usize) = ("    ", 10);

/// The clusters of a run at a given time.
#[derive(Debug)]
pub struct AtInstant {
    /// The time.
    pub time: Time,
    /// The grid itself, if jobs wait in it, and the clusters.
    pub clusters: Vec<OnCluster>,
}

/// A cluster at a given time, after everything that happened then.
#[derive(Debug)]
pub struct OnCluster {
    /// Its name; empty for the grid itself, where jobs wait for a cluster.
    pub cluster: String,
    /// Name of its scheduler; none for a time-shared cluster.
    pub scheduler: Option<String>,
    /// Its processors.
    pub processors: u32,
    /// Idle processors.
    pub free: u32,
    /// Running jobs, by start.
    pub running: Vec<Job>,
    /// Waiting jobs, by submission.
    pub waiting: Vec<WaitingJob>,
    /// True if the run recorded decisions.
    pub recorded: bool,
}

/// A waiting job.
#[derive(Debug)]
pub struct WaitingJob {
    /// The job.
    pub job: Job,
    /// The reason it waits, if recorded.
    pub line: Option<RecordedDecision>,
}

/// The clusters of a run at a given time, or one of them.
///
/// # Errors
/// Fails if files are missing or are not what a run writes, or if there is no such cluster,
/// replication or time.
pub fn at(
    folder: &Path,
    manifest: &Manifest,
    time: Time,
    cluster: Option<&str>,
    replication: Option<u32>,
) -> Result<AtInstant, ExplainError> {
    if manifest.coalition.is_some() {
        return Err(question(
            "`--at` tells of a grid, and this is the run of a coalition",
            "ask for a job: `--job ID --organization NAME`",
        ));
    }
    needs_jobs(manifest)?;
    if let Some(name) = cluster {
        known("cluster", name, manifest.clusters.iter().map(|cluster| &*cluster.name))?;
    }
    let replication = super::replication(manifest, replication)?;
    let recorded = has(manifest, "decisions");
    let mut rows = Rows::found(folder, "jobs")?;
    let mut by_cluster: Map<String, Vec<Job>> = Map::new();
    let mut last = Time::ZERO;
    while let Some(row) = rows.read()? {
        let line = jobs::Line::read(&row)?;
        if line.replication != replication {
            continue;
        }
        let job = Job::of(&line);
        last = last.max(job.submit).max(job.start.unwrap_or(last)).max(job.finish.unwrap_or(last));
        let is_here = cluster.is_none_or(|cluster| cluster == job.cluster);
        let is_known = job.is_held || !job.cluster.is_empty();
        if cluster.is_none() && job.is_in_grid(time) {
            by_cluster.get_or_default(String::new()).push(job);
        } else if is_here && is_known && (job.waits(time) || job.runs(time)) {
            by_cluster.get_or_default(job.cluster.clone()).push(job);
        }
    }
    if time > last {
        return Err(question(
            format!("nothing happened after {last}"),
            format!("ask for a time from 0 to {last}"),
        ));
    }
    let alive = by_cluster.values().flatten().filter(|job| job.waits(time));
    let mut reasons: Map<Name, Option<RecordedDecision>> =
        alive.map(|job| (job.name(), None)).collect();
    if recorded {
        let mut rows = Rows::found(folder, "decisions")?;
        while let Some(row) = rows.read()? {
            let line = decisions::Line::read(&row)?;
            if line.replication != replication {
                continue;
            }
            let (name, line) = RecordedDecision::of(&line);
            if line.time > time || !line.told.is_reason() {
                continue;
            }
            if let Some(reason) = reasons.get_mut(&name) {
                *reason = Some(line);
            }
        }
    }
    let of_grid = manifest.placer().map(str::to_owned);
    let mut held = by_cluster.remove("").unwrap_or_default();
    held.order_by_key(|job| job.arrival);
    let in_grid = of_grid.clone().filter(|_| cluster.is_none()).map(|name| OnCluster {
        cluster: String::new(),
        scheduler: Some(name),
        processors: 0,
        free: 0,
        running: Vec::new(),
        waiting: held.into_iter().map(|job| WaitingJob { line: None, job }).collect(),
        recorded: true,
    });
    let entries = manifest.clusters.iter();
    let wanted = entries.filter(|entry| cluster.is_none_or(|cluster| cluster == entry.name));
    let told = wanted.map(|entry| {
        let mut jobs = by_cluster.remove(&entry.name).unwrap_or_default();
        jobs.order_by_key(|job| job.arrival);
        let (waits, mut runs): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().map(|job| job.at_speed_of(entry)).partition(|job| job.waits(time));
        runs.order_by_key(|job| (job.start, job.arrival));
        let used: u32 = runs.iter().map(|job| job.processors).sum();
        OnCluster {
            cluster: entry.name.clone(),
            scheduler: entry.scheduler.clone().or(of_grid.clone().filter(|_| entry.is_bare)),
            processors: entry.processors,
            free: entry.processors.saturating_sub(used),
            running: runs,
            waiting: waits
                .into_iter()
                .map(|job| WaitingJob { line: reasons.remove(&job.name()).flatten(), job })
                .collect(),
            recorded,
        }
    });
    Ok(AtInstant { time, clusters: in_grid.into_iter().chain(told).collect() })
}

impl AtInstant {
    /// The state in words.
    pub fn text(&self) -> String {
        let mut out = format!("At {}, after all events of that time:\n", when(self.time));
        out.extend(self.clusters.iter().map(|one| one.text(self.time)));
        if self.clusters.iter().any(|one| !one.recorded && !one.waiting.is_empty()) {
            out += &format!("\n{UNRECORDED}\n");
        }
        out
    }

    /// All tables; the waiting jobs come last.
    pub fn tables(&self) -> Vec<Table> {
        let running =
            self.clusters.iter().flat_map(|one| one.running.iter().map(move |job| (one, job)));
        let waiting =
            self.clusters.iter().flat_map(|one| one.waiting.iter().map(move |job| (one, job)));
        vec![
            Table::of("clusters", &self.clusters)
                .figure("time", |_| self.time)
                .text("cluster", |one| &*one.cluster)
                .text("scheduler", |one| one.scheduler.as_deref())
                .figure("processors", |one| one.processors)
                .figure("free", |one| one.free)
                .figure("running", |one| one.running.len())
                .figure("waiting", |one| one.waiting.len())
                .figure("decisions_recorded", |one| one.recorded)
                .table(),
            Table::of("running", running)
                .text("cluster", |(one, _)| &*one.cluster)
                .text("workload_name", |(_, job)| &*job.workload)
                .figure("job_id", |(_, job)| job.number)
                .text("organization", |(_, job)| &*job.organization)
                .figure("processors", |(_, job)| job.processors)
                .figure("starting_time", |(_, job)| job.start)
                .figure("expected_end", |(_, job)| job.expected_end())
                .table(),
            Table::of("waiting", waiting)
                .text("cluster", |(one, _)| &*one.cluster)
                .text("workload_name", |(_, one)| &*one.job.workload)
                .figure("job_id", |(_, one)| one.job.number)
                .text("organization", |(_, one)| &*one.job.organization)
                .figure("processors", |(_, one)| one.job.processors)
                .figure("submission_time", |(_, one)| one.job.submit)
                .text("reason", |(_, one)| Some(one.line.as_ref()?.told.word()))
                .figure("since", |(_, one)| Some(one.line.as_ref()?.time))
                .text("by_workload", |(_, one)| one.line.as_ref()?.by_workload())
                .figure("by_job", |(_, one)| one.line.as_ref()?.by_job())
                .figure("due", |(_, one)| one.line.as_ref()?.due)
                .figure("expected_start", |(_, one)| one.line.as_ref()?.expected_start)
                .figure("extra", |(_, one)| one.line.as_ref()?.extra)
                .table(),
        ]
    }
}

impl OnCluster {
    fn text(&self, time: Time) -> String {
        let waiting = listed(SHOWN, "waiting", &self.waiting, WaitingJob::text);
        let all = self.waiting.len();
        let scheduler = self.scheduler.as_deref();
        let order = if all > 1 { ", in order of submission" } else { "" };
        if self.cluster.is_empty() {
            let waits = words::jobs(all, "waits", "wait");
            let scheduler = scheduler.unwrap_or_default();
            return format!("\n{waits} in the grid for `{scheduler}`{order}\n{waiting}");
        }
        let running = listed(SHOWN, "running", &self.running, |job| {
            let name = named(&job.workload, job.number, "");
            let start = job.start.map(when).unwrap_or_default();
            let expected = match job.expected_end() {
                Some(end) if end <= time => format!(", should have finished at {}", when(end)),
                Some(end) => format!(", expected to finish at {}", when(end)),
                None => String::new(),
            };
            format!("{name} ({}) since {start}{expected}", processors(job.processors))
        });
        let are = if self.free == 1 { "is" } else { "are" };
        format!(
            "\n`{}` ({}): {} of {} {are} free\n  {}\n{running}  {}{order}\n{waiting}",
            self.cluster,
            words::scheduler(scheduler),
            shown::count(self.free.into()),
            processors(self.processors),
            words::jobs(self.running.len(), "is running", "are running"),
            words::jobs(all, "is waiting", "are waiting"),
        )
    }
}

impl WaitingJob {
    fn text(&self) -> String {
        let WaitingJob { job, line } = self;
        let told = line.as_ref().map(|line| {
            let reason = reason(line, job.processors, &job.workload);
            match line.time == job.submit {
                true => format!(", {reason}"),
                false => format!(", from {} on {reason}", when(line.time)),
            }
        });
        let (name, needs) = (named(&job.workload, job.number, ""), processors(job.processors));
        format!("{name} ({needs}) since {}{}", when(job.submit), told.unwrap_or_default())
    }
}
