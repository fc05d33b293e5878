//! Takes part with a fixed probability, at a fixed level: the control for measuring the payoffs of
//! profiles.
//!
//! The scores in Tables 2 to 5 of Rzadca and Trystram, "Promoting Cooperation in Selfish
//! Computational Grids", are those of clusters that take part in every round and declare a fixed
//! level.

use rand::RngExt as _;

use super::support::{LEVEL, declared};
use super::{Learner, Stance};
use game::stage::{Act, Actions, OwnPayoff, Seen};
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{PROBABILITY, parameters};

parameters! {
    /// Parameters of `fixed`.
    #[serde(default)]
    pub struct Options {
        /// Probability of taking part, drawn independently in each round.
        probability: f64 as PROBABILITY = 1.0,
        /// Declared participation level, in units of work; without it there is no bound.
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<f64> as LEVEL = None,
    }
}

/// Draws its participation, and learns nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    probability: f64,
    level: Option<f64>,
}

impl Fixed {
    /// Creates the learner.
    pub fn new(options: &Options) -> Fixed {
        Fixed { probability: options.probability, level: options.level }
    }
}

state_of_fields!(Fixed {});

impl Learner for Fixed {
    type Sees = OwnPayoff;

    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        if draws.rng().random::<f64>() < self.probability {
            actions.taking_part(declared(self.level))
        } else {
            actions.staying_out()
        }
    }

    fn learn(&mut self, _: Seen<'_, OwnPayoff>, _: &mut Draws<'_>) {}

    fn stance(&self) -> Stance {
        let declared = declared(self.level).level;
        Stance { probability: Some(self.probability), level: self.level, declared }
    }
}
