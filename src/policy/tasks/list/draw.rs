//! Draws tasks at random from what is left of all classes.

use rand::RngExt as _;

use super::work::Work;
use kernel::rng::Rng;

/// Numbers of tasks that may be drawn, as a tree of sums: a draw takes as many steps as the number of
/// classes has bits.
#[derive(Debug, Default)]
pub(super) struct Draw {
    /// At `i`, counted from 1: the tasks of the `i & -i` classes up to there.
    sums: Vec<u64>,
    all: u64,
    /// The eligible classes for which the sums hold.
    classes: Vec<u32>,
}

impl Draw {
    /// The class of a task that is drawn from all tasks that may start, each with the same probability.
    /// The task counts as taken.
    pub fn class(&mut self, work: &Work, rng: &mut Rng) -> u32 {
        if self.classes != work.eligible() {
            self.fill(work);
        }
        let mut rest = rng.random_range(0..self.all.max(1));
        self.all = self.all.saturating_sub(1);
        // The last place before which less than the number drawn stands.
        let mut place = 0;
        let mut width = self.sums.len().next_power_of_two();
        while width > 0 {
            match self.sums.get(place + width - 1) {
                Some(&sum) if sum <= rest => {
                    place += width;
                    rest -= sum;
                }
                // The class is among those of this sum.
                Some(_) => self.sums[place + width - 1] -= 1,
                None => {}
            }
            width /= 2;
        }
        place as u32
    }

    /// Counts the tasks of all classes that may start.
    fn fill(&mut self, work: &Work) {
        work.eligible().clone_into(&mut self.classes);
        self.sums = vec![0; work.left.len()];
        for &class in work.eligible() {
            self.sums[class as usize] = work.left[class as usize];
        }
        self.all = self.sums.iter().fold(0, |sum, &left| sum.saturating_add(left));
        for place in 1..=self.sums.len() {
            let above = place + (place & place.wrapping_neg());
            if above <= self.sums.len() {
                self.sums[above - 1] = self.sums[above - 1].saturating_add(self.sums[place - 1]);
            }
        }
    }
}
