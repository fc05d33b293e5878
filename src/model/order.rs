//! Orders of a list of waiting jobs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::Submission;

/// Order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// In order of submission.
    #[default]
    Submit,
    /// Shortest expected runtime first.
    Shortest,
    /// Longest expected runtime first.
    Longest,
    /// Fewest processors first.
    Smallest,
    /// Most processors first.
    Largest,
    /// Smallest expected area (processors times runtime) first.
    SmallestArea,
    /// Largest expected area first.
    LargestArea,
    /// Random order, drawn for each job from the list's own stream.
    Random,
}

impl Order {
    /// True if the order needs expected runtimes.
    pub const fn needs_expected(self) -> bool {
        matches!(self, Order::Shortest | Order::Longest | Order::SmallestArea | Order::LargestArea)
    }

    /// Returns the key by which a job is sorted, smallest first; `draw` gives a random number.
    ///
    /// # Panics
    /// If the order needs an expected runtime and there is none; such a scenario is rejected when it
    /// is checked.
    #[inline]
    pub fn key(self, job: &Submission, draw: impl FnOnce() -> u64) -> i128 {
        let processors = i128::from(job.job.processors);
        let expected = || {
            let expected = job.expected.expect("such a scenario is refused at check");
            i128::from(expected.ticks())
        };
        match self {
            Order::Submit => 0,
            Order::Shortest => expected(),
            Order::Longest => -expected(),
            Order::Smallest => processors,
            Order::Largest => -processors,
            Order::SmallestArea => processors * expected(),
            Order::LargestArea => -processors * expected(),
            Order::Random => i128::from(draw()),
        }
    }
}
