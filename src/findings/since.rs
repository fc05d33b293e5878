//! The look from which on each of several figures was known.

use serde::{Deserialize, Serialize};

/// For each figure, the first of the looks at which it was known without a break up to the last
/// look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Since(Vec<Option<u32>>);

impl Since {
    /// Adds a look, from 1: the factors by which the figures' intervals are too wide, `None` for
    /// figures without an interval.
    pub fn look(&mut self, look: u32, times: &[Option<f64>]) {
        self.0.resize(times.len(), None);
        for (since, times) in self.0.iter_mut().zip(times) {
            *since = match times {
                Some(times) if *times <= 1.0 => Some(since.unwrap_or(look)),
                _ => None,
            };
        }
    }

    /// The look from which on the figure at `index` was known; `None` if it was not at the last.
    pub fn of(&self, index: usize) -> Option<u32> {
        self.0.get(index).copied().flatten()
    }
}
