//! Policy hill-climbing, PHC and WoLF-PHC: small steps towards the action that seems best; WoLF
//! (win or learn fast) takes larger ones while losing.
//!
//! The value Q of the action played becomes Q + alpha (u - Q), with its utility u; all values start at
//! 0. The mean policy X becomes X + (x - X) / t in round t. If sum x Q > sum X Q the player is winning,
//! and delta is `win`, otherwise `lose`; a difference that rounding may have made does not count as
//! winning. With K actions, the one with the largest value (ties: the first) takes min(x, delta / (K -
//! 1)) from each other one. Actions are drawn from the policy x, mixed with a fraction `exploration` of
//! the uniform distribution; x starts at the probabilities of the first round. PHC has `win` = `lose`.
//! WoLF-PHC has `win` < `lose` and converges in matching pennies, where PHC cycles. Values must be
//! learned faster than the policy moves: `lose` should be far below `rate`, and without exploration an
//! abandoned action is never tried again. O(K) for each round.
//!
//! Bowling and Veloso, Artificial Intelligence 136(2), 2002, tables 5 and 6 (with one state).

use super::choose::{Chooser, Round};
use super::support::{RATE, STEP, TIE, explore, largest};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{SHARE, parameters};

parameters! {
    /// Parameters of policy hill-climbing.
    #[serde(default)]
    pub struct Options {
        /// alpha, the learning rate of action values.
        rate: f64 as RATE = 0.1,
        /// Step of the policy in a round in which it is winning.
        win: f64 as STEP = 0.0005,
        /// Step of the policy in a round in which it is losing; plain PHC if equal to `win`.
        lose: f64 as STEP = 0.001,
        /// Fraction of rounds in which all actions are equally likely.
        exploration: f64 as SHARE = 0.05,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    rate: f64,
    win: f64,
    lose: f64,
    exploration: f64,
    rounds: u64,
    values: Vec<f64>,
    /// The policy.
    x: Vec<f64>,
    /// Mean policy over all rounds.
    mean: Vec<f64>,
}

/// The learner.
pub type Phc = Chooser<Rule>;

state_of_fields!(Rule { rounds, values, x, mean });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { rate, win, lose, exploration, .. } = *options;
        let (values, x, mean) = (Vec::new(), Vec::new(), Vec::new());
        Rule { rate, win, lose, exploration, rounds: 0, values, x, mean }
    }

    fn begin(&mut self, first: &[f64]) {
        self.values = vec![0.0; first.len()];
        self.x = first.to_vec();
        self.mean = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let value = &mut self.values[round.played()];
        *value += self.rate * (round.utility() - *value);
        self.rounds += 1;
        let weight = 1.0 / self.rounds as f64;
        for (mean, x) in self.mean.iter_mut().zip(&self.x) {
            *mean += weight * (x - *mean);
        }
        self.climb(if self.is_winning() { self.win } else { self.lose });
    }

    fn law(&self, law: &mut [f64]) -> bool {
        law.copy_from_slice(&self.x);
        explore(self.exploration, law);
        true
    }
}

impl Rule {
    /// True if the policy gains more than its mean, by more than rounding.
    fn is_winning(&self) -> bool {
        let policies = self.x.iter().zip(&self.mean).zip(&self.values);
        let (gained, size) = policies.fold((0.0, 0.0), |(gained, size), ((x, mean), value)| {
            (gained + (x - mean) * value, size + (x + mean) * value.abs())
        });
        gained > TIE * size
    }

    /// Moves the policy towards the action with the largest value.
    fn climb(&mut self, delta: f64) {
        let others = self.x.len() - 1;
        let best = largest(self.values.iter().copied(), 1.0).unwrap_or(0);
        let mut taken = 0.0;
        for (choice, x) in self.x.iter_mut().enumerate() {
            if choice != best {
                let step = x.min(delta / others as f64);
                *x -= step;
                taken += step;
            }
        }
        self.x[best] = (self.x[best] + taken).min(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::choose::Rule as _;
    use super::*;

    /// Where all values are equal no policy gains, however the terms are rounded.
    #[test]
    fn rounding_does_not_win() {
        let mut rule = Rule::new(&Options::default());
        for tenth in 1..10 {
            for other in 1..10 {
                let law = |tenth: i32| vec![f64::from(tenth) / 10.0, f64::from(10 - tenth) / 10.0];
                (rule.x, rule.mean, rule.values) = (law(tenth), law(other), vec![0.3; 2]);
                assert!(!rule.is_winning(), "{tenth} {other}");
                rule.values[1] = 0.3 - 1e-9;
                assert_eq!(rule.is_winning(), tenth > other, "{tenth} {other}");
            }
        }
    }
}
