//! Time-average distribution of a queue, integrated exactly between submissions.
//!
//! A balancing that finds every cluster idle is not simulated, so balancings are a biased sample of
//! time: they see too few idle clusters. The queue of a cluster that serves its own jobs alone
//! follows from its jobs: it jumps by the size of each arriving job, and falls by one per unit of
//! time.

use kernel::state::{Corrupt, State};
use kernel::time::{Span, Time};
use sim::pool::{Done, PoolObserver};

/// Tail bounds: the mean, and the threshold after one step of reasoning.
pub(super) const BOUNDS: [f64; 2] = [16.0, 36.0];

/// Time-average distribution of a queue, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct QueueLaw {
    /// Share of time in which the queue is empty.
    pub empty: f64,
    /// Mean queue length.
    pub mean: f64,
    /// Share of time above each of [`BOUNDS`].
    pub above: [f64; 2],
    /// Mean excess over the first bound.
    pub excess: f64,
}

/// Integrates the queues of clusters that serve their own jobs alone, over part of a round.
///
/// The interval must end within the window in which jobs count: other jobs may not be reported.
#[derive(Clone, Debug)]
pub(super) struct OverTime {
    from: f64,
    until: f64,
    /// For each cluster: time and length of the queue at the last update.
    queues: Vec<(f64, f64)>,
    /// Integrals over time and clusters.
    sums: QueueLaw,
}

impl OverTime {
    pub fn new(from: i64, until: i64) -> OverTime {
        let [from, until] = [from, until].map(|units| units as f64);
        OverTime { from, until, queues: Vec::new(), sums: QueueLaw::default() }
    }

    /// Adds the interval from `start`, with a queue of `load`, to `end`; no job arrives between.
    fn add(&mut self, start: f64, load: f64, end: f64) {
        let begin = start.max(self.from);
        let (load, time) = ((load - (begin - start)).max(0.0), end.min(self.until) - begin);
        if time <= 0.0 {
            return;
        }
        // Time above a bound, and the integral of the height above it.
        let over = |bound: f64| {
            let high = (load - bound).max(0.0);
            let above = high.min(time);
            (above, above * (high - above / 2.0))
        };
        let (busy, work) = over(0.0);
        self.sums.empty += time - busy;
        self.sums.mean += work;
        for (sum, bound) in self.sums.above.iter_mut().zip(BOUNDS) {
            *sum += over(bound).0;
        }
        self.sums.excess += over(BOUNDS[0]).1;
    }

    /// Adds a job.
    fn submitted(&mut self, cluster: usize, at: f64, size: f64) {
        if self.queues.len() <= cluster {
            self.queues.resize(cluster + 1, (0.0, 0.0));
        }
        let (start, load) = self.queues[cluster];
        self.add(start, load, at);
        self.queues[cluster] = (at, (load - (at - start)).max(0.0) + size);
    }

    /// The distribution, after all jobs have been added.
    pub fn law(mut self) -> QueueLaw {
        for (start, load) in self.queues.clone() {
            self.add(start, load, self.until);
        }
        let all = (self.until - self.from) * self.queues.len() as f64;
        let QueueLaw { empty, mean, above, excess } = self.sums;
        QueueLaw {
            empty: empty / all,
            mean: mean / all,
            above: above.map(|sum| sum / all),
            excess: excess / all,
        }
    }
}

impl State for OverTime {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}

/// In a first-come-first-served cluster, jobs end in the order of arrival.
impl PoolObserver for OverTime {
    fn finished(&mut self, cluster: u32, done: &Done) {
        let units = |at: Time| (at - Time::ZERO).as_units();
        let size: Span = done.job.size;
        self.submitted(cluster as usize, units(done.job.submit), size.as_units());
    }
}

#[cfg(test)]
mod tests {
    use super::super::play::{By, Setup, Staged, watched};
    use super::*;

    /// Window 10 to 60: a job of 30 at 0 (20 left at 10), one of 25 at 20 (35 then), empty from 55.
    #[test]
    fn a_course_by_hand() {
        let mut queue = OverTime::new(10, 60);
        queue.submitted(0, 0.0, 30.0);
        queue.submitted(0, 20.0, 25.0);
        let law = queue.law();
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        close(law.empty, 5.0 / 50.0);
        close(law.mean, (20.0 * 20.0 / 2.0 - 10.0 * 10.0 / 2.0 + 35.0 * 35.0 / 2.0) / 50.0);
        // Above 16 from 10 to 14, and from 20 to 39.
        close(law.above[0], (4.0 + 19.0) / 50.0);
        close(law.above[1], 0.0);
        close(law.excess, (4.0 * 4.0 / 2.0 + 19.0 * 19.0 / 2.0) / 50.0);
    }

    /// Sampling only at balancings gave 0.193 ± 0.003 (200 rounds, seed 1).
    ///
    /// The true share of time in which a queue is empty is 0.2.
    #[test]
    fn the_idle_share_is_that_of_theory() {
        let setup = Setup { whole: false, by: By::Nothing, period: 10_000, ..Setup::equal(2, 4.0) };
        let staged = Staged::new(&setup, 1, 30).expect("it can be played");
        let mut shares = Vec::new();
        for round in 0..30 {
            let watch = OverTime::new(0, 8000);
            let watch =
                watched(&staged, round..round + 1, watch, |_| ()).expect("it can be played");
            let queues = watch.queues.clone();
            let law = watch.clone().law();
            shares.push(law.empty);
            assert_eq!(queues.len(), 2);
            assert!((0.0..1.0).contains(&law.empty) && law.above[1] <= law.above[0]);
        }
        let mean = shares.iter().sum::<f64>() / 30.0;
        let squares: f64 = shares.iter().map(|share| (share - mean) * (share - mean)).sum();
        let error = (squares / 29.0 / 30.0).sqrt();
        // The round starts empty, which adds less than 0.002 to the share over 8000 units.
        assert!((mean - 0.2).abs() < 4.0 * error + 0.002, "{mean} +- {error}");
    }
}
