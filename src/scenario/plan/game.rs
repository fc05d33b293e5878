//! The plan of a game.

use std::sync::Arc;

use crate::game::coalitional::Coalitional;
use crate::game::counts::Counts;
use crate::game::dynamics::Populations;
use crate::game::dynamics::imitation::Imitation;
use crate::game::noise::Noise;
use crate::game::payoffs::Payoffs;
use crate::policy::learn::LearnerOptions;
use crate::scenario::raw::DynamicsForm;
use crate::scenario::title::titled;
use crate::stats::interval::Level;

/// A game of either kind.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// A game that can be played: the payoff of every profile of actions.
    Stage(GamePlan),
    /// A game that can only be solved: the worth of every coalition.
    Coalitional(CoalitionalPlan),
}

/// A coalitional game.
#[derive(Clone, Debug)]
pub struct CoalitionalPlan {
    /// Title of the game.
    pub name: String,
    /// Command-line changes as `key=value`.
    pub changes: Vec<String>,
    /// Names of the players.
    pub players: Vec<String>,
    /// The worth of every coalition.
    pub game: Coalitional,
}

/// A game, its players and its length.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// Title of the game.
    pub name: String,
    /// Command-line changes as `key=value`, except for the length and number of replications.
    pub changes: Vec<String>,
    /// The master seed.
    pub seed: u64,
    /// Number of replications.
    pub replications: u32,
    /// Number of rounds in a replication.
    pub rounds: u64,
    /// Payoffs of every profile.
    pub payoffs: Arc<Payoffs>,
    /// The form in which the payoffs were written.
    pub form: &'static str,
    /// The noise, if payoffs are random.
    pub noise: Option<Noise>,
    /// The players; none if `dynamics` determine play.
    pub players: Vec<GameSeat>,
    /// The rule by which play evolves when nobody learns.
    pub dynamics: Option<DynamicsPlan>,
    /// Names of the actions, by player, if nobody learns.
    pub actions: Vec<Vec<String>>,
    /// True if the run writes `rounds.csv`.
    pub writes_rounds: bool,
    /// The confidence level of intervals.
    pub level: Level,
    /// True if `rounds.csv` is skipped by default because it would be too long.
    pub rounds_are_too_many: bool,
    /// BLAKE3 over the file with all defaults filled in, except the seed.
    pub digest: String,
}

/// A player.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSeat {
    /// Its name.
    pub name: String,
    /// Learning rule that chooses its actions.
    pub learner: LearnerOptions,
    /// Names of its actions.
    pub actions: Vec<String>,
    /// Number of its entry in the file; players of one entry are identical.
    pub entry: usize,
}

/// A rule by which play evolves, with full knowledge of the game.
#[derive(Clone, Debug)]
pub struct DynamicsPlan {
    /// The rule as written.
    pub form: DynamicsForm,
    /// The rule and its initial state.
    pub motion: Motion,
    /// Maximum number of steps in a replication.
    pub steps: u64,
    /// Length of a time step; 1 if time is counted in steps.
    pub step: f64,
}

/// A rule by which play evolves, and its initial state.
#[derive(Clone, Debug)]
pub enum Motion {
    /// The shares of large populations evolve.
    Flow {
        /// The rule.
        flow: Flow,
        /// The populations that play.
        populations: Populations,
        /// Initial shares, by population, then by action.
        from: Vec<Vec<f64>>,
    },
    /// Best responses, player by player, from a profile.
    Turns {
        /// Initial action of each player.
        from: Vec<u32>,
    },
    /// Log-linear responses of one player at a time, from a profile.
    LogLinear {
        /// Temperature by which payoffs are divided.
        temperature: f64,
        /// Initial action of each player.
        from: Vec<u32>,
    },
    /// Imitation in a finite population.
    Imitation {
        /// The rule.
        rule: Imitation,
        /// The game, with the size of the population.
        game: Counts,
        /// Initial number that play the second action.
        from: usize,
    },
}

/// A rule by which population shares evolve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flow {
    /// The replicator dynamics.
    Replicator,
    /// The replicator dynamics in discrete generations.
    Generations {
        /// Background fitness added to all payoffs.
        background: f64,
    },
    /// Movement towards the best response.
    BestReply,
    /// Ascent along the gradient of each player's own payoff.
    Gradient {
        /// Learning rate while a player earns more than its equilibrium strategy would.
        winning: f64,
        /// Learning rate otherwise.
        losing: f64,
    },
}

/// Maximum number of lines for which `rounds.csv` is written by default.
pub const MOST_LINES: u64 = 1_000_000;

impl AnyGame {
    /// Returns the name with the command-line changes.
    pub fn title(&self) -> String {
        match self {
            AnyGame::Stage(plan) => plan.title(),
            AnyGame::Coalitional(plan) => titled(&plan.name, &plan.changes),
        }
    }

    pub(in crate::scenario) fn changes_mut(&mut self) -> &mut Vec<String> {
        match self {
            AnyGame::Stage(plan) => &mut plan.changes,
            AnyGame::Coalitional(plan) => &mut plan.changes,
        }
    }
}

impl GamePlan {
    /// Returns the name with the command-line changes: `Dilemma (learner = hedge)`.
    pub fn title(&self) -> String {
        titled(&self.name, &self.changes)
    }

    /// Returns true if players are identical except for their actions.
    pub fn payoffs_are_alike(&self) -> bool {
        matches!(self.form, "symmetric" | "counts" | "pairwise")
    }

    /// Returns the payoffs that count as 0 and as 1 unless a learner sets its own: the smallest and
    /// the largest. If they are equal, the second is one more.
    pub fn range(&self) -> [f64; 2] {
        let (least, most) = self.payoffs.range();
        if least < most { [least, most] } else { [least, least + 1.0] }
    }
}
