//! MSER-5: where the warm-up of a run ends, found from the run itself.
//!
//! Of all points at which the beginning of a series may be cut, MSER takes the one that makes the
//! standard error of the mean of the rest least: the sum of squares around that mean over the
//! square of the number left. MSER-5 does so on means of five. (White, Cobb and Spratt, A
//! comparison of five steady-state truncation heuristics for simulation, WSC 2000; after White,
//! Simulation 69(6), 1997.) A series of any length takes bounded memory: when there are too many
//! batches they are merged in pairs, so that long ones are cut at multiples of 10, 20, 40 ...

use serde::{Deserialize, Serialize};

/// Values in a batch, to begin with.
const FIRST: u64 = 5;
/// Batches at which pairs are merged.
const MOST: usize = 4096;
/// So many batches at the end are never left alone: few are alike by chance.
const LAST: usize = 5;
/// A series of fewer values is too short to be cut.
pub const FEWEST: u64 = FIRST * (LAST as u64 + 1);

/// A series of values, each with the time at which what it belongs to came.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Series {
    length: u64,
    /// Values in the batch that is not full yet, their sum and their latest time.
    open: (u64, f64, i64),
    /// Of each full batch its mean and the latest time up to its end.
    batches: Vec<(f64, i64)>,
}

/// Where a series is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The latest time of all that is cut; `None` where nothing is.
    pub after: Option<i64>,
    /// Why it may be wrong, where it may.
    pub doubt: Option<Doubt>,
}

/// Why a cut may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doubt {
    /// The series is too short to tell, and nothing was cut.
    Short,
    /// No cut in the first half of the series is the best, so that the first half was cut and the
    /// rest may still be warming up.
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

    /// The best cut. O(batches).
    pub fn cut(&self) -> Cut {
        let all = self.batches.len();
        if all <= LAST {
            return Cut { after: None, doubt: Some(Doubt::Short) };
        }
        // From the end on, mean and squares of what is left (Welford).
        let (mut mean, mut squares) = (0.0, 0.0);
        let mut best = (f64::INFINITY, 0);
        for cut in (0..all).rev() {
            let value = self.batches[cut].0;
            let left = (all - cut) as f64;
            let off: f64 = value - mean;
            mean += off / left;
            squares += off * (value - mean);
            let error = squares / (left * left);
            // Of equals the shortest cut.
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

    /// The definition, on the means of batches of a length.
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

    /// Noise that follows from a number alone.
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

    /// What is cut is told by the latest time in it, whatever the order.
    #[test]
    fn the_time_of_the_cut_is_the_latest_of_what_is_cut() {
        let mut one = Series::default();
        for at in 0..400_i64 {
            one.add(if at < 40 { 100.0 } else { (at % 5) as f64 }, if at == 3 { 1000 } else { at });
        }
        assert_eq!(one.cut(), Cut { after: Some(1000), doubt: None });
    }
}
