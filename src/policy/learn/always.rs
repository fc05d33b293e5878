//! Always takes part, without a bound: the control of full cooperation.

use super::{Learner, Stance};
use game::stage::{Act, Actions, OwnPayoff, Seen, Terms};
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of `always`: none.
    #[serde(default)]
    pub struct Options {}
}

/// Takes part in every round.
#[derive(Clone, Debug, PartialEq)]
pub struct Always;

impl Always {
    /// Creates the learner.
    pub fn new(_: &Options) -> Always {
        Always
    }
}

state_of_fields!(Always {});

impl Learner for Always {
    type Sees = OwnPayoff;

    fn act(&mut self, actions: Actions, _: &mut Draws<'_>) -> Act {
        actions.taking_part(Terms::ANY)
    }

    fn learn(&mut self, _: Seen<'_, OwnPayoff>, _: &mut Draws<'_>) {}

    fn stance(&self) -> Stance {
        Stance { probability: Some(1.0), ..Stance::default() }
    }
}
