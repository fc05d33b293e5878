//! Convergence of learners, counted over members and replications.

use kernel::order::InOrder as _;
use stats::cycle::LEVEL;
use stats::settling::{DRIFTS, Settling};
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
    /// The cycles and drifts among these that acts or learners tell themselves, without a test.
    told: [u64; 2],
    /// Number of series that were tested for drifts.
    series: u64,
    /// Convergence times of the courses that settled, in rounds.
    rounds: Vec<u64>,
    /// For each course that cycles: its period in rounds, and the mean of the oscillation.
    swings: Vec<[f64; 2]>,
}

/// True if `found` of `known` courses are no chance: some of them were `told`, or as many are found
/// by tests that err in `wrong` of them with a probability below 5%.
fn is_beyond_chance(found: u64, told: u64, known: u64, wrong: f64) -> bool {
    if told > 0 || found == 0 {
        return found > 0;
    }
    let rate = (wrong / known as f64).min(1.0);
    let log_factorial = |number: u64| libm::lgamma(number as f64 + 1.0);
    let chance = |number: u64| {
        let ways = log_factorial(known) - log_factorial(number) - log_factorial(known - number);
        let rest = (known - number) as f64;
        libm::exp(ways + number as f64 * libm::log(rate) + rest * libm::log1p(-rate))
    };
    1.0 - (0..found).map(chance).sum::<f64>() < 0.05
}

impl Settled {
    /// Adds the course of a member in a replication, which is in so many series.
    pub fn add(&mut self, settling: &Settling, series: usize) {
        self.known += 1;
        self.series += series as u64;
        let [cycles, drifts] = &mut self.told;
        *cycles += u64::from(settling.is_told && settling.cycle.is_some());
        *drifts += u64::from(settling.is_told && settling.drifts);
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

    /// True if some courses surely cycle: more than tests take for cycles by chance.
    pub fn is_in_cycles(&self) -> bool {
        is_beyond_chance(self.cycles, self.told[0], self.known, LEVEL * self.known as f64)
    }

    /// True if some courses surely drift: more than tests take for drifts by chance.
    pub fn is_drifting(&self) -> bool {
        is_beyond_chance(self.drifting, self.told[1], self.known, DRIFTS * self.series as f64)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// At 1% a test finds 4 or more of 200 with a probability of 14%, and 5 or more with 5.2%
    /// (binomial distribution); one of four it finds by chance with 3.9%.
    #[test]
    fn what_tests_find_by_chance_is_not_told() {
        let is_told =
            |found, told, known| is_beyond_chance(found, told, known, 0.01 * known as f64);
        assert_eq!([1, 4, 5, 6].map(|found| is_told(found, 0, 200)), [false, false, false, true]);
        assert_eq!((is_told(1, 0, 4), is_told(1, 0, 10)), (true, false));
        assert!(is_told(1, 1, 200) && !is_told(0, 0, 200) && !is_told(0, 0, 0));
        // Many courses, where (1 - rate)^known is far below the smallest number.
        assert_eq!((is_told(1010, 0, 100_000), is_told(1060, 0, 100_000)), (false, true));
    }
}
