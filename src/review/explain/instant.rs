//! The state of a grid at a given time.

use kernel::map::Map;
use std::path::Path;

use super::job::{has, needs_jobs};
use super::read::{Job, Line, Name};
use super::{ExplainError, known, question};
use kernel::order::InOrder as _;
use kernel::time::Time;
use records::record::Record as _;
use records::recorded::Rows;
use records::{decisions, jobs};
use report::json::Manifest;

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
    pub running: Vec<RunningJob>,
    /// Waiting jobs, by submission.
    pub waiting: Vec<WaitingJob>,
    /// True if the run recorded decisions.
    pub recorded: bool,
}

/// A running job.
#[derive(Debug)]
pub struct RunningJob {
    /// The job.
    pub job: Job,
    /// Expected end.
    pub expected_end: Option<Time>,
}

/// A waiting job.
#[derive(Debug)]
pub struct WaitingJob {
    /// The job.
    pub job: Job,
    /// The reason it waits, if recorded.
    pub line: Option<Line>,
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
) -> Result<Vec<OnCluster>, ExplainError> {
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
    let mut reasons: Map<Name, Option<Line>> = alive.map(|job| (job.name(), None)).collect();
    if recorded {
        let mut rows = Rows::found(folder, "decisions")?;
        while let Some(row) = rows.read()? {
            let line = decisions::Line::read(&row)?;
            if line.replication != replication {
                continue;
            }
            let (name, line) = Line::of(&line);
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
            running: runs
                .into_iter()
                .map(|job| RunningJob { expected_end: job.expected_end(), job })
                .collect(),
            waiting: waits
                .into_iter()
                .map(|job| WaitingJob { line: reasons.remove(&job.name()).flatten(), job })
                .collect(),
            recorded,
        }
    });
    Ok(in_grid.into_iter().chain(told).collect())
}
