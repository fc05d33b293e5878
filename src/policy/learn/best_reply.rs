//! Best reply with inertia: it moves to an action that would have been best in the last round.
//!
//! With the probability w, the inertia, it repeats its action. Otherwise it moves to one of the
//! actions that would have brought most in the last round, all equally likely, and stays where
//! its own was among them. With `better` it moves to any that would have brought more. Where each
//! player does so with 0 < w < 1, play is absorbed in a pure Nash equilibrium of every game that is
//! weakly acyclic: where a path of single best (better) replies leads from each profile to one.
//! Without inertia two may step past each other for ever. O(K) a round.
//!
//! Young, "Strategic Learning and its Limits", Oxford 2004, chapter 6; Monderer and Shapley, Games
//! and Economic Behavior 14(1), 1996; Marden, Arslan and Shamma, IEEE Transactions on Systems, Man,
//! and Cybernetics B 39(6), 2009.

use super::choose::{Chooser, Round, options};
use super::support::probability;
use crate::game::stage::OwnEach;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of the best reply with inertia.
    {
        /// w, the probability to repeat the action whatever was better.
        #[schemars(range(min = 0, max = 1))]
        inertia: f64 = 0.5,
        /// It moves to any action that would have brought more, not only to the best.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        better: bool = false,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        probability("inertia", self.inertia)
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    inertia: f64,
    better: bool,
    x: Vec<f64>,
}

/// The rule at a table.
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
        if most <= got {
            return super::support::surely(played, &mut self.x);
        }
        let better = self.better;
        let draws_it = |utility: f64| if better { utility > got } else { utility >= most };
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
