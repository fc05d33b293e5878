//! EXP3.S: EXP3 with weight sharing, which tracks a best action that changes over time.
//!
//! With K actions, the weight w of the action played is multiplied by exp(g u / (x K)) as in EXP3,
//! where u is its utility and x = (1 - g) w / sum w + g / K its probability; then every weight
//! gains e alpha / K times the previous total. Initial weights are the probabilities of the first
//! round, which are thus mixed with g of the uniform distribution. With alpha = 1 / T, g = min(1,
//! sqrt(K ln(K T) / T)) and equal initial weights the expected regret over T rounds against any
//! sequence of actions that changes H - 1 times is at most H sqrt(K T ln(K T)) + 2 e sqrt(K T /
//! ln(K T)). O(K) for each round.
//!
//! Auer, Cesa-Bianchi, Freund and Schapire, SIAM Journal on Computing 32(1), 2002, section 8 and
//! corollary 8.2.

use std::f64::consts::E;

use super::choose::{Chooser, Round};
use super::support::{HORIZON, PORTION};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of EXP3.S.
    #[serde(default)]
    pub struct Options {
        /// g, the fraction of rounds that explore, with all actions equally likely. If left out, it
        /// is sqrt(K ln(K `horizon`) / `horizon`) for K actions, at most 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        exploration: Option<f64> as PORTION = None,
        /// alpha, the rate of weight sharing. If left out, it is 1 / `horizon`.
        #[serde(skip_serializing_if = "Option::is_none")]
        sharing: Option<f64> as PORTION = None,
        /// T, the number of rounds for which g and alpha are best, if they are left out; set it to
        /// the length of the run. In a longer run nothing changes after T rounds, but g and alpha
        /// are then no longer best: the bound on the regret grows in proportion to the rounds.
        horizon: u64 as HORIZON = 1000,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    exploration: Option<f64>,
    horizon: u64,
    /// alpha.
    sharing: f64,
    /// g.
    mixed: f64,
    /// Normalized weight of each action; never 0 after the first round.
    weights: Vec<f64>,
}

/// The learner.
pub type Exp3S = Chooser<Rule>;

state_of_fields!(Rule { weights });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { exploration, sharing, horizon, .. } = *options;
        let sharing = sharing.unwrap_or(1.0 / horizon as f64);
        Rule { exploration, horizon, sharing, mixed: 0.0, weights: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        let (choices, rounds) = (first.len() as f64, self.horizon as f64);
        let best = libm::sqrt(choices * libm::log(choices * rounds) / rounds).min(1.0);
        self.mixed = self.exploration.unwrap_or(best);
        self.weights = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let (choices, played) = (round.choices() as f64, round.played());
        let weight = &mut self.weights[played];
        let x = (1.0 - self.mixed) * *weight + self.mixed / choices;
        // Without exploration (a single action, or a single round) there is nothing to learn.
        if self.mixed > 0.0 {
            *weight *= libm::exp(self.mixed * round.utility() / (x * choices));
        }
        let shared = E * self.sharing / choices;
        self.weights.iter_mut().for_each(|weight| *weight += shared);
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    fn law(&self, law: &mut [f64]) -> bool {
        law.copy_from_slice(&self.weights);
        super::support::explore(self.mixed, law);
        true
    }
}
