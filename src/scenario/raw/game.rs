//! A game file as written.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DynamicsForm, Mutants, Precision, default_seed, is_one, one};
use crate::de;
use crate::diagnostics::Diagnostic;
use crate::tree::Node;
use model::bounds::{Bounds, ONE_OR_MORE};
use policy::learn::LearnerOptions;
use policy::learn::choose::Choices;

tables! {
    /// A whole game file.
    pub struct Game {
        /// Another game file that this one starts from, relative to this file. This file's keys are
        /// added to it or replace its keys, as in a grid scenario.
        #[serde(default, skip_serializing)]
        extends: Option<PathBuf>,
        /// A one-line title of the game; it also names the results directory.
        name: String,
        /// The master seed of all random streams.
        #[serde(default = "default_seed")]
        seed: u64 where { "default": default_seed() },
        /// Length and number of replications.
        #[serde(default)]
        run: GameRun,
        /// The game itself: actions and payoffs.
        game: Rules,
        /// The players, in the order of the payoffs.
        #[serde(default)]
        player: Vec<GamePlayer>,
        /// A rule by which play evolves with full knowledge of the game, instead of players who
        /// learn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dynamics: Option<DynamicsForm>,
        /// Files to write.
        #[serde(default)]
        output: GameOutput,
        /// A parameter study: the keys that vary, and their values; `gridpact sweep` runs it.
        #[serde(default, skip_serializing)]
        sweep: Option<super::Sweep>,
    }
}

impl Game {
    /// Reads a file that has been parsed, or reports all that is wrong in it.
    pub fn read(node: &Node) -> (Option<Game>, Vec<Diagnostic>) {
        de::read(node)
    }
}

tables! {
    /// `[run]` of a game.
    #[serde(default)]
    pub struct GameRun {
        /// The end of a replication.
        until: GameUntil = GameUntil::Rounds(1000),
        /// Number of times the game is played from its first round, on independent random streams.
        replications: u32 as {Bounds::of("").from(1.0).to(1e7)} = 1,
    }
}

/// The end of a replication of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameUntil {
    /// The game ends after this many rounds.
    Rounds(#[schemars(range(min = 1))] u64),
    /// Replications are added until a metric is known precisely enough.
    Precision(Box<Precision>),
}

tables! {
    /// `[game]`: the payoff of every action profile to each player.
    pub struct Rules {
        /// Names of the actions, the same for all players; by default actions are numbered from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actions: Option<Vec<String>>,
        /// The action that cooperates, which learners play that take part or stay out, such as
        /// `always` and `tit_for_tat`; with `counts` the second action by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cooperate: Option<String>,
        /// Payoffs of a round.
        payoffs: PayoffsForm,
        /// Noise around the payoffs of the game; by default payoffs are certain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        noise: Option<NoiseForm>,
    }
}

/// Payoffs of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PayoffsForm {
    /// Symmetric game of two players: one row per own action, holding its payoffs against each
    /// action of the other.
    Symmetric(Vec<Vec<f64>>),
    /// Two players: the payoff of each profile to each of them.
    Bimatrix(Bimatrix),
    /// Zero-sum game of two players: the first player's payoffs, one row per action of its own.
    ZeroSum(Vec<Vec<f64>>),
    /// Identical players with two actions: payoffs by the number of others who play the second
    /// action.
    Counts(CountsForm),
    /// Identical players: each earns the mean payoff of its action against the action of every
    /// other.
    Pairwise(Vec<Vec<f64>>),
    /// Any number of players: the payoff of every profile to each of them.
    Table(TableForm),
    /// Players who share what they earn together, solved by `gridpact game solve`: the worth of
    /// coalitions of 1, 2, 3, ... members.
    Sizes(Vec<f64>),
    /// Players who share what they earn together, solved by `gridpact game solve`: the worth of
    /// each coalition.
    Coalitions(CoalitionsForm),
    /// Owners who order jobs on their own processors, solved by `gridpact game solve`: all
    /// schedules that are fair, and the game of ordering.
    Dedicated(DedicatedForm),
}

impl PayoffsForm {
    /// The kind of game in words, if it is solved and not played.
    pub fn is_solved(&self) -> Option<&'static str> {
        match self {
            PayoffsForm::Sizes(_) | PayoffsForm::Coalitions(_) => Some("a game of coalitions"),
            PayoffsForm::Dedicated(_) => Some("a game of schedules"),
            _ => None,
        }
    }

    /// Returns the name as written in a game file.
    pub fn name(&self) -> &'static str {
        match self {
            PayoffsForm::Symmetric(_) => "symmetric",
            PayoffsForm::Bimatrix(_) => "bimatrix",
            PayoffsForm::ZeroSum(_) => "zero_sum",
            PayoffsForm::Counts(_) => "counts",
            PayoffsForm::Pairwise(_) => "pairwise",
            PayoffsForm::Table(_) => "table",
            PayoffsForm::Sizes(_) => "sizes",
            PayoffsForm::Coalitions(_) => "coalitions",
            PayoffsForm::Dedicated(_) => "dedicated",
        }
    }
}

tables! {
    /// `bimatrix = { ... }`.
    pub struct Bimatrix {
        /// Payoffs of the first player: one row per action of its own, one column per action of the
        /// other.
        row: Vec<Vec<f64>>,
        /// Payoffs of the second player, in the same rows and columns.
        column: Vec<Vec<f64>>,
    }

    /// `counts = { ... }`.
    pub struct CountsForm {
        /// Payoffs of the first action while 0, 1, 2, ... others play the second; one number per
        /// player.
        out: Vec<f64>,
        /// Payoffs of the second action while 0, 1, 2, ... others play it too.
        #[serde(rename = "in")]
        joined: Vec<f64>,
    }

    /// `table = { ... }`.
    pub struct TableForm {
        /// Number of actions of each player.
        choices: Vec<u32> where { "items": { "minimum": 1 } },
        /// Payoffs to each player, one list per profile; the last player's action varies fastest.
        payoffs: Vec<Vec<f64>>,
    }

    /// `coalitions = { ... }`.
    pub struct CoalitionsForm {
        /// Names of the players.
        players: Vec<String>,
        /// Worth of single coalitions.
        worth: Vec<Worth>,
        /// Worth of all other coalitions; by default every coalition must be listed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        others: Option<f64>,
    }

    /// `worth = [{ ... }]`.
    pub struct Worth {
        /// Names of the members.
        of: Vec<String>,
        /// Their worth together.
        is: f64,
    }

    /// `dedicated = { ... }`.
    pub struct DedicatedForm {
        /// Names of the players, who own the jobs and the processors.
        players: Vec<String>,
        /// Sizes of the jobs by their owner and by the processor that each must run on, as whole
        /// numbers of any unit.
        sizes: Vec<Vec<Vec<u64>>> where { "items": { "items": { "items": { "minimum": 1 } } } },
        /// Owner of each processor; by default every player has one, in the same order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        processors: Option<Vec<String>>,
    }
}

/// Noise around the payoffs of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoiseForm {
    /// Adds a normal number of mean 0, drawn for each player and round.
    Normal(NormalNoise),
    /// Pays the game's largest or smallest payoff, with the probability that preserves the mean.
    Coin {},
}

tables! {
    /// `normal = { ... }`.
    pub struct NormalNoise {
        /// Standard deviation of the noise.
        deviation: f64 where { "maximum": 1e12, "exclusiveMinimum": 0 },
    }

    /// `[[player]]`.
    pub struct GamePlayer {
        /// Name of the player; with a `count` they are called `name-1`, `name-2`, ...
        name: String,
        /// Number of identical players to create.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32 as ONE_OR_MORE,
        /// Learning rule that chooses its actions.
        learner: LearnerOptions,
        /// Players of its `count` that follow another learner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mutants: Option<Mutants>,
        /// The start and the payoffs of a learner that chooses among actions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choices: Option<Choices>,
        /// Names of its actions, if they differ from the common ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actions: Option<Vec<String>>,
        /// Its action that cooperates, if it differs from the common one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cooperate: Option<String>,
        /// First round in which it is there; rounds are numbered from 0. Before, it learns nothing and
        /// plays the first action that does not cooperate.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_round: Option<u64>,
        /// Rounds between the first rounds of its `count` players, who come one after the other.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        apart: Option<u64>,
    }
}

/// `[output]` of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GameOutput {
    /// Write `rounds.csv`, with one line per player and round. By default it is written up to a
    /// million lines.
    #[schemars(with = "bool")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<bool>,
    /// Maximum number of lines per file of rounds. Further lines go to a new file, such as
    /// `rounds-r0000-000002.csv`, for each replication separately. By default there is one file.
    #[schemars(with = "u64", range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<u64>,
    /// Compress `rounds.csv` with gzip, as `rounds.csv.gz`. Off by default.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub compress: bool,
    /// Confidence level of all intervals, from 0.5 to 0.9999: the share of such intervals that
    /// cover the true value. Default 0.95.
    #[schemars(with = "f64", range(min = 0.5, max = 0.9999))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}
