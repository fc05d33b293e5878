//! Runs a plan: its replications, and the files it leaves.
//!
//! Replications run in parallel on independent random streams and are merged in order of their
//! number, so the result does not depend on the number of threads.

pub mod audit;
pub(crate) mod coalition;
pub mod conduct;
pub mod control;
pub mod deviate;
mod dynamics;
pub mod experiment;
pub mod explain;
pub mod folder;
mod game;
pub mod glance;
mod grid;
pub mod kept;
pub mod live;
pub mod pulse;
mod records;
mod scouting;
mod session;
pub mod sheet;
mod watch;
pub mod workload;
pub mod world;

pub use coalition::{CoalitionWorld, classes_of};
pub use dynamics::DynamicsWorld;
pub use game::GameWorld;
pub use grid::GridWorld;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use conduct::conduct;
use control::{Control, Every};
use folder::{Claim, FolderError};
use session::{Session, Spent};
use world::Seen;

use crate::findings::coalition::learned::Rounds;
use crate::findings::game::dynamics::Moved;
use crate::findings::game::played::Played;
use crate::findings::grid::results::Results;
use crate::findings::stop::Goal;
use crate::kernel::engine::Stopped;
use crate::kernel::time::Time;
use crate::model::job::Job;
use crate::report::coalition::CoalitionReport;
use crate::report::files::FileError;
use crate::report::game::PlayedReport;
use crate::report::game::dynamics::MovedReport;
use crate::report::grid::GridReport;
use crate::report::json::{FORMAT, Timing};
use crate::report::world::Report;
use crate::scenario::plan::{Cluster, ClusterKind, GamePlan, Plan, Until, World};
use crate::sim::grid::GridError;
use crate::sim::pool::PoolError;
use crate::workload::SourceError;

/// An error that ends a run early.
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
    /// The run was asked to stop. Its state is saved if it has a folder.
    #[error("the run was stopped before its end")]
    Interrupted,
    /// A cluster's scheduler is built in code, and only an [`Experiment`](experiment::Experiment) can
    /// run it.
    #[error("the scheduler of the cluster `{0}` is built in code: run the experiment that has it")]
    Own(String),
    /// The plan is a game of coalitions.
    #[error("a game of coalitions is solved, not played; `gridpact game solve FILE` solves it")]
    Unplayed,
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Progress of a run, for a display on another thread.
#[derive(Debug, Default)]
pub struct Progress {
    jobs: AtomicU64,
    /// Simulated time over all replications, in ticks.
    ticks: AtomicU64,
    /// Finished rounds of a coalition.
    rounds: AtomicU64,
    board: pulse::Board,
}

impl Progress {
    /// Jobs submitted so far in all replications, including first (pilot) runs.
    pub fn jobs(&self) -> u64 {
        self.jobs.load(Ordering::Relaxed)
    }

    /// Finished rounds of a coalition so far, in all replications.
    pub fn rounds(&self) -> u64 {
        self.rounds.load(Ordering::Relaxed)
    }

    /// The board on which replications publish their pulses.
    pub fn board(&self) -> &pulse::Board {
        &self.board
    }

    /// The fraction of the run that is done, if known.
    pub fn share(&self, plan: &Plan) -> Option<f64> {
        if plan.precision.is_some() {
            return None;
        }
        let each = if plan.output.alone { 2.0 } else { 1.0 };
        let replications = f64::from(plan.replications) * each + f64::from(plan.first_runs());
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

    /// The fraction done of `passes` passes over the jobs of one replication, at most `most` each.
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

    /// Counts a job that was drawn after one submitted at `before`.
    fn drawn(&self, job: &Job, before: &mut Time) {
        let passed = (job.submit - *before).ticks() as u64;
        self.jobs.fetch_add(1, Ordering::Relaxed);
        self.ticks.fetch_add(passed, Ordering::Relaxed);
        *before = job.submit;
    }
}

/// Replications in memory for each thread, if there are several threads.
const CHUNK: usize = 2;

/// Results of a run.
#[derive(Debug)]
pub enum Found {
    /// Results of a grid.
    Grid(Box<Results>),
    /// Results of a coalition's rounds.
    Rounds(Box<Rounds>),
    /// Results of a game that learners played.
    Played(Box<Played>),
    /// Results of a game that moved by itself.
    Moved(Box<Moved>),
}

/// Results and cost of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The results.
    pub found: Found,
    /// The cost.
    pub timing: Timing,
}

impl Outcome {
    /// The results of a grid's run; `None` if it was another world's.
    pub fn grid(self) -> Option<Results> {
        match self.found {
            Found::Grid(results) => Some(*results),
            Found::Rounds(_) | Found::Played(_) | Found::Moved(_) => None,
        }
    }

    /// The report of a plan's run.
    pub fn report<'a>(&'a self, plan: &'a Plan) -> Box<dyn Report + 'a> {
        match (&self.found, &plan.world) {
            (Found::Grid(results), _) => Box::new(GridReport { plan, results }),
            (Found::Rounds(found), World::Coalition(coalition)) => {
                Box::new(CoalitionReport { plan, coalition, found })
            }
            (Found::Played(played), World::Game(game)) => {
                Box::new(PlayedReport { plan: GamePlan { plan, game }, played })
            }
            (Found::Moved(moved), World::Game(game)) => {
                Box::new(MovedReport { plan: GamePlan { plan, game }, moved })
            }
            _ => unreachable!("these are the results of this plan"),
        }
    }
}

/// Amount of simulation work done.
#[derive(Clone, Copy, Debug)]
struct Cost {
    seen: Seen,
    /// Overhead of checkpoints.
    spent: Spent,
}

impl Cost {
    fn timing(self, read_seconds: f64, begun: Instant, threads: usize) -> Timing {
        let Cost { seen: Seen { jobs, rounds, wakes, .. }, spent } = self;
        let run_seconds = begun.elapsed().as_secs_f64();
        let per_second = |number: u64| number as f64 / run_seconds.max(1e-9);
        let rounds = (rounds > 0).then_some(rounds);
        Timing {
            format: FORMAT,
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

/// Execution settings of a run; none of them changes its results.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// The folder for its files, if any are written.
    pub claim: Option<&'a Claim>,
    /// Interval between checkpoints; `None` if the run will not be resumed.
    pub every: Option<Every>,
    /// Number of threads for replications.
    pub threads: usize,
    /// Seconds spent reading the plan, for the timing.
    pub read_seconds: f64,
    /// The progress to update.
    pub progress: &'a Progress,
    /// The source of stop requests.
    pub control: &'a Control,
}

impl<'a> Way<'a> {
    /// Opens the saved state of a run, if it is to be saved.
    fn session(&self, plan: &Plan) -> Result<Option<Session<'a>>, FileError> {
        let kept = self.claim.zip(self.every);
        kept.map(|(claim, every)| Session::open(claim, plan, every, self.control)).transpose()
    }
}

/// Runs a plan. With a folder, its files are written there, the manifest last.
///
/// The folder must exist and belong to this run; see [`folder::prepare`]. `read_seconds` is added
/// to the timing. No checkpoints are written; see [`run_kept`].
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

/// Runs a plan, resuming from the state saved in its folder if there is any.
///
/// # Errors
/// See [`RunError`]; no file is left half-written, and the saved state can be resumed.
pub fn run_kept(plan: &Plan, way: &Way<'_>) -> Result<Outcome, RunError> {
    let is_own = |cluster: &&Cluster| matches!(cluster.kind, ClusterKind::Own { .. });
    if let Some(cluster) = plan.clusters.iter().find(is_own) {
        return Err(RunError::Own(cluster.name.clone()));
    }
    let (found, timing) = match &plan.world {
        World::Grid => {
            let (found, timing) = conduct(&GridWorld::new(plan), plan, way)?;
            (Found::Grid(Box::new(found)), timing)
        }
        World::Coalition(coalition) => {
            let (found, timing) = conduct(&CoalitionWorld::new(plan, coalition), plan, way)?;
            (Found::Rounds(Box::new(found)), timing)
        }
        World::Coalitional(_) => return Err(RunError::Unplayed),
        World::Game(game) => {
            let of = GamePlan { plan, game };
            match &game.dynamics {
                None => {
                    let (found, timing) = conduct(&GameWorld::new(of), plan, way)?;
                    (Found::Played(Box::new(found)), timing)
                }
                Some(dynamics) => {
                    let (found, timing) = conduct(&DynamicsWorld::new(of, dynamics), plan, way)?;
                    (Found::Moved(Box::new(found)), timing)
                }
            }
        }
    };
    Ok(Outcome { found, timing })
}

/// Removes the state that was only needed until the run finished.
///
/// # Errors
/// Fails if something cannot be removed.
pub fn close(claim: &Claim) -> Result<(), FileError> {
    session::close(claim, &Control::default())
}

/// Runs replications in parallel and passes their results to `add` in order of their number; `add`
/// may ask for more replications.
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
        // Report errors before interruptions.
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

/// Rounds seconds to the millisecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e3).round() / 1e3
}

/// Peak memory of this process in bytes, if the system reports it.
fn peak_memory() -> Option<u64> {
    memory("VmHWM:")
}

/// Reads a line of this process's status in bytes, by its first word.
fn memory(begin: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(begin))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
