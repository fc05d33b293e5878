//! How an organization learns whether and how far to take part.
//!
//! To add a learner: copy the smallest neighbour (`always.rs`), and add its line to the registry
//! below.

use crate::game::stage::{Act, Actions, Info, Outcome, Seen, Wanted};
use crate::kernel::rng::Rng;
use crate::kernel::state::State;

/// What a learner tells of itself, for tables and pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// The probability with which it takes part in the next round, where it has one.
    pub probability: Option<f64>,
    /// The participation level that it declares, in units, where it has one.
    pub level: Option<f64>,
}

/// Decides whether and how far an organization takes part. It draws from streams of its own, named
/// for the round and the purpose, so that no generator has to be saved.
pub trait Learner: State {
    /// Its information label.
    type Sees: Info;

    /// What it does in the next round.
    fn act(&mut self, actions: Actions, rng: &mut Rng) -> Act;

    /// Learns from what it is shown of the round.
    fn learn(&mut self, seen: Seen<'_, Self::Sees>, rng: &mut Rng);

    /// Where it stands.
    fn stance(&self) -> Stance;
}

/// A learner whose label is forgotten, so that players with different labels sit at one table.
pub trait Player: State {
    /// What has to be computed for it.
    fn wanted(&self) -> Wanted;
    /// See [`Learner::act`].
    fn decide(&mut self, actions: Actions, rng: &mut Rng) -> Act;
    /// Shows it its part of the outcome.
    fn observe(&mut self, outcome: &Outcome, me: usize, rng: &mut Rng);
    /// See [`Learner::stance`].
    fn stance(&self) -> Stance;
}

impl<L: Learner> Player for L {
    fn wanted(&self) -> Wanted {
        L::Sees::WANTED
    }
    fn decide(&mut self, actions: Actions, rng: &mut Rng) -> Act {
        self.act(actions, rng)
    }
    fn observe(&mut self, outcome: &Outcome, me: usize, rng: &mut Rng) {
        self.learn(Seen::cut(outcome, me), rng);
    }
    fn stance(&self) -> Stance {
        Learner::stance(self)
    }
}
