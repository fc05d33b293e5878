//! EXP3-IX, implicit exploration: EXP3 without forced exploration; instead it underestimates the
//! losses of rare actions.
//!
//! The weight of the action played is multiplied by exp(-eta (1 - u) / (x + gamma)), where u is its
//! utility and x its probability, the weight's fraction of the total. Initial weights are the
//! probabilities of the first round. With eta = 2 gamma = sqrt(2 ln K / (K T)) and equal initial
//! weights the regret over T rounds is, with probability at least 1 - delta, at most 2 sqrt(2 K T
//! ln K) + (sqrt(2 K T / ln K) + 1) ln(2 / delta) on every sequence of utilities: a
//! high-probability bound, not only one in expectation. An action with initial probability 0 is
//! never played. Weights are stored as logarithms; an exponent is at least -2. O(K) for each round.
//!
//! Neu, "Explore no more", Advances in Neural Information Processing Systems 28, 2015, theorem 1.

use super::choose::{Chooser, Round};
use super::exp3::{level, logarithms, proportion};
use super::support::{HORIZON, WEIGHT};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of EXP3-IX.
    #[serde(default)]
    pub struct Options {
        /// eta, the learning rate, twice gamma. If left out, it is sqrt(2 ln K / (K `horizon`)) for
        /// K actions.
        #[serde(skip_serializing_if = "Option::is_none")]
        rate: Option<f64> as WEIGHT = None,
        /// T, the number of rounds for which eta is best, if `rate` is left out; set it to the
        /// length of the run. In a longer run nothing changes after T rounds, but eta is then no
        /// longer best: the bound on the regret grows in proportion to the rounds.
        horizon: u64 as HORIZON = 1000,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    rate: Option<f64>,
    horizon: u64,
    eta: f64,
    /// ln w of each action; the largest is 0.
    weights: Vec<f64>,
}

/// The learner.
pub type Exp3Ix = Chooser<Rule>;

state_of_fields!(Rule { weights });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { rate, horizon, .. } = *options;
        Rule { rate, horizon, eta: 0.0, weights: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        let (choices, rounds) = (first.len() as f64, self.horizon as f64);
        let best = libm::sqrt(2.0 * libm::log(choices) / (choices * rounds));
        self.eta = self.rate.unwrap_or(best);
        self.weights = logarithms(first);
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let (x, loss) = (proportion(&self.weights, round.played()), 1.0 - round.utility());
        self.weights[round.played()] -= self.eta * loss / (x + self.eta / 2.0);
        level(&mut self.weights);
    }

    fn law(&self, law: &mut [f64]) -> bool {
        super::support::softmax(&self.weights, 1.0, law);
        true
    }
}
