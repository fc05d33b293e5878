//! The organizations of a run in rounds, and what one of them did in a round.

use crate::measure::Metric;
use crate::unit::{Class, units};
use game::stage::Act;
use kernel::time::Span;
use policy::learn::Stance;
use sim::federation::stakes::Score;
use sim::pool::turn::Turn;
use sim::repeated::Asked;
use stats::interval::Level;

/// Organizations and rounds for which counterfactual payoffs are computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asking {
    /// The organizations and the rounds.
    pub asked: Asked,
    /// Menu of actions by organization; empty if it is not asked.
    pub menus: Vec<Vec<Act>>,
}

impl Asking {
    /// Maximum number of organizations that are asked.
    pub const MOST: usize = 20;
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
    /// Processors of each organization's cluster.
    pub processors: Vec<u32>,
    /// The organizations grouped into classes that are alike, in order.
    pub classes: Vec<Class>,
    /// Rounds in a replication; in the longest, if chance ends them.
    pub rounds: u64,
    /// True if chance ends the rounds of a replication.
    pub by_chance: bool,
    /// Number of replications.
    pub replications: u32,
    /// Organizations and rounds for which counterfactual payoffs are computed.
    pub asking: Asking,
    /// True for each organization that learns.
    pub learns: Vec<bool>,
    /// Length of a round.
    pub period: Span,
    /// Measure by which a round is judged.
    pub score: Score,
    /// True if a unit of time is known to be a second.
    pub counts_seconds: bool,
    /// Length of the measurement window: the part of a round whose jobs count.
    pub window: Span,
    /// Measures of a federation beside those of every coalition; empty for a pool.
    pub more: Vec<Metric>,
    /// True if members that are caught cheating are excluded.
    pub excludes: bool,
    /// True if some members choose among lies.
    pub lies: bool,
    /// Confidence level of the intervals.
    pub level: Level,
}

impl Frame {
    /// True of a federation, false of a pool.
    pub fn is_federation(&self) -> bool {
        !self.more.is_empty()
    }

    /// True if the grid in which nobody ever joined is played beside the rounds.
    pub fn has_alone(&self) -> bool {
        self.more.contains(&Metric::AloneFlow)
    }

    /// First round of the last quarter, over which learning results are measured.
    pub fn late(&self) -> u64 {
        self.rounds - self.rounds.div_ceil(4)
    }

    /// The groups of organizations for which figures are reported: each organization by itself, then
    /// each class with several members, then all organizations unless they form one class.
    pub fn units(&self) -> Vec<Class> {
        let mut units = units(&self.names, &self.classes);
        if self.classes.len() == 1 {
            units.pop();
        }
        units
    }
}
