//! The plan of a game.

use std::ops::Deref;
use std::sync::Arc;

use super::Plan;
use crate::raw::DynamicsForm;
use game::coalitional::Coalitional;
use game::counts::Counts;
use game::dedicated::Dedicated;
use game::dynamics::Populations;
use game::dynamics::imitation::Imitation;
use game::noise::Noise;
use game::payoffs::Payoffs;
use policy::learn::choose::Choices;
use policy::learn::{AnyLearner, LearnerOptions};

/// A game that is solved and not played.
#[derive(Clone, Debug)]
pub struct SolvedGame {
    /// Names of the players.
    pub players: Vec<String>,
    /// The game.
    pub game: Solvable,
}

/// Kinds of games that are solved and not played.
#[derive(Clone, Debug)]
pub enum Solvable {
    /// The worth of every coalition.
    Coalitional(Coalitional),
    /// Jobs of several owners on dedicated processors.
    Dedicated(Dedicated),
}

impl Solvable {
    /// The kind of game in words.
    pub fn words(&self) -> &'static str {
        match self {
            Solvable::Coalitional(_) => "a game of coalitions",
            Solvable::Dedicated(_) => "a game of schedules",
        }
    }
}

/// A game and its players.
#[derive(Clone, Debug)]
pub struct Game {
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
    /// The action of each player that cooperates, if the game says it.
    pub cooperate: Vec<Option<u32>>,
    /// Names of the actions, by player, if nobody learns.
    pub actions: Vec<Vec<String>>,
    /// True if `rounds.csv` is skipped by default because it would be too long.
    pub rounds_are_too_many: bool,
}

/// The plan of a game: a [`Plan`], which it stands for, together with the game in it.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its game.
    pub game: &'a Game,
}

impl Deref for GamePlan<'_> {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        self.plan
    }
}

/// A player.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSeat {
    /// Its name.
    pub name: String,
    /// Learning rule that chooses its actions.
    pub learner: LearnerOptions,
    /// Its start and its scale of payoffs, if the rule chooses among actions.
    pub choices: Choices,
    /// Names of its actions.
    pub actions: Vec<String>,
    /// Number of its entry in the file; players of one entry are identical.
    pub entry: usize,
    /// First round in which it is there.
    pub first: u64,
}

impl GameSeat {
    /// Returns its learner before the first round.
    pub fn player(&self) -> AnyLearner {
        self.learner.choosing(&self.choices)
    }
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

impl Game {
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
