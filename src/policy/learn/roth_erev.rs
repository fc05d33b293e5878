//! Roth and Erev's reinforcement learning: an action is chosen in proportion to what it has
//! brought so far.
//!
//! Each of K actions has a propensity q. After a round all shrink to (1 - phi) q; then that of the
//! action that was played grows by (1 - e) u, and each other by e u / (K - 1), with its utility u,
//! the forgetting phi and the experimentation e. The law is x = q / sum q. At first q is
//! `strength` times the probabilities of the first round. O(K) a round.
//!
//! With phi = e = 0 and two actions that always bring u1 > u2, q2 grows like the power u2 / u1 of
//! q1: the worse one is left ever more slowly.
//!
//! Roth and Erev, Games and Economic Behavior 8(1), 1995; Erev and Roth, American Economic Review
//! 88(4), 1998.

use super::choose::{Chooser, Round, options};
use super::support::share;
use crate::game::stage::OwnPayoff;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of Roth and Erev's rule.
    {
        /// phi, the share of every propensity that a round lets forget.
        #[schemars(range(min = 0, max = 1))]
        forgetting: f64 = 0.0,
        /// e, the share of a utility that goes to the actions that were not played.
        #[schemars(range(min = 0, max = 1))]
        experimentation: f64 = 0.0,
        /// The sum of the propensities before the first round: the larger, the slower the first
        /// steps. A round adds at most 1.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        strength: f64 = 1.0,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        share("forgetting", self.forgetting)?;
        share("experimentation", self.experimentation)?;
        let strength = self.strength;
        if strength > 0.0 && strength <= 1e9 {
            return Ok(());
        }
        let message = format!("{strength} is no strength; give a number above 0, at most 10^9");
        Err(Invalid::new("strength", message))
    }
}

/// The least sum of propensities: what was forgotten for long keeps its proportions.
const LEAST: f64 = 1e-100;

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    forgetting: f64,
    experimentation: f64,
    strength: f64,
    propensities: Vec<f64>,
}

/// The rule at a table.
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
