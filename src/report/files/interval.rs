//! A confidence interval in `summary.json`.

use schemars::JsonSchema;
use serde::Serialize;

use findings::estimate::Estimate;
use stats::interval::Interval;

/// A confidence interval.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct IntervalFigures {
    low: f64,
    high: f64,
    level: f64,
    method: &'static str,
    sections: u64,
    /// Jobs in each section, if all sections have the same number.
    jobs: Option<u64>,
    /// Correlation of neighbouring batches.
    correlation: Option<f64>,
}

impl IntervalFigures {
    /// The figures of an estimate, if there is one.
    pub fn new(estimate: Option<Estimate>, correlation: Option<f64>) -> Option<IntervalFigures> {
        let Estimate { interval: Interval { low, high }, level, method, .. } = estimate?;
        Some(IntervalFigures {
            low,
            high,
            level: level.share(),
            method: method.name(),
            sections: method.sections(),
            jobs: method.jobs(),
            correlation,
        })
    }
}
