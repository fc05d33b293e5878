//! A game that makes sense.

use std::sync::Arc;

use crate::game::noise::Noise;
use crate::game::payoffs::Payoffs;
use crate::policy::learn::LearnerOptions;

/// A game, who plays it, and how long.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// What the game is called.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// How many replications there are.
    pub replications: u32,
    /// Rounds in a replication.
    pub rounds: u64,
    /// What every profile pays.
    pub payoffs: Arc<Payoffs>,
    /// The form in which the payoffs were written.
    pub form: &'static str,
    /// How payoffs are drawn, where they are not sure.
    pub noise: Option<Noise>,
    /// The players.
    pub players: Vec<GameSeat>,
    /// Whether `rounds.csv` is written.
    pub writes_rounds: bool,
    /// Nobody said whether, and it would be too long.
    pub rounds_are_too_many: bool,
    /// BLAKE3 over the file with all defaults filled in, but for the seed.
    pub digest: String,
}

/// A player.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSeat {
    /// Its name.
    pub name: String,
    /// How it chooses.
    pub learner: LearnerOptions,
    /// The names of its actions.
    pub actions: Vec<String>,
    /// The entry that it is written in; players of one entry are alike.
    pub entry: usize,
}

/// Lines up to which `rounds.csv` is written where nothing is said.
pub const MOST_LINES: u64 = 1_000_000;

impl GamePlan {
    /// The payoffs that count as 0 and as 1 where a learner does not say otherwise: the least and
    /// the largest; one more than the least where they are the same.
    pub fn range(&self) -> [f64; 2] {
        let (least, most) = self.payoffs.range();
        if least < most { [least, most] } else { [least, least + 1.0] }
    }
}
