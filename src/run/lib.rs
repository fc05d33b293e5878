//! Runs a plan: its replications, and the files it leaves.
//!
//! Replications run in parallel on independent random streams and are merged in order of their
//! number, so the result does not depend on the number of threads.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod any;
mod campaign;
pub mod claim;
pub mod coalition;
pub mod conduct;
pub mod control;
pub mod deviate;
mod drive;
mod dynamics;
mod each;
pub mod error;
pub mod experiment;
pub mod finished;
pub mod folder;
mod game;
pub mod glance;
mod grid;
pub mod instance;
pub mod kept;
pub mod live;
pub mod progress;
pub mod pulse;
mod record_files;
mod records;
mod scouting;
mod session;
pub mod settings;
pub mod shards;
pub mod sheet;
pub mod sweep;
mod usage;
pub mod versus;
mod watch;
mod worker;
pub mod workload;
pub mod world;

pub use any::AnyFindings;
pub use coalition::{CoalitionWorld, classes_of};
pub use dynamics::DynamicsWorld;
pub use error::RunError;
pub use game::GameWorld;
pub use grid::GridWorld;
pub use progress::Progress;
pub use settings::RunSettings;

use std::path::Path;

use any::AnyWorld;
use claim::Claim;
use conduct::conduct;
use control::Control;

use ::records::files::FileError;
use findings::grid::results::Results;
use report::files::Timing;
use scenario::plan::Plan;

/// Results and cost of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The results.
    pub found: AnyFindings,
    /// The cost.
    pub timing: Timing,
}

impl Outcome {
    /// The results of a grid's run; `None` if it was another world's.
    pub fn grid(self) -> Option<Results> {
        match self.found {
            AnyFindings::Grid(results) => Some(*results),
            _ => None,
        }
    }
}

/// Runs a plan. With a folder, its files are written there, the manifest last.
///
/// The folder must exist and belong to this run; see [`folder::prepare`]. `read_seconds` is added
/// to the timing. No checkpoints are written; see [`conduct()`].
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
    let settings = RunSettings::once(claim.as_ref(), threads, progress, &control);
    let settings = RunSettings { read_seconds, ..settings };
    let (found, timing) = conduct(&AnyWorld::of(plan)?, plan, &settings)?;
    Ok(Outcome { found, timing })
}

/// Removes the state that was only needed until the run finished; with `keeps_all` final states stay,
/// however many there are.
///
/// # Errors
/// Fails if something cannot be removed.
pub fn close(claim: &Claim, keeps_all: bool) -> Result<(), FileError> {
    session::close(claim, keeps_all, &Control::default())
}
