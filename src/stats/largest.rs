//! The weight of a few large amounts in a sample, by running sums of even powers.
//!
//! Mean waiting times follow the mean square of the job sizes (Pollaczek-Khinchine). A sample
//! estimates that mean square well if the sum of squares is about normal. Its skewness, estimated
//! from the sample itself,
//!
//! ```text
//! sum of x^6  /  (sum of x^4)^(3/2),
//! ```
//!
//! lies between 1 / sqrt(number) and 1. For a light tail it falls with the square root of the
//! number. For a heavy tail the few largest amounts continue to dominate the sums, so it stays the
//! same for any sample size. Amounts larger than any observed matter too, and no interval covers
//! them.

use serde::{Deserialize, Serialize};

/// The running sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Largest {
    number: u64,
    largest: f64,
    /// Sums of the second, fourth and sixth powers.
    powers: [f64; 3],
}

impl Largest {
    /// Records an amount.
    #[inline]
    pub fn record(&mut self, amount: f64) {
        let square = amount * amount;
        self.number += 1;
        self.largest = self.largest.max(amount);
        self.powers[0] += square;
        self.powers[1] += square * square;
        self.powers[2] += square * square * square;
    }

    /// Adds all amounts of another.
    pub fn merge(&mut self, other: &Largest) {
        self.number += other.number;
        self.largest = self.largest.max(other.largest);
        self.powers.iter_mut().zip(other.powers).for_each(|(own, other)| *own += other);
    }

    /// Returns the skewness of the sum of squares; `None` without a positive amount.
    pub fn skewness(&self) -> Option<f64> {
        let [_, fourth, sixth] = self.powers;
        (fourth > 0.0).then(|| sixth / (fourth * fourth.sqrt()))
    }

    /// Returns the share of the largest amount in the sum of squares.
    pub fn share(&self) -> Option<f64> {
        let square = self.powers[0];
        (square > 0.0).then(|| self.largest * self.largest / square)
    }

    /// Returns the number of amounts.
    pub fn number(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use rand::RngExt as _;

    fn of(number: u32, amount: impl Fn(f64) -> f64) -> Largest {
        let mut rng = Streams::new(7).stream("amounts");
        let mut parts = [Largest::default(); 2];
        for at in 0..number {
            parts[at as usize % 2].record(amount(1.0 - rng.random::<f64>()));
        }
        let [mut all, other] = parts;
        all.merge(&other);
        all
    }

    #[test]
    fn a_light_tail_fades_and_a_heavy_one_stays() {
        // The skewness of exponential amounts is 720 / 24^1.5 / sqrt(number) = 6.12 / sqrt(number).
        let found = of(100_000, |uniform| -uniform.ln()).skewness().unwrap();
        assert!((0.015..0.025).contains(&found), "{found}");
        for number in [1_000, 100_000] {
            let found = of(number, |uniform| uniform.powf(-1.0 / 1.8)).skewness().unwrap();
            assert!(found > 0.3, "{number}: {found}");
        }
    }

    #[test]
    fn the_ends_are_those_of_equal_amounts_and_of_one() {
        let found = of(10_000, |_| 3.0);
        assert!((found.skewness().unwrap() - 0.01).abs() < 1e-12);
        assert!((found.share().unwrap() - 1e-4).abs() < 1e-15);
        assert_eq!((of(1, |_| 5.0).skewness(), found.number()), (Some(1.0), 10_000));
        assert_eq!((of(9, |_| 0.0).skewness(), of(9, |_| 0.0).share()), (None, None));
    }
}
