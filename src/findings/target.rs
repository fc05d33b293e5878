//! The precision that a plan requires of one or several metrics before the run may end.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::measure::Measure;
use model::entry::Entry;
use stats::interval::{Interval, Level};

/// Source of the stopping rule.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "precision",
    "after Law and Carson, A sequential procedure for determining the length of a steady-state \
     simulation, Operations Research 27(5), 1979; Law, Simulation Modeling and Analysis, 2015, \
     section 9.5",
)];

/// Default number of replications before the first check.
pub const REPLICATIONS: u64 = 20;
/// Default number of counted jobs before the first check of a single run's batches.
pub const JOBS: u64 = 8192;
/// Default maximum number of replications.
pub const MOST_REPLICATIONS: u64 = 10_000;
/// Default maximum number of jobs of a single run with batches.
pub const MOST_JOBS: u64 = 1_000_000_000;

/// The precision that ends a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// The metrics, of which each is to be known; at least one.
    pub metrics: Vec<&'static Measure>,
    /// Target half-width of the confidence interval of each.
    pub width: Width,
    /// Organizations whose metric is meant, in a grid a single one; `None` for all together.
    pub organizations: Option<Range<usize>>,
    /// The kind of observations added until the precision is reached.
    pub by: By,
    /// Minimum number of replications, or of counted jobs, before the first check.
    pub at_least: u64,
    /// Maximum number of replications, or of submitted jobs; the run ends there in any case.
    pub at_most: u64,
}

/// Target half-width of a confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Width {
    /// A share of the metric.
    Relative(f64),
    /// A width in the metric's units.
    Absolute(f64),
}

impl Precision {
    /// Returns true if `self` asks for the same as `other`, but with a narrower interval.
    pub fn is_finer(&self, other: &Precision) -> bool {
        let is_narrower = match (self.width, other.width) {
            (Width::Relative(new), Width::Relative(old))
            | (Width::Absolute(new), Width::Absolute(old)) => new < old,
            _ => false,
        };
        is_narrower && Precision { width: other.width, ..self.clone() } == *other
    }
}

impl Precision {
    /// Returns the level of each interval, so that all of them hold at once at `level`.
    pub(crate) fn level_of_each(&self, level: Level) -> Level {
        level.of_each(self.metrics.len())
    }

    /// Returns the metrics in words: `flow, wait p95 and makespan`.
    pub fn words(&self) -> String {
        let words: Vec<String> = self.metrics.iter().map(|metric| metric.words()).collect();
        match &words[..] {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => words.concat(),
        }
    }
}

impl Width {
    /// Returns the ratio of an interval's half-width to the half-width allowed.
    pub(crate) fn times_too_wide(self, interval: Interval) -> f64 {
        let figure = f64::midpoint(interval.low, interval.high);
        let (half_width, allowed) = (interval.half_width(), self.around(figure));
        // If nothing varies, the interval is never too wide.
        if half_width == 0.0 { 0.0 } else { half_width / allowed }
    }

    /// Returns the largest allowed half-width of an interval around a figure.
    pub fn around(self, figure: f64) -> f64 {
        match self {
            Width::Relative(share) => share * figure.abs(),
            Width::Absolute(amount) => amount,
        }
    }
}

/// The kind of observations added until a metric is known precisely enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum By {
    /// Replications, each as long as the plan's `until`.
    Replications,
    /// Jobs of a single run, in batches.
    Batches,
}

impl By {
    /// Returns the singular and plural of what is added.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            By::Replications => ("replication", "replications"),
            By::Batches => ("job", "jobs"),
        }
    }
}
