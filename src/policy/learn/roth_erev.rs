//! Roth-Erev reinforcement learning: actions are chosen in proportion to their accumulated payoffs.
//!
//! Each of K actions has a propensity q. After a round all shrink to (1 - phi) q; then the action
//! played gains (1 - e) u, and each other one e u / (K - 1), with utility u, forgetting phi and
//! experimentation e. The probabilities are x = q / sum q. Initially q is `strength` times the
//! probabilities of the first round. O(K) for each round.
//!
//! With phi = e = 0 and two actions with constant utilities u1 > u2, q2 grows like the power u2 /
//! u1 of q1: the worse one is abandoned ever more slowly.
//!
//! Roth and Erev, Games and Economic Behavior 8(1), 1995; Erev and Roth, American Economic Review
//! 88(4), 1998.

use super::choose::{Chooser, Round};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{Bounds, SHARE, parameters};

parameters! {
    /// Parameters of Roth and Erev's rule.
    #[serde(default)]
    pub struct Options {
        /// phi, the fraction of every propensity that is forgotten in each round.
        forgetting: f64 as SHARE = 0.0,
        /// e, the fraction of a utility credited to the actions that were not played.
        experimentation: f64 as SHARE = 0.0,
        /// Sum of the initial propensities: larger values slow down the first steps. Each round
        /// adds at most 1.
        strength: f64 as (Bounds::of("a strength").above(0.0).to(1e9)) = 1.0,
    }
}

/// Lower bound for the sum of propensities, which keeps their proportions after long forgetting.
const LEAST: f64 = 1e-100;

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    forgetting: f64,
    experimentation: f64,
    strength: f64,
    propensities: Vec<f64>,
}

/// The learner.
pub type RothErev = Chooser<Rule>;

state_of_fields!(Rule { propensities });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { forgetting, experimentation, strength, .. } = *options;
        Rule { forgetting, experimentation, strength, propensities: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.propensities = first.iter().map(|x| self.strength * x).collect();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let (utility, others) = (round.utility(), round.choices() - 1);
        let before: f64 = self.propensities.iter().sum();
        let forgetting =
            if before * (1.0 - self.forgetting) + utility > LEAST { self.forgetting } else { 0.0 };
        for (choice, q) in self.propensities.iter_mut().enumerate() {
            let reinforced = if choice == round.played() {
                (1.0 - self.experimentation) * utility
            } else {
                self.experimentation * utility / others as f64
            };
            *q = (1.0 - forgetting) * *q + reinforced;
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        let sum: f64 = self.propensities.iter().sum();
        for (x, q) in law.iter_mut().zip(&self.propensities) {
            *x = q / sum;
        }
        true
    }
}
