//! Parameters of a synthetic workload in a scenario.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::workload::arrivals::Arrivals;
use crate::workload::batches::Batches;
use crate::workload::draw::Sizes;
use crate::workload::estimates::{Estimates, is_exact};
use crate::workload::profile::Profile;
use crate::workload::rounding::RoundingOptions;
use crate::workload::widths::Widths;

/// A workload of independent draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyntheticOptions {
    /// Arrival process.
    pub arrivals: Arrivals,
    /// Number of jobs per arrival, by default 1; a rate counts arrivals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batches: Option<Batches>,
    /// Variation of the rate over the day or week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// Runtimes.
    pub size: Sizes,
    /// Number of processors; by default 1.
    #[serde(default)]
    pub processors: Widths,
    /// User estimates of the runtimes.
    #[serde(default, skip_serializing_if = "is_exact")]
    pub estimates: Estimates,
    /// Rounding of times to whole units.
    #[serde(default, skip_serializing_if = "RoundingOptions::is_none")]
    pub rounding: RoundingOptions,
    /// Number of jobs after which the stream ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub jobs: Option<u64>,
    /// Time, in units, from which on no job arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: Option<f64>,
}

impl SyntheticOptions {
    /// Creates an endless stream of one-processor jobs, with defaults for all else.
    pub fn new(arrivals: Arrivals, size: Sizes) -> SyntheticOptions {
        SyntheticOptions {
            arrivals,
            batches: None,
            profile: None,
            size,
            processors: Widths::default(),
            estimates: Estimates::default(),
            rounding: RoundingOptions::default(),
            jobs: None,
            until: None,
        }
    }

    /// Returns the files that are drawn from, each with its field.
    pub fn files_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut PathBuf)> {
        let size = self.size.file_mut().map(|file| ("size.empirical.file", file));
        let processors = self.processors.file_mut();
        size.into_iter().chain(processors.map(|file| ("processors.empirical.file", file)))
    }
}
