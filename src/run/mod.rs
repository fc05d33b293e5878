//! One run: a plan, its replications, and the files it leaves.
//!
//! Replications run in parallel on independent streams and are added up in their order, so that the
//! result does not depend on the number of threads.

pub mod audit;
pub(crate) mod coalition;
pub mod control;
pub mod deviate;
pub mod dynamics;
pub mod explain;
pub mod folder;
pub mod game;
pub mod glance;
mod grid;
pub mod kept;
pub mod live;
pub mod pulse;
mod records;
mod session;
mod sheet;
mod watch;
pub mod workload;

pub use coalition::classes_of;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use control::{Control, Every};
use folder::{Claim, FolderError};
use session::{Session, Spent};

use crate::kernel::engine::Stopped;
use crate::kernel::time::Time;
use crate::model::job::Job;
use crate::report::coalition::Rounds;
use crate::report::enough::Goal;
use crate::report::files::FileError;
use crate::report::json::Timing;
use crate::report::results::Results;
use crate::scenario::plan::{Plan, Until};
use crate::sim::grid::GridError;
use crate::sim::pool::PoolError;
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
    /// The rounds of a coalition stopped.
    #[error(transparent)]
    Rounds(#[from] Stopped<PoolError>),
    /// The pool of a coalition could not begin.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A result could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The results folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It was asked to stop; what it takes to go on is saved, where there is a folder.
    #[error("the run was stopped before its end")]
    Interrupted,
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
    /// Rounds of a coalition that are over.
    rounds: AtomicU64,
    board: pulse::Board,
}

impl Progress {
    /// Jobs submitted so far, in all replications, in first runs too.
    pub fn jobs(&self) -> u64 {
        self.jobs.load(Ordering::Relaxed)
    }

    /// Rounds of a coalition that are over so far, in all replications.
    pub fn rounds(&self) -> u64 {
        self.rounds.load(Ordering::Relaxed)
    }

    /// Where replications say how they are.
    pub fn board(&self) -> &pulse::Board {
        &self.board
    }

    /// The share of the run that is done, if that can be told.
    pub fn share(&self, plan: &Plan) -> Option<f64> {
        if plan.precision.is_some() {
            return None;
        }
        let times = if plan.found.anything() { 2.0 } else { 1.0 };
        let replications = f64::from(plan.replications) * times;
        let (done, all) = match (plan.until, plan.jobs()) {
            (Until::Time(time), _) => {
                (self.ticks.load(Ordering::Relaxed) as f64, time.ticks() as f64)
            }
            (Until::Rounds(rounds), _) => (self.rounds() as f64, rounds as f64),
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

/// What a run found.
#[derive(Debug)]
pub enum Found {
    /// Of a grid.
    Grid(Box<Results>),
    /// Of the rounds of a coalition.
    Rounds(Box<Rounds>),
}

/// What a run found and what it cost.
#[derive(Debug)]
pub struct Outcome {
    /// What it found.
    pub found: Found,
    /// What it cost.
    pub timing: Timing,
}

impl Outcome {
    /// What a grid's run found.
    ///
    /// # Panics
    /// When it was a coalition's.
    pub fn grid(self) -> Results {
        match self.found {
            Found::Grid(results) => *results,
            Found::Rounds(_) => panic!("this was the run of a coalition"),
        }
    }
}

/// What was simulated.
#[derive(Clone, Copy, Debug)]
struct Cost {
    jobs: u64,
    wakes: u64,
    rounds: Option<u64>,
    /// What keeping it cost.
    spent: Spent,
}

impl Cost {
    fn timing(self, read_seconds: f64, run_seconds: f64, threads: usize) -> Timing {
        let Cost { jobs, wakes, rounds, spent } = self;
        let per_second = |number: u64| number as f64 / run_seconds.max(1e-9);
        Timing {
            read_seconds,
            run_seconds,
            jobs,
            jobs_per_second: per_second(jobs),
            rounds,
            rounds_per_second: rounds.map(per_second),
            wakes,
            peak_memory_bytes: peak_memory(),
            checkpoints: spent.checkpoints,
            checkpoint_seconds: spent.time.as_secs_f64(),
            largest_checkpoint_bytes: spent.bytes,
            threads,
        }
    }
}

/// How a run is to go; none of it changes what it finds.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// The folder that its files go to, if any are written.
    pub claim: Option<&'a Claim>,
    /// How often its state is saved; `None` where nobody will go on with it.
    pub every: Option<Every>,
    /// How many threads run replications.
    pub threads: usize,
    /// What it took to read the plan, for the timing.
    pub read_seconds: f64,
    /// Where it tells how far it is.
    pub progress: &'a Progress,
    /// What may stop it.
    pub control: &'a Control,
}

impl<'a> Way<'a> {
    /// What is saved of a run, if it is.
    fn session(&self, plan: &Plan) -> Result<Option<Session<'a>>, FileError> {
        let kept = self.claim.zip(self.every);
        kept.map(|(claim, every)| Session::open(claim, plan, every, self.control)).transpose()
    }
}

/// Runs a plan; with a folder, its files are written there, the manifest last.
///
/// The folder must exist and be this run's own; see [`folder::prepare`]. `read_seconds` is told in
/// the timing. Nothing is kept to go on with; see [`run_kept`].
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
    let claim = folder.map(Claim::of).transpose()?;
    let control = Control::default();
    let way = Way {
        claim: claim.as_ref(),
        every: None,
        threads,
        read_seconds,
        progress,
        control: &control,
    };
    run_kept(plan, &way)
}

/// Runs a plan, or goes on with what is saved of it in its folder.
///
/// # Errors
/// See [`RunError`]; no file is left half-written, and what was saved can be gone on with.
pub fn run_kept(plan: &Plan, way: &Way<'_>) -> Result<Outcome, RunError> {
    let span = tracing::info_span!("run", name = plan.name, seed = plan.seed);
    let _entered = span.enter();
    let begun = Instant::now();
    let threads = way.threads.clamp(1, plan.replications as usize);
    let way = &Way { threads, ..*way };
    let timed = |cost: Cost| {
        let timing = cost.timing(way.read_seconds, begun.elapsed().as_secs_f64(), threads);
        tracing::info!(
            jobs = timing.jobs,
            seconds = rounded(timing.run_seconds),
            jobs_per_second = timing.jobs_per_second.round(),
            threads,
            "run ended"
        );
        timing
    };
    let outcome = if let Some(rules) = &plan.coalition {
        let (rounds, cost, records) = coalition::run(plan, rules, way)?;
        let timing = timed(cost);
        coalition::leave(plan, rules, &rounds, &timing, records, way)?;
        Outcome { found: Found::Rounds(Box::new(rounds)), timing }
    } else {
        let (results, cost, records) = grid::run(plan, way)?;
        let timing = timed(cost);
        grid::leave(plan, &results, &timing, records, way)?;
        Outcome { found: Found::Grid(Box::new(results)), timing }
    };
    let spent = outcome.timing.checkpoint_seconds;
    if spent > 1.0 && spent > 0.05 * outcome.timing.run_seconds {
        way.control.note(format!(
            "saving the state took {spent:.0} of {:.0} seconds; a longer `--checkpoint-every` saves \
             most of that",
            outcome.timing.run_seconds
        ));
    }
    match (way.claim, way.every) {
        (Some(claim), Some(_)) => session::close(claim, way.control)?,
        (Some(claim), None) => claim.forget()?,
        (None, _) => {}
    }
    Ok(outcome)
}

/// Takes out of a folder what was only needed until the run in it was finished, which it is.
///
/// # Errors
/// When something cannot be removed.
pub fn close(claim: &Claim) -> Result<(), FileError> {
    session::close(claim, &Control::default())
}

/// Runs replications, several at once, and hands what each found to `add` in their order, which may
/// want more of them.
fn each<T: Send>(
    goal: &mut Goal,
    threads: usize,
    one: impl Fn(u32) -> Result<T, RunError> + Sync,
    mut add: impl FnMut(T, &mut Goal) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let pool = (threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .transpose()?;
    let span = tracing::Span::current();
    let mut next = 0;
    while next < goal.wanted() {
        let most = if threads == 1 { 1 } else { (CHUNK * threads) as u32 };
        let chunk = next..goal.wanted().min(next + most);
        next = chunk.end;
        let ran: Vec<Result<T, RunError>> = match &pool {
            None => chunk.map(&one).collect(),
            Some(pool) => pool.install(|| {
                chunk.into_par_iter().map(|number| span.in_scope(|| one(number))).collect()
            }),
        };
        // What went wrong is told before what was only stopped.
        let is_wrong = |one: &Result<T, RunError>| {
            one.as_ref().is_err_and(|error| !matches!(error, RunError::Interrupted))
        };
        if ran.iter().any(is_wrong) {
            return ran.into_iter().filter(is_wrong).try_for_each(|one| one.map(drop));
        }
        ran.into_iter().try_for_each(|found| add(found?, goal))?;
    }
    Ok(())
}

/// Seconds, to the millisecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// The most memory that this process held, where the system tells.
fn peak_memory() -> Option<u64> {
    memory("VmHWM:")
}

/// The bytes that the system tells of this process in a line that begins so.
fn memory(begin: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(begin))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
