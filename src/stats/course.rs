//! Growth of a mean within replications. Each is cut into early and late parts of its time, which
//! are compared over all replications.
//!
//! A confidence interval from replications does not show a bias they all share, such as an
//! initially empty queue. If nothing grows, the difference between a late and an early part of
//! equal length is symmetric about 0, so Student's t of the pairs also holds for skewed values
//! (after Schruben, Operations Research 30(3), 1982, on tests for initialization bias; here with
//! replications in place of a Brownian bridge).

use serde::{Deserialize, Serialize};

use super::student;

/// Number of bins at which pairs are merged.
const MOST: usize = 128;
/// Minimum number of bins in use for a replication to be cut into parts.
const FEWEST: usize = 16;
/// Each comparison takes an early and a late part, each this fraction (1/n) of the whole.
pub const PARTS: [usize; 3] = [2, 4, 8];
/// Minimum number of replications for a comparison of means.
const REPLICATIONS: u64 = 4;

/// Sums over a span of unknown length, in at most 128 bins of equal length. The length of a bin is
/// a power of two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Course {
    shift: u32,
    bins: Vec<(u64, i128)>,
}

/// The means of the early and the late part of a replication.
pub type Pair = (f64, f64);

impl Course {
    /// Adds an amount at a time `after` the beginning.
    #[inline]
    pub fn add(&mut self, after: u64, amount: i64) {
        while after >> self.shift >= MOST as u64 {
            self.merge();
        }
        let bin = (after >> self.shift) as usize;
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, (0, 0));
        }
        let (count, sum) = &mut self.bins[bin];
        *count += 1;
        *sum += i128::from(amount);
    }

    fn merge(&mut self) {
        let pairs = self
            .bins
            .chunks(2)
            .map(|pair| pair.iter().fold((0, 0), |(count, sum), one| (count + one.0, sum + one.1)));
        self.bins = pairs.collect();
        self.shift += 1;
    }

    /// Returns the means of the first and the last part for each size in [`PARTS`]. They are in the
    /// unit of the amounts; `None` if one of the parts is empty.
    pub fn pairs(&self) -> [Option<Pair>; PARTS.len()] {
        let used = self.bins.len();
        PARTS.map(|parts| {
            let length = (used >= FEWEST).then_some(used / parts)?;
            let [early, late] = [&self.bins[..length], &self.bins[used - length..]].map(
                |bins: &[(u64, i128)]| {
                    let (count, sum) =
                        bins.iter().fold((0, 0), |(count, sum), one| (count + one.0, sum + one.1));
                    (count > 0).then(|| sum as f64 / count as f64)
                },
            );
            early.zip(late)
        })
    }
}

/// Running moments of the parts of several replications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    pairs: [Moments; PARTS.len()],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Moments {
    number: u64,
    early: f64,
    late: f64,
    /// Squared deviations of the differences from their mean.
    squares: f64,
}

/// A mean that grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grows {
    /// Each part is one in this many of the whole.
    pub part: usize,
    /// Mean of the early part.
    pub early: f64,
    /// Mean of the late part.
    pub late: f64,
}

impl Growth {
    /// Adds the pairs of one replication.
    pub fn add(&mut self, pairs: [Option<Pair>; PARTS.len()]) {
        for (all, pair) in self.pairs.iter_mut().zip(pairs) {
            let Some((early, late)) = pair else { continue };
            all.number += 1;
            let number = all.number as f64;
            let off = (late - early) - (all.late - all.early);
            all.early += (early - all.early) / number;
            all.late += (late - all.late) / number;
            all.squares += off * ((late - early) - (all.late - all.early));
        }
    }

    /// Returns the largest parts between which the mean grows significantly. `level` is the
    /// probability of a false positive if nothing grows.
    pub fn grows(&self, level: f64) -> Option<Grows> {
        let level = level / PARTS.len() as f64;
        self.pairs.iter().zip(PARTS).find_map(|(all, part)| {
            let Moments { number, early, late, squares } = *all;
            let variance = squares / ((number as f64 - 1.0) * number as f64);
            // Without any difference nothing was sampled.
            (number >= REPLICATIONS && variance > 0.0).then_some(())?;
            let beyond = student::two_sided(1.0 - 2.0 * level, number - 1) * variance.sqrt();
            (late - early > beyond).then_some(Grows { part, early, late })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use rand::RngExt as _;
    use rand_distr::Exp1;

    #[test]
    fn parts_are_of_equal_time_whatever_the_length() {
        for length in [16_u64, 100, 128, 129, 5000, 1 << 40] {
            let mut course = Course::default();
            let step = (length / 1000).max(1);
            (0..length).step_by(step as usize).for_each(|at| course.add(at, at as i64));
            for ((early, late), part) in course.pairs().map(Option::unwrap).into_iter().zip(PARTS) {
                let whole = length as f64;
                let expected = [0.5 / part as f64, 1.0 - 0.5 / part as f64];
                for (mean, expected) in [early, late].into_iter().zip(expected) {
                    // A part is a whole number of 64 to 128 bins, or at least 16 bins of one tick.
                    // A value represents the step that begins with it.
                    let off = ((mean + 0.5 * step as f64) / whole - expected).abs();
                    assert!(off < 1.0 / 32.0, "{length} {part}: {mean} {expected}");
                }
            }
        }
        let mut short = Course::default();
        (0..15).for_each(|at| short.add(at, 1));
        assert_eq!(short.pairs(), [None; 3]);
    }

    /// Means of exponential values that grow by a fraction of themselves. Without growth,
    /// detections in 400 samples are only due to chance; a growth of four standard errors is
    /// detected.
    #[test]
    fn growth_is_found_and_not_seen_where_there_is_none() {
        let found = |grow: f64| {
            let samples = (0..400).filter(|&seed| {
                let (mut rng, mut growth) =
                    (Streams::new(seed).stream("values"), Growth::default());
                for _ in 0..20 {
                    let mut pair = || {
                        let (early, late): (f64, f64) = (rng.sample(Exp1), rng.sample(Exp1));
                        Some((early, late + grow))
                    };
                    growth.add([pair(), pair(), pair()]);
                }
                growth.grows(0.01).is_some()
            });
            samples.count()
        };
        // The expected number is 4 of 400 at a level of 1%; 10 is three standard errors beyond.
        assert!(found(0.0) <= 10, "{}", found(0.0));
        // The standard error of the difference is the square root of 2 / 20, 0.32.
        assert!(found(1.9) > 380, "{}", found(1.9));
    }
}
