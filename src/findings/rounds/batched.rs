//! Running sums over the rounds of a single replication, with an interval from batches of rounds.

use serde::{Deserialize, Serialize};

use crate::estimate::{Estimate, Method};
use stats::batch_means::BatchMeans;
use stats::batches::{Batches, FIRST_LENGTH};
use stats::interval::Level;

/// Running sums over the rounds of a run with a single replication.
///
/// Batches begin with a single round, for figures that are compared round by round. An interval by itself
/// is of batches of 32 rounds or more.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Batched<T> {
    all: T,
    batches: Batches<T>,
}

impl<T: Default> Default for Batched<T> {
    fn default() -> Batched<T> {
        Batched { all: T::default(), batches: Batches::of(1) }
    }
}

impl<T: Copy> Batched<T> {
    /// Adds a round to the sums by `add`, which returns false if it has nothing to add.
    pub fn add(&mut self, add: impl FnOnce(&mut T) -> bool) {
        if add(&mut self.all) && self.batches.count() {
            self.batches.mark(self.all);
        }
    }

    /// Running sums at the end of each batch; the last one takes in the rounds that fill no batch.
    pub(crate) fn ends(&self) -> Vec<T> {
        let marks = self.batches.marks();
        let whole = &marks[..marks.len().saturating_sub(1)];
        whole.iter().copied().chain((!marks.is_empty()).then_some(self.all)).collect()
    }

    /// Batch-means interval of the ratio of two sums over the rounds.
    pub fn estimate(&self, level: Level, of: impl Fn(&T) -> (f64, f64)) -> Option<Estimate> {
        let mut batches = BatchMeans::default();
        let mut before = (0.0, 0.0);
        let every = (FIRST_LENGTH / self.batches.length()).max(1);
        for mark in self.batches.marks().iter().skip(every as usize - 1).step_by(every as usize) {
            let now = of(mark);
            batches.add(now.0 - before.0, now.1 - before.1);
            before = now;
        }
        let (sum, count) = of(&self.all);
        let share = before.1 / count.max(1.0);
        let rounds = self.batches.length() * every;
        let method = |sections| Method::RoundMeans { sections, rounds };
        Estimate::of_batches(sum / count, &batches, share, level, method)
    }
}
