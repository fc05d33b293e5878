//! The players of a run in rounds, and what they did in a round.

use crate::unit::Class;
use stats::interval::Level;

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
