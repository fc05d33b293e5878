//! The log-uniform distribution of whole numbers.

use super::{Moments, fraction};
use kernel::rng::Rng;

/// Whole numbers with a uniform logarithm, so that every doubling is about equally likely. k has
/// the probability of the real numbers from k to k + 1, ln((k + 1) / k) / ln((max + 1) / min).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogUniform {
    min: u32,
    max: u32,
    /// ln((max + 1) / min).
    range: f64,
}

impl LogUniform {
    /// Creates the distribution on `min`, at least 1, to `max`, not less than `min`.
    pub fn new(min: u32, max: u32) -> LogUniform {
        let range = libm::log((f64::from(max) + 1.0) / f64::from(min));
        LogUniform { min, max, range }
    }

    /// Draws a number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        let real = f64::from(self.min) * libm::exp(self.range * fraction(rng));
        (real as u32).clamp(self.min, self.max)
    }

    /// Returns the smallest and the largest number.
    pub fn range(&self) -> (u32, u32) {
        (self.min, self.max)
    }

    /// Returns the mean and variance: sums over all k, by Abel's summation sums of logarithms.
    ///
    /// Up to 2^16 numbers the variance is the sum itself. Beyond, k is taken as the real number
    /// minus one half, which is accurate to one in 10^4.
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
        // The density falls little between whole numbers: the fractional part is nearly uniform.
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
