//! Takes part with a fixed probability, at a fixed level: the control for measuring the payoffs of
//! profiles. It may leave and return.
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
use model::invalid::Invalid;

parameters! {
    /// Parameters of `fixed`.
    #[serde(default)]
    pub struct Options {
        /// Probability of taking part, drawn independently in each round.
        probability: f64 as PROBABILITY = 1.0,
        /// Declared participation level, in units of work; without it there is no bound.
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<f64> as LEVEL = None,
        /// Rounds after which it leaves, with `outside`; else it stays.
        #[serde(skip_serializing_if = "is_0")]
        inside: u64 = 0,
        /// Rounds after which it returns.
        #[serde(skip_serializing_if = "is_0")]
        outside: u64 = 0,
    }
    where leaves_and_returns
}

fn is_0(rounds: &u64) -> bool {
    *rounds == 0
}

impl Options {
    fn leaves_and_returns(&self) -> Result<(), Invalid> {
        let message = "it leaves and returns by both: `inside = 8, outside = 2`";
        let field = if self.inside == 0 { "outside" } else { "inside" };
        match is_0(&self.inside) == is_0(&self.outside) {
            true => Ok(()),
            false => Err(Invalid::new(field, message)),
        }
    }
}

/// Draws its participation, and learns nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    probability: f64,
    level: Option<f64>,
    inside: u64,
    outside: u64,
    /// Rounds so far.
    round: u64,
}

impl Fixed {
    /// Creates the learner.
    pub fn new(options: &Options) -> Fixed {
        let Options { probability, level, inside, outside } = *options;
        Fixed { probability, level, inside, outside, round: 0 }
    }
}

state_of_fields!(Fixed { round });

impl Learner for Fixed {
    type Sees = OwnPayoff;

    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        let cycle = self.inside.saturating_add(self.outside).max(1);
        let is_away = self.round % cycle >= self.inside.max(1);
        self.round += 1;
        if draws.rng().random::<f64>() < self.probability && !is_away {
            actions.taking_part(declared(self.level))
        } else {
            actions.staying_out()
        }
    }

    fn learn(&mut self, _: Seen<'_, OwnPayoff>, _: &mut Draws<'_>) {}

    fn stance(&self) -> Stance {
        let declared = declared(self.level).level;
        // Of who leaves and returns, no one probability can be told.
        let probability = (self.outside == 0).then_some(self.probability);
        Stance { probability, level: self.level, declared }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;

    #[test]
    fn it_leaves_and_returns_in_turn() {
        let rounds = |inside, outside| {
            let mut fixed = Fixed::new(&Options { inside, outside, ..Options::default() });
            let mut draws = Streams::new(1).draws("act");
            (0..7).filter(|_| !fixed.act(Actions::Coalition, &mut draws).is_in()).count()
        };
        assert_eq!([rounds(0, 0), rounds(2, 1), rounds(1, 2)], [0, 2, 4]);
        let wrong = Options { outside: 3, ..Options::default() };
        assert_eq!(wrong.check().unwrap_err().field, "outside");
        assert_eq!(Options { inside: 3, outside: 1, ..wrong }.check(), Ok(()));
    }
}
