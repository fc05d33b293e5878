//! A sum of values and their number.

use serde::{Deserialize, Serialize};

/// A sum of values and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    sum: f64,
    count: u64,
}

impl Sum {
    /// Adds a value.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// Adds the values of another sum.
    pub fn merge(&mut self, other: Sum) {
        self.sum += other.sum;
        self.count += other.count;
    }

    /// Their mean; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}
