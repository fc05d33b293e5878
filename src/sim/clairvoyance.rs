//! What schedulers may expect of a job's length: a setting of the run, not of the scheduler.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Span;
use crate::model::entry::Entry;
use crate::model::job::Job;

/// Where the settings come from.
pub const ENTRIES: &[Entry] = &[
    Entry::new("predicted", "Tsafrir, Etsion and Feitelson, IEEE TPDS 18(6), 2007"),
    Entry::new("none", "Motwani, Phillips and Torng, Theoret. Comput. Sci. 130(1), 1994"),
];

/// The setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clairvoyance {
    /// The true runtime.
    Runtime,
    /// The user's estimate.
    #[default]
    Estimate,
    /// The mean of the user's last two completed jobs, at most the estimate (Tsafrir, Etsion and
    /// Feitelson 2007); of the last one while there is but one, and the estimate while there is
    /// none. Jobs of unknown users (number 0) are taken for one user's.
    Predicted,
    /// Nothing; only schedulers that need nothing can be used.
    None,
}

/// A user of a source.
type User = (u32, u32);
/// The latest runtime, and the one before.
type LastTwo = (Span, Option<Span>);

/// Applies the setting.
#[derive(Clone, Debug)]
pub struct Oracle {
    setting: Clairvoyance,
    /// Of every user that completed a job.
    history: FxHashMap<User, LastTwo>,
}

impl Oracle {
    /// An oracle that has seen no job.
    pub fn new(setting: Clairvoyance) -> Oracle {
        Oracle { setting, history: FxHashMap::default() }
    }

    /// What a scheduler may expect of a job that is now submitted.
    #[inline]
    pub fn expected(&self, job: &Job) -> Option<Span> {
        match self.setting {
            Clairvoyance::Runtime => Some(job.runtime),
            Clairvoyance::Estimate => Some(job.estimate),
            Clairvoyance::Predicted => Some(self.predicted(job)),
            Clairvoyance::None => None,
        }
    }

    fn predicted(&self, job: &Job) -> Span {
        match self.history.get(&(job.source, job.user)) {
            None => job.estimate,
            Some(&(last, before)) => {
                let before = before.unwrap_or(last);
                // Half of each first: the sum of two long runtimes may not be a span.
                let (half, odd) = (last.ticks() / 2 + before.ticks() / 2, last.ticks() % 2);
                let mean = half + (odd + before.ticks() % 2) / 2;
                Span::from_ticks(mean).min(job.estimate)
            }
        }
    }

    /// A job of this user ran for `ran`.
    #[inline]
    pub fn completed(&mut self, job: &Job, ran: Span) {
        if self.setting == Clairvoyance::Predicted {
            self.history
                .entry((job.source, job.user))
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
    use crate::kernel::time::Time;
    use crate::model::ids::OrganizationId;

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
        };
        let mut oracle = Oracle::new(Clairvoyance::Predicted);
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
    }
}
