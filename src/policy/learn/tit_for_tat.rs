//! Tit for tat for many players: takes part while enough of the others did in the last round.
//!
//! If at least a fraction theta of the other present players took part, it takes part. Otherwise it
//! stays out, except that with probability `generosity` it takes part anyway. No other player
//! present counts as enough. In a game it takes part by the action that cooperates, and stays out by
//! the first other one; in a coalition by the highest level, and whoever took part at any level took
//! part, so with `levels` and without `out` nobody ever counts as out.
//! Trembling hand: with probability `error` it does the opposite. For two players and theta = 1
//! this is tit for tat; with any error two of them cooperate half of the time in the long run.
//! O(n + K) for each round.
//!
//! Axelrod, "The Evolution of Cooperation", Basic Books 1984; Nowak and Sigmund, Nature 355, 1992
//! (generous); Joshi, Journal of Theoretical Biology 127(1), 1987 (k of n).

use super::choose::{Chooser, Round};
use super::support::{takes_part, took_part};
use game::stage::OwnAndActs;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{PROBABILITY, SHARE, parameters};

parameters! {
    /// Parameters of tit for tat.
    #[serde(default)]
    pub struct Options {
        /// theta, the fraction of the other players that must have taken part.
        share: f64 as SHARE = 0.5,
        /// Probability of taking part although too few did.
        generosity: f64 as PROBABILITY = 0.0,
        /// Probability of doing the opposite of the intended action.
        error: f64 as PROBABILITY = 0.0,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    share: f64,
    generosity: f64,
    error: f64,
    first: Vec<f64>,
    /// The action that cooperates, if the game names one.
    cooperate: Option<u32>,
    /// True if enough took part; `None` before the first round is over.
    is_enough: Option<bool>,
}

/// The learner.
pub type TitForTat = Chooser<Rule>;

state_of_fields!(Rule { is_enough });

impl super::choose::Rule for Rule {
    type Sees = OwnAndActs;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { share, generosity, error, .. } = *options;
        Rule { share, generosity, error, first: Vec::new(), cooperate: None, is_enough: None }
    }

    fn read(&mut self, _: [f64; 2], cooperate: Option<u32>) {
        self.cooperate = cooperate;
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnAndActs>, _: &mut Draws<'_>) {
        let (mut others, mut joined) = (0, 0);
        for (player, act) in round.acts().iter().enumerate() {
            if player != round.me() && round.is_present(player) {
                others += 1;
                joined += u32::from(took_part(*act, self.cooperate));
            }
        }
        self.is_enough = Some(f64::from(joined) >= self.share * f64::from(others));
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match self.is_enough {
            None => law.copy_from_slice(&self.first),
            Some(is_enough) => {
                let meant = if is_enough { 1.0 } else { self.generosity };
                takes_part(meant, self.error, self.cooperate, law);
            }
        }
        true
    }
}
