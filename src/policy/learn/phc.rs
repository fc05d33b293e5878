//! Policy hill-climbing, PHC and WoLF-PHC: small steps towards the action that seems best, with
//! WoLF (win or learn fast) larger ones while it loses.
//!
//! The value Q of the action that was played becomes Q + alpha (u - Q), with its utility u; all
//! begin at 0. The mean X of all policies so far becomes X + (x - X) / t in round t. If
//! sum x Q > sum X Q it wins, and delta is `win`, else `lose`. The action of the largest value (of
//! equal ones the first) takes from each other one min(x, delta / (K - 1)) of K actions. The law is
//! the policy x, mixed with a share of equal chances, `exploration`; x begins at the probabilities
//! of the first round. PHC is `win` = `lose`; WoLF-PHC is `win` < `lose`, and comes to rest in
//! matching pennies, where PHC goes round and round. Values have to be learned faster than the
//! policy moves: `lose` is far below `rate`, and without exploration an action that is given up
//! is never seen again. O(K) a round.
//!
//! Bowling and Veloso, Artificial Intelligence 136(2), 2002, tables 5 and 6 (with one state).

use super::choose::{Chooser, Round, options};
use super::support::{explore, largest, portion, rate, share};
use crate::game::stage::OwnPayoff;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of policy hill-climbing.
    {
        /// alpha, the weight of a round in the value of an action.
        #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
        rate: f64 = 0.1,
        /// The step of a round in which it wins.
        #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
        win: f64 = 0.0005,
        /// The step of a round in which it loses; as large as `win` it is plain PHC.
        #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
        lose: f64 = 0.001,
        /// The share of rounds in which all actions are equally likely.
        #[schemars(range(min = 0, max = 1))]
        exploration: f64 = 0.05,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        rate("rate", self.rate)?;
        portion("win", "step", self.win)?;
        portion("lose", "step", self.lose)?;
        share("exploration", self.exploration)
    }
}

/// The rule.
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
    /// The mean policy of all rounds.
    mean: Vec<f64>,
}

/// The rule at a table.
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
        let policies = self.x.iter().zip(&self.mean).zip(&self.values);
        let gained: f64 = policies.map(|((x, mean), value)| (x - mean) * value).sum();
        self.climb(if gained > 0.0 { self.win } else { self.lose });
    }

    fn law(&self, law: &mut [f64]) -> bool {
        law.copy_from_slice(&self.x);
        explore(self.exploration, law);
        true
    }
}

impl Rule {
    /// Moves the policy towards the action of the largest value.
    fn climb(&mut self, delta: f64) {
        let others = self.x.len() - 1;
        let best = largest(self.values.iter().copied()).unwrap_or(0);
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
