//! Takes part with a fixed probability, at a fixed level: the control for measuring the payoffs of
//! profiles.
//!
//! The scores in Tables 2 to 5 of Rzadca and Trystram, "Promoting Cooperation in Selfish
//! Computational Grids", are those of clusters that take part in every round and declare a fixed
//! level.

use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::support::{declared, probability, work};
use super::{Learner, Stance};
use crate::game::stage::{Act, Actions, OwnPayoff, Seen};
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

/// Parameters of `fixed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Probability of taking part, drawn independently in each round.
    #[schemars(range(min = 0, max = 1))]
    pub probability: f64,
    /// Declared participation level, in units of work; without it there is no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1e9))]
    pub level: Option<f64>,
}

impl Default for Options {
    fn default() -> Options {
        Options { probability: 1.0, level: None }
    }
}

impl Options {
    /// Validates the parameters.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn check(&self) -> Result<(), Invalid> {
        probability("probability", self.probability)?;
        self.level.map_or(Ok(()), |level| work("level", "level", level))
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
