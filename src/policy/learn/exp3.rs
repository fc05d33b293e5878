//! EXP3, exponential weights for exploration and exploitation: Hedge with bandit feedback, with
//! utilities weighted by inverse probability.
//!
//! With K actions, the weight w of the action played is multiplied by exp(g u / (x K)), where u is
//! its utility and x = (1 - g) w / sum w + g / K its probability. Initial weights are the
//! probabilities of the first round, which are thus mixed with g of the uniform distribution. With
//! g = min(1, sqrt(K ln K / ((e - 1) T))) and equal initial weights the expected regret over T
//! rounds is at most 2 sqrt(e - 1) sqrt(T K ln K) on every sequence of utilities. An initial weight
//! of 0 stays 0: such an action is only played by exploration. Weights are stored as logarithms; an
//! exponent is at most 1. O(K) for each round.
//!
//! Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32(1), 2002, section 3 and
//! corollary 3.2.

use super::choose::{Chooser, Round};
use super::support::{HORIZON, PORTION};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of EXP3.
    #[serde(default)]
    pub struct Options {
        /// g, the fraction of rounds that explore, with all actions equally likely. If left out, it
        /// is sqrt(K ln K / ((e - 1) `horizon`)) for K actions, at most 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        exploration: Option<f64> as PORTION = None,
        /// T, the number of rounds for which g is best, if `exploration` is left out; set it to the
        /// length of the run. In a longer run nothing changes after T rounds, but g is then no
        /// longer best: the bound on the regret grows in proportion to the rounds.
        horizon: u64 as HORIZON = 1000,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    exploration: Option<f64>,
    horizon: u64,
    /// g.
    mixed: f64,
    /// ln w of each action; the largest is 0.
    weights: Vec<f64>,
}

/// The learner.
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

/// Logarithms of probabilities, shifted so that the largest is 0.
pub(super) fn logarithms(first: &[f64]) -> Vec<f64> {
    let mut weights: Vec<f64> = first.iter().map(|&x| libm::log(x)).collect();
    level(&mut weights);
    weights
}

/// Shifts logarithmic weights so that the largest is 0.
pub(super) fn level(weights: &mut [f64]) {
    let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    weights.iter_mut().for_each(|weight| *weight -= largest);
}

/// Fraction of one weight in the total; logarithmic weights with the largest at 0.
pub(super) fn proportion(weights: &[f64], choice: usize) -> f64 {
    libm::exp(weights[choice]) / weights.iter().map(|&weight| libm::exp(weight)).sum::<f64>()
}
