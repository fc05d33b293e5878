//! MSER-5: finds the end of the warm-up from the run itself.
//!
//! MSER cuts the beginning of a series at the point that minimizes the standard error of the mean
//! of the rest: the sum of squares around that mean over the square of the number left. MSER-5 does
//! so on means of five. (White, Cobb and Spratt, A comparison of five steady-state truncation
//! heuristics for simulation, WSC 2000; after White, Simulation 69(6), 1997.) A series of any
//! length takes bounded memory: too many batches are merged in pairs, so that long series are cut
//! at multiples of 10, 20, 40 ...
//!
//! Several replications share one cutoff, that of the mean of their series ([`Series::mean_of`],
//! the first step of Welch's procedure: The statistical analysis of simulation results, in
//! Lavenberg, Computer Performance Modeling Handbook, 1983). At a high load, a single series
//! fluctuates by more than its initial bias, and its cutoff would fall wherever that series happens
//! to be low.

use serde::{Deserialize, Serialize};

/// Initial number of values per batch.
const FIRST: u64 = 5;
/// Number of batches at which pairs are merged.
const MOST: usize = 4096;
/// Minimum number of batches kept at the end, since a few may agree by chance.
const LAST: usize = 5;
/// Minimum number of values; a shorter series is not cut.
pub const FEWEST: u64 = FIRST * (LAST as u64 + 1);

/// A series of values, each with the arrival time of its job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Series {
    length: u64,
    /// The batch in progress: number of values, their sum and their latest time.
    open: (u64, f64, i64),
    /// Mean of each full batch, and the latest time up to its end.
    batches: Vec<(f64, i64)>,
}

/// The cutoff of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Latest time of the discarded values; `None` if nothing is discarded.
    pub after: Option<i64>,
    /// Reason to doubt the cutoff, if any.
    pub doubt: Option<Doubt>,
}

/// The reason why a cutoff may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doubt {
    /// The series is too short to tell, and nothing was cut.
    Short,
    /// The best cutoff is beyond the first half of the series. The first half was discarded, and
    /// the rest may still be warming up.
    Late,
}

impl Default for Series {
    fn default() -> Series {
        Series { length: FIRST, open: (0, 0.0, i64::MIN), batches: Vec::new() }
    }
}

impl Series {
    /// Adds the next value.
    #[inline]
    pub fn add(&mut self, value: f64, time: i64) {
        let (count, sum, latest) = self.open;
        self.open = (count + 1, sum + value, latest.max(time));
        if self.open.0 == self.length {
            self.close();
        }
    }

    fn close(&mut self) {
        let (count, sum, latest) = self.open;
        self.open = (0, 0.0, latest);
        self.batches.push((sum / count as f64, latest));
        if self.batches.len() == MOST {
            for at in 0..MOST / 2 {
                let (one, (other, latest)) = (self.batches[2 * at].0, self.batches[2 * at + 1]);
                self.batches[at] = (f64::midpoint(one, other), latest);
            }
            self.batches.truncate(MOST / 2);
            self.length *= 2;
        }
    }

    /// Averages several series, value by value, up to the end of the shortest. The time of a batch
    /// is the median of its times in the series. O(values kept).
    pub fn mean_of(all: &[Series]) -> Series {
        let length = all.iter().map(|series| series.length).max().unwrap_or(FIRST);
        let all: Vec<Vec<(f64, i64)>> = all.iter().map(|series| series.merged(length)).collect();
        let shortest = all.iter().map(Vec::len).min().unwrap_or(0);
        let mut times = Vec::with_capacity(all.len());
        let batches = (0..shortest).map(|at| {
            times.clear();
            times.extend(all.iter().map(|batches| batches[at].1));
            times.sort_unstable();
            let [low, high] = [(times.len() - 1) / 2, times.len() / 2].map(|middle| times[middle]);
            let sum: f64 = all.iter().map(|batches| batches[at].0).sum();
            (sum / all.len() as f64, i64::midpoint(low, high))
        });
        Series { length, batches: batches.collect(), ..Series::default() }
    }

    /// Merges batches to `length` values each, which is their length times a power of two.
    fn merged(&self, length: u64) -> Vec<(f64, i64)> {
        let (mut batches, mut now) = (self.batches.clone(), self.length);
        while now < length {
            let pairs = batches.chunks_exact(2);
            batches = pairs.map(|pair| (f64::midpoint(pair[0].0, pair[1].0), pair[1].1)).collect();
            now *= 2;
        }
        batches
    }

    /// Returns the number of values per batch.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the mean of each full batch, and the latest time up to its end.
    pub fn batches(&self) -> &[(f64, i64)] {
        &self.batches
    }

    /// Returns the best cutoff. O(batches).
    pub fn cut(&self) -> Cut {
        let all = self.batches.len();
        if all <= LAST {
            return Cut { after: None, doubt: Some(Doubt::Short) };
        }
        // Mean and squares of the remaining values, from the end (Welford).
        let (mut mean, mut squares) = (0.0, 0.0);
        let mut best = (f64::INFINITY, 0);
        for cut in (0..all).rev() {
            let value = self.batches[cut].0;
            let left = (all - cut) as f64;
            let off: f64 = value - mean;
            mean += off / left;
            squares += off * (value - mean);
            let error = squares / (left * left);
            // Ties go to the shortest cutoff.
            if all - cut >= LAST && error <= best.0 {
                best = (error, cut);
            }
        }
        let (_, cut) = best;
        let doubt = (cut > all / 2).then_some(Doubt::Late);
        let cut = cut.min(all / 2);
        Cut { after: cut.checked_sub(1).map(|last| self.batches[last].1), doubt }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, applied to the means of batches of a given length.
    fn brute(values: &[f64], length: usize) -> usize {
        let means: Vec<f64> = values
            .chunks_exact(length)
            .map(|batch| batch.iter().sum::<f64>() / length as f64)
            .collect();
        let error = |cut: usize| {
            let rest = &means[cut..];
            let count = rest.len() as f64;
            let mean = rest.iter().sum::<f64>() / count;
            rest.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count * count)
        };
        let cuts = 0..=means.len() - LAST;
        cuts.min_by(|&one, &other| error(one).total_cmp(&error(other))).unwrap() * length
    }

    /// Returns pseudorandom noise derived from a number.
    fn noise(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (*state >> 40) as f64 / f64::from(1 << 24)
    }

    fn series(values: &[f64]) -> Series {
        let mut series = Series::default();
        values.iter().zip(0..).for_each(|(&value, time)| series.add(value, time));
        series
    }

    #[test]
    fn the_cut_is_that_of_the_definition() {
        let mut state = 1;
        for (count, warm_up, height) in [
            (31, 5, 3.0),
            (100, 30, 5.0),
            (1003, 200, 2.0),
            (20_000, 3000, 0.5),
            (90_000, 9000, 1.0),
        ] {
            for _ in 0..20 {
                let ramp = |at: usize| height * (1.0 - (at.min(warm_up) as f64 / warm_up as f64));
                let values: Vec<f64> = (0..count).map(|at| noise(&mut state) - ramp(at)).collect();
                let length = series(&values).length as usize;
                let expected = brute(&values, length);
                let batches = values.len() / length;
                let found = series(&values).cut();
                if found.doubt.is_some() {
                    assert!(expected > batches / 2 * length);
                } else {
                    assert_eq!(found.after.map_or(0, |last| last + 1), expected as i64);
                }
                assert!(count < 1000 || expected > 0 && found.doubt.is_none(), "{count}");
            }
        }
    }

    #[test]
    fn a_series_that_only_grows_is_cut_in_half_with_a_doubt() {
        let growing: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(series(&growing).cut(), Cut { after: Some(499), doubt: Some(Doubt::Late) });
        assert_eq!(series(&growing[..25]).cut(), Cut { after: None, doubt: Some(Doubt::Short) });
    }

    #[test]
    fn a_constant_series_is_not_cut() {
        assert_eq!(series(&[4.0; 777]).cut(), Cut { after: None, doubt: None });
    }

    /// The definition: average the values one by one, then apply the rule. The times are those of
    /// the median replication.
    #[test]
    fn the_mean_of_several_series_is_that_of_their_values() {
        let mut state = 5;
        for counts in [vec![700, 650, 901], vec![90_000, 40_000, 25_000], vec![31, 64], vec![333]] {
            let all: Vec<Vec<f64>> = (counts.iter())
                .map(|&count| (0..count).map(|_| noise(&mut state)).collect())
                .collect();
            let shortest = *counts.iter().min().unwrap();
            let mean = |at: usize| all.iter().map(|one| one[at]).sum::<f64>() / all.len() as f64;
            let expected: Vec<f64> = (0..shortest).map(mean).collect();
            let delayed = |delay: i64, values: &[f64]| {
                let mut series = Series::default();
                values.iter().zip(delay..).for_each(|(&value, time)| series.add(value, time));
                series
            };
            let series: Vec<Series> =
                all.iter().zip([0, 70, 10]).map(|(one, delay)| delayed(delay, one)).collect();
            let found = Series::mean_of(&series);
            let middle = [0, 0, 35, 10][series.len()];
            let length = found.length as usize;
            assert_eq!(found.batches.len(), shortest / length, "{counts:?}");
            for (at, (value, time)) in found.batches.iter().enumerate() {
                let batch = &expected[at * length..(at + 1) * length];
                assert!((value - batch.iter().sum::<f64>() / length as f64).abs() < 1e-12);
                assert_eq!(*time, ((at + 1) * length) as i64 - 1 + middle);
            }
            let cut = brute(&expected, length);
            let doubt = cut > found.batches.len() / 2 * length;
            assert_eq!(found.cut().doubt, doubt.then_some(Doubt::Late));
            let after = (cut as i64 - 1 + middle).max(middle - 1);
            assert!(doubt || found.cut().after.unwrap_or(middle - 1) == after);
        }
        assert_eq!(Series::mean_of(&[]).cut().doubt, Some(Doubt::Short));
    }

    /// The cutoff is given by the latest discarded time, in any order.
    #[test]
    fn the_time_of_the_cut_is_the_latest_of_what_is_cut() {
        let mut one = Series::default();
        for at in 0..400_i64 {
            one.add(if at < 40 { 100.0 } else { (at % 5) as f64 }, if at == 3 { 1000 } else { at });
        }
        assert_eq!(one.cut(), Cut { after: Some(1000), doubt: None });
    }
}
