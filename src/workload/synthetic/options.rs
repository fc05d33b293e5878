//! What is written about a synthetic workload.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::workload::arrivals::Arrivals;
use crate::workload::batches::Batches;
use crate::workload::estimates::{Estimates, is_exact};
use crate::workload::profile::Profile;
use crate::workload::rounding::RoundingOptions;
use crate::workload::sizes::Sizes;
use crate::workload::widths::Widths;

/// A workload of independent draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyntheticOptions {
    /// When jobs come.
    pub arrivals: Arrivals,
    /// How many jobs come at each arrival, 1 where nothing is said; a rate is one of arrivals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batches: Option<Batches>,
    /// How the rate changes over the day or the week.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
    /// How long they run.
    pub size: Sizes,
    /// How many processors they use; 1 where nothing is said.
    #[serde(default)]
    pub processors: Widths,
    /// How long their users say they run.
    #[serde(default, skip_serializing_if = "is_exact")]
    pub estimates: Estimates,
    /// What becomes a whole number of units.
    #[serde(default, skip_serializing_if = "RoundingOptions::is_none")]
    pub rounding: RoundingOptions,
    /// Nothing comes after this many jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub jobs: Option<u64>,
    /// Nothing comes at this time (in units) or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: Option<f64>,
}

impl SyntheticOptions {
    /// Endless jobs on one processor each, with defaults for all else.
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

    /// The files that are drawn from, each with its field.
    pub fn files_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut PathBuf)> {
        let size = self.size.file_mut().map(|file| ("size.empirical.file", file));
        let processors = self.processors.file_mut();
        size.into_iter().chain(processors.map(|file| ("processors.empirical.file", file)))
    }
}
