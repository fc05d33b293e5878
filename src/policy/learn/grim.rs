//! Grim trigger: takes part until a trigger, then stays out for m rounds, or forever.
//!
//! The trigger is, with `when = "score"`, a payoff below `least` in a round in which it took part;
//! with `when = "anyone_out"`, a round in which any present player stayed out, itself included.
//! Each trigger restarts the m rounds. With more than two choices the last one means taking part
//! and the first one staying out, and a player took part if it chose any but the first; in a
//! coalition, if it took part at any level. Trembling hand: with probability `error` it does the
//! opposite. For two players, m = 1 and `anyone_out` is the memory-one rule that cooperates exactly
//! after mutual cooperation. O(n + K) for each round.
//!
//! Friedman, Review of Economic Studies 38(1), 1971 (for ever); Green and Porter, Econometrica
//! 52(1), 1984 (for m rounds, on a signal).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round};
use super::support::{HORIZON, PAYOFF};
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
        /// With `when = "score"`: the smallest payoff that it tolerates.
        least: f64 as PAYOFF = -0.5,
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

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    when: When,
    least: f64,
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
            When::Score => round.played() > 0 && round.payoff() < self.least,
            When::AnyoneOut => {
                let mut acts = round.acts().iter().enumerate();
                acts.any(|(player, act)| act.entry() == 0 && round.is_present(player))
            }
        }
    }
}

impl super::choose::Rule for Rule {
    type Sees = OwnAndActs;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { when, least, rounds, error, .. } = *options;
        Rule { when, least, rounds, error, first: Vec::new(), stand: Stand::New }
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
            Stand::In => super::support::takes_part(1.0, self.error, law),
            Stand::OutFor(_) | Stand::OutForEver => {
                super::support::takes_part(0.0, self.error, law)
            }
        }
        true
    }
}
