//! Never takes part: the control without cooperation.

use super::{Learner, Stance};
use game::stage::{Act, Actions, OwnPayoff, Seen};
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of `never`: none.
    #[serde(default)]
    pub struct Options {}
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
