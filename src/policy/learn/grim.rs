//! Grim trigger: takes part until a trigger, then stays out for m rounds, or forever.
//!
//! The trigger is, with `when = "score"`, a payoff below `least` in a round in which it took part;
//! with `when = "anyone_out"`, a round in which any present player stayed out, itself included.
//! Each trigger restarts the m rounds. In a game it takes part by the action that cooperates, and
//! stays out by the first other one; in a coalition by the highest level, and whoever took part at
//! any level took part. Trembling hand: with probability `error` it does the opposite. For two
//! players, m = 1 and `anyone_out` is the memory-one rule that cooperates exactly after mutual
//! cooperation. O(n + K) for each round.
//!
//! Friedman, Review of Economic Studies 38(1), 1971 (for ever); Green and Porter, Econometrica
//! 52(1), 1984 (for m rounds, on a signal).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round};
use super::support::{HORIZON, PAYOFF, middle, takes_part, took_part};
use game::stage::OwnAndActs;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{PROBABILITY, parameters};

parameters! {
    /// Parameters of grim.
    #[serde(default)]
    pub struct Options {
        /// Trigger for staying out.
        when: When = When::Score,
        /// With `when = "score"`: the smallest payoff that it tolerates [in a coalition a score of
        /// -0.5, in a game the middle of its range].
        #[serde(skip_serializing_if = "Option::is_none")]
        least: Option<f64> as PAYOFF = None,
        /// m, the number of rounds that it stays out; forever if left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        rounds: Option<u64> as HORIZON = None,
        /// Probability of doing the opposite of the intended action.
        error: f64 as PROBABILITY = 0.0,
    }
}

/// Trigger for staying out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// A payoff below the smallest that it tolerates, in a round in which it took part.
    #[default]
    Score,
    /// Any present player stayed out, itself included.
    AnyoneOut,
}

/// The smallest score that it tolerates in a coalition.
const LEAST: f64 = -0.5;

impl Options {
    /// The smallest payoff that it tolerates in a game of this range.
    pub(super) fn least_of(&self, payoffs: [f64; 2]) -> f64 {
        self.least.unwrap_or_else(|| middle(payoffs))
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    when: When,
    least: Option<f64>,
    /// The action that cooperates, if the game names one.
    cooperate: Option<u32>,
    rounds: Option<u64>,
    error: f64,
    first: Vec<f64>,
    stand: Stand,
}

/// Its intention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Stand {
    /// Nothing observed yet.
    New,
    In,
    /// Out for this many rounds.
    OutFor(u64),
    OutForEver,
}

/// The learner.
pub type Grim = Chooser<Rule>;

state_of_fields!(Rule { stand });

impl Rule {
    fn is_let_down(&self, round: &Round<'_, OwnAndActs>) -> bool {
        match self.when {
            When::Score => {
                let own = round.acts()[round.me()];
                took_part(own, self.cooperate) && round.payoff() < self.least.unwrap_or(LEAST)
            }
            When::AnyoneOut => {
                let mut acts = round.acts().iter().enumerate();
                acts.any(|(player, act)| {
                    !took_part(*act, self.cooperate) && round.is_present(player)
                })
            }
        }
    }
}

impl super::choose::Rule for Rule {
    type Sees = OwnAndActs;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { when, least, rounds, error, .. } = *options;
        Rule { when, least, cooperate: None, rounds, error, first: Vec::new(), stand: Stand::New }
    }

    fn read(&mut self, payoffs: [f64; 2], cooperate: Option<u32>) {
        self.least.get_or_insert(middle(payoffs));
        self.cooperate = cooperate;
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnAndActs>, _: &mut Draws<'_>) {
        self.stand = match (self.stand, self.is_let_down(round)) {
            (Stand::OutForEver, _) => Stand::OutForEver,
            (_, true) => self.rounds.map_or(Stand::OutForEver, Stand::OutFor),
            (Stand::OutFor(rounds), false) if rounds > 1 => Stand::OutFor(rounds - 1),
            (Stand::New | Stand::In | Stand::OutFor(_), false) => Stand::In,
        };
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match self.stand {
            Stand::New => law.copy_from_slice(&self.first),
            Stand::In => takes_part(1.0, self.error, self.cooperate, law),
            Stand::OutFor(_) | Stand::OutForEver => {
                takes_part(0.0, self.error, self.cooperate, law)
            }
        }
        true
    }
}
