//! A unit of a run in rounds: its totals, and its figures over the replications.

use std::ops::Deref;

use crate::estimate::Estimate;
use crate::measure::Metric;
use crate::sample::Sample;
use stats::interval::Level;

/// Results of a unit besides its means over the replications.
pub trait Totals {
    /// The interval of a measure from batches of the rounds of a single replication.
    fn batched(&self, metric: Metric, level: Level) -> Option<Estimate>;
}

/// An organization or player, a class of them, or all: its totals `T`, with its figures.
#[derive(Debug)]
pub struct Unit<'a, T> {
    totals: &'a T,
    sample: &'a Sample,
    /// Its index in the sample.
    at: usize,
}

impl<T> Clone for Unit<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Unit<'_, T> {}

impl<T> Deref for Unit<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.totals
    }
}

impl<'a, T: Totals> Unit<'a, T> {
    /// The unit at this index of the sample.
    pub fn new(totals: &'a T, sample: &'a Sample, at: usize) -> Unit<'a, T> {
        Unit { totals, sample, at }
    }

    /// Its results besides its means.
    pub fn totals(&self) -> &'a T {
        self.totals
    }

    /// Confidence level of the intervals.
    pub fn level(&self) -> Level {
        self.sample.level()
    }

    /// Mean of a measure: over the replications, of the mean over the members.
    pub fn mean(&self, metric: Metric) -> Option<f64> {
        self.sample.mean(self.at, metric.measure())
    }

    /// Confidence interval of a mean over the replications; with a single replication, from batches
    /// of rounds where there are any.
    pub fn interval(&self, metric: Metric) -> Option<Estimate> {
        let over_replications = self.sample.estimate(self.at, metric.measure());
        let batched = || self.totals.batched(metric, self.sample.level());
        over_replications.or_else(|| Some(batched()?.within(metric.measure())))
    }
}
