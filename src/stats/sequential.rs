//! When is a sample large enough? The parts of a rule that adds replications, or prolongs a run,
//! until an interval is narrow enough, without covering less than it says.
//!
//! To look again and again, and to stop as soon as the interval is narrow, is to stop where the
//! variance happens to be underestimated (Chow and Robbins, Annals of Mathematical Statistics 36,
//! 1965, for what remains true in the limit; Law, Simulation Modeling and Analysis, 2015, section
//! 9.5, for how much is lost before). So there are few looks: each tells how many are needed, the
//! next is there with a [`Pace`]'s margin, and mostly the last (after Stein, Annals of Mathematical
//! Statistics 16, 1945, and Hall, Annals of Statistics 9, 1981). In one run neighbours depend on
//! each other besides, which a [`Memory`] measures on much finer sections than those of the
//! interval (after Law and Carson, Operations Research 27(5), 1979).

use serde::{Deserialize, Serialize};

use super::interval::{Dependence, LEVEL};
use super::student;
use super::track::Track;

/// How far the next look is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// What is needed by this look is taken so many times.
    margin: f64,
    /// The next look is at so many times the number of this one at least.
    least: f64,
    /// And at so many times at most.
    most: f64,
}

/// Of replications.
pub const REPLICATIONS: Pace = Pace { margin: 1.0, least: 1.1, most: 4.0 };
/// Of jobs of one run.
pub const JOBS: Pace = Pace { margin: 1.2, least: 1.3, most: 4.0 };

impl Pace {
    /// The number at which the next look is, after one at `count` found the interval so many
    /// times as wide as it may be; `None` where there was no interval.
    pub fn next(&self, count: u64, times: Option<f64>) -> u64 {
        let count = count as f64;
        // The width falls with the root of the number.
        let needed = times.map_or(f64::INFINITY, |times| count * times * times * self.margin);
        let next = needed.clamp(count * self.least, count * self.most);
        (libm::ceil(next) as u64).max(count as u64 + 1)
    }
}

/// Correlation of neighbouring points from which on a run is long enough to be measured.
const SETTLED: f64 = 0.2;
/// The same beyond which it is thought again not to be.
const UNSETTLED: f64 = 0.4;
/// A run must be so many times as long as when it was first long enough to be measured: the mean of
/// correlated and skewed values is normal only then, and its variance not just the least of many.
const PROLONGED: u64 = 4;
/// Points that are added up to groups, for the variance.
const GROUPED: usize = 4;
/// So much narrower than asked for the interval must be by the variance of groups.
const CAUTION: f64 = 1.3;

/// The values of one run in their order, in 256 to 511 points: how they depend on their
/// predecessors, and how uncertain that makes their mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    track: Track,
    /// Values when neighbouring points were first hardly correlated.
    settled: Option<u64>,
}

/// What a look at a [`Memory`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recalled {
    /// Half the width of the interval by groups of points, with the caution that they ask for.
    pub half_width: f64,
    /// Values before which the run is too short for any interval, where that is known; by what is
    /// known now, it is too short without.
    pub at_least: Option<u64>,
}

impl Memory {
    /// Adds the next value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.track.add(value);
    }

    /// Looks after so many values; `None` where they are too few to tell, or all alike.
    pub fn recall(&mut self, count: u64) -> Option<Recalled> {
        let points = self.track.points();
        let correlation = Dependence::of(points)?.correlation;
        let groups: Vec<f64> = points
            .chunks_exact(GROUPED)
            .map(|points| points.iter().sum::<f64>() / GROUPED as f64)
            .collect();
        let half_width = half_width(&groups)? * CAUTION;
        if correlation <= SETTLED {
            self.settled.get_or_insert(count);
        }
        let settled = self.settled.filter(|_| correlation <= UNSETTLED);
        Some(Recalled { half_width, at_least: settled.map(|settled| settled * PROLONGED) })
    }
}

/// Half the width of the interval of the mean of values of which each depends on the one before
/// (a first-order autoregression).
fn half_width(values: &[f64]) -> Option<f64> {
    let correlation = Dependence::of(values)?.correlation.clamp(0.0, 0.9);
    let number = values.len() as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let variance = squares / ((number - 1.0) * number);
    let variance = variance * (1.0 + correlation) / (1.0 - correlation);
    Some(student::two_sided(LEVEL, values.len() as u64 - 1) * variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rng::Streams;
    use rand::RngExt as _;
    use rand_distr::StandardNormal;

    #[test]
    fn the_next_look_is_where_the_interval_is_narrow_enough_with_a_margin() {
        for (count, times, expected) in [
            (20, Some(2.0), 80),
            (20, Some(1.5), 45),
            (20, Some(1.001), 22),
            // 100 times 1.1 is a little more than 110, as computers count.
            (100, Some(0.9), 111),
            (20, Some(100.0), 80),
            (20, None, 80),
            (2, Some(1.0), 3),
        ] {
            assert_eq!(REPLICATIONS.next(count, times), expected, "{count} {times:?}");
        }
        assert_eq!(JOBS.next(10_000, Some(1.5)), 27_000);
    }

    /// First-order autoregressions around 10, of which the variance of the mean is known.
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
                memory.recall(count.into()).expect("it is long").half_width
            });
            let mean = all.sum::<f64>() / 40.0;
            // 63 to 127 groups know a deviation within 6 to 9%, and forty of them within 1.4%; the
            // quantile of t adds 1 to 2%, and the correlation of groups, cut off at 0, up to 4%.
            let off = mean / expected - 1.0;
            assert!((-0.02..0.10).contains(&off), "{correlation}: {off}");
        }
    }

    #[test]
    fn a_run_is_too_short_while_its_points_resemble_their_neighbours() {
        let mut short = memory(1, 0.99, 4_000);
        assert_eq!(short.recall(4_000).expect("there are points").at_least, None);
        let mut long = memory(1, 0.99, 400_000);
        assert_eq!(long.recall(400_000).expect("there are points").at_least, Some(1_600_000));
        assert_eq!(long.recall(500_000).expect("there are points").at_least, Some(1_600_000));
        assert_eq!(Memory::default().recall(0), None);
    }
}
