//! Boltzmann Q-learning, stateless: action values are moving averages of payoffs, and actions are
//! drawn with softmax probabilities.
//!
//! The value Q of the action played becomes Q + alpha (u - Q), with its utility u; all values start
//! at `untried`. The probabilities are proportional to exp(Q / tau); those of the first round are
//! the common parameter. After each round the temperature tau is multiplied by `decay`, down to
//! `coldest`. The mean dynamics rest where every player's mixed strategy is the logit reply to the
//! others': at a logit equilibrium of the stage game with utilities as payoffs. A temperature is
//! therefore in utilities: in units of payoffs it is tau times the width of `payoffs`.
//!
//! With `state = "own_act"` there is a set of values for each action played in the round before,
//! and the set of the actual one is used and updated. O(K) for each round.
//!
//! Watkins and Dayan, Machine Learning 8, 1992 (with a discount of 0); Leslie and Collins, SIAM
//! Journal on Control and Optimization 44(2), 2005.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round};
use super::support::{FACTOR, RATE, TEMPERATURE, softmax};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{SHARE, parameters};

parameters! {
    /// Parameters of Boltzmann Q-learning.
    #[serde(default)]
    pub struct Options {
        /// alpha, the learning rate: the weight of the latest round.
        rate: f64 as RATE = 0.1,
        /// tau, the temperature of the first rounds, in utilities: a difference of tau makes an
        /// action e times as likely.
        temperature: f64 as TEMPERATURE = 0.05,
        /// Factor by which the temperature falls in each round; 1 for a constant temperature.
        decay: f64 as FACTOR = 1.0,
        /// Lowest temperature.
        coldest: f64 as TEMPERATURE = 0.001,
        /// Initial value of an action that was never played.
        untried: f64 as SHARE = 0.5,
        /// State that the values depend on.
        state: Context = Context::None,
    }
}

/// State that action values depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Context {
    /// Nothing.
    #[default]
    None,
    /// The action played in the round before.
    OwnAct,
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    rate: f64,
    decay: f64,
    coldest: f64,
    untried: f64,
    context: Context,
    /// Probabilities in the first round.
    first: Vec<f64>,
    temperature: f64,
    /// Action of the last round; none at first.
    last: Option<usize>,
    /// Values, by action of the last round if that is the state, then by action.
    values: Vec<f64>,
}

/// The learner.
pub type BoltzmannQ = Chooser<Rule>;

state_of_fields!(Rule { temperature, last, values });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { rate, temperature, decay, coldest, untried, state: context, .. } = *options;
        let coldest = coldest.min(temperature);
        let (first, last, values) = (Vec::new(), None, Vec::new());
        Rule { rate, decay, coldest, untried, context, first, temperature, last, values }
    }

    fn begin(&mut self, first: &[f64]) {
        let rows = if self.context == Context::OwnAct { first.len() } else { 1 };
        self.first = first.to_vec();
        self.values = vec![self.untried; rows * first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let row = self.row();
        let value = &mut self.values[row + round.played()];
        *value += self.rate * (round.utility() - *value);
        self.last = Some(round.played());
        self.temperature = (self.temperature * self.decay).max(self.coldest);
    }

    fn law(&self, law: &mut [f64]) -> bool {
        if self.last.is_none() {
            law.copy_from_slice(&self.first);
        } else {
            let row = self.row();
            softmax(&self.values[row..row + law.len()], self.temperature, law);
        }
        true
    }
}

impl Rule {
    /// Offset of the values for the current state; the first ones before the second round.
    fn row(&self) -> usize {
        match (self.context, self.last) {
            (Context::OwnAct, Some(last)) => last * self.first.len(),
            _ => 0,
        }
    }
}
