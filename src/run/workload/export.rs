//! Exports the jobs of a scenario for other programs, and for gridpact itself.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use super::{MOST_JOBS, Stream};
use crate::progress::Progress;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::ids::Uses;
use model::job::Job;
use scenario::plan::{Plan, WorkloadKind};
use workload::SourceError;
use workload::estimates::Estimates;
use workload::jobs::{JobsWriter, MoreColumns};
use workload::swf::{Header, SwfError, SwfWriter};

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A list of jobs, as read by `workload.jobs`.
    Csv,
    /// A trace in the Standard Workload Format.
    Swf {
        /// Round times to whole seconds, as the format specifies, and lengths above 0 to at least
        /// 1; otherwise times that are not whole are written as decimals.
        whole_seconds: bool,
    },
}

/// Summary of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Number of jobs.
    pub jobs: u64,
    /// True if a run would take more jobs.
    pub is_cut: bool,
    /// True if jobs are numbered differently than in the scenario.
    pub is_renumbered: bool,
}

/// An error that stops an export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A source of jobs could not be opened or read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The output could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Options of an export.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// The replication to draw.
    pub replication: u32,
    /// Maximum number of jobs.
    pub most: u64,
    /// The output format.
    pub target: Target,
}

impl Default for Export {
    fn default() -> Export {
        Export { replication: 0, most: MOST_JOBS, target: Target::Csv }
    }
}

/// Totals that are known only after all jobs were drawn.
struct Survey {
    exported: Exported,
    max_processors: u32,
    /// Partitions of the jobs, in the order in which they come first.
    partitions: Vec<String>,
}

impl Survey {
    /// Number of a partition in a trace: its own if all have one, else by their order; `None` for none.
    fn partition(&self, name: &str) -> Option<u32> {
        let place = self.partitions.iter().position(|known| known == name)?;
        let has_numbers = self.partitions.iter().all(|name| name.parse::<u32>().is_ok());
        name.parse().ok().filter(|_| has_numbers).or(Some(place as u32 + 1))
    }
}

/// Draws the jobs of a replication and writes them to `out`. A trace is compressed if `name` ends
/// in `.gz`.
///
/// Jobs are drawn twice, since the header of a trace needs their totals. They keep their numbers if
/// all come from one source with unique numbers; otherwise they are numbered from 1. The estimate
/// of a job is left out if its workload has `estimates.none`.
///
/// # Errors
/// Fails if a source cannot be read or `out` cannot be written.
pub fn export<W: Write>(
    plan: &Plan,
    how: Export,
    name: &Path,
    out: W,
    progress: &Progress,
) -> Result<(W, Exported), ExportError> {
    let survey = survey(plan, how, progress)?;
    let mut stream = Stream::open(plan, how.replication, how.most)?;
    let (mut count, mut before) = (0, Time::ZERO);
    let mut next = || -> Result<Option<(Job, Tag<'_>)>, SourceError> {
        let Some(job) = stream.draw()? else { return Ok(None) };
        progress.drawn(&job, &mut before);
        count += 1;
        let number = if survey.exported.is_renumbered { count } else { job.number };
        Ok(Some((Job { number, ..job }, tag(plan, &job))))
    };
    let out = match how.target {
        Target::Csv => {
            let names: Vec<String> =
                plan.organizations.iter().map(|organization| organization.name.clone()).collect();
            let clusters: Vec<String> =
                plan.clusters.iter().map(|cluster| cluster.name.clone()).collect();
            let lists: Vec<Uses> = plan.lists.iter().map(|one| one.1.clone()).collect();
            let is_bound = plan.organizations.iter().any(|one| one.binding.is_some())
                || plan.workloads.iter().any(|one| one.kind.names_clusters());
            let more = MoreColumns {
                uses: is_bound.then_some((&clusters, &lists)),
                tags: !survey.partitions.is_empty()
                    || plan.workloads.iter().any(|one| one.kind.tags().is_some()),
                ..MoreColumns::default()
            };
            let mut writer = JobsWriter::new(out, &names, more)?;
            while let Some((job, tag)) = next()? {
                let estimate = has_estimate(plan, &job).then_some(job.estimate);
                writer.row(&job, estimate, tag.each_ref().map(|name| &**name))?;
            }
            writer.into_inner()
        }
        Target::Swf { whole_seconds } => {
            let header = header(plan, how, &survey);
            let mut writer = SwfWriter::new(name, out, &header).map_err(io_error)?;
            while let Some((job, [_, partition, _])) = next()? {
                let job = if whole_seconds { rounded(job) } else { job };
                let partition = survey.partition(&partition);
                let estimate = has_estimate(plan, &job).then_some(job.estimate);
                writer.row(&job, None, estimate, partition).map_err(io_error)?;
            }
            writer.finish().map_err(io_error)?
        }
    };
    Ok((out, survey.exported))
}

/// The account, the partition and the label of a job; empty where there is none.
type Tag<'a> = [Cow<'a, str>; 3];

fn tag<'a>(plan: &'a Plan, job: &Job) -> Tag<'a> {
    match (plan.workloads[job.source as usize].kind.tags(), job.recorded.partition()) {
        (Some(tags), _) => tags.of(job.number).map(Cow::Borrowed),
        (None, partition) => {
            let partition = partition.map_or_else(String::new, |number| number.to_string());
            ["".into(), partition.into(), "".into()]
        }
    }
}

/// True if the workload of a job provides estimates.
fn has_estimate(plan: &Plan, job: &Job) -> bool {
    let drawn = plan.workloads.get(job.source as usize).and_then(|one| one.kind.drawn());
    !drawn.is_some_and(|drawn| matches!(drawn.estimates(), Estimates::None {}))
}

fn survey(plan: &Plan, how: Export, progress: &Progress) -> Result<Survey, SourceError> {
    let mut stream = Stream::open(plan, how.replication, how.most)?;
    let (mut jobs, mut max_processors, mut before) = (0, 0, Time::ZERO);
    let (mut last, mut increases) = (None, true);
    let mut partitions: Vec<String> = Vec::new();
    while let Some(job) = stream.draw()? {
        progress.drawn(&job, &mut before);
        jobs += 1;
        max_processors = max_processors.max(job.processors);
        let [_, partition, _] = tag(plan, &job);
        if !partition.is_empty() && !partitions.iter().any(|known| *known == partition) {
            partitions.push(partition.into_owned());
        }
        increases &= last.replace(job.number).is_none_or(|last| last < job.number);
    }
    // A trace may repeat a number; lists and drawn jobs do not.
    let is_kept = match &plan.workloads[..] {
        [only] => increases || matches!(only.kind, WorkloadKind::List(_)),
        _ => false,
    };
    let exported = Exported { jobs, is_cut: stream.is_cut(), is_renumbered: !is_kept };
    Ok(Survey { exported, max_processors, partitions })
}

/// Maximum number of organizations listed in the header of a trace.
const LISTED: usize = 10_000;

/// Header with the meaning of the fields and the names of the groups.
fn header(plan: &Plan, how: Export, survey: &Survey) -> Header {
    let Export { replication, target, .. } = how;
    let processors = plan.processors();
    let times = match target {
        Target::Swf { whole_seconds: true } => {
            "times are rounded to whole seconds, halves up, lengths above 0 to 1 at least; a \
             unit of the scenario is a second"
        }
        _ => {
            "times are exact, decimals where they are not whole; a unit of the scenario is a second"
        }
    };
    let is_cut = if survey.exported.is_cut { "; the scenario brings more" } else { "" };
    let mut header = Header::new()
        .with("Computer", "none: the jobs of a scenario, which did not run")
        .with(
            "Conversion",
            format!(
                "gridpact {}: {}, seed {}, replication {replication}{is_cut}",
                env!("CARGO_PKG_VERSION"),
                plan.name,
                plan.seed
            ),
        )
        .with("MaxJobs", survey.exported.jobs)
        .with("MaxRecords", survey.exported.jobs)
        .with("MaxProcs", processors)
        .with("Note", times)
        .with(
            "Note",
            format!(
                "fields: 1 job, 2 submission, 4 run time, 5 and 8 processors (at most {}), 9 \
                 estimate where there is one, 12 user, 13 group{}; all others are -1",
                survey.max_processors,
                if survey.partitions.is_empty() { "" } else { ", 16 partition" }
            ),
        )
        .with("Note", "a group is an organization, by its place in the scenario:");
    for (index, organization) in plan.organizations.iter().enumerate().take(LISTED) {
        header = header.with("Group", format!("{} {}", index + 1, organization.name));
    }
    for partition in &survey.partitions {
        let number = survey.partition(partition).unwrap_or_default();
        if number.to_string() != *partition {
            header = header.with("Partition", format!("{number} {partition}"));
        }
    }
    if let Some(more) = plan.organizations.len().checked_sub(LISTED).filter(|&more| more > 0) {
        header = header.with("Note", format!("{more} more groups are not listed"));
    }
    header
}

/// Rounds the times of a job to whole units. Submissions keep their order, and a length above 0
/// stays above 0, since readers of traces skip jobs that did not run.
pub fn rounded(job: Job) -> Job {
    let whole = |ticks: i64| (ticks + TICKS_PER_UNIT / 2) / TICKS_PER_UNIT * TICKS_PER_UNIT;
    let length = |span: Span| match span.ticks() {
        0 => span,
        ticks => Span::from_ticks(whole(ticks).max(TICKS_PER_UNIT)),
    };
    Job {
        submit: Time::from_ticks(whole(job.submit.ticks())),
        runtime: length(job.runtime),
        estimate: length(job.estimate),
        ..job
    }
}

fn io_error(error: SwfError) -> io::Error {
    match error {
        SwfError::Write { error, .. } => error,
        other => io::Error::other(other.to_string()),
    }
}
