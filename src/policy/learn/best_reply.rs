//! Best reply with inertia: moves to an action that would have been best in the last round.
//!
//! With probability w, the inertia, it repeats its action. Otherwise it moves to one of the actions
//! with the highest payoff in the last round, all equally likely, but stays if its own was among
//! them. Utilities that differ by no more than 10^-12 are equal. With `better` it moves to any
//! action with a higher payoff than its own. If each player does so with 0 < w < 1, play is
//! absorbed in a pure Nash equilibrium of every weakly acyclic game: one in which a path of single
//! best (better) replies leads from each profile to an equilibrium. Without inertia two players may
//! step past each other forever. O(K) for each round.
//!
//! Young, "Strategic Learning and its Limits", Oxford 2004, chapter 6; Monderer and Shapley, Games
//! and Economic Behavior 14(1), 1996; Marden, Arslan and Shamma, IEEE Transactions on Systems, Man,
//! and Cybernetics B 39(6), 2009.

use super::choose::{Chooser, Round};
use super::support::TIE;
use game::stage::OwnEach;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{PROBABILITY, parameters};

parameters! {
    /// Parameters of the best reply with inertia.
    #[serde(default)]
    pub struct Options {
        /// w, the probability of repeating the action regardless of payoffs.
        inertia: f64 as PROBABILITY = 0.5,
        /// Move to any action with a higher payoff, not only to the best one.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        better: bool = false,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    inertia: f64,
    better: bool,
    x: Vec<f64>,
}

/// The learner.
pub type BestReply = Chooser<Rule>;

state_of_fields!(Rule { x });

impl super::choose::Rule for Rule {
    type Sees = OwnEach;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { inertia, better, .. } = *options;
        Rule { inertia, better, x: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.x = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnEach>, _: &mut Draws<'_>) {
        let played = round.played();
        let got = round.instead(played);
        let utilities = (0..round.choices()).map(|choice| round.instead(choice));
        let most = utilities.fold(f64::NEG_INFINITY, f64::max);
        if most <= got + TIE {
            return super::support::surely(played, &mut self.x);
        }
        let better = self.better;
        let draws_it =
            |utility: f64| if better { utility > got + TIE } else { utility >= most - TIE };
        let count = (0..self.x.len()).filter(|&choice| draws_it(round.instead(choice))).count();
        for (choice, x) in self.x.iter_mut().enumerate() {
            let is_drawn = draws_it(round.instead(choice));
            *x = if is_drawn { (1.0 - self.inertia) / count as f64 } else { 0.0 };
        }
        self.x[played] += self.inertia;
    }

    fn law(&self, law: &mut [f64]) -> bool {
        law.copy_from_slice(&self.x);
        true
    }
}
