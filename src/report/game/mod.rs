//! What a game that was played again and again leaves behind: records of its rounds, and what the
//! players did, got and might have got.
//!
//! Rounds arrive as [`Round`]s, replication by replication. [`rounds`] writes each down; a
//! [`Course`] folds those of one replication, and [`Played`] those of all.

pub mod actions;
mod course;
pub mod curves;
pub mod described;
pub mod dynamics;
mod ends;
pub mod json;
pub mod manifest;
pub mod picture;
mod played;
pub mod players;
pub mod profiles;
pub mod rounds;
pub mod solution;
pub mod summary;
mod words;

use super::coalition::{Class, classes};
use crate::scenario::plan::{DynamicsPlan, GamePlan};

pub use course::Course;
pub use ends::{End, Ends};
pub use played::{Played, Unit};

/// A round of a replication.
#[derive(Clone, Copy, Debug)]
pub struct Round<'a> {
    /// The replication, from 0.
    pub replication: u32,
    /// The round, from 0.
    pub round: u64,
    /// By player: what it did.
    pub profile: &'a [u32],
    /// By player: what it got, noise included.
    pub payoffs: &'a [f64],
    /// By player: the probabilities of its actions when it decided; empty where they are not known.
    pub laws: &'a [Vec<f64>],
}

/// Who plays, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The players.
    pub names: Vec<String>,
    /// By player: the names of its actions.
    pub actions: Vec<Vec<String>>,
    /// The same in classes of players that are alike, in order.
    pub classes: Vec<Class>,
    /// Players of a class may change places, and nothing changes for the others.
    pub is_symmetric: bool,
    /// Rounds in a replication.
    pub rounds: u64,
    /// Replications.
    pub replications: u32,
}

impl Frame {
    /// Of a plan.
    pub fn new(plan: &GamePlan) -> Frame {
        let names: Vec<String> = plan.players.iter().map(|player| player.name.clone()).collect();
        let alike = |one: usize, other: usize| {
            let (one, other) = (&plan.players[one], &plan.players[other]);
            one.entry == other.entry && one.actions == other.actions
        };
        Frame {
            classes: classes(&names, alike),
            names,
            actions: plan.players.iter().map(|player| player.actions.clone()).collect(),
            is_symmetric: plan.payoffs_are_alike(),
            rounds: plan.rounds,
            replications: plan.replications,
        }
    }

    /// Of those whom dynamics move, called by their numbers.
    pub fn of_dynamics(plan: &GamePlan, dynamics: &DynamicsPlan) -> Frame {
        let players = 1..=dynamics.actions.len();
        let names: Vec<String> = players.map(|number| format!("player-{number}")).collect();
        let is_symmetric = plan.payoffs_are_alike();
        Frame {
            classes: classes(&names, |_, _| is_symmetric),
            names,
            actions: dynamics.actions.clone(),
            is_symmetric,
            rounds: dynamics.steps,
            replications: plan.replications,
        }
    }

    /// The first round of the last quarter.
    pub fn late(&self) -> u64 {
        self.rounds - self.rounds.div_ceil(4)
    }

    /// The profile with the players of each class in the order of their actions, where it does not
    /// matter who of them does what.
    pub fn canonical(&self, mut profile: Vec<u32>) -> Vec<u32> {
        if self.is_symmetric {
            self.classes.iter().for_each(|class| profile[class.members.clone()].sort_unstable());
        }
        profile
    }

    /// A profile in words: `(stag, hare)`, and of several alike `(4 out, 6 in)`.
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
