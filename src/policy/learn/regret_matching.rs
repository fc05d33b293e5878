//! Regret matching: draws actions in proportion to their positive regret.
//!
//! The regret R(a) is the sum over all past rounds of u(a) - u, with u the utility of the action
//! played and u(a) that of a. x(a) is proportional to max(0, R(a)); if no R(a) is above 0, the
//! probabilities are those of the first round. In expectation over its own draws the squares of
//! max(0, R(a)) sum to at most (K - 1) T after T rounds, on every sequence of utilities, so the
//! expected regret is at most sqrt((K - 1) T). The empirical play of such players tends to the
//! coarse correlated equilibria. O(K) for each round.
//!
//! Blackwell, Pacific Journal of Mathematics 6(1), 1956; Hart and Mas-Colell, Econometrica 68(5),
//! 2000, section 4 and Journal of Economic Theory 98(1), 2001.

use super::choose::{Chooser, Round};
use super::support::{TIE, Total};
use game::stage::OwnEach;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of regret matching: none of its own.
    #[serde(default)]
    pub struct Options {}
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    first: Vec<f64>,
    /// Regret R of each action.
    regrets: Vec<Total>,
    /// Rounds learned from.
    rounds: u64,
}

/// The learner.
pub type RegretMatching = Chooser<Rule>;

state_of_fields!(Rule { regrets, rounds });

impl super::choose::Rule for Rule {
    type Sees = OwnEach;
    type Options = Options;

    fn new(_: &Options) -> Rule {
        Rule { first: Vec::new(), regrets: Vec::new(), rounds: 0 }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.regrets = vec![Total::default(); first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnEach>, _: &mut Draws<'_>) {
        let got = round.instead(round.played());
        for (choice, regret) in self.regrets.iter_mut().enumerate() {
            regret.add(round.instead(choice) - got);
        }
        self.rounds += 1;
    }

    fn law(&self, law: &mut [f64]) -> bool {
        // Rounding error in a sum over all rounds does not count as regret.
        let least = TIE * self.rounds as f64;
        let positive = |regret: &Total| Some(regret.value()).filter(|&one| one > least);
        let positive = |regret: &Total| positive(regret).unwrap_or(0.0);
        let sum: f64 = self.regrets.iter().map(positive).sum();
        if sum <= 0.0 {
            law.copy_from_slice(&self.first);
            return true;
        }
        for (x, regret) in law.iter_mut().zip(&self.regrets) {
            *x = positive(regret) / sum;
        }
        true
    }
}
