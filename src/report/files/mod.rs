//! The files that runs of every world leave: `manifest.json`, `figures.csv`, `replications.csv` and
//! `timing.json`, and the schemas of those in JSON.
//!
//! The manifest describes the run: enough to audit it, and to recognize the scenario and the
//! traces. The summary holds the results. Only `timing.json` may differ between two runs of the
//! same scenario.

pub mod columns;
pub mod figures;
mod manifest;
pub mod schema;

use schemars::JsonSchema;
use serde::Serialize;

pub use manifest::{Manifest, Stop};

/// Version of the shapes of `summary.json`, `manifest.json` and `timing.json`.
///
/// It rises when a key goes or changes its meaning; new keys do not change it.
pub const FORMAT: u32 = 3;

/// Cost of a run; only these figures may differ between two runs of the same scenario.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Timing {
    /// Version of the shape of this file.
    pub format: u32,
    /// Seconds spent reading the scenario and surveying its workloads.
    pub read_seconds: f64,
    /// Seconds spent simulating, including writing `jobs.csv`.
    pub run_seconds: f64,
    /// Jobs submitted in all replications, counted or not; in a coalition, jobs that ended.
    pub jobs: u64,
    /// Jobs simulated per second.
    pub jobs_per_second: f64,
    /// Rounds of all replications, if the run was played in rounds.
    pub rounds: Option<u64>,
    /// Rounds simulated per second.
    pub rounds_per_second: Option<f64>,
    /// Number of agent wake-ups or balancings.
    pub wakes: u64,
    /// Peak memory of the process in bytes, if the system reports it.
    pub peak_memory_bytes: Option<u64>,
    /// Number of checkpoints written.
    pub checkpoints: u64,
    /// Seconds spent on checkpoints, summed over all threads.
    pub checkpoint_seconds: f64,
    /// Size of the largest checkpoint, in bytes.
    pub largest_checkpoint_bytes: u64,
    /// Threads that ran replications.
    pub threads: usize,
}
