//! `[dynamics]` of a game file: how play moves where nobody learns, as it is written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How play moves by a rule that knows the whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DynamicsForm {
    /// The replicator dynamics of large populations, in continuous time.
    Replicator(FlowForm),
    /// The replicator dynamics in generations.
    Generations(GenerationsForm),
    /// Large populations move towards the best reply, in continuous time.
    BestReply(FlowForm),
    /// Two players with two actions each climb along the gradient of their own payoffs.
    Gradient(GradientForm),
    /// Players take turns, and each takes its best reply to what the others do.
    Turns(TurnsForm),
    /// One player at a time revises, and takes an action with a probability that grows
    /// exponentially with what it pays.
    LogLinear(LogLinearForm),
    /// Somebody of a population of many alike takes over what another one does.
    Imitation(ImitationForm),
}

impl DynamicsForm {
    /// As it is written.
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

    /// True where it goes another way in each replication.
    pub fn is_random(&self) -> bool {
        matches!(self, DynamicsForm::LogLinear(_) | DynamicsForm::Imitation(_))
    }
}

/// Shares that move in continuous time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowForm {
    /// The shares of the actions at first: one list for a single population that plays against
    /// itself, or one for each player.
    pub from: Vec<Vec<f64>>,
    /// The time at which it ends.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: f64,
    /// The time of a step.
    #[serde(default = "hundredth")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub step: f64,
}

/// `generations = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GenerationsForm {
    /// The shares of the actions at first: one list for a single population that plays against
    /// itself, or one for each player.
    pub from: Vec<Vec<f64>>,
    /// How many generations there are.
    #[schemars(range(min = 1))]
    pub steps: u64,
    /// A fitness that is added to all payoffs, which must then be above 0; the larger, the slower.
    #[serde(default)]
    pub background: f64,
}

/// `gradient = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GradientForm {
    /// By player: the probabilities of its two actions at first.
    pub from: Vec<Vec<f64>>,
    /// The time at which it ends.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: f64,
    /// The time of a step.
    #[serde(default = "thousandth")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub step: f64,
    /// How fast a player learns while it gets more than its equilibrium strategy would.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub winning: f64,
    /// How fast it learns otherwise.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub losing: f64,
}

/// `turns = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnsForm {
    /// By player: the name of its action at first; one name stands for all players. Without it
    /// everybody begins with its first action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vec<String>>,
    /// How often everybody has its turn at most.
    #[serde(default = "thousand")]
    #[schemars(range(min = 1))]
    pub steps: u64,
    /// How many play, where the payoffs do not say: of `payoffs.pairwise`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 2))]
    pub players: Option<u32>,
}

/// `log_linear = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogLinearForm {
    /// What payoffs are divided by: the larger, the more is left to chance.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub temperature: f64,
    /// How often somebody revises.
    #[schemars(range(min = 1))]
    pub steps: u64,
    /// By player: the name of its action at first; one name stands for all players. Without it
    /// everybody begins with its first action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vec<String>>,
    /// How many play, where the payoffs do not say: of `payoffs.pairwise`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 2))]
    pub players: Option<u32>,
}

/// `imitation = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImitationForm {
    /// Who takes over what from whom.
    pub rule: ImitationRule,
    /// How many there are, where the payoffs do not say: of two players everybody meets everybody
    /// else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 2))]
    pub population: Option<u32>,
    /// How many of them play the second action at first; half of them where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub from: Option<u32>,
    /// How often somebody imitates at most; it ends where all do the same.
    #[schemars(range(min = 1))]
    pub steps: u64,
}

/// Who takes over what from whom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImitationRule {
    /// One of two drawn at random copies the other with a probability that grows with what that
    /// got more: the logistic function.
    Fermi(FermiForm),
    /// One is drawn to be copied in proportion to its fitness, and one at random to be replaced.
    Moran(MoranForm),
    /// One of two drawn at random copies the other where that got more, with a probability
    /// proportional to how much more.
    Proportional {},
}

/// `fermi = { ... }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FermiForm {
    /// What the difference of payoffs is multiplied by.
    #[serde(default = "one")]
    #[schemars(range(min = 0))]
    pub intensity: f64,
}

/// `moran = { ... }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoranForm {
    /// The part that payoffs have in the fitness 1 - selection + selection * payoff.
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
