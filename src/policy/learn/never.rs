//! Never takes part: the control without cooperation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Learner, Stance};
use crate::game::stage::{Act, Actions, OwnPayoff, Seen};
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

/// Parameters of `never`: none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {}

impl Options {
    /// Validates the parameters.
    ///
    /// # Errors
    /// Never: there are none.
    pub fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }
}

/// Takes part in no round.
#[derive(Clone, Debug, PartialEq)]
pub struct Never;

impl Never {
    /// Creates the learner.
    pub fn new(_: &Options) -> Never {
        Never
    }
}

state_of_fields!(Never {});

impl Learner for Never {
    type Sees = OwnPayoff;

    fn act(&mut self, actions: Actions, _: &mut Draws<'_>) -> Act {
        actions.staying_out()
    }

    fn learn(&mut self, _: Seen<'_, OwnPayoff>, _: &mut Draws<'_>) {}

    fn stance(&self) -> Stance {
        Stance { probability: Some(0.0), ..Stance::default() }
    }
}
