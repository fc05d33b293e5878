//! Cross's rule, the linear reward-inaction automaton L_R-I: reinforces the action played in
//! proportion to its utility.
//!
//! With utility u, the probability x of the action played becomes x + b u (1 - x), and every other
//! probability y becomes y - b u y. The mean step is b times the replicator equation. Stable rest
//! points of that equation are Nash equilibria, and strict pure equilibria are locally stable.
//! Every vertex is absorbing, whether an equilibrium or not, and is reached sooner with larger b.
//! O(K) for each round.
//!
//! Cross, Quarterly Journal of Economics 87(2), 1973; Börgers and Sarin, Journal of Economic
//! Theory 77(1), 1997; Sastry, Phansalkar and Thathachar, IEEE Transactions on Systems, Man, and
//! Cybernetics 24(5), 1994.

use super::choose::{Chooser, Round};
use super::support::RATE;
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of Cross's rule.
    #[serde(default)]
    pub struct Options {
        /// b, the learning rate: the fraction of the way towards the action played after a utility
        /// of 1.
        rate: f64 as RATE = 0.05,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    rate: f64,
    x: Vec<f64>,
}

/// The learner.
pub type Cross = Chooser<Rule>;

state_of_fields!(Rule { x });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        Rule { rate: options.rate, x: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.x = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let step = self.rate * round.utility();
        self.x.iter_mut().for_each(|x| *x -= step * *x);
        self.x[round.played()] += step;
    }

    fn law(&self, law: &mut [f64]) -> bool {
        law.copy_from_slice(&self.x);
        true
    }
}
