//! A mean over some rounds, with its interval.

use stats::interval::{Interval, Level, Sections};
use stats::shown::{figure, rough};

/// A mean over the compared rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its confidence interval; none if the rounds are too few or a score is infinite.
    pub interval: Option<Interval>,
}

impl Mean {
    /// Mean of values in their order, with an interval from batches of `batch` values.
    pub fn of(values: impl Iterator<Item = f64>, batch: usize, level: Level) -> Mean {
        let values: Vec<f64> = values.collect();
        let mut sections = Sections::default();
        for batch in values.chunks(batch) {
            sections.add(batch.iter().sum(), batch.len() as f64);
        }
        let mean = sections.mean().unwrap_or(f64::NAN);
        let interval = sections.interval(level).filter(|interval| interval.low.is_finite());
        Mean { mean, interval }
    }

    /// True if the mean is significantly above 0: the whole interval lies above it.
    pub fn is_sure(&self) -> bool {
        self.interval.is_some_and(|interval| interval.low > 0.0)
    }

    /// Upper end of the interval; infinite if there is none.
    pub fn highest(&self) -> f64 {
        self.interval.map_or(f64::INFINITY, |interval| interval.high)
    }

    /// The mean with the ends of its interval, which often are not equally far away.
    pub fn told(&self) -> String {
        let ends = self.interval.map_or_else(String::new, |interval| {
            let low = rough(interval.low);
            if interval.high.is_finite() {
                format!(" (interval: {low} to {})", rough(interval.high))
            } else {
                format!(" (at least {low})")
            }
        });
        figure(self.mean) + &ends
    }
}
