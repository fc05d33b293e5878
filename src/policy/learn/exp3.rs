//! EXP3, exponential weights for exploration and exploitation: Hedge for who sees the own payoff
//! only, each weighed by how seldom it is seen.
//!
//! The weight w of the action that was played, of K, grows by the factor exp(g u / (x K)), with its
//! utility u and its probability x = (1 - g) w / sum w + g / K. At first the weights are the
//! probabilities of the first round, so that its law is these, mixed with g of equal chances. With
//! g = min(1, sqrt(K ln K / ((e - 1) T))) and equal first weights the mean regret of T rounds is at
//! most 2 sqrt(e - 1) sqrt(T K ln K) on every sequence of utilities. A first
//! weight of 0 stays 0: such an action is played only where it is drawn with equal chances. Weights
//! are kept as logarithms; an exponent is at most 1. O(K) a round.
//!
//! Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32(1), 2002, section 3 and
//! corollary 3.2.

use super::choose::{Chooser, Round, options};
use crate::game::stage::OwnPayoff;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of EXP3.
    {
        /// g, the share of rounds in which all actions are equally likely; without it what is
        /// best for `horizon` rounds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
        exploration: Option<f64> = None,
        /// T, the rounds that g is chosen for where it is not given.
        #[schemars(range(min = 1))]
        horizon: u64 = 1000,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        self.exploration
            .map_or(Ok(()), |given| super::support::portion("exploration", "share", given))?;
        super::support::horizon("horizon", self.horizon)
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    exploration: Option<f64>,
    horizon: u64,
    /// g.
    mixed: f64,
    /// By action, ln w, the largest of which is 0.
    weights: Vec<f64>,
}

/// The rule at a table.
pub type Exp3 = Chooser<Rule>;

state_of_fields!(Rule { weights });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { exploration, horizon, .. } = *options;
        Rule { exploration, horizon, mixed: 0.0, weights: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        let (choices, rounds) = (first.len() as f64, self.horizon as f64);
        let spread = choices * libm::log(choices);
        let best = libm::sqrt(spread / (std::f64::consts::E - 1.0) / rounds).min(1.0);
        self.mixed = self.exploration.unwrap_or(best);
        self.weights = logarithms(first);
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let (choices, played) = (round.choices() as f64, round.played());
        let x = (1.0 - self.mixed) * proportion(&self.weights, played) + self.mixed / choices;
        self.weights[played] += self.mixed * round.utility() / (x * choices);
        level(&mut self.weights);
    }

    fn law(&self, law: &mut [f64]) -> bool {
        super::support::softmax(&self.weights, 1.0, law);
        super::support::explore(self.mixed, law);
        true
    }
}

/// The logarithms of probabilities, the largest of them 0.
pub(super) fn logarithms(first: &[f64]) -> Vec<f64> {
    let mut weights: Vec<f64> = first.iter().map(|&x| libm::log(x)).collect();
    level(&mut weights);
    weights
}

/// Brings the largest of weights that are kept as logarithms to 0.
pub(super) fn level(weights: &mut [f64]) {
    let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    weights.iter_mut().for_each(|weight| *weight -= largest);
}

/// The share of one weight in all of them; they are kept as logarithms, the largest 0.
pub(super) fn proportion(weights: &[f64], choice: usize) -> f64 {
    libm::exp(weights[choice]) / weights.iter().map(|&weight| libm::exp(weight)).sum::<f64>()
}
