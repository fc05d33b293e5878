//! Results of a repeated game: records of its rounds, and the players' actions, payoffs and
//! regrets.
//!
//! Rounds arrive as [`Round`]s, one replication after another. [`rounds`] writes them to a file, a
//! [`Course`] accumulates one replication, and [`Played`] all of them.

pub mod actions;
mod course;
pub mod curves;
pub mod described;
pub mod dynamics;
mod ends;
pub(super) mod json;
pub mod manifest;
pub mod picture;
mod played;
pub mod players;
pub mod profiles;
pub mod rounds;
pub mod solution;
pub mod solved;
mod summary;
pub mod warnings;
mod words;

use super::coalition::{Class, classes};
use crate::scenario::plan::GamePlan;
use crate::stats::interval::Level;

pub use course::Course;
pub use ends::{End, Ends};
pub use played::{Held, Played, Unit};
pub use summary::PlayedReport;

/// One round of a replication.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// Replication, from 0.
    pub replication: u32,
    /// Round, from 0.
    pub round: u64,
    /// Action of each player.
    pub profile: &'a [u32],
    /// Payoff of each player, noise included.
    pub payoffs: &'a [f64],
    /// Mixed strategy of each player when it decided; empty if not known.
    pub laws: &'a [Vec<f64>],
    /// Payoff of each action of each player, the others' unchanged and noise included; empty for
    /// players of whom nobody asked.
    pub instead: &'a [Vec<f64>],
}

/// The players of a run and its length.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Names of the players.
    pub names: Vec<String>,
    /// Names of each player's actions.
    pub actions: Vec<Vec<String>>,
    /// The players grouped into classes that are alike, in order.
    pub classes: Vec<Class>,
    /// True if swapping players of a class changes nothing for the others.
    pub is_symmetric: bool,
    /// Rounds in a replication.
    pub rounds: u64,
    /// Number of replications.
    pub replications: u32,
    /// Confidence level of the intervals.
    pub level: Level,
}

impl Frame {
    /// The frame of a plan.
    pub fn new(plan: GamePlan<'_>) -> Frame {
        if plan.game.players.is_empty() {
            return Frame::of_numbered(plan);
        }
        let names: Vec<String> =
            plan.game.players.iter().map(|player| player.name.clone()).collect();
        let alike = |one: usize, other: usize| {
            let (one, other) = (&plan.game.players[one], &plan.game.players[other]);
            one.entry == other.entry && one.actions == other.actions
        };
        Frame {
            classes: classes(&names, alike),
            names,
            actions: plan.game.players.iter().map(|player| player.actions.clone()).collect(),
            is_symmetric: plan.game.payoffs_are_alike(),
            rounds: plan.rounds(),
            replications: plan.replications,
            level: plan.counting.level,
        }
    }

    /// The frame of players who do not learn, and are named by their numbers.
    fn of_numbered(plan: GamePlan<'_>) -> Frame {
        let players = 1..=plan.game.actions.len();
        let names: Vec<String> = players.map(|number| format!("player-{number}")).collect();
        let is_symmetric = plan.game.payoffs_are_alike();
        Frame {
            classes: classes(&names, |_, _| is_symmetric),
            names,
            actions: plan.game.actions.clone(),
            is_symmetric,
            rounds: plan.rounds(),
            replications: plan.replications,
            level: plan.counting.level,
        }
    }

    /// First round of the last quarter.
    pub fn late(&self) -> u64 {
        self.rounds - self.rounds.div_ceil(4)
    }

    /// Canonical form of a profile: actions sorted within each class if the game is symmetric.
    pub fn canonical(&self, mut profile: Vec<u32>) -> Vec<u32> {
        if self.is_symmetric {
            self.classes.iter().for_each(|class| profile[class.members.clone()].sort_unstable());
        }
        profile
    }

    /// A profile in words: `(stag, hare)`, or `(4 out, 6 in)` for players that are alike.
    pub fn told(&self, profile: &[u32]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let name = |player: usize| &*self.actions[player][profile[player] as usize];
        for class in &self.classes {
            if class.is_single() || !self.is_symmetric {
                parts.extend(class.members.clone().map(|player| name(player).to_owned()));
                continue;
            }
            for (action, called) in self.actions[class.members.start].iter().enumerate() {
                let own = profile[class.members.clone()].iter();
                let count = own.filter(|&&one| one as usize == action).count();
                if count > 0 {
                    parts.push(format!("{count} {called}"));
                }
            }
        }
        format!("({})", parts.join(", "))
    }
}
