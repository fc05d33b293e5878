//! Distribution of one quantity over all jobs: quantiles, mean and coefficient of variation.

use kernel::time::TICKS_PER_UNIT;
use stats::distribution::{Detail, Distribution};

/// Values in millionths of a unit, or whole numbers.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    distribution: Distribution,
    /// Recorded amounts per unit.
    per_unit: i64,
    /// Welford's running mean and sum of squared deviations, in units.
    mean: f64,
    squares: f64,
}

impl Default for Measured {
    fn default() -> Measured {
        let distribution = Distribution::new(Detail::Full);
        Measured { distribution, per_unit: TICKS_PER_UNIT, mean: 0.0, squares: 0.0 }
    }
}

impl Measured {
    /// For whole numbers, such as processors; quantiles are exact up to 2047.
    pub fn whole() -> Measured {
        Measured { per_unit: 1, ..Measured::default() }
    }

    pub fn record(&mut self, amount: u64) {
        self.distribution.record(amount);
        let units = amount as f64 / self.per_unit as f64;
        let distance = units - self.mean;
        self.mean += distance / self.distribution.count() as f64;
        self.squares += distance * (units - self.mean);
    }

    pub fn count(&self) -> u64 {
        self.distribution.count()
    }

    pub fn least(&self) -> Option<f64> {
        self.distribution.least().map(|amount| self.units(amount))
    }

    pub fn largest(&self) -> Option<f64> {
        self.distribution.largest().map(|amount| self.units(amount))
    }

    /// A quantile, within 0.1%.
    pub fn quantile(&self, quantile: f64) -> Option<f64> {
        self.distribution.quantile(quantile).map(|amount| self.units(amount))
    }

    /// The mean, from the exact sum.
    pub fn mean(&self) -> Option<f64> {
        let sum = self.distribution.sum() as f64 / self.per_unit as f64;
        (self.count() > 0).then(|| sum / self.count() as f64)
    }

    /// Converts from the distribution, which takes amounts for millionths.
    fn units(&self, amount: f64) -> f64 {
        match self.per_unit {
            TICKS_PER_UNIT => amount,
            per_unit => (amount * TICKS_PER_UNIT as f64).round() / per_unit as f64,
        }
    }

    /// Coefficient of variation: sample standard deviation over mean.
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
        // The mean is 5, and the squared deviations add up to 32.
        let expected = (32.0_f64 / 7.0).sqrt() / 5.0;
        assert!((measured.variation().unwrap() - expected).abs() < 1e-15);
        assert_eq!(measured.mean(), Some(5.0));
        let mut nothing = Measured::default();
        (0..3).for_each(|_| nothing.record(0));
        assert_eq!(nothing.variation(), None);
    }

    #[test]
    fn quantiles_of_whole_amounts_are_whole() {
        let mut measured = Measured::whole();
        (1..=2047).for_each(|amount| measured.record(amount));
        for (quantile, expected) in [(0.5, 1024.0), (0.001, 3.0), (1.0, 2047.0)] {
            assert_eq!(measured.quantile(quantile), Some(expected));
        }
        assert_eq!((measured.least(), measured.largest()), (Some(1.0), Some(2047.0)));
        assert_eq!(measured.mean(), Some(1024.0));
    }
}
