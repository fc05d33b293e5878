//! Runs of a scenario whose replications are the samples of a study, all on the same draws.

use super::sample::mean;
use super::verdict::Measured;
use super::{Bench, StudyError};
use findings::Findings as _;
use findings::measure::Metric;
use run::AnyFindings;
use stats::interval::Level;

/// A run of any world.
pub(super) struct Run {
    /// Its name in rows.
    pub(super) name: &'static str,
    found: AnyFindings,
}

impl Run {
    /// Runs a scenario with some settings, `key=value`.
    pub(super) fn new(
        bench: &Bench,
        name: &'static str,
        (file, scenario): (&str, &str),
        set: &[String],
    ) -> Result<Run, StudyError> {
        Ok(Run { name, found: bench.run(file, scenario, set)?.found })
    }

    /// Values of a measure, one a replication; not a number where a replication has none.
    pub(super) fn values(&self, metric: Metric) -> Vec<f64> {
        let sample = self.found.sample();
        let series = sample.series(sample.all(), metric.measure()).unwrap_or_default();
        let known = |[value, weight]: [f64; 2]| if weight > 0.0 { value } else { f64::NAN };
        series.into_iter().map(known).collect()
    }

    /// A figure of all replications together.
    pub(super) fn figure(&self, metric: Metric) -> Measured {
        let sample = self.found.sample();
        let figures = self.found.figures_of(sample.all(), Level::default());
        let figure = figures.into_iter().find(|one| one.measure == metric.measure());
        let known = figure.and_then(|one| Some((one.mean?, one.interval)));
        let (value, interval) = known.unwrap_or((f64::NAN, None));
        let half_width = interval.map_or(f64::INFINITY, |one| (one.high - one.low) / 2.0);
        Measured { value, half_width }
    }

    /// Mean of the paired differences to another run.
    pub(super) fn less(&self, other: &Run, metric: Metric) -> Measured {
        let (own, other) = (self.values(metric), other.values(metric));
        mean(own.iter().zip(&other).map(|(own, other)| own - other))
    }
}
