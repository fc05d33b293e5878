//! Bush-Mosteller rule with an aspiration level: satisfying actions become more likely, others less
//! likely.
//!
//! The stimulus of a utility u is s = (u - A) / max(A, 1 - A), where A is the aspiration; the
//! denominator is the largest |u - A| for utilities in [0, 1], so s is in [-1, 1]. If s >= 0, the
//! probability x of the action played becomes x + l s (1 - x), and the others shrink in proportion.
//! If s < 0, it becomes x + l s x, and the others grow in proportion (equally if all of them are
//! 0). Then the aspiration becomes (1 - h) A + h u, with habituation h. A utility of 1/2 is a score
//! of 0, so by default taking part satisfies if it pays more than staying out. O(K) for each round.
//!
//! Two such learners may random-walk into lasting mutual satisfaction (stochastic collusion). The
//! point at which their mean step is zero before that is Macy and Flache's self-correcting
//! equilibrium.
//!
//! Bush and Mosteller, "Stochastic Models for Learning", Wiley 1955; Macy and Flache, Proceedings
//! of the National Academy of Sciences 99(suppl. 3), 2002.

use super::choose::{Chooser, Round};
use super::support::RATE;
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{SHARE, parameters};

parameters! {
    /// Parameters of Bush and Mosteller's rule.
    #[serde(default)]
    pub struct Options {
        /// l, the learning rate: the weight of the latest round.
        rate: f64 as RATE = 0.1,
        /// A, the aspiration in the first round: the utility that just satisfies, with payoffs
        /// scaled to [0, 1].
        aspiration: f64 as SHARE = 0.5,
        /// h, the habituation: the fraction by which the aspiration moves towards each utility; 0
        /// keeps it fixed.
        habituation: f64 as SHARE = 0.0,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    rate: f64,
    habituation: f64,
    aspiration: f64,
    x: Vec<f64>,
}

/// The learner.
pub type BushMosteller = Chooser<Rule>;

state_of_fields!(Rule { aspiration, x });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { rate, habituation, aspiration, .. } = *options;
        Rule { rate, habituation, aspiration, x: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.x = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let gained = round.utility() - self.aspiration;
        let step = self.rate * gained.abs() / self.aspiration.max(1.0 - self.aspiration);
        if gained >= 0.0 {
            self.x.iter_mut().for_each(|x| *x -= step * *x);
            self.x[round.played()] += step;
        } else {
            self.leave(round.played(), step);
        }
        self.aspiration += self.habituation * gained;
    }

    fn law(&self, law: &mut [f64]) -> bool {
        law.copy_from_slice(&self.x);
        true
    }
}

impl Rule {
    /// Moves a fraction of an action's probability to the others, in proportion to theirs.
    fn leave(&mut self, played: usize, step: f64) {
        let others = self.x.len() - 1;
        if others == 0 {
            return;
        }
        let lost = step * self.x[played];
        let is_other = |&(choice, _): &(usize, &f64)| choice != played;
        let sum: f64 = self.x.iter().enumerate().filter(is_other).map(|(_, x)| x).sum();
        for (choice, x) in self.x.iter_mut().enumerate() {
            if choice == played {
                *x -= lost;
            } else {
                *x += if sum > 0.0 { lost * (*x / sum) } else { lost / others as f64 };
            }
        }
    }
}
