//! Results of a coalition: records of its rounds, and what the organizations learned.
//!
//! Rounds arrive as [`RoundRow`]s, one replication after another. [`rounds`] writes them to a file,
//! a [`Course`] accumulates one replication, and [`Learned`] all of them.

mod absorbed;
pub mod acts;
mod course;
pub mod curves;
pub mod deviations;
pub mod entry;
pub mod flows;
pub mod histograms;
pub mod instead;
pub mod jobs;
pub(super) mod json;
mod learned;
pub mod learning;
pub mod moves;
pub mod organizations;
pub mod picture;
pub mod rounds;
pub mod social;
mod summary;
pub mod timeline;
pub mod verdicts;
pub mod warnings;

#[cfg(test)]
mod tests;

use crate::kernel::time::Span;
use crate::policy::learn::Stance;
use crate::report::chart::clock::Clock;
use crate::sim::pool::turn::Turn;
use crate::stats::interval::Level;

pub use absorbed::Absorbed;
pub use course::{Course, Stretch};
pub use learned::{Held, Learned, Settled, Unit};
pub use social::{Social, SocialSum};
pub use summary::CoalitionReport;

pub use crate::findings::unit::{Class, classes};

/// Results of all rounds of a run.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Learning results by organization.
    pub learned: Learned,
    /// Flow times of the organizations' jobs.
    pub flows: flows::Flows,
}

/// One organization in one round of one replication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundRow {
    /// Replication, from 0.
    pub replication: u32,
    /// Round, from 0.
    pub round: u64,
    /// Index of the organization.
    pub organization: usize,
    /// Its outcome of the round.
    pub turn: Turn,
    /// Its stance before the round.
    pub stance: Stance,
    /// Its stance after the round.
    pub next: Stance,
}

/// The organizations of a run and its length.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Names of the organizations.
    pub names: Vec<String>,
    /// The organizations grouped into classes that are alike, in order.
    pub classes: Vec<Class>,
    /// Rounds in a replication.
    pub rounds: u64,
    /// Number of replications.
    pub replications: u32,
    /// Organizations and rounds for which counterfactual payoffs are computed.
    pub asking: instead::Asking,
    /// True for each organization that learns.
    pub learns: Vec<bool>,
    /// Length of a round.
    pub period: Span,
    /// True if a unit of time is known to be a second.
    pub counts_seconds: bool,
    /// Length of the measurement window: the part of a round whose jobs count.
    pub window: Span,
    /// Confidence level of the intervals.
    pub level: Level,
}

impl Frame {
    /// Label of an axis of rounds, with the length of a round.
    pub(super) fn axis(&self) -> String {
        format!("round (of {})", Clock::told(self.counts_seconds, self.period.as_units()))
    }

    /// First round of the last quarter, over which learning results are measured.
    pub fn late(&self) -> u64 {
        self.rounds - self.rounds.div_ceil(4)
    }
}
