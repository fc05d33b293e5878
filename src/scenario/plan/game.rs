//! A game that makes sense.

use std::sync::Arc;

use crate::game::counts::Counts;
use crate::game::dynamics::Populations;
use crate::game::dynamics::imitation::Imitation;
use crate::game::noise::Noise;
use crate::game::payoffs::Payoffs;
use crate::policy::learn::LearnerOptions;
use crate::scenario::raw::DynamicsForm;

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
    /// The players; nobody where `dynamics` say how play moves.
    pub players: Vec<GameSeat>,
    /// How play moves where nobody learns.
    pub dynamics: Option<DynamicsPlan>,
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

/// How play moves by a rule that knows the whole game.
#[derive(Clone, Debug)]
pub struct DynamicsPlan {
    /// As it is written.
    pub form: DynamicsForm,
    /// By player: the names of its actions. Of players who are alike, those of the first are those
    /// of all.
    pub actions: Vec<Vec<String>>,
    /// The rule, and where it begins.
    pub motion: Motion,
    /// Steps in a replication, at most.
    pub steps: u64,
    /// The time that a step takes; 1 where time is counted in steps.
    pub step: f64,
}

/// A rule by which play moves, and where it begins.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Shares of large populations.
    Flow {
        /// The rule.
        flow: Flow,
        /// Who plays.
        populations: Populations,
        /// By population, then by action.
        from: Vec<Vec<f64>>,
    },
    /// Best replies, player by player, from a profile.
    Turns {
        /// By player.
        from: Vec<u32>,
    },
    /// Soft replies of one player at a time, from a profile.
    LogLinear {
        /// What payoffs are divided by.
        temperature: f64,
        /// By player.
        from: Vec<u32>,
    },
    /// Imitation in a finite population.
    Imitation {
        /// The rule.
        rule: Imitation,
        /// What is played, by how many.
        game: Counts,
        /// How many play the second action at first.
        from: usize,
    },
}

/// A rule by which shares move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flow {
    /// The replicator dynamics.
    Replicator,
    /// The same in generations.
    Generations {
        /// The fitness that is added to all payoffs.
        background: f64,
    },
    /// Towards the best reply.
    BestReply,
    /// Along the gradient of the own payoff.
    Gradient {
        /// How fast while it gets more than its equilibrium strategy would.
        winning: f64,
        /// How fast otherwise.
        losing: f64,
    },
}

/// Lines up to which `rounds.csv` is written where nothing is said.
pub const MOST_LINES: u64 = 1_000_000;

impl GamePlan {
    /// True where players are told apart by nothing but what they do.
    pub fn payoffs_are_alike(&self) -> bool {
        matches!(self.form, "symmetric" | "counts" | "pairwise")
    }

    /// The payoffs that count as 0 and as 1 where a learner does not say otherwise: the least and
    /// the largest; one more than the least where they are the same.
    pub fn range(&self) -> [f64; 2] {
        let (least, most) = self.payoffs.range();
        if least < most { [least, most] } else { [least, least + 1.0] }
    }
}
