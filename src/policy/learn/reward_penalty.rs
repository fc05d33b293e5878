//! Linear reward-penalty automata L_R-P and L_R-eP: high utility makes an action more likely, low
//! utility less likely.
//!
//! With K actions and the utility u of the action played, its probability x becomes x + b u (1 -
//! x) - b' (1 - u) x, and every other probability y becomes y - b u y + b' (1 - u) (1 / (K - 1) -
//! y). L_R-P has b' = b, L_R-eP has b' far below b, and b' = 0 would be Cross's rule. The penalty
//! makes the process ergodic: it forgets its start and is never absorbed. With two actions and b' =
//! b, the mean probability of the first converges to exactly c2 / (c1 + c2), where c is the mean of
//! 1 - u of each. O(K) for each round.
//!
//! Narendra and Thathachar, IEEE Transactions on Systems, Man, and Cybernetics 4(4), 1974.

use super::choose::{Chooser, Round};
use super::support::RATE;
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of the reward-penalty automaton.
    #[serde(default)]
    pub struct Options {
        /// b, the reward rate: the fraction of the way towards the action played after a utility of
        /// 1.
        reward: f64 as RATE = 0.05,
        /// b', the penalty rate: the fraction of the way towards the other actions after a utility
        /// of 0.
        penalty: f64 as RATE = 0.05,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    reward: f64,
    penalty: f64,
    x: Vec<f64>,
}

/// The learner.
pub type RewardPenalty = Chooser<Rule>;

state_of_fields!(Rule { x });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        Rule { reward: options.reward, penalty: options.penalty, x: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.x = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        if self.x.len() == 1 {
            return;
        }
        let (utility, others) = (round.utility(), (self.x.len() - 1) as f64);
        let (reward, penalty) = (self.reward * utility, self.penalty * (1.0 - utility));
        let kept = (1.0 - reward - penalty).max(0.0);
        for (choice, x) in self.x.iter_mut().enumerate() {
            let gained = if choice == round.played() { reward } else { penalty / others };
            *x = kept * *x + gained;
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        law.copy_from_slice(&self.x);
        true
    }
}
