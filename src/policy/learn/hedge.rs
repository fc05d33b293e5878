//! Hedge, exponential weights: the probability of an action grows exponentially with its total
//! utility, played or not.
//!
//! x(a) is proportional to w(a) exp(eta sum u(a)), with the probabilities w of the first round.
//! With eta = sqrt(8 ln K / T) and equal initial weights the regret over T rounds is at most sqrt(T
//! ln K / 2) on every sequence of utilities, in expectation over its own draws; with other weights
//! the regret against action a is at most ln(1 / w(a)) / eta + eta T / 8. An action with initial
//! probability 0 is never played. O(K) for each round.
//!
//! Freund and Schapire, Journal of Computer and System Sciences 55(1), 1997; Cesa-Bianchi and
//! Lugosi, "Prediction, Learning, and Games", Cambridge 2006, theorem 2.2.

use super::choose::{Chooser, Round};
use super::exp3::level;
use super::support::{HORIZON, WEIGHT};
use game::stage::OwnEach;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of Hedge.
    #[serde(default)]
    pub struct Options {
        /// eta, the learning rate. If left out, it is sqrt(8 ln K / `horizon`) for K actions:
        /// 0.0745 for two actions and 1000 rounds.
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
    /// ln w + eta sum u of each action; the largest is 0.
    weights: Vec<f64>,
}

/// The learner.
pub type Hedge = Chooser<Rule>;

state_of_fields!(Rule { weights });

impl super::choose::Rule for Rule {
    type Sees = OwnEach;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { rate, horizon, .. } = *options;
        Rule { rate, horizon, eta: 0.0, weights: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        let best = libm::sqrt(8.0 * libm::log(first.len() as f64) / self.horizon as f64);
        self.eta = self.rate.unwrap_or(best);
        self.weights = first.iter().map(|&x| libm::log(x)).collect();
    }

    fn learn(&mut self, round: &Round<'_, OwnEach>, _: &mut Draws<'_>) {
        for (choice, weight) in self.weights.iter_mut().enumerate() {
            *weight += self.eta * round.instead(choice);
        }
        level(&mut self.weights);
    }

    fn law(&self, law: &mut [f64]) -> bool {
        super::support::softmax(&self.weights, 1.0, law);
        true
    }
}
