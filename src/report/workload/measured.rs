//! An amount of every job: its quantiles, mean and coefficient of variation.

use crate::kernel::time::TICKS_PER_UNIT;
use crate::stats::distribution::{Detail, Distribution};

/// Amounts in millionths.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    distribution: Distribution,
    /// Welford's running mean and sum of squared distances from it, in units.
    mean: f64,
    squares: f64,
}

impl Default for Measured {
    fn default() -> Measured {
        Measured { distribution: Distribution::new(Detail::Full), mean: 0.0, squares: 0.0 }
    }
}

impl Measured {
    pub fn record(&mut self, amount: u64) {
        self.distribution.record(amount);
        let units = amount as f64 / TICKS_PER_UNIT as f64;
        let distance = units - self.mean;
        self.mean += distance / self.distribution.count() as f64;
        self.squares += distance * (units - self.mean);
    }

    pub fn count(&self) -> u64 {
        self.distribution.count()
    }

    /// Counts, sum and quantiles.
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// Standard deviation (of the sample) by mean.
    pub fn variation(&self) -> Option<f64> {
        let others = self.count().checked_sub(1).filter(|&others| others > 0)?;
        (self.mean > 0.0).then(|| (self.squares / others as f64).sqrt() / self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coefficient_of_variation_is_that_of_the_sample() {
        let mut measured = Measured::default();
        assert_eq!(measured.variation(), None);
        for units in [2, 4, 4, 4, 5, 5, 7, 9] {
            measured.record(units * 1_000_000);
        }
        // The mean is 5, the squared distances add up to 32.
        let expected = (32.0_f64 / 7.0).sqrt() / 5.0;
        assert!((measured.variation().unwrap() - expected).abs() < 1e-15);
        assert_eq!(measured.distribution().mean(), Some(5.0));
        let mut nothing = Measured::default();
        (0..3).for_each(|_| nothing.record(0));
        assert_eq!(nothing.variation(), None);
    }
}
