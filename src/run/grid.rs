//! A run of a grid: rigid jobs on clusters.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::pulse::{self, Answered, Estimate, Pulse};
use super::records::{Leavings, Records, Sheets};
use super::{Cost, Progress, RunError, each, rounded};
use crate::kernel::engine::Engine;
use crate::kernel::time::Time;
use crate::report::files::FileError;
use crate::report::jobs::{JobsCsv, Names, write_header};
use crate::report::json::{self, Manifest, Timing};
use crate::report::results::{Results, Window};
use crate::report::{histograms, organizations};
use crate::scenario::plan::{Plan, PlannedGrid, Until};
use crate::sim::accounts::{Accounts, Counting};
use crate::sim::observer::Observer;
use crate::sim::scout::Scout;
use crate::stats::mser::Doubt;

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

/// Runs all replications; gives what they found, what they cost, and the records of their jobs.
pub(super) fn run(
    plan: &Plan,
    folder: Option<&Path>,
    threads: usize,
    progress: &Progress,
) -> Result<(Results, Cost, Option<Records>), RunError> {
    let path = folder.filter(|_| plan.writes_jobs()).map(|folder| folder.join("jobs.csv"));
    let mut records = path.map(|path| Records::begin(&path, write_header)).transpose()?;
    let sheets = records.as_ref().map(Records::sheets).transpose()?;
    let mut results = Results::new(plan);
    let mut jobs = 0;
    each(
        plan.replications,
        threads,
        |number| {
            let sheet = sheets.as_ref().map(|sheets| sheets.of(number)).transpose()?;
            let records = sheet.zip(sheets.as_ref().map(Sheets::path));
            replicate(plan, number, records, progress)
        },
        |replication: Replication| {
            let Replication { accounts, window, end, wakes, .. } = &replication;
            results.add(accounts, *window, *end, *wakes);
            jobs += replication.jobs;
            if let Some((records, part)) = records.as_mut().zip(replication.records) {
                records.append(part)?;
            }
            Ok(())
        },
    )?;
    let cost = Cost { jobs, wakes: results.wakes, rounds: None };
    Ok((results, cost, records))
}

/// Writes the files of a run.
pub(super) fn leave(
    plan: &Plan,
    results: &Results,
    timing: &Timing,
    records: Option<Records>,
    folder: &Path,
) -> Result<(), FileError> {
    let mut leavings = Leavings::new(folder);
    leavings.records(records)?;
    leavings.write("organizations.csv", &organizations::render(plan, results))?;
    if plan.counting.quantiles {
        leavings.write("histograms.hlog", &histograms::render(plan, results))?;
    }
    leavings.write("summary.json", &json::summary(plan, results))?;
    leavings.publish(timing, |digests| Manifest::new(plan, results, digests))
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
    let mut answered = Answered::default();
    drive(plan, &mut engine, progress, |engine| {
        let accounts = &engine.world().observer().0;
        progress.board.look(&mut answered, || Pulse {
            flow: Estimate::of_flow(accounts),
            ..of_engine(number, engine)
        });
        let (_, records) = engine.world().observer();
        records.as_ref().is_some_and(JobsCsv::is_troubled)
    })?;
    let jobs = engine.world().counts().submitted;
    let wakes = engine.wakes();
    let end = end(plan, &engine);
    let (accounts, records) = engine.into_world().finish(end);
    progress.board.ended(number, pulse::flow_of(&accounts));
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
        let mut answered = Answered::default();
        drive(plan, &mut engine, progress, |engine| {
            let pulse = || Pulse { is_first_run: true, ..of_engine(number, engine) };
            progress.board.look(&mut answered, pulse);
            false
        })?;
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

/// How a replication is.
fn of_engine<O: Observer>(replication: u32, engine: &Engine<PlannedGrid<O>>) -> Pulse {
    let counts = engine.world().counts();
    Pulse {
        replication,
        time: engine.now().as_units(),
        submitted: Some(counts.submitted),
        finished: counts.finished,
        waiting: Some(counts.submitted - counts.rejected - counts.started),
        running: Some(counts.started - counts.finished),
        ..Pulse::default()
    }
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

/// Runs a replication to its end, or until somebody who looks at it now and then gives it up.
fn drive<O: Observer>(
    plan: &Plan,
    engine: &mut Engine<PlannedGrid<O>>,
    progress: &Progress,
    mut gives_up: impl FnMut(&Engine<PlannedGrid<O>>) -> bool,
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
        if gives_up(engine) {
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
