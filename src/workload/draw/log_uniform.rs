//! The log-uniform distribution of whole numbers.

use super::{Moments, fraction};
use crate::kernel::rng::Rng;

/// Whole numbers whose logarithm is uniform: k has the probability of the real numbers from k to
/// k + 1, ln((k + 1) / k) / ln((max + 1) / min), so that every doubling is about equally likely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogUniform {
    min: u32,
    max: u32,
    /// ln((max + 1) / min).
    range: f64,
}

impl LogUniform {
    /// From `min`, at least 1, to `max`, which is not less.
    pub fn new(min: u32, max: u32) -> LogUniform {
        let range = libm::log((f64::from(max) + 1.0) / f64::from(min));
        LogUniform { min, max, range }
    }

    /// A number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        let real = f64::from(self.min) * libm::exp(self.range * fraction(rng));
        (real as u32).clamp(self.min, self.max)
    }

    /// The least and the largest number.
    pub fn range(&self) -> (u32, u32) {
        (self.min, self.max)
    }

    /// Mean and variance: sums over all k, which Abel's summation turns into sums of logarithms.
    ///
    /// The variance is that of the sum itself up to 2^16 numbers; beyond, k is taken as the real
    /// number less one half, which is right to one in 10^4.
    pub fn moments(&self) -> Moments {
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        if self.max - self.min < 1 << 16 {
            let parts = (self.min..=self.max).map(|k| {
                let k = f64::from(k);
                let probability = libm::log1p(1.0 / k) / self.range;
                (probability, Moments { mean: k, variance: 0.0 })
            });
            return Moments::mixture(parts);
        }
        // Between whole numbers the density falls little: the part behind the point is uniform.
        let end = max + 1.0;
        let (first, second) =
            ((end - min) / self.range, (end * end - min * min) / 2.0 / self.range);
        let variance = second - first * first - 1.0 / 12.0;
        let whole = max * libm::log(end)
            - min * libm::log(min)
            - (libm::lgamma(end) - libm::lgamma(min + 1.0));
        Moments { mean: whole / self.range, variance }
    }
}
