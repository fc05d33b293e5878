//! Clairvoyance: the runtime that schedulers may expect. A setting of the run, not the scheduler.
//!
//! A prediction is made when a job is submitted and stays the same while the job waits. A
//! prediction that proves too short is corrected while the job runs: see [`Correction`] and
//! [`model::correction`].

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use model::correction::corrected;
use model::entry::Entry;
use model::ids::OrganizationId;
use model::job::Job;

/// Sources of the settings.
pub const ENTRIES: &[Entry] = &[
    Entry::new("predicted", "Tsafrir, Etsion and Feitelson, IEEE TPDS 18(6), 2007"),
    Entry::new("none", "Motwani, Phillips and Torng, Theoret. Comput. Sci. 130(1), 1994"),
];

/// The runtime that schedulers may expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clairvoyance {
    /// The true runtime.
    Runtime,
    /// The user's estimate.
    #[default]
    Estimate,
    /// The mean runtime of the user's last two completed jobs, capped at the estimate. With only
    /// one completed job, its runtime; with none, the estimate. Jobs of unknown users (number 0)
    /// count as jobs of one user (Tsafrir, Etsion and Feitelson 2007).
    Predicted(Predicted),
    /// Nothing; only schedulers that need no runtimes can be used.
    None,
}

/// Parameters of predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Predicted {
    /// Correction of the prediction for a job that runs longer.
    pub correction: Correction,
}

/// Correction of the prediction for a job that runs longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// Extend the prediction whenever it expires: by a minute, then by 5, 15 and 30 minutes, then
    /// by 1, 2, 5, 10, 20, 50 and 100 hours, never beyond the estimate (Tsafrir, Etsion and
    /// Feitelson 2007; the unit of time is a second). The scheduler decides again each time. A
    /// prediction of zero is raised to a minute from the start.
    #[default]
    Gradual,
    /// Expect the job to end in the next tick, at every decision. The first waiting job is then
    /// promised an early start again and again, and little is backfilled.
    None,
}

impl Clairvoyance {
    /// True if predictions are corrected when they expire.
    pub fn corrects(self) -> bool {
        self == Clairvoyance::Predicted(Predicted { correction: Correction::Gradual })
    }
}

/// Source, user number, and the organization if those are parted.
type User = (u32, u32, Option<OrganizationId>);
/// Latest runtime, and the one before it.
type LastTwo = (Span, Option<Span>);

/// Predicts runtimes according to the setting.
#[derive(Clone, Debug)]
pub struct Oracle {
    setting: Clairvoyance,
    /// True if a user's jobs for one organization tell nothing of those for another.
    is_parted: bool,
    /// History of every user with a completed job.
    history: FxHashMap<User, LastTwo>,
}

impl Oracle {
    /// An oracle that has seen no job.
    pub fn new(setting: Clairvoyance) -> Oracle {
        Oracle { setting, is_parted: false, history: FxHashMap::default() }
    }

    /// Predicts the jobs of each organization from its own alone.
    pub fn part(&mut self) {
        self.is_parted = true;
    }

    fn user(&self, job: &Job) -> User {
        (job.source, job.user, self.is_parted.then_some(job.organization))
    }

    /// The expected runtime of a job that is submitted now.
    #[inline]
    pub fn expected(&self, job: &Job) -> Option<Span> {
        match self.setting {
            Clairvoyance::Runtime => Some(job.runtime),
            Clairvoyance::Estimate => Some(job.estimate),
            Clairvoyance::Predicted(Predicted { correction }) => {
                let predicted = self.predicted(job);
                let expired = predicted == Span::ZERO && correction == Correction::Gradual;
                Some(corrected(predicted, job.estimate, expired.into()))
            }
            Clairvoyance::None => None,
        }
    }

    fn predicted(&self, job: &Job) -> Span {
        match self.history.get(&self.user(job)) {
            None => job.estimate,
            Some(&(last, before)) => {
                let before = before.unwrap_or(last);
                // Halve before adding: the sum of two long runtimes may overflow.
                let (half, odd) = (last.ticks() / 2 + before.ticks() / 2, last.ticks() % 2);
                let mean = half + (odd + before.ticks() % 2) / 2;
                Span::from_ticks(mean).min(job.estimate)
            }
        }
    }

    /// Returns true if it learns from jobs that end.
    #[inline]
    pub fn learns(&self) -> bool {
        matches!(self.setting, Clairvoyance::Predicted(_))
    }

    /// Records that a user's job ran for `ran`, as at unit speed.
    #[inline]
    pub fn completed(&mut self, job: &Job, ran: Span) {
        if self.learns() {
            let user = self.user(job);
            self.history
                .entry(user)
                .and_modify(|(last, before)| (*last, *before) = (ran, Some(*last)))
                .or_insert((ran, None));
        }
    }
}

impl State for Oracle {
    fn save(&self, out: &mut Vec<u8>) {
        let mut sorted: Vec<_> = self.history.iter().collect();
        sorted.sort_unstable();
        put(&sorted, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let sorted: Vec<(User, LastTwo)> = take(from)?;
        self.history = sorted.into_iter().collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::time::Time;

    const PREDICTED: Clairvoyance =
        Clairvoyance::Predicted(Predicted { correction: Correction::Gradual });

    #[test]
    fn a_prediction_is_the_mean_of_the_last_two_capped_by_the_estimate() {
        let job = |user, runtime: i64, estimate: i64| Job {
            number: 1,
            source: 0,
            submit: Time::ZERO,
            runtime: Span::units(runtime),
            estimate: Span::units(estimate),
            processors: 1,
            user,
            organization: OrganizationId(0),
            ..Job::default()
        };
        let mut oracle = Oracle::new(PREDICTED);
        let expect = |oracle: &Oracle, estimate| oracle.expected(&job(1, 5, estimate)).unwrap();
        assert_eq!(expect(&oracle, 100), Span::units(100));
        oracle.completed(&job(1, 10, 100), Span::units(10));
        assert_eq!(expect(&oracle, 100), Span::units(10));
        oracle.completed(&job(1, 20, 100), Span::units(20));
        assert_eq!(expect(&oracle, 100), Span::units(15));
        oracle.completed(&job(2, 90, 100), Span::units(90));
        oracle.completed(&job(1, 40, 100), Span::units(40));
        assert_eq!(expect(&oracle, 100), Span::units(30));
        assert_eq!(expect(&oracle, 25), Span::units(25));
        // A prediction of zero has expired before the job starts.
        (0..2).for_each(|_| oracle.completed(&job(1, 0, 100), Span::ZERO));
        assert_eq!(expect(&oracle, 100), Span::units(60));
        assert_eq!(expect(&oracle, 25), Span::units(25));
        assert_eq!(expect(&oracle, 0), Span::ZERO);
    }
}
