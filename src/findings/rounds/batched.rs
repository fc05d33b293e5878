//! Running sums over the rounds of a single replication, with an interval from batches of rounds.

use serde::{Deserialize, Serialize};

use crate::estimate::{Estimate, Method};
use stats::batch_means::BatchMeans;
use stats::batches::Batches;
use stats::interval::Level;

/// Running sums over the rounds of a run with a single replication.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Batched<T> {
    all: T,
    batches: Batches<T>,
}

impl<T: Copy> Batched<T> {
    /// Adds a round to the sums by `add`, which returns false if it has nothing to add.
    pub fn add(&mut self, add: impl FnOnce(&mut T) -> bool) {
        if add(&mut self.all) && self.batches.count() {
            self.batches.mark(self.all);
        }
    }

    /// Batch-means interval of the ratio of two sums over the rounds.
    pub fn estimate(&self, level: Level, of: impl Fn(&T) -> (f64, f64)) -> Option<Estimate> {
        let mut batches = BatchMeans::default();
        let mut before = (0.0, 0.0);
        for mark in self.batches.marks() {
            let now = of(mark);
            batches.add(now.0 - before.0, now.1 - before.1);
            before = now;
        }
        let (sum, count) = of(&self.all);
        let share = before.1 / count.max(1.0);
        let rounds = self.batches.length();
        let method = |sections| Method::RoundMeans { sections, rounds };
        Estimate::of_batches(sum / count, &batches, share, level, method)
    }
}
