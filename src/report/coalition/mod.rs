//! What a coalition's rounds leave behind: records of them, and what the organizations learned.
//!
//! Rounds arrive as [`RoundRow`]s, replication by replication. [`rounds`] writes each down;
//! a [`Course`] folds those of one replication, and [`Learned`] those of all.

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
pub(in crate::report) mod learned;
pub mod learning;
mod lines;
pub mod moves;
pub mod organizations;
pub mod picture;
pub mod rounds;
pub mod social;
pub mod summary;
pub mod timeline;
pub mod verdicts;
mod warnings;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::kernel::time::Span;
use crate::policy::learn::Stance;
use crate::sim::pool::turn::Turn;

pub use absorbed::Absorbed;
pub use course::{Course, Stretch};
pub use learned::{Learned, Settled, Unit};
pub use social::{Social, SocialSum};

/// What all rounds of a run found.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// What the organizations learned.
    pub learned: Learned,
    /// The flow times of their jobs.
    pub flows: flows::Flows,
}

/// One organization in one round of one replication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundRow {
    /// The replication, from 0.
    pub replication: u32,
    /// The round, from 0.
    pub round: u64,
    /// The organization.
    pub organization: usize,
    /// What the round was to it.
    pub turn: Turn,
    /// Where it stood before the round.
    pub stance: Stance,
    /// Where it stands after it.
    pub next: Stance,
}

/// Who plays, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The organizations.
    pub names: Vec<String>,
    /// The same in classes of organizations that are alike, in order.
    pub classes: Vec<Class>,
    /// Rounds in a replication.
    pub rounds: u64,
    /// Replications.
    pub replications: u32,
    /// Of whom it is asked what else they could have done.
    pub asking: instead::Asking,
    /// By organization, whether it learns anything.
    pub learns: Vec<bool>,
    /// The length of a round.
    pub period: Span,
    /// The length of its window: the part in which jobs are submitted that count.
    pub window: Span,
}

/// Organizations that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What they are called together: `typical-1..9`; a single one by its own name.
    pub name: String,
    /// Their numbers.
    pub members: Range<usize>,
}

impl Class {
    /// True of a single organization.
    pub fn is_single(&self) -> bool {
        self.members.len() == 1
    }
}

impl Frame {
    /// The first round of the last quarter, in which what was learned is measured.
    pub fn late(&self) -> u64 {
        self.rounds - self.rounds.div_ceil(4)
    }
}

/// The classes of organizations: neighbours that are called `name-1`, `name-2` and so on, and of
/// which `are_alike` says of two that they differ in nothing but their names.
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
