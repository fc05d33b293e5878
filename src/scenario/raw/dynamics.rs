//! `[dynamics]` of a game file, as written: how play evolves when nobody learns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ABOVE_0, TWO_OR_MORE};
use model::bounds::Bounds;

/// Numbers of steps.
const STEPS: Bounds<'_> = Bounds::of("").from(1.0).to(1e9);

/// A rule by which play evolves, with full knowledge of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DynamicsForm {
    /// Replicator dynamics of large populations, in continuous time.
    Replicator(FlowForm),
    /// Discrete-time replicator dynamics, in generations.
    Generations(GenerationsForm),
    /// Best-response dynamics of large populations, in continuous time.
    BestReply(FlowForm),
    /// Gradient ascent by two players with two actions each, on their own payoffs.
    Gradient(GradientForm),
    /// Sequential best responses: players take turns, and each plays its best response to the
    /// others.
    Turns(TurnsForm),
    /// Log-linear learning: one player at a time revises, and chooses an action with probability
    /// exponential in its payoff.
    LogLinear(LogLinearForm),
    /// Imitation in a finite population: one individual adopts another's action.
    Imitation(ImitationForm),
}

impl DynamicsForm {
    /// Returns the name as written in a game file.
    pub fn name(&self) -> &'static str {
        match self {
            DynamicsForm::Replicator(_) => "replicator",
            DynamicsForm::Generations(_) => "generations",
            DynamicsForm::BestReply(_) => "best_reply",
            DynamicsForm::Gradient(_) => "gradient",
            DynamicsForm::Turns(_) => "turns",
            DynamicsForm::LogLinear(_) => "log_linear",
            DynamicsForm::Imitation(_) => "imitation",
        }
    }

    /// Returns true if replications take different paths.
    pub(crate) fn is_random(&self) -> bool {
        matches!(self, DynamicsForm::LogLinear(_) | DynamicsForm::Imitation(_))
    }
}

tables! {
    /// Population shares that evolve in continuous time.
    pub struct FlowForm {
        /// Initial shares of the actions: one list for a single population that plays against
        /// itself, or one per player.
        from: Vec<Vec<f64>>,
        /// End time.
        until: f64 as ABOVE_0,
        /// Length of a time step.
        #[serde(default = "hundredth")]
        step: f64 as ABOVE_0 where { "default": hundredth() },
    }

    /// `generations = { ... }`.
    pub struct GenerationsForm {
        /// Initial shares of the actions: one list for a single population that plays against
        /// itself, or one per player.
        from: Vec<Vec<f64>>,
        /// Number of generations.
        steps: u64 as STEPS,
        /// Background fitness added to all payoffs, which must then be above 0; a larger one slows
        /// change.
        #[serde(default)]
        background: f64,
    }

    /// `gradient = { ... }`.
    pub struct GradientForm {
        /// Initial probabilities of the two actions, one list per player.
        from: Vec<Vec<f64>>,
        /// End time.
        until: f64 as ABOVE_0,
        /// Length of a time step.
        #[serde(default = "thousandth")]
        step: f64 as ABOVE_0 where { "default": thousandth() },
        /// Learning rate while a player earns more than its equilibrium strategy would.
        #[serde(default = "one")]
        winning: f64 as ABOVE_0 where { "default": one() },
        /// Learning rate otherwise.
        #[serde(default = "one")]
        losing: f64 as ABOVE_0 where { "default": one() },
    }

    /// `turns = { ... }`.
    pub struct TurnsForm {
        /// Initial action of each player by name; a single name stands for all players. By default
        /// everyone starts with its first action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Vec<String>>,
        /// Maximum number of passes in which every player takes one turn.
        #[serde(default = "thousand")]
        steps: u64 as STEPS where { "default": thousand() },
        /// Number of players, for `payoffs.pairwise`, which does not fix it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        players: Option<u32> as TWO_OR_MORE,
    }

    /// `log_linear = { ... }`.
    pub struct LogLinearForm {
        /// Temperature by which payoffs are divided: the higher, the more random the choice.
        temperature: f64 as ABOVE_0,
        /// Number of revisions.
        steps: u64 as STEPS,
        /// Initial action of each player by name; a single name stands for all players. By default
        /// everyone starts with its first action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Vec<String>>,
        /// Number of players, for `payoffs.pairwise`, which does not fix it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        players: Option<u32> as TWO_OR_MORE,
    }

    /// `imitation = { ... }`.
    pub struct ImitationForm {
        /// Rule that says who copies whom.
        rule: ImitationRule,
        /// Size of the population, where the payoffs do not fix it: in a game of two players
        /// everyone meets everyone else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        population: Option<u32> as TWO_OR_MORE,
        /// Initial number that play the second action; by default half of the population.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u32>,
        /// Maximum number of imitation steps; the run ends once all play the same action.
        steps: u64 as STEPS,
    }
}

/// Rule that says who copies whom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImitationRule {
    /// One of two individuals drawn at random copies the other with a probability that is the
    /// logistic function of the payoff difference.
    Fermi(FermiForm),
    /// Moran process: one individual reproduces in proportion to its fitness and replaces a random
    /// one.
    Moran(MoranForm),
    /// One of two individuals drawn at random copies the other if that one earned more, with a
    /// probability proportional to the difference.
    Proportional {},
}

/// `fermi = { ... }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FermiForm {
    /// Selection intensity, which multiplies the payoff difference.
    #[serde(default = "one")]
    #[schemars(range(min = 0))]
    pub intensity: f64,
}

/// `moran = { ... }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoranForm {
    /// Weight of payoffs in the fitness 1 - selection + selection * payoff.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 1))]
    pub selection: f64,
}

fn hundredth() -> f64 {
    0.01
}

fn thousandth() -> f64 {
    0.001
}

fn thousand() -> u64 {
    1000
}

fn one() -> f64 {
    1.0
}
