//! What a plan says of how sure a figure must be before the run may end.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::model::entry::Entry;
pub use crate::scenario::raw::Metric;

/// Where the rule comes from.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "precision",
    "after Law and Carson, A sequential procedure for determining the length of a steady-state \
     simulation, Operations Research 27(5), 1979; Law, Simulation Modeling and Analysis, 2015, \
     section 9.5",
)];

/// Replications before the first look, where nothing is said.
pub const REPLICATIONS: u64 = 20;
/// Jobs that count before the first look at the batches of one run, where nothing is said.
pub const JOBS: u64 = 8192;
/// The most replications, where nothing is said.
pub const MOST_REPLICATIONS: u64 = 10_000;
/// The most jobs of one run in batches, where nothing is said.
pub const MOST_JOBS: u64 = 1_000_000_000;

/// When a figure is known well enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Precision {
    /// The figure.
    pub metric: Metric,
    /// How wide half of its interval may be.
    pub width: Width,
    /// Whose figure it is, in a grid a single one; none: that of all.
    pub organizations: Option<Range<usize>>,
    /// What is added until it is known.
    pub by: By,
    /// Replications, or jobs that count, before the first look.
    pub at_least: u64,
    /// Replications, or jobs submitted, after which the run ends in any case.
    pub at_most: u64,
}

/// How wide half of an interval may be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Width {
    /// So large a share of the figure.
    Relative(f64),
    /// So much, in the figure's units.
    Absolute(f64),
}

impl Precision {
    /// Whether the same is asked for, but more of it.
    pub fn is_finer(&self, other: &Precision) -> bool {
        let is_narrower = match (self.width, other.width) {
            (Width::Relative(new), Width::Relative(old))
            | (Width::Absolute(new), Width::Absolute(old)) => new < old,
            _ => false,
        };
        is_narrower && Precision { width: other.width, ..self.clone() } == *other
    }
}

impl Width {
    /// The most that half of an interval around a figure may be.
    pub fn around(self, figure: f64) -> f64 {
        match self {
            Width::Relative(share) => share * figure.abs(),
            Width::Absolute(amount) => amount,
        }
    }
}

/// What is added until a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum By {
    /// Replications, each as long as the plan's `until` says.
    Replications,
    /// Jobs of one run, in batches.
    Batches,
}

impl By {
    /// What is added, one and several.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            By::Replications => ("replication", "replications"),
            By::Batches => ("job", "jobs"),
        }
    }
}
