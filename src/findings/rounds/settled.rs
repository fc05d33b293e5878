//! Convergence of learners, counted over members and replications.

use kernel::order::InOrder as _;
use stats::settling::Settling;
use stats::shown::{count, figure};

/// Median of numbers of rounds; `None` without any.
pub fn median(rounds: &[u64]) -> Option<f64> {
    let mut rounds = rounds.to_vec();
    rounds.sort_unstable();
    let (low, high) = (rounds.len().checked_sub(1)? / 2, rounds.len() / 2);
    Some((rounds[low] + rounds[high]) as f64 / 2.0)
}

/// Convergence of the learners, counted over members and replications.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settled {
    /// Number of courses for which convergence can be judged.
    pub known: u64,
    /// Number of courses that cycle.
    pub cycles: u64,
    /// Number of courses that still drift.
    pub drifting: u64,
    /// Convergence times of the courses that settled, in rounds.
    rounds: Vec<u64>,
    /// For each course that cycles: its period in rounds, and the mean of the oscillation.
    swings: Vec<[f64; 2]>,
}

impl Settled {
    /// Adds the course of a member in a replication.
    pub fn add(&mut self, settling: &Settling) {
        self.known += 1;
        self.cycles += u64::from(settling.cycle.is_some());
        self.drifting += u64::from(settling.drifts);
        self.rounds.extend(settling.settled);
        self.swings.extend(settling.cycle.map(|cycle| [cycle.period, settling.mean]));
    }

    fn share(&self, number: u64) -> Option<f64> {
        (self.known > 0).then(|| number as f64 / self.known as f64)
    }

    /// Share of the courses that settled.
    pub fn share_settled(&self) -> Option<f64> {
        self.share(self.rounds.len() as u64)
    }

    /// Share of the courses that cycle.
    pub fn share_in_cycles(&self) -> Option<f64> {
        self.share(self.cycles)
    }

    /// Share of the courses that still drift.
    pub fn share_drifting(&self) -> Option<f64> {
        self.share(self.drifting)
    }

    /// Median period of the cycles, in rounds.
    pub fn period(&self) -> Option<f64> {
        self.swing().map(|[period, _]| period)
    }

    /// Median period in words: a whole number has no decimals.
    pub fn told_period(&self) -> Option<String> {
        let period = self.period()?;
        let is_whole = period == libm::trunc(period);
        Some(if is_whole { count(period as u64) } else { figure(period) })
    }

    /// Medians of the period, in rounds, and of the mean of the oscillation.
    pub fn swing(&self) -> Option<[f64; 2]> {
        let middle = |which: usize| {
            let mut values: Vec<f64> = self.swings.iter().map(|swing| swing[which]).collect();
            values.order_by(f64::total_cmp);
            let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
            Some((values[low] + values[high]) / 2.0)
        };
        Some([middle(0)?, middle(1)?])
    }

    /// Median convergence time of the courses that settled, in rounds.
    pub fn rounds(&self) -> Option<f64> {
        median(&self.rounds)
    }
}
