//! Processor time that an organization's jobs got, and what it is worth.

use serde::{Deserialize, Serialize};

use kernel::time::Time;

/// Sums over jobs, kept up to some instant. A job on several processors counts once for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    at: Time,
    /// Processors in use.
    pub running: i128,
    /// Used processor time, in ticks.
    pub used: i128,
    /// The strategy-proof utility of Skowron and Rzadca (2013), in ticks squared: tick `i` of a
    /// processor is worth `t - i` at time `t`. The largest number if it is beyond.
    pub utility: i128,
}

impl Tally {
    /// Returns the sums at a later time.
    pub fn at(self, now: Time) -> Tally {
        let Tally { at, running, used, utility } = self;
        let more = i128::from((now - at).ticks());
        // The new ticks are worth `more`, ..., 2, 1.
        let fresh = running.saturating_mul(more * (more + 1) / 2);
        let utility = utility.saturating_add(used.saturating_mul(more)).saturating_add(fresh);
        Tally { at: now, running, used: used + running * more, utility }
    }

    /// A job starts on so many processors, or ends on them if the number is negative.
    pub fn change(&mut self, processors: i128, now: Time) {
        *self = self.at(now);
        self.running += processors;
    }
}

/// The utility of all at a time.
pub(super) fn worth(tallies: &[Tally], now: Time) -> i128 {
    tallies.iter().fold(0, |sum, one| sum.saturating_add(one.at(now).utility))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays jobs (start, length, processors) up to a time.
    fn played(jobs: &[(i64, i64, i128)], until: i64) -> Tally {
        let ends = jobs.iter().map(|&(start, length, processors)| (start + length, -processors));
        let starts = jobs.iter().map(|&(start, _, processors)| (start, processors));
        let mut all: Vec<(i64, i128)> = starts.chain(ends).filter(|one| one.0 < until).collect();
        all.sort_unstable();
        let mut tally = Tally::default();
        all.iter().for_each(|&(at, change)| tally.change(change, Time::from_ticks(at)));
        tally.at(Time::from_ticks(until))
    }

    /// The formula: a sum over started jobs.
    fn formula(jobs: &[(i64, i64, i128)], until: i64) -> i128 {
        let worth = |&(start, length, processors): &(i64, i64, i128)| {
            let twice =
                length.min(until - start) * (2 * until - start - (start + length).min(until) + 1);
            processors * i128::from(twice) / 2
        };
        jobs.iter().filter(|one| one.0 <= until).map(worth).sum()
    }

    /// The same if it is cut into two; a tick of delay costs the length.
    #[test]
    fn a_job_is_worth_what_it_should_be() {
        let halves = [played(&[(0, 2, 1)], 10), played(&[(2, 2, 1)], 10)].map(|one| one.utility);
        let (whole, late) = (played(&[(0, 4, 1)], 10), played(&[(1, 4, 1)], 10));
        assert_eq!((whole.utility, halves, late.utility), (34, [19, 15], 30));
    }

    #[test]
    fn sums_are_those_of_the_formula() {
        let jobs = [(0, 4, 1), (1, 7, 3), (3, 0, 2), (3, 2, 1), (8, 20, 5)];
        for until in 0..40 {
            assert_eq!(played(&jobs, until).utility, formula(&jobs, until), "at {until}");
        }
    }
}
