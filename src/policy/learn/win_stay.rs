//! Win-stay, lose-shift: repeats an action that paid enough, and leaves any other.
//!
//! If the payoff is at least the aspiration, the action is repeated; otherwise the next one in the
//! list follows, cyclically. Trembling hand: with probability `error` another action is played than
//! intended, all others being equally likely. In the prisoner's dilemma, with an aspiration between
//! punishment and reward, two such players return to cooperation two rounds after an error. In a
//! coalition a single bad round makes it leave. O(K) for each round.
//!
//! Nowak and Sigmund, Nature 364, 1993 (Pavlov); Kraines and Kraines, Theory and Decision 26(1),
//! 1989; Robbins, Bulletin of the American Mathematical Society 58(5), 1952.

use super::choose::{Chooser, Round};
use super::support::{PAYOFF, middle};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{PROBABILITY, parameters};

parameters! {
    /// Parameters of win-stay, lose-shift.
    #[serde(default)]
    pub struct Options {
        /// Aspiration: the payoff that is enough [in a coalition a score of 0, in a game the middle
        /// of its range].
        #[serde(skip_serializing_if = "Option::is_none")]
        aspiration: Option<f64> as PAYOFF = None,
        /// Probability of doing something other than intended.
        error: f64 as PROBABILITY = 0.0,
    }
}

impl Options {
    /// The payoff that is enough in a game of this range.
    pub(super) fn aspiration_of(&self, payoffs: [f64; 2]) -> f64 {
        self.aspiration.unwrap_or_else(|| middle(payoffs))
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    aspiration: Option<f64>,
    error: f64,
    first: Vec<f64>,
    /// Its intended action; `None` before the first round is over.
    next: Option<usize>,
}

/// The learner.
pub type WinStay = Chooser<Rule>;

state_of_fields!(Rule { next });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { aspiration, error, .. } = *options;
        Rule { aspiration, error, first: Vec::new(), next: None }
    }

    fn read(&mut self, payoffs: [f64; 2], _: Option<u32>) {
        self.aspiration.get_or_insert(middle(payoffs));
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let is_enough = round.payoff() >= self.aspiration.unwrap_or_default();
        let shift = usize::from(!is_enough);
        self.next = Some((round.played() + shift) % round.choices());
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match (self.next, law.len()) {
            (None, _) => law.copy_from_slice(&self.first),
            (Some(next), 1) => super::support::surely(next, law),
            (Some(next), count) => {
                law.fill(self.error / (count - 1) as f64);
                law[next] = 1.0 - self.error;
            }
        }
        true
    }
}
