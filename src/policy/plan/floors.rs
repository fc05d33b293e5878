//! Times before which jobs of a class cannot start on a cluster, learned from searches.
//!
//! While a schedule only grows, a cluster never has more free processors than before. So what a
//! search found too early for a job is too early for all that are as wide and as long. Widths and
//! lengths are in classes, four to each power of two; a search for a job first looks for the smallest
//! job of its class from where the last such search ended. Only clusters with many jobs keep them.

use super::Problem;
use kernel::time::{Span, Time};
use model::ids::ClusterId;

/// Returns the class of a number: itself below 4, then four classes to each power of two.
fn class(number: u64) -> usize {
    match number.checked_ilog2() {
        None | Some(0 | 1) => number as usize,
        Some(power) => 4 * (power as usize - 1) + ((number >> (power - 2)) & 3) as usize,
    }
}

/// Returns the smallest number of a class.
fn smallest(class: usize) -> u64 {
    match class {
        0..4 => class as u64,
        _ => (4 + class as u64 % 4) << (class / 4 - 1),
    }
}

/// The smallest job of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Smallest {
    slot: usize,
    /// Its processors.
    pub processors: u32,
    /// Its length.
    pub length: Span,
}

/// By cluster and class: a time before which no job of the class can start.
#[derive(Clone, Debug)]
pub(super) struct Floors {
    now: Time,
    /// The class of the shortest job, and the number of classes of lengths.
    lengths: (usize, usize),
    /// Number of classes in all.
    slots: usize,
    /// Empty for a cluster of which nothing is known.
    times: Vec<Vec<Time>>,
}

impl Floors {
    pub fn new(problem: &Problem) -> Floors {
        let lengths = problem.jobs.iter().map(|job| class(job.job.expected.ticks() as u64));
        let (first, last) =
            lengths.fold((usize::MAX, 0), |(first, last), one| (first.min(one), last.max(one)));
        let lengths = (first.min(last), last + 1 - first.min(last));
        let widest = problem.jobs.iter().map(|job| job.processors()).max().unwrap_or(0);
        let slots = (class(widest.into()) + 1) * lengths.1;
        Floors { now: problem.now, lengths, slots, times: vec![Vec::new(); problem.sites.len()] }
    }

    /// Returns the smallest job of the class of a job.
    pub fn smallest(&self, processors: u32, length: Span) -> Smallest {
        let (width, long) = (class(processors.into()), class(length.ticks() as u64));
        Smallest {
            slot: width * self.lengths.1 + long - self.lengths.0,
            processors: smallest(width) as u32,
            length: Span::from_ticks(smallest(long) as i64),
        }
    }

    /// Returns the time before which no job of a class can start on a cluster.
    #[inline]
    pub fn get(&self, cluster: ClusterId, class: Smallest) -> Time {
        self.times[cluster.index()].get(class.slot).copied().unwrap_or(self.now)
    }

    /// Sets it.
    #[inline]
    pub fn set(&mut self, cluster: ClusterId, class: Smallest, time: Time) {
        let times = &mut self.times[cluster.index()];
        if times.is_empty() {
            times.resize(self.slots, self.now);
        }
        times[class.slot] = time;
    }

    /// Forgets what is known of a cluster, of which processors become free.
    pub fn forget(&mut self, cluster: ClusterId) {
        self.times[cluster.index()].clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_in_order_and_hold_what_is_not_smaller() {
        let mut last = 0;
        for number in (0..5000).chain((13..63).map(|power| (1_u64 << power) + 12)) {
            let class = class(number);
            assert!(class == last || class == last + 1 || number > 5000, "{number}");
            assert!(smallest(class) <= number && number < smallest(class + 1), "{number}");
            assert!(smallest(class + 1) - smallest(class) <= 1 + number / 4, "{number}");
            last = class;
        }
    }
}
