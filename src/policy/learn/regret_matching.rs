//! Regret matching: an action is drawn in proportion to how much it would have brought beyond what
//! was got, where that is more than nothing.
//!
//! R(a) is the sum over all past rounds of u(a) - u, with u the utility of what was played and u(a)
//! that of a. x(a) is in proportion to max(0, R(a)); where no R(a) is above 0, the probabilities
//! are those of the first round. In the mean over the own draws the squares of max(0, R(a)) add up
//! to at most (K - 1) T after T rounds, on every sequence of utilities, so that the mean regret
//! is at most sqrt((K - 1) T). Among such players joint play goes to the coarse correlated
//! equilibria. O(K) a round.
//!
//! Blackwell, Pacific Journal of Mathematics 6(1), 1956; Hart and Mas-Colell, Econometrica 68(5),
//! 2000, section 4 and Journal of Economic Theory 98(1), 2001.

use super::choose::{Chooser, Round, options};
use crate::game::stage::OwnEach;
use crate::kernel::rng::Draws;
use crate::state_of_fields;

options! {
    /// Parameters of regret matching: it has none of its own.
    {}
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    first: Vec<f64>,
    /// By action, R.
    regrets: Vec<f64>,
}

/// The rule at a table.
pub type RegretMatching = Chooser<Rule>;

state_of_fields!(Rule { regrets });

impl super::choose::Rule for Rule {
    type Sees = OwnEach;
    type Options = Options;

    fn new(_: &Options) -> Rule {
        Rule { first: Vec::new(), regrets: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.regrets = vec![0.0; first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnEach>, _: &mut Draws<'_>) {
        let got = round.instead(round.played());
        for (choice, regret) in self.regrets.iter_mut().enumerate() {
            *regret += round.instead(choice) - got;
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        let sum: f64 = self.regrets.iter().map(|regret| regret.max(0.0)).sum();
        if sum <= 0.0 {
            law.copy_from_slice(&self.first);
            return true;
        }
        for (x, regret) in law.iter_mut().zip(&self.regrets) {
            *x = regret.max(0.0) / sum;
        }
        true
    }
}
