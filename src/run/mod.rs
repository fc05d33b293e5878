//! One run: a plan, its replications, and the files it leaves.
//!
//! Replications run in parallel on independent streams and are added up in their order, so that the
//! result does not depend on the number of threads.

pub mod audit;
pub mod folder;
pub mod workload;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::kernel::engine::{Engine, Stopped};
use crate::kernel::time::Time;
use crate::model::job::Job;
use crate::report::files::{self, Draft, FileError};
use crate::report::jobs::{JobsCsv, Names, write_header};
use crate::report::json::{self, Manifest, Timing};
use crate::report::results::{Results, Window};
use crate::report::{histograms, organizations};
use crate::scenario::plan::{Plan, PlannedGrid, Until};
use crate::sim::accounts::{Accounts, Counting};
use crate::sim::grid::GridError;
use crate::sim::observer::Observer;
use crate::sim::scout::Scout;
use crate::stats::mser::Doubt;
use crate::workload::SourceError;

/// What ends a run before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A source of jobs could not be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The simulation stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped<GridError>),
    /// A result could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// How far a run is; read by whoever shows it while it runs.
#[derive(Debug, Default)]
pub struct Progress {
    jobs: AtomicU64,
    /// Simulated time that passed in all replications, in ticks.
    ticks: AtomicU64,
}

impl Progress {
    /// Jobs submitted so far, in all replications, in first runs too.
    pub fn jobs(&self) -> u64 {
        self.jobs.load(Ordering::Relaxed)
    }

    /// The share of the run that is done, if that can be told.
    pub fn share(&self, plan: &Plan) -> Option<f64> {
        let times = if plan.found.anything() { 2.0 } else { 1.0 };
        let replications = f64::from(plan.replications) * times;
        let (done, all) = match (plan.until, plan.jobs()) {
            (Until::Time(time), _) => {
                (self.ticks.load(Ordering::Relaxed) as f64, time.ticks() as f64)
            }
            (_, Some(jobs)) => (self.jobs() as f64, jobs as f64),
            _ => return None,
        };
        Some((done / (all * replications).max(1.0)).min(1.0))
    }

    /// The share that is done of `passes` times drawing at most so many jobs of one replication.
    pub fn share_drawn(&self, plan: &Plan, most: u64, passes: u32) -> f64 {
        let jobs = plan.jobs().map_or(most, |jobs| jobs.min(most));
        let passes = f64::from(passes);
        let by_jobs = self.jobs() as f64 / (jobs as f64 * passes).max(1.0);
        let share = match plan.until {
            Until::Time(time) => {
                let ticks = self.ticks.load(Ordering::Relaxed) as f64;
                by_jobs.max(ticks / (time.ticks() as f64 * passes))
            }
            Until::Drained | Until::Jobs(_) | Until::Rounds(_) => by_jobs,
        };
        share.min(1.0)
    }

    /// A job was drawn, after one that is submitted at `before`.
    fn drawn(&self, job: &Job, before: &mut Time) {
        let passed = (job.submit - *before).ticks() as u64;
        self.jobs.fetch_add(1, Ordering::Relaxed);
        self.ticks.fetch_add(passed, Ordering::Relaxed);
        *before = job.submit;
    }
}

/// Replications that are in memory at once for each thread, where several run them.
const CHUNK: usize = 2;
/// Instants between two looks at the progress.
const BETWEEN_LOOKS: u32 = 4096;

/// What one replication found.
struct Replication {
    accounts: Accounts,
    window: Window,
    end: Time,
    wakes: u64,
    jobs: u64,
    records: Option<File>,
}

/// What a run found and what it cost.
#[derive(Debug)]
pub struct Outcome {
    /// What it found.
    pub results: Results,
    /// What it cost.
    pub timing: Timing,
}

/// Runs a plan; with a folder, its files are written there, the manifest last.
///
/// The folder must exist and be this run's own; see [`folder::prepare`]. `read_seconds` is told in
/// the timing.
///
/// # Errors
/// See [`RunError`]; no file is left half-written.
pub fn run(
    plan: &Plan,
    folder: Option<&Path>,
    threads: usize,
    read_seconds: f64,
    progress: &Progress,
) -> Result<Outcome, RunError> {
    let span = tracing::info_span!("run", name = plan.name, seed = plan.seed);
    let _entered = span.enter();
    let begun = Instant::now();
    let mut records = match folder.filter(|_| plan.output.jobs) {
        None => None,
        Some(folder) => {
            let path = folder.join("jobs.csv");
            let mut draft = Draft::begin(&path)?;
            write_header(&mut draft).and_then(|()| draft.flush()).map_err(FileError::of(&path))?;
            Some(draft)
        }
    };
    let mut results = Results::new(plan);
    let mut jobs = 0;
    let threads = threads.clamp(1, plan.replications as usize);
    let pool = (threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .transpose()?;
    let mut next = 0;
    while next < plan.replications {
        let most = if threads == 1 { 1 } else { (CHUNK * threads) as u32 };
        let chunk = next..plan.replications.min(next + most);
        next = chunk.end;
        let one = |number: u32| {
            let records = match &records {
                None => None,
                Some(draft) => Some((records_of(number, draft)?, draft.path())),
            };
            replicate(plan, number, records, progress)
        };
        let ran: Vec<Result<Replication, RunError>> = match &pool {
            None => chunk.map(one).collect(),
            Some(pool) => pool.install(|| {
                chunk.into_par_iter().map(|number| span.in_scope(|| one(number))).collect()
            }),
        };
        for replication in ran {
            let replication = replication?;
            let Replication { accounts, window, end, wakes, .. } = &replication;
            results.add(accounts, *window, *end, *wakes);
            jobs += replication.jobs;
            if let (Some(draft), Some(mut part)) = (&mut records, replication.records) {
                // The first wrote behind the header already.
                if results.replications.len() > 1 {
                    let copied = part.rewind().and_then(|()| io::copy(&mut part, draft));
                    copied.map_err(FileError::of(draft.path()))?;
                }
            }
        }
    }
    let run_seconds = begun.elapsed().as_secs_f64();
    let timing = Timing {
        read_seconds,
        run_seconds,
        jobs,
        jobs_per_second: jobs as f64 / run_seconds.max(1e-9),
        wakes: results.wakes,
        peak_memory_bytes: peak_memory(),
        threads,
    };
    if let Some(folder) = folder {
        write_results(plan, &results, &timing, records, folder)?;
    }
    tracing::info!(
        jobs,
        seconds = rounded(run_seconds),
        jobs_per_second = timing.jobs_per_second.round(),
        threads,
        "run ended"
    );
    Ok(Outcome { results, timing })
}

/// Where the lines of a replication go: the first writes into the file itself, the others into
/// nameless ones that are appended in order.
fn records_of(number: u32, draft: &Draft) -> Result<File, FileError> {
    if number == 0 {
        draft.handle()
    } else {
        let folder = draft.path().parent().unwrap_or(Path::new("."));
        tempfile::tempfile_in(folder).map_err(FileError::of(folder))
    }
}

fn replicate(
    plan: &Plan,
    number: u32,
    records: Option<(File, &Path)>,
    progress: &Progress,
) -> Result<Replication, RunError> {
    let span = tracing::info_span!("replication", number);
    let _entered = span.enter();
    tracing::debug!("replication started");
    let begun = Instant::now();
    let (counting, doubt) = counting(plan, number, progress)?;
    let accounts = Accounts::new(plan.organizations.len(), plan.owned(), counting);
    let path = records.as_ref().map_or(Path::new(""), |(_, path)| *path);
    let records = records.map(|(file, _)| {
        let names = Names {
            organizations: plan.organizations.iter().map(|one| one.name.clone()).collect(),
            clusters: (plan.clusters.iter())
                .map(|cluster| (cluster.name.clone(), cluster.processors()))
                .collect(),
            workloads: plan.workloads.iter().map(|workload| workload.name.clone()).collect(),
        };
        JobsCsv::new(BufWriter::with_capacity(1 << 16, file), names, number)
    });
    let mut engine = plan.build(number, (accounts, records))?.start();
    drive(plan, &mut engine, progress, |(_, records)| {
        records.as_ref().is_some_and(JobsCsv::is_troubled)
    })?;
    let jobs = engine.world().counts().submitted;
    let wakes = engine.wakes();
    let end = end(plan, &engine);
    let (accounts, records) = engine.into_world().finish(end);
    let records = records.map(finish_records).transpose().map_err(FileError::of(path))?;
    let seconds = rounded(begun.elapsed().as_secs_f64());
    tracing::info!(jobs, wakes, %end, seconds, "replication ended");
    let window = Window { from: counting.from, until: counting.until, doubt };
    Ok(Replication { accounts, window, end, wakes, jobs, records })
}

/// Which jobs of a replication count; where that is not known beforehand, it is run to find it.
fn counting(
    plan: &Plan,
    number: u32,
    progress: &Progress,
) -> Result<(Counting, Option<Doubt>), RunError> {
    let mut found = (plan.counting, None);
    if plan.found.anything() {
        let mut engine = plan.build(number, Scout::default())?.start();
        drive(plan, &mut engine, progress, |_| false)?;
        let scout = engine.world().observer();
        if plan.found.warm_up {
            found = scout.without_warm_up(found.0);
        }
        if let Some(cool_down) = plan.found.cool_down {
            found.0 = scout.without_cool_down(found.0, cool_down);
        }
        let (counting, doubt) = &found;
        tracing::info!(from = %counting.from, ?doubt, "first run ended");
    }
    Ok(found)
}

/// The time at which a plan's replications stop, if they do.
fn limit(plan: &Plan) -> Time {
    match plan.until {
        Until::Time(time) => time,
        Until::Drained | Until::Jobs(_) | Until::Rounds(_) => Time::NEVER,
    }
}

/// When a replication that was driven to its end ended.
fn end<O: Observer>(plan: &Plan, engine: &Engine<PlannedGrid<O>>) -> Time {
    if limit(plan) == Time::NEVER { engine.now() } else { limit(plan) }
}

/// Runs a replication to its end, or until the observer gives up, which is looked at now and then.
fn drive<O: Observer>(
    plan: &Plan,
    engine: &mut Engine<PlannedGrid<O>>,
    progress: &Progress,
    gives_up: impl Fn(&O) -> bool,
) -> Result<(), RunError> {
    let limit = limit(plan);
    let (mut jobs, mut ticks) = (0, 0);
    let mut more = true;
    while more {
        for _ in 0..BETWEEN_LOOKS {
            more = engine.upcoming().is_some_and(|(at, _)| at < limit);
            if !more {
                break;
            }
            engine.step()?;
        }
        let submitted = engine.world().counts().submitted;
        let now = engine.now().ticks() as u64;
        progress.jobs.fetch_add(submitted - jobs, Ordering::Relaxed);
        progress.ticks.fetch_add(now - ticks, Ordering::Relaxed);
        (jobs, ticks) = (submitted, now);
        if gives_up(engine.world().observer()) {
            break;
        }
    }
    Ok(())
}

fn finish_records(mut records: JobsCsv<BufWriter<File>>) -> io::Result<File> {
    match records.trouble() {
        Some(error) => Err(error),
        None => records.into_inner().into_inner().map_err(|error| error.into_error()),
    }
}

fn write_results(
    plan: &Plan,
    results: &Results,
    timing: &Timing,
    records: Option<Draft>,
    folder: &Path,
) -> Result<(), RunError> {
    let mut digests = BTreeMap::new();
    let mut complete = Vec::new();
    if let Some(mut records) = records {
        digests.insert("jobs.csv".to_owned(), records.digest()?);
        complete.push(records.complete()?);
    }
    let mut write = |name: &str, content: Vec<u8>| -> Result<(), FileError> {
        digests.insert(name.to_owned(), blake3::hash(&content).to_hex().to_string());
        complete.push(files::written(&folder.join(name), &content)?);
        Ok(())
    };
    write("organizations.csv", organizations::render(plan, results))?;
    if plan.counting.quantiles {
        write("histograms.hlog", histograms::render(plan, results))?;
    }
    write("summary.json", json::summary(plan, results))?;
    complete.push(files::written(&folder.join("timing.json"), &json::pretty(timing))?);
    let manifest = Manifest::new(plan, results, digests);
    complete.push(files::written(&folder.join(folder::MANIFEST), &json::pretty(&manifest))?);
    // All is on the disk; only now do the files of an earlier run go.
    folder::clear(folder)?;
    for file in complete {
        file.publish()?;
    }
    files::sync_folder(folder)?;
    tracing::info!(folder = %folder.display(), "results written");
    Ok(())
}

/// Seconds, to the millisecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// The most memory that this process held, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
