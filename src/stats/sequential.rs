//! Sequential stopping rules: add replications, or prolong a run, until an interval is narrow
//! enough, without losing coverage.
//!
//! Checking repeatedly and stopping as soon as the interval is narrow means stopping when the
//! variance happens to be underestimated (Chow and Robbins, Annals of Mathematical Statistics 36,
//! 1965, for what remains true in the limit; Law, Simulation Modeling and Analysis, 2015, section
//! 9.5, for the coverage lost before). So there are few checks. Each estimates the sample size
//! needed, and the next follows there, with the margin of a [`Pace`]; it is mostly the last (after
//! Stein, Annals of Mathematical Statistics 16, 1945, and Hall, Annals of Statistics 9, 1981).
//! Within one run, neighbours are also correlated. A [`Memory`] measures this on much finer
//! sections than those of the interval (after Law and Carson, Operations Research 27(5), 1979).

use serde::{Deserialize, Serialize};

use super::interval::{Dependence, Level};
use super::student;
use super::track::Track;

/// The distance to the next check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Multiplier for the sample size that this check estimates as needed.
    margin: f64,
    /// Minimum ratio of the next check's sample size to the current one.
    least: f64,
    /// Maximum of the same ratio.
    most: f64,
}

/// Pace for replications.
pub const REPLICATIONS: Pace = Pace { margin: 1.0, least: 1.1, most: 4.0 };
/// Pace for the jobs of one run.
pub const JOBS: Pace = Pace { margin: 1.2, least: 1.3, most: 4.0 };

impl Pace {
    /// Returns the sample size of the next check, after a check at `count`. `times` is the ratio of
    /// the interval's width to the allowed one; `None` if there was no interval.
    pub fn next(&self, count: u64, times: Option<f64>) -> u64 {
        let count = count as f64;
        // The width falls with the square root of the number.
        let needed = times.map_or(f64::INFINITY, |times| count * times * times * self.margin);
        let next = needed.clamp(count * self.least, count * self.most);
        (libm::ceil(next) as u64).max(count as u64 + 1)
    }
}

/// Correlation of neighbouring points below which a run is long enough to be measured.
const SETTLED: f64 = 0.2;
/// Correlation above which the run is again considered too short.
const UNSETTLED: f64 = 0.4;
/// Required length of a run, as a multiple of the length at which it was first long enough to be
/// measured. Only then is the mean of correlated and skewed values normal, and its variance not
/// just the smallest of many.
const PROLONGED: u64 = 4;
/// Number of points per group, for the variance.
const GROUPED: usize = 4;
/// Safety factor by which the interval from groups must be narrower than requested.
const CAUTION: f64 = 1.3;

/// Autocorrelation of the values of one run, and the resulting uncertainty of their mean. The
/// values are kept in order, in 256 to 511 points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    track: Track,
    /// Number of values when neighbouring points were first nearly uncorrelated.
    settled: Option<u64>,
}

/// The result of checking a [`Memory`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recalled {
    /// Half-width of the interval from groups of points, including the safety factor.
    pub half_width: f64,
    /// Number of values before which the run is too short for any interval. If `None`, it is too
    /// short as far as is known now.
    pub at_least: Option<u64>,
}

impl Memory {
    /// Adds the next value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.track.add(value);
    }

    /// Checks after `count` values; `None` if they are too few to tell, or all equal.
    pub fn recall(&mut self, count: u64, level: Level) -> Option<Recalled> {
        let points = self.track.points();
        let correlation = Dependence::of(points)?.correlation;
        let groups: Vec<f64> = points
            .chunks_exact(GROUPED)
            .map(|points| points.iter().sum::<f64>() / GROUPED as f64)
            .collect();
        let half_width = half_width(&groups, level)? * CAUTION;
        if correlation <= SETTLED {
            self.settled.get_or_insert(count);
        }
        let settled = self.settled.filter(|_| correlation <= UNSETTLED);
        Some(Recalled { half_width, at_least: settled.map(|settled| settled * PROLONGED) })
    }
}

/// Returns the half-width of the interval of a mean of first-order autoregressive values.
fn half_width(values: &[f64], level: Level) -> Option<f64> {
    let correlation = Dependence::of(values)?.correlation.clamp(0.0, 0.9);
    let number = values.len() as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let variance = squares / ((number - 1.0) * number);
    let variance = variance * (1.0 + correlation) / (1.0 - correlation);
    Some(student::two_sided(level.share(), values.len() as u64 - 1) * variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use rand::RngExt as _;
    use rand_distr::StandardNormal;

    #[test]
    fn the_next_look_is_where_the_interval_is_narrow_enough_with_a_margin() {
        for (count, times, expected) in [
            (20, Some(2.0), 80),
            (20, Some(1.5), 45),
            (20, Some(1.001), 22),
            // 100 times 1.1 is slightly more than 110 in floating point.
            (100, Some(0.9), 111),
            (20, Some(100.0), 80),
            (20, None, 80),
            (2, Some(1.0), 3),
        ] {
            assert_eq!(REPLICATIONS.next(count, times), expected, "{count} {times:?}");
        }
        assert_eq!(JOBS.next(10_000, Some(1.5)), 27_000);
    }

    /// Creates first-order autoregressions around 10, for which the variance of the mean is known.
    fn memory(seed: u64, correlation: f64, count: u64) -> Memory {
        let (mut rng, mut memory) = (Streams::new(seed).stream("values"), Memory::default());
        let mut value = 0.0;
        for _ in 0..count {
            let draw: f64 = rng.sample(StandardNormal);
            value = correlation * value + (1.0 - correlation * correlation).sqrt() * draw;
            memory.add(10.0 + value);
        }
        memory
    }

    #[test]
    fn the_interval_of_groups_is_as_wide_as_theory_has_it() {
        for (correlation, count) in [(0.0, 2_000_u32), (0.5, 4_096), (0.9, 50_000)] {
            let variance = (1.0 + correlation) / (1.0 - correlation) / f64::from(count);
            let expected = CAUTION * 1.96 * variance.sqrt();
            let all = (0..40).map(|seed| {
                let mut memory = memory(seed, correlation, count.into());
                memory.recall(count.into(), Level::default()).expect("it is long").half_width
            });
            let mean = all.sum::<f64>() / 40.0;
            // 63 to 127 groups estimate a deviation within 6 to 9%, and forty of them within 1.4%.
            // The quantile of t adds 1 to 2%, and the correlation of groups, clipped at 0, up to
            // 4%.
            let off = mean / expected - 1.0;
            assert!((-0.02..0.10).contains(&off), "{correlation}: {off}");
        }
    }

    #[test]
    fn a_run_is_too_short_while_its_points_resemble_their_neighbours() {
        let mut short = memory(1, 0.99, 4_000);
        assert_eq!(short.recall(4_000, Level::default()).expect("there are points").at_least, None);
        let mut long = memory(1, 0.99, 400_000);
        assert_eq!(
            long.recall(400_000, Level::default()).expect("there are points").at_least,
            Some(1_600_000)
        );
        assert_eq!(
            long.recall(500_000, Level::default()).expect("there are points").at_least,
            Some(1_600_000)
        );
        assert_eq!(Memory::default().recall(0, Level::default()), None);
    }
}
