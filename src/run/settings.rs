//! Execution settings of a run.

use std::path::Path;

use super::claim::Claim;
use super::control::{Control, Every};
use super::progress::Progress;

/// Execution settings of a run; none of them changes its results.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings<'a> {
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
    /// A record of what was said with programs, whose answers take their place.
    pub replay: Option<&'a Path>,
}

impl<'a> RunSettings<'a> {
    /// A run that is not resumed.
    pub fn once(
        claim: Option<&'a Claim>,
        threads: usize,
        progress: &'a Progress,
        control: &'a Control,
    ) -> RunSettings<'a> {
        let (every, read_seconds, replay) = (None, 0.0, None);
        RunSettings { claim, every, threads, read_seconds, progress, control, replay }
    }
}
