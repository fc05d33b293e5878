//! The physical half of a space-shared cluster: processors that jobs hold, and when these jobs end.
//!
//! A machine decides nothing. A cluster is a machine with a scheduler of its own; machines without
//! one are filled by a grid scheduler.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::ids::JobId;
use super::job::Job;
use super::speed::Speed;
use kernel::time::{Span, Time};

/// A job's finish would lie beyond the range of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfTime(pub JobId);

/// Identical processors, each held by at most one job.
///
/// Processors have no names here: a job takes any free ones. The writer of `jobs.csv`
/// names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its processors.
    pub processors: u32,
    /// Those that no job holds.
    pub free: u32,
    /// True if a job is killed when it has run for its estimate.
    pub kill_at_estimate: bool,
    /// Speed of its processors; runtimes and estimates are for unit speed.
    pub speed: Speed,
}

impl Machine {
    /// A machine of unit speed with all its processors free, on which jobs may outrun their estimates.
    pub fn new(processors: u32) -> Machine {
        Machine { processors, free: processors, kill_at_estimate: false, speed: Speed::ONE }
    }

    /// Gives a job its processors.
    ///
    /// # Panics
    /// If fewer are free.
    #[inline]
    pub fn take(&mut self, processors: u32) {
        self.free = (self.free.checked_sub(processors))
            .expect("a scheduler starts only what fits into the free processors");
    }

    /// Gets the processors of a job back.
    #[inline]
    pub fn give_back(&mut self, processors: u32) {
        self.free += processors;
    }

    /// Returns the time for which a job runs here, with the work that is added to it.
    #[inline]
    pub fn runs(&self, job: &Job, added: Span) -> Span {
        let kills = self.kill_at_estimate;
        let runtime = if kills { job.runtime.min(job.estimate) } else { job.runtime };
        self.speed.runs(runtime + added)
    }

    /// Returns true if a job is killed here before its end.
    #[inline]
    pub fn kills(&self, job: &Job) -> bool {
        self.kill_at_estimate && self.speed.runs(job.runtime) > self.speed.runs(job.estimate)
    }
}

/// End of a running job; simultaneous ones are ordered by start.
///
/// Start order and job share a word; starts are renumbered long before the order needs too many
/// bits. Comparing two of them takes no branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    at: Time,
    order_and_job: u64,
}

/// Bits of a job's slot; 2^28 live jobs take 24 GB.
const JOB_BITS: u32 = 28;
/// Number of starts after which running jobs are renumbered.
const MOST_STARTS: u64 = 1 << (64 - JOB_BITS);

impl End {
    #[inline]
    fn new(at: Time, order: u64, id: JobId) -> End {
        assert!(id.0 >> JOB_BITS == 0, "fewer than 2^28 jobs are alive");
        End { at, order_and_job: (order << JOB_BITS) | u64::from(id.0) }
    }

    /// Returns its time.
    #[inline]
    pub fn at(self) -> Time {
        self.at
    }

    /// Returns the job that ends.
    #[inline]
    pub fn id(self) -> JobId {
        JobId((self.order_and_job & ((1 << JOB_BITS) - 1)) as u32)
    }

    #[inline]
    fn key(self) -> i128 {
        self.at.with(self.order_and_job)
    }
}

impl PartialOrd for End {
    #[inline]
    fn partial_cmp(&self, other: &End) -> Option<Ordering> {
        Some(self.cmp(other))
    }
    #[inline]
    fn lt(&self, other: &End) -> bool {
        self.key() < other.key()
    }
    #[inline]
    fn le(&self, other: &End) -> bool {
        self.key() <= other.key()
    }
}

impl Ord for End {
    #[inline]
    fn cmp(&self, other: &End) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// The ends to come, of one machine or of many.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    heap: BinaryHeap<Reverse<End>>,
    starts: u64,
}

impl Ends {
    /// Returns the next one.
    #[inline]
    pub fn first(&self) -> Option<End> {
        self.heap.peek().map(|end| end.0)
    }

    /// Returns the jobs that run, in no order.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        self.heap.iter().map(|end| end.0.id())
    }

    /// Removes the next one.
    #[inline]
    pub fn pop(&mut self) -> Option<End> {
        self.heap.pop().map(|end| end.0)
    }

    /// Puts back an end that was removed.
    pub fn put_back(&mut self, end: End) {
        self.heap.push(Reverse(end));
    }

    /// Adds a job that starts now and runs for a time.
    ///
    /// # Errors
    /// Fails if it would end beyond the range of times.
    #[inline]
    pub fn start(&mut self, id: JobId, now: Time, runs: Span) -> Result<(), OutOfTime> {
        let at = now.checked_add(runs).filter(|&at| at < Time::NEVER).ok_or(OutOfTime(id))?;
        if self.starts == MOST_STARTS {
            self.renumber();
        }
        self.heap.push(Reverse(End::new(at, self.starts, id)));
        self.starts += 1;
        Ok(())
    }

    /// Renumbers the starts of the running jobs from 0, keeping their order.
    #[cold]
    fn renumber(&mut self) {
        let mut ends: Vec<End> = self.heap.drain().map(|end| end.0).collect();
        ends.sort_unstable_by_key(|end| end.order_and_job);
        let numbered = ends.iter().zip(0..);
        self.heap =
            numbered.map(|(end, order)| Reverse(End::new(end.at, order, end.id()))).collect();
        self.starts = ends.len() as u64;
    }

    /// Returns what is saved: the ends in their order, and the number of starts.
    pub fn saved(&self) -> (Vec<End>, u64) {
        let mut ends: Vec<End> = self.heap.iter().map(|end| end.0).collect();
        ends.sort_unstable();
        (ends, self.starts)
    }

    /// Returns the ends that were saved.
    pub fn loaded((ends, starts): (Vec<End>, u64)) -> Ends {
        Ends { heap: ends.into_iter().map(Reverse).collect(), starts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering_the_starts_anew_keeps_the_order_of_ends() {
        let mut ends = Ends::default();
        let times = [5_i64, 3, 5, 5, 4, 3];
        for ((at, id), order) in times.into_iter().zip(0..).zip(MOST_STARTS - 6..) {
            ends.put_back(End::new(Time::from_ticks(at), order, JobId(7 - id)));
        }
        let order = |ends: &Ends| -> Vec<u32> {
            ends.saved().0.into_iter().map(|end| end.id().0).collect()
        };
        let before = order(&ends);
        assert_eq!(before, [6, 2, 3, 7, 5, 4]);
        ends.renumber();
        assert_eq!(order(&ends), before);
        assert_eq!(ends.starts, 6);
    }
}
