//! Follow the leader: the action that would have brought most in the sum over all past rounds.
//!
//! It plays the first of the actions with the largest sum of u(a). That is the best reply to what
//! was, for who can work out what each action would have brought: a yardstick more than a learner.
//! On independent rounds its regret stays bounded; on a sequence made against it, such as one
//! where the best action alternates, it can lose in every round. O(K) a round.
//!
//! Hannan, "Approximation to Bayes risk in repeated play", Contributions to the Theory of Games
//! III, 1957; Cesa-Bianchi and Lugosi, "Prediction, Learning, and Games", Cambridge 2006, section
//! 3.2.

use super::choose::{Chooser, Round, options};
use crate::game::stage::OwnEach;
use crate::kernel::rng::Draws;
use crate::state_of_fields;

options! {
    /// Parameters of following the leader: it has none of its own.
    {}
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    first: Vec<f64>,
    /// By action, the sum of its utilities; empty before the first round is over.
    sums: Vec<f64>,
}

/// The rule at a table.
pub type FollowTheLeader = Chooser<Rule>;

state_of_fields!(Rule { sums });

impl super::choose::Rule for Rule {
    type Sees = OwnEach;
    type Options = Options;

    fn new(_: &Options) -> Rule {
        Rule { first: Vec::new(), sums: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnEach>, _: &mut Draws<'_>) {
        self.sums.resize(round.choices(), 0.0);
        for (choice, sum) in self.sums.iter_mut().enumerate() {
            *sum += round.instead(choice);
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match super::support::largest(self.sums.iter().copied()) {
            Some(leader) => super::support::surely(leader, law),
            None => law.copy_from_slice(&self.first),
        }
        true
    }
}
