//! Grim: it takes part until it is let down, and then stays out for m rounds, or for ever.
//!
//! What lets it down is, with `when = "score"`, a payoff below `least` in a round that it took part
//! in; with `when = "anyone_out"`, a round in which anybody who was there stayed out, itself
//! included. Each such round begins the m rounds anew. Of more than two choices the last is taking
//! part and the first is staying out, and whoever chose another than the first took part; in a
//! coalition that is who took part at any level. The trembling hand: with the probability `error`
//! it does the opposite. Of two players, m = 1 and `anyone_out` are the memory-one rule that
//! cooperates exactly after mutual cooperation. O(n + K) a round.
//!
//! Friedman, Review of Economic Studies 38(1), 1971 (for ever); Green and Porter, Econometrica
//! 52(1), 1984 (for m rounds, on a signal).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round, options};
use super::support::probability;
use crate::game::stage::OwnAndActs;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of grim.
    {
        /// What lets it down.
        when: When = When::Score,
        /// With `when = "score"`: the least payoff that it puts up with.
        least: f64 = -0.5,
        /// m, the rounds that it stays out; without it, for ever.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 1))]
        rounds: Option<u64> = None,
        /// The probability to do the opposite of what is intended.
        #[schemars(range(min = 0, max = 1))]
        error: f64 = 0.0,
    }
}

/// What lets it down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// A payoff below the least that it puts up with, where it took part.
    #[default]
    Score,
    /// That anybody who was there stayed out, itself included.
    AnyoneOut,
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        super::support::finite("least", self.least)?;
        if self.rounds == Some(0) {
            let message = "out for no round at all is not out; give a number of rounds from 1";
            return Err(Invalid::new("rounds", message));
        }
        probability("error", self.error)
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    when: When,
    least: f64,
    rounds: Option<u64>,
    error: f64,
    first: Vec<f64>,
    stand: Stand,
}

/// What it intends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Stand {
    /// Nothing was seen.
    New,
    In,
    /// Out for so many rounds.
    OutFor(u64),
    OutForEver,
}

/// The rule at a table.
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
