//! Batches of equal length from a sequence of unknown length, in bounded number.
//!
//! At the end of each batch the running sums are recorded; the difference of two such marks is a
//! batch. When there are too many, every second mark is dropped, which merges batches in pairs and
//! doubles their length (Schmeiser 1982 on why few batches are enough; Law, Simulation Modeling and
//! Analysis, 2015, section 9.5.3, on batch means).

use serde::{Deserialize, Serialize};

/// Number of marks at which every second is dropped; from then on there are 16 to 31 batches.
///
/// A few long batches are less correlated than many short ones, and beyond some 20 more hardly
/// narrow an interval: t with 15 degrees of freedom is 2.13, with 30 it is 2.04, in the limit 1.96.
pub const MOST: usize = 32;
/// Length of the first batches.
pub const FIRST_LENGTH: u64 = 32;

/// The marks, where `M` holds the running sums.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Batches<M> {
    length: u64,
    /// Events until the batch is full.
    left: u64,
    marks: Vec<M>,
}

impl<M> Default for Batches<M> {
    fn default() -> Batches<M> {
        Batches::of(FIRST_LENGTH)
    }
}

impl<M> Batches<M> {
    /// Batches of which the first have this length, a power of two.
    pub fn of(length: u64) -> Batches<M> {
        Batches { length, left: length, marks: Vec::new() }
    }

    /// Counts an event; returns true if it completes a batch. Then call [`mark`](Batches::mark).
    #[inline]
    #[must_use]
    pub fn count(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    /// Records the running sums at the end of a batch.
    pub fn mark(&mut self, sums: M) {
        self.marks.push(sums);
        if self.marks.len() == MOST {
            let mut is_end = false;
            self.marks.retain(|_| {
                is_end = !is_end;
                !is_end
            });
            self.length *= 2;
        }
        self.left = self.length;
    }

    /// Returns the sums at the ends of the batches, in order.
    pub fn marks(&self) -> &[M] {
        &self.marks
    }

    /// Returns the number of events per batch.
    pub fn length(&self) -> u64 {
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_at_the_ends_of_batches_of_one_length() {
        let mut batches = Batches::default();
        for event in 1..=1_000_000_u64 {
            if batches.count() {
                batches.mark(event);
            }
            if event.is_power_of_two() || event % 9973 == 0 {
                let ends = (1..).map(|number| number * batches.length());
                let ends: Vec<u64> = ends.take_while(|&end| end <= event).collect();
                assert_eq!(batches.marks(), ends);
                assert!(event < 1024 || (16..MOST).contains(&ends.len()), "{event}");
            }
        }
    }
}
