//! Listed values, each with a weight.

use super::{Alias, Draw, Moments};
use kernel::rng::Rng;

/// Listed whole numbers (of ticks, of processors), drawn with probability proportional to weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    values: Vec<i64>,
    alias: Alias,
    moments: Moments,
}

impl Table {
    /// Creates a table of values and weights; returns `None` if the [weights](Alias::new) are
    /// invalid.
    pub fn new(rows: &[(i64, f64)]) -> Option<Table> {
        let weights: Vec<f64> = rows.iter().map(|&(_, weight)| weight).collect();
        let alias = Alias::new(&weights)?;
        let sum: f64 = weights.iter().sum();
        let mean = rows.iter().map(|&(value, w)| w / sum * value as f64).sum::<f64>();
        let square = |value: i64| (value as f64 - mean) * (value as f64 - mean);
        let variance = rows.iter().map(|&(value, w)| w / sum * square(value)).sum();
        let values = rows.iter().map(|&(value, _)| value).collect();
        Some(Table { values, alias, moments: Moments { mean, variance } })
    }

    /// Draws a value.
    #[inline]
    pub fn value(&self, rng: &mut Rng) -> i64 {
        self.values[self.alias.draw(rng)]
    }

    /// Returns the BLAKE3 digest of everything that draws depend on.
    pub fn digest(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for value in &self.values {
            hasher.update(&value.to_le_bytes());
        }
        self.alias.hash(&mut hasher);
        hasher.finalize()
    }

    /// Returns the smallest and the largest value with positive probability.
    pub fn range(&self) -> (i64, i64) {
        let drawn = || self.alias.drawn().map(|index| self.values[index]);
        (drawn().min().unwrap_or_default(), drawn().max().unwrap_or_default())
    }
}

impl Draw for Table {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.value(rng) as f64
    }

    fn moments(&self) -> Moments {
        self.moments
    }
}
