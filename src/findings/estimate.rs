//! A mean with its confidence interval, and the method that the interval comes from.

use std::fmt;

use crate::measure::Measure;
use stats::batch_means::BatchMeans;
use stats::interval::{CORRECTED, Error, Interval, Level, Sections};
use stats::shown::counted;

/// Method that a confidence interval comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Student's t over independent replications, corrected for skewness by Willink's method from
    /// [`CORRECTED`] on.
    Replications {
        /// Number of replications in which a job that counts ended.
        sections: u64,
    },
    /// Student's t over batches of one run (batch means), in the order in which jobs ended.
    BatchMeans {
        /// Number of full batches.
        sections: u64,
        /// Jobs in each batch.
        jobs: u64,
    },
    /// Student's t over batches of the rounds of one run.
    RoundMeans {
        /// Number of full batches.
        sections: u64,
        /// Rounds in each batch.
        rounds: u64,
    },
}

impl Method {
    /// Name of the method in files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Replications { .. } => "replications",
            Method::BatchMeans { .. } => "batch_means",
            Method::RoundMeans { .. } => "round_means",
        }
    }

    /// Number of sections: replications or batches.
    pub fn sections(&self) -> u64 {
        let (Method::Replications { sections }
        | Method::BatchMeans { sections, .. }
        | Method::RoundMeans { sections, .. }) = *self;
        sections
    }

    /// Jobs in each section, if all sections have the same number.
    pub fn jobs(&self) -> Option<u64> {
        if let Method::BatchMeans { jobs, .. } = *self { Some(jobs) } else { None }
    }
}

/// The interval over so many replications, by its name.
pub fn pivot(replications: u64) -> &'static str {
    if replications < CORRECTED { "Student's t" } else { "Willink's t" }
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Method::Replications { sections } => {
                let replications = counted(sections, "replication", "replications");
                write!(out, "{} over {replications}", pivot(sections))
            }
            Method::BatchMeans { sections, jobs } => {
                let batches = counted(sections, "batch", "batches");
                write!(out, "batch means, {batches} of {}", counted(jobs, "job", "jobs"))
            }
            Method::RoundMeans { sections, rounds } => {
                let batches = counted(sections, "batch", "batches");
                write!(out, "batch means, {batches} of {}", counted(rounds, "round", "rounds"))
            }
        }
    }
}

/// A confidence interval with its method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The interval.
    pub interval: Interval,
    /// Its confidence level.
    pub level: Level,
    /// Method and number of sections.
    pub method: Method,
    /// Skewness of the sections.
    pub skewness: f64,
    /// The pooled mean, and its error.
    mean: f64,
    error: Error,
}

impl Estimate {
    /// Interval of a mean pooled over replications; needs at least two in which anything counts.
    pub(crate) fn of_replications(sections: &Sections, level: Level) -> Option<Estimate> {
        let method = Method::Replications { sections: sections.filled() };
        Some(Estimate::new(sections.mean()?, sections.error()?, level, method))
    }

    /// Interval of a mean over a run of which the batches cover `share`.
    pub(crate) fn of_batches(
        mean: f64,
        batches: &BatchMeans,
        share: f64,
        level: Level,
        method: impl FnOnce(u64) -> Method,
    ) -> Option<Estimate> {
        let method = method(batches.sections().filled());
        Some(Estimate::new(mean, batches.error(share)?, level, method))
    }

    fn new(mean: f64, error: Error, level: Level, method: Method) -> Estimate {
        let skewness = error.skewness * (method.sections() as f64).sqrt();
        Estimate { interval: error.interval(mean, level), level, method, skewness, mean, error }
    }

    /// The same interval without what a measure cannot be.
    pub(crate) fn within(self, measure: &Measure) -> Estimate {
        Estimate { interval: self.interval.within(measure.range()), ..self }
    }

    /// The same interval at another level.
    pub fn at(&self, level: Level) -> Interval {
        self.error.interval(self.mean, level)
    }
}
