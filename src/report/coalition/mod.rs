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
pub mod json;
mod learned;
pub mod learning;
pub mod moves;
pub mod organizations;
pub mod picture;
pub mod rounds;
pub mod social;
pub mod summary;
pub mod timeline;
pub mod verdicts;
pub mod warnings;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::kernel::time::Span;
use crate::policy::learn::Stance;
use crate::report::chart::clock::Clock;
use crate::sim::pool::turn::Turn;
use crate::stats::interval::Level;

pub use absorbed::Absorbed;
pub use course::{Course, Stretch};
pub use learned::{Learned, Settled, Unit};
pub use social::{Social, SocialSum};

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

/// A class: consecutive organizations that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Name of the class, such as `typical-1..9`; a single organization keeps its own name.
    pub name: String,
    /// Range of its organizations' indices.
    pub members: Range<usize>,
}

impl Class {
    /// True for a single organization.
    pub fn is_single(&self) -> bool {
        self.members.len() == 1
    }
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

/// Groups organizations into classes of consecutive, interchangeable ones.
///
/// Members are named `name-1`, `name-2` and so on, and `are_alike` confirms that two of them differ
/// in nothing but their names.
pub fn classes(names: &[String], are_alike: impl Fn(usize, usize) -> bool) -> Vec<Class> {
    let numbered = |name: &str| -> Option<(String, u64)> {
        let (stem, number) = name.rsplit_once('-')?;
        Some((stem.to_owned(), number.parse().ok()?))
    };
    let follows = |one: usize, next: usize| {
        let pair = numbered(&names[one]).zip(numbered(&names[next]));
        let is_next = pair.is_some_and(|(one, next)| one.0 == next.0 && one.1 + 1 == next.1);
        is_next && are_alike(one, next)
    };
    let mut classes: Vec<Class> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        match classes.last_mut() {
            Some(class) if follows(at - 1, at) => class.members.end = at + 1,
            _ => classes.push(Class { name: name.clone(), members: at..at + 1 }),
        }
    }
    for class in &mut classes {
        let last = numbered(&names[class.members.end - 1]);
        if let Some((_, number)) = last.filter(|_| !class.is_single()) {
            class.name = format!("{}..{number}", class.name);
        }
    }
    classes
}
