//! Rounds in a bounded number of bins: 1, 2, 4 ... consecutive rounds in each.

use serde::{Deserialize, Serialize};

use super::sum::Sum;

/// Maximum number of bins; longer runs merge 2, 4, 8 ... rounds into each of them.
pub const POINTS: u64 = 400;

/// Rounds per bin in a run of `rounds` rounds: the smallest power of two that suffices.
pub fn stride(rounds: u64) -> u64 {
    rounds.div_ceil(POINTS).max(1).next_power_of_two()
}

/// Number of bins in a run of `rounds` rounds.
pub fn points(rounds: u64) -> usize {
    rounds.div_ceil(stride(rounds)) as usize
}

/// Midpoint of the rounds in a bin; the last bin may have fewer rounds.
pub fn middle(point: usize, rounds: u64) -> f64 {
    let first = point as u64 * stride(rounds);
    let next = rounds.min(first + stride(rounds));
    (first + next - 1) as f64 / 2.0
}

/// Contents of a bin of rounds.
pub trait Bin {
    /// Adds the bin that follows.
    fn merge(&mut self, next: Self);
}

impl<const N: usize> Bin for [Sum; N] {
    fn merge(&mut self, next: Self) {
        self.iter_mut().zip(next).for_each(|(sum, next)| sum.merge(next));
    }
}

impl Bin for Vec<Sum> {
    fn merge(&mut self, next: Self) {
        self.iter_mut().zip(next).for_each(|(sum, next)| sum.merge(next));
    }
}

/// The bins of one replication, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Binned<T> {
    /// Rounds per bin.
    stride: u64,
    bins: Vec<T>,
}

impl<T> Default for Binned<T> {
    fn default() -> Binned<T> {
        Binned { stride: 1, bins: Vec::new() }
    }
}

impl<T: Bin> Binned<T> {
    /// The bin of a round, which comes after all rounds before; `empty` makes a new one.
    ///
    /// If bins get too many, neighbours are merged in pairs; an odd last one stays as it is.
    pub fn at(&mut self, round: u64, empty: impl FnMut() -> T) -> &mut T {
        while round / self.stride >= POINTS {
            self.widen(2 * self.stride);
        }
        let at = (round / self.stride) as usize;
        if self.bins.len() <= at {
            self.bins.resize_with(at + 1, empty);
        }
        &mut self.bins[at]
    }

    /// Merges neighbours until a bin has this power of two of rounds, as in a longer run.
    pub fn widen(&mut self, stride: u64) {
        while self.stride < stride {
            self.stride *= 2;
            let mut all = std::mem::take(&mut self.bins).into_iter();
            while let Some(mut one) = all.next() {
                all.next().into_iter().for_each(|next| one.merge(next));
                self.bins.push(one);
            }
        }
    }
}

impl<T> Binned<T> {
    /// Rounds per bin; the last bin may have fewer.
    pub(crate) fn stride(&self) -> u64 {
        self.stride
    }

    /// The bins.
    pub fn bins(&self) -> &[T] {
        &self.bins
    }

    /// The bins, to be changed.
    pub(crate) fn bins_mut(&mut self) -> &mut [T] {
        &mut self.bins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short run that is to be drawn beside a long one has the bins of the long one.
    #[test]
    fn a_short_run_is_widened_to_the_bins_of_a_longer_one() {
        let mut binned: Binned<[Sum; 1]> = Binned::default();
        (0..9).for_each(|round| binned.at(round, Default::default)[0].add(round as f64));
        binned.widen(stride(1200));
        let means: Vec<_> = binned.bins().iter().map(|[sum]| sum.mean().unwrap()).collect();
        assert_eq!((binned.stride(), means), (4, vec![1.5, 5.5, 8.0]));
    }

    /// Compares the rounds of each bin with a brute-force count, for several lengths of a run.
    #[test]
    fn bins_are_a_power_of_two_of_rounds_and_stand_in_their_middle() {
        assert_eq!([1, 400, 401, 800, 801].map(stride), [1, 1, 2, 2, 4]);
        for rounds in [1, 7, 400, 401, 800, 801, 1000, 12_345] {
            let mut binned: Binned<[Sum; 1]> = Binned::default();
            for round in 0..rounds {
                let [sum] = binned.at(round, Default::default);
                // Absent in every third round.
                if round % 3 != 1 {
                    sum.add(round as f64);
                }
            }
            let mut of_point = vec![Vec::new(); points(rounds)];
            (0..rounds).for_each(|round| of_point[(round / stride(rounds)) as usize].push(round));
            let means: Vec<_> = binned.bins().iter().map(|[sum]| sum.mean()).collect();
            assert_eq!(means.len(), of_point.len());
            assert!(means.len() <= 400 && (rounds <= 400 || means.len() >= 200), "{rounds}");
            for (point, rows) in of_point.iter().enumerate() {
                let mean = rows.iter().sum::<u64>() as f64 / rows.len() as f64;
                assert_eq!(middle(point, rounds), mean, "{point} of {rounds}");
                let there: Vec<u64> = rows.iter().copied().filter(|row| row % 3 != 1).collect();
                let sum: u64 = there.iter().sum();
                let expected = (!there.is_empty()).then(|| sum as f64 / there.len() as f64);
                assert_eq!(means[point], expected, "{point} of {rounds}");
            }
        }
    }
}
