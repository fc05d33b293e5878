//! The level rule: always takes part, at a level that follows the ratio of flow times. Section 6.3
//! of Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".
//!
//! With R and d of the ratio rule (`ratio.rs`; R after its inversion, from 1 to 2), l becomes l + s
//! l d (R - 1), clipped to its bounds: it is multiplied by up to 1 + s after a gain and by as
//! little as 1 - s after a loss. In terms of the score S this is l + s l S, with S clipped to [-1,
//! 1]. The rule follows the sign of the score and not its slope: a level with a positive score
//! keeps growing, even if a smaller one would be better.
//!
//! The level is rounded when declared. A level below one half becomes 0: its owner balances
//! nothing, R is 1, and it stays there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::support::{LEVEL, RATE, declared, gain};
use super::{Learner, Stance};
use game::stage::{Act, Actions, OwnAndOut, Seen, Terms};
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;
use model::invalid::Invalid;

parameters! {
    /// Parameters of the level rule.
    #[serde(default)]
    pub struct Options {
        /// Participation level in the first round, in units of work.
        initial: f64 as LEVEL = 10.0,
        /// Learning rate: the largest relative change of the level in a round.
        rate: f64 as RATE = 0.1,
        /// Lowest level, in units of work.
        least: f64 as LEVEL = 0.0,
        /// Highest level, in units of work.
        most: f64 as LEVEL = 1000.0,
        /// Rounding of the level when it is declared.
        round: Round = Round::Nearest,
    }
    where are_in_order
}

/// Rounding of the learned level when it is declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Round {
    /// To the nearest whole unit, halves up.
    #[default]
    Nearest,
    /// Down to whole units.
    Down,
    /// No rounding; exact to the tick.
    None,
}

impl Options {
    fn are_in_order(&self) -> Result<(), Invalid> {
        let Options { initial, least, most, .. } = *self;
        if most < least {
            let message = format!("the highest level {most} is below the least one, {least}");
            return Err(Invalid::new("most", message));
        }
        if !(least..=most).contains(&initial) {
            let message =
                format!("{initial} is out of bounds; give a level from {least} to {most}");
            return Err(Invalid::new("initial", message));
        }
        Ok(())
    }
}

/// Takes part in every round, at a level that it learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    rate: f64,
    least: f64,
    most: f64,
    round: Round,
    level: f64,
}

impl Level {
    /// Creates the learner, before its first round.
    pub fn new(options: &Options) -> Level {
        let Options { initial, rate, least, most, round } = *options;
        Level { rate, least, most, round, level: initial }
    }

    /// The terms that it declares.
    fn declares(&self) -> Terms {
        declared(Some(match self.round {
            Round::Nearest => libm::round(self.level),
            Round::Down => libm::floor(self.level),
            Round::None => self.level,
        }))
    }
}

state_of_fields!(Level { level });

impl Learner for Level {
    type Sees = OwnAndOut;

    fn act(&mut self, actions: Actions, _: &mut Draws<'_>) -> Act {
        actions.taking_part(self.declares())
    }

    fn learn(&mut self, seen: Seen<'_, OwnAndOut>, _: &mut Draws<'_>) {
        let Some(gain) = gain(&seen) else { return };
        let level = self.level + self.rate * self.level * gain;
        self.level = level.clamp(self.least, self.most);
    }

    fn stance(&self) -> Stance {
        let declared = self.declares().level;
        Stance { probability: Some(1.0), level: Some(self.level), declared }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{score, shown};
    use super::*;
    use kernel::rng::Streams;
    use kernel::time::Span;

    fn learner(initial: f64, rate: f64) -> Level {
        Level::new(&Options { initial, rate, ..Options::default() })
    }

    #[test]
    fn the_level_follows_the_sign_and_the_size_of_the_score() {
        let cases = [
            (10.0, 0.1, score(80.0, 100.0), 10.25),
            (10.0, 0.1, score(100.0, 80.0), 9.75),
            (990.0, 0.5, score(10.0, 100.0), 1000.0),
            (2.0, 1.0, score(100.0, 10.0), 0.0),
            (7.0, 0.3, 0.0, 7.0),
        ];
        for (initial, rate, score, expected) in cases {
            let mut level = learner(initial, rate);
            shown(&mut level, Act::In(Terms::ANY), score, 2);
            assert!((level.level - expected).abs() < 1e-9, "{initial}");
        }
    }

    #[test]
    fn it_is_always_in_at_the_rounded_level() {
        let declared = |level: f64, round| {
            let options = Options { initial: level, round, ..Options::default() };
            let mut draws = Streams::new(1).draws("act");
            let act = Level::new(&options).act(Actions::Coalition, &mut draws);
            act.terms().and_then(|terms| terms.level).expect("it declares a level")
        };
        for (level, whole) in [(0.49, 0), (0.5, 1), (1.49, 1), (1.5, 2), (999.7, 1000)] {
            assert_eq!(declared(level, Round::Nearest), Span::units(whole), "{level}");
        }
        assert_eq!(declared(1.9, Round::Down), Span::units(1));
        assert_eq!(declared(1.25, Round::None), Span::from_ticks(1_250_000));
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_field() {
        let good = Options::default();
        let wrong = |options: Options| options.check().unwrap_err().field;
        assert_eq!(wrong(Options { initial: 1001.0, ..good.clone() }), "initial");
        assert_eq!(wrong(Options { least: 11.0, ..good.clone() }), "initial");
        assert_eq!(wrong(Options { least: -1.0, ..good.clone() }), "least");
        assert_eq!(wrong(Options { most: 2e9, ..good.clone() }), "most");
        assert_eq!(wrong(Options { least: 5.0, most: 4.0, ..good.clone() }), "most");
        assert_eq!(wrong(Options { rate: 1.5, ..good.clone() }), "rate");
        assert_eq!(good.check(), Ok(()));
    }
}
