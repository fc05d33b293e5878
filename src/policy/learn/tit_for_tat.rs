//! Tit for tat among many: it takes part while enough of the others did in the last round.
//!
//! Where at least the share theta of the others that were there took part, it takes part; else it
//! stays out, but with the probability `generosity` it takes part nevertheless. Nobody else there
//! is enough. Of more than two choices the last is taking part and the first is staying out, and
//! whoever chose another than the first took part; in a coalition that is who took part at any
//! level, so that with `levels` and without `out` nobody is ever seen out. The trembling hand: with
//! the probability `error` it does the opposite. Of two players with theta = 1 it is tit for tat;
//! any error makes two of them cooperate half of the time in the long run. O(n + K) a round.
//!
//! Axelrod, "The Evolution of Cooperation", Basic Books 1984; Nowak and Sigmund, Nature 355, 1992
//! (generous); Joshi, Journal of Theoretical Biology 127(1), 1987 (k of n).

use super::choose::{Chooser, Round, options};
use super::support::probability;
use crate::game::stage::OwnAndActs;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of tit for tat.
    {
        /// theta, the share of the others that must have taken part.
        #[schemars(range(min = 0, max = 1))]
        share: f64 = 0.5,
        /// The probability to take part although too few did.
        #[schemars(range(min = 0, max = 1))]
        generosity: f64 = 0.0,
        /// The probability to do the opposite of what is intended.
        #[schemars(range(min = 0, max = 1))]
        error: f64 = 0.0,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        probability("share", self.share)?;
        probability("generosity", self.generosity)?;
        probability("error", self.error)
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    share: f64,
    generosity: f64,
    error: f64,
    first: Vec<f64>,
    /// Enough took part; `None` before the first round is over.
    is_enough: Option<bool>,
}

/// The rule at a table.
pub type TitForTat = Chooser<Rule>;

state_of_fields!(Rule { is_enough });

impl super::choose::Rule for Rule {
    type Sees = OwnAndActs;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { share, generosity, error, .. } = *options;
        Rule { share, generosity, error, first: Vec::new(), is_enough: None }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnAndActs>, _: &mut Draws<'_>) {
        let (mut others, mut joined) = (0, 0);
        for (player, act) in round.acts().iter().enumerate() {
            if player != round.me() && round.is_present(player) {
                others += 1;
                joined += u32::from(act.entry() > 0);
            }
        }
        self.is_enough = Some(f64::from(joined) >= self.share * f64::from(others));
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match self.is_enough {
            None => law.copy_from_slice(&self.first),
            Some(is_enough) => {
                let meant = if is_enough { 1.0 } else { self.generosity };
                super::support::takes_part(meant, self.error, law);
            }
        }
        true
    }
}
