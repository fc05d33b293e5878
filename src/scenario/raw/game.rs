//! A game file, as it is written.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DynamicsForm, default_seed, is_one, one};
use crate::policy::learn::LearnerOptions;

/// A whole game file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Another game file that this one starts from, relative to this file. What is written here is
    /// added to it or replaces it, as in a scenario of a grid.
    #[serde(default, skip_serializing)]
    pub extends: Option<PathBuf>,
    /// What the game is called, in a line; it also names the results directory.
    pub name: String,
    /// The master seed of all random streams.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// How long and how often it is played.
    #[serde(default)]
    pub run: GameRun,
    /// What is played.
    pub game: Rules,
    /// Who plays, in the order of the payoffs.
    #[serde(default)]
    pub player: Vec<GamePlayer>,
    /// How play moves by a rule that knows the whole game, instead of players who learn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamics: Option<DynamicsForm>,
    /// What is written.
    #[serde(default)]
    pub output: GameOutput,
}

/// `[run]` of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GameRun {
    /// When a replication ends.
    pub until: GameUntil,
    /// How often the game is played from its first round, on independent random streams.
    #[schemars(range(min = 1))]
    pub replications: u32,
}

impl Default for GameRun {
    fn default() -> GameRun {
        GameRun { until: GameUntil::Rounds(1000), replications: 1 }
    }
}

/// When a replication of a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameUntil {
    /// After this many rounds.
    Rounds(#[schemars(range(min = 1))] u64),
}

/// `[game]`: what every profile of actions pays to each player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The names of the actions, the same for all players; without them actions are called by their
    /// numbers from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<String>>,
    /// What a round pays.
    pub payoffs: PayoffsForm,
    /// How payoffs are drawn around those of the game; without it they are sure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<NoiseForm>,
}

/// What a round pays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PayoffsForm {
    /// Two players alike: a row for each own action, in it what it pays against each action of the
    /// other.
    Symmetric(Vec<Vec<f64>>),
    /// Two players: what each profile pays to either of them.
    Bimatrix(Bimatrix),
    /// Two players of whom one gets what the other loses: what the first gets, a row for each of
    /// its actions.
    ZeroSum(Vec<Vec<f64>>),
    /// Players alike with two actions: what each pays by how many others play the second.
    Counts(CountsForm),
    /// Players alike: each gets the mean of what its action pays against the action of every other.
    Pairwise(Vec<Vec<f64>>),
    /// Any players: what every profile pays to each.
    Table(TableForm),
}

impl PayoffsForm {
    /// As it is written.
    pub fn name(&self) -> &'static str {
        match self {
            PayoffsForm::Symmetric(_) => "symmetric",
            PayoffsForm::Bimatrix(_) => "bimatrix",
            PayoffsForm::ZeroSum(_) => "zero_sum",
            PayoffsForm::Counts(_) => "counts",
            PayoffsForm::Pairwise(_) => "pairwise",
            PayoffsForm::Table(_) => "table",
        }
    }
}

/// `bimatrix = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bimatrix {
    /// What the first player gets: a row for each of its actions, a column for each of the other's.
    pub row: Vec<Vec<f64>>,
    /// What the second player gets, in the same rows and columns.
    pub column: Vec<Vec<f64>>,
}

/// `counts = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountsForm {
    /// What the first action pays while 0, 1, 2, ... others play the second: as many numbers as
    /// there are players.
    pub out: Vec<f64>,
    /// What the second action pays while 0, 1, 2, ... others play it too.
    #[serde(rename = "in")]
    pub joined: Vec<f64>,
}

/// `table = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableForm {
    /// How many actions each player has.
    pub choices: Vec<u32>,
    /// A list for every profile, the last player's action running fastest; in it what the profile
    /// pays to each player.
    pub payoffs: Vec<Vec<f64>>,
}

/// How payoffs are drawn around those of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoiseForm {
    /// A normal number of mean 0 is added, drawn for each player and round.
    Normal(NormalNoise),
    /// The largest or the least payoff of the game, with the probability that keeps the mean.
    Coin {},
}

/// `normal = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NormalNoise {
    /// Its standard deviation.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub deviation: f64,
}

/// `[[player]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GamePlayer {
    /// Its name; several of them with one entry are called `name-1`, `name-2`, ...
    pub name: String,
    /// How many such players there are.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[schemars(range(min = 1))]
    pub count: u32,
    /// How it chooses its actions.
    pub learner: LearnerOptions,
    /// The names of its actions, where they are not those of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<String>>,
}

/// `[output]` of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GameOutput {
    /// Whether `rounds.csv` is written, with a line for every player and round. Where nothing is
    /// said, it is up to a million lines.
    #[schemars(with = "bool")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<bool>,
}
