//! Follow the leader: plays the action with the highest total payoff over all past rounds.
//!
//! It plays the first of the actions with the largest sum of u(a); sums that differ only by
//! rounding, by 10^-12 of the rounds, are equal. This is the best reply to the past for a player
//! that knows the payoff of each action: a yardstick more than a learner. On independent rounds its
//! regret stays bounded; on an adversarial sequence, such as one with an alternating best action,
//! it can lose in every round. O(K) for each round.
//!
//! Hannan, "Approximation to Bayes risk in repeated play", Contributions to the Theory of Games
//! III, 1957; Cesa-Bianchi and Lugosi, "Prediction, Learning, and Games", Cambridge 2006, section
//! 3.2.

use super::choose::{Chooser, Round};
use super::support::{Total, largest, surely};
use game::stage::OwnEach;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of following the leader: none of its own.
    #[serde(default)]
    pub struct Options {}
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    first: Vec<f64>,
    /// Sum of the utilities of each action; empty before the end of the first round.
    sums: Vec<Total>,
    /// Rounds learned from.
    rounds: u64,
}

/// The learner.
pub type FollowTheLeader = Chooser<Rule>;

state_of_fields!(Rule { sums, rounds });

impl super::choose::Rule for Rule {
    type Sees = OwnEach;
    type Options = Options;

    fn new(_: &Options) -> Rule {
        Rule { first: Vec::new(), sums: Vec::new(), rounds: 0 }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnEach>, _: &mut Draws<'_>) {
        self.rounds += 1;
        self.sums.resize(round.choices(), Total::default());
        for (choice, sum) in self.sums.iter_mut().enumerate() {
            sum.add(round.instead(choice));
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match largest(self.sums.iter().map(|sum| sum.value()), self.rounds as f64) {
            Some(leader) => surely(leader, law),
            None => law.copy_from_slice(&self.first),
        }
        true
    }
}
