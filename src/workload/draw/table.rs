//! Listed values, each with a weight.

use super::{Alias, Draw, Moments};
use crate::kernel::rng::Rng;

/// Whole numbers (of ticks, of processors), each drawn in proportion to its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    values: Vec<i64>,
    alias: Alias,
    moments: Moments,
}

impl Table {
    /// Of values and their weights; none where these are [no weights](Alias::new).
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

    /// A value.
    #[inline]
    pub fn value(&self, rng: &mut Rng) -> i64 {
        self.values[self.alias.draw(rng)]
    }

    /// BLAKE3 over all that draws depend on.
    pub fn digest(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for value in &self.values {
            hasher.update(&value.to_le_bytes());
        }
        self.alias.hash(&mut hasher);
        hasher.finalize()
    }

    /// The least and the largest value that are drawn.
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
