//! The ratio rule: the participation probability follows the ratio of flow times. Section 4.2.1 of
//! Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".
//!
//! An organization that took part compares the flow time F of its jobs with F~, the counterfactual
//! of staying alone. R = F / F~ is clipped to [1/2, 2]. If R > 1, d = -1; otherwise d = 1 and R
//! becomes 1 / R. The round's desire to take part is q = 1/2 + d (R - 1) / 2, and p becomes (1 - s)
//! p + s q, with learning rate s. An organization that stayed out cannot compare, and keeps its p.
//!
//! In terms of the score S of section 4.2.2 this is q = (1 + S) / 2, clipped to [0, 1]: an
//! exponential average of clipped scores. So the rule matches rather than optimizes: p settles at
//! the mean of q, even if taking part is better in every round. In a game whose payoffs are not
//! scores, the difference of the payoffs replaces S.

use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::support::{LEVEL, RATE, declared, gain};
use super::{Learner, Stance};
use game::stage::{Act, Actions, OwnAndOut, Seen};
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{PROBABILITY, parameters};

parameters! {
    /// Parameters of the ratio rule.
    #[serde(default)]
    pub struct Options {
        /// Probability of taking part in the first round.
        initial: f64 as PROBABILITY = 0.5,
        /// Learning rate: the fraction by which p moves towards the round's desire.
        rate: f64 as RATE = 0.1,
        /// Treatment of rounds in which nobody else took part.
        alone: Alone = Alone::Counts,
        /// Declared participation level, in units of work; without it there is no bound.
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<f64> as LEVEL = None,
    }
}

/// Treatment of rounds in which an organization took part alone, without gain or loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Alone {
    /// Count it like any round with R = 1: p moves towards 1/2.
    #[default]
    Counts,
    /// Treat it as staying out: p does not change.
    StaysOut,
}

/// Takes part with probability p.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio {
    rate: f64,
    alone: Alone,
    level: Option<f64>,
    p: f64,
}

impl Ratio {
    /// Creates the learner, before its first round.
    pub fn new(options: &Options) -> Ratio {
        let Options { initial, rate, alone, level } = *options;
        Ratio { rate, alone, level, p: initial }
    }
}

/// A round's desire to take part, q, given the score.
pub fn desire(score: f64) -> f64 {
    ((1.0 + score) / 2.0).clamp(0.0, 1.0)
}

state_of_fields!(Ratio { p });

impl Learner for Ratio {
    type Sees = OwnAndOut;

    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        if draws.rng().random::<f64>() < self.p {
            actions.taking_part(declared(self.level))
        } else {
            actions.staying_out()
        }
    }

    fn learn(&mut self, seen: Seen<'_, OwnAndOut>, _: &mut Draws<'_>) {
        let Some(gain) = gain(&seen) else { return };
        if seen.was_alone() && self.alone == Alone::StaysOut {
            return;
        }
        self.p = (1.0 - self.rate) * self.p + self.rate * desire(gain);
    }

    fn stance(&self) -> Stance {
        let declared = declared(self.level).level;
        Stance { probability: Some(self.p), level: self.level, declared }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{score, shown};
    use super::*;
    use game::stage::Terms;
    use kernel::rng::Streams;

    /// The rule as in the paper, from the flow times.
    fn literal(flow: f64, alone: f64) -> f64 {
        let mut ratio = (flow / alone).clamp(0.5, 2.0);
        let sign = if ratio > 1.0 {
            -1.0
        } else {
            ratio = 1.0 / ratio;
            1.0
        };
        0.5 + sign * (ratio / 2.0 - 0.5)
    }

    #[test]
    fn the_desire_is_the_cut_score() {
        for flow in 1..200 {
            for alone in 1..200 {
                let [flow, alone] = [flow, alone].map(f64::from);
                let (found, expected) = (desire(score(flow, alone)), literal(flow, alone));
                assert!((found - expected).abs() < 1e-12, "{flow} against {alone}");
            }
        }
        assert_eq!([desire(0.0), desire(1.0), desire(9.0), desire(-1.0)], [0.5, 1.0, 1.0, 0.0]);
    }

    fn learner(p: f64, rate: f64, alone: Alone) -> Ratio {
        Ratio::new(&Options { initial: p, rate, alone, level: None })
    }

    #[test]
    fn p_moves_towards_the_desire_of_who_took_part() {
        let cases = [(80.0, 0.5125), (100.0 / 0.8, 0.4875), (10.0, 0.55), (300.0, 0.45)];
        for (flow, expected) in cases {
            let mut ratio = learner(0.5, 0.1, Alone::Counts);
            shown(&mut ratio, Act::In(Terms::ANY), score(flow, 100.0), 2);
            assert!((ratio.p - expected).abs() < 1e-12, "{flow}");
        }
        let mut ratio = learner(0.5, 0.1, Alone::Counts);
        shown(&mut ratio, Act::Out, 0.0, 2);
        assert_eq!(ratio.p, 0.5, "who stayed out cannot compare");
    }

    #[test]
    fn the_tie_rule_says_what_being_alone_teaches() {
        let after = |alone, members| {
            let mut ratio = learner(0.7, 0.1, alone);
            shown(&mut ratio, Act::In(Terms::ANY), 0.0, members);
            ratio.p
        };
        assert!((after(Alone::Counts, 1) - 0.68).abs() < 1e-12);
        assert_eq!(after(Alone::StaysOut, 1), 0.7);
        // Another member counts even if it changed nothing.
        assert!((after(Alone::StaysOut, 2) - 0.68).abs() < 1e-12);
    }

    /// The standard error of the share in 10 000 decisions at p = .3 is .0046; four of them.
    #[test]
    fn it_takes_part_with_probability_p() {
        let (mut ratio, streams) = (learner(0.3, 0.1, Alone::Counts), Streams::new(1));
        let decide = |round| {
            let mut draws = streams.in_round(round).draws("act");
            ratio.act(Actions::Coalition, &mut draws).is_in()
        };
        let share = (0..10_000).map(decide).filter(|is_in| *is_in).count() as f64 / 1e4;
        assert!((share - 0.3).abs() < 4.0 * 0.0046, "{share}");
        for (p, act) in [(0.0, Act::Out), (1.0, Act::In(Terms::ANY))] {
            let mut sure = learner(p, 0.1, Alone::Counts);
            let mut draws = streams.draws("act");
            assert!((0..1000).all(|_| sure.act(Actions::Coalition, &mut draws) == act));
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_field() {
        let good = Options::default();
        let wrong = |options: Options| options.check().unwrap_err().field;
        assert_eq!(wrong(Options { initial: 1.1, ..good.clone() }), "initial");
        assert_eq!(wrong(Options { rate: 0.0, ..good.clone() }), "rate");
        assert_eq!(wrong(Options { level: Some(f64::NAN), ..good.clone() }), "level");
        assert_eq!(good.check(), Ok(()));
    }
}
