//! Epsilon-greedy choice: what was best so far, and with a small probability any action.
//!
//! Of each action a value is kept: the mean of the utilities that it brought, or with `step` = s an
//! exponential average, v becoming v + s (u - v). What was not tried has the value `untried`. In
//! round t, counted from 1, the law is 1 - eps for the action of the largest value (of equal ones
//! the first) and eps / K more for each of the K; that of the first round is the common parameter.
//! eps is constant, or min(1, c K / (d^2 t)): with c > 5 and d at most the distance of the best
//! mean from the next, the probability of a worse action in round t is c / (d^2 t) and less
//! beside it, so that the share of the best goes to 1. O(K) a round.
//!
//! Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, section 4 and theorem 3.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round, options};
use super::support::{explore, largest, rate, share, surely};
use crate::game::stage::OwnPayoff;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of epsilon-greedy choice.
    {
        /// The probability with which all actions are equally likely.
        exploration: Exploration = Exploration::Constant(0.05),
        /// s, the weight of a round in the value of an action; without it all count alike.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
        step: Option<f64> = None,
        /// The value of an action that was not tried: at 1 each is tried soon.
        #[schemars(range(min = 0, max = 1))]
        untried: f64 = 1.0,
    }
}

/// How often any action is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Exploration {
    /// With the same probability in all rounds.
    Constant(#[schemars(range(min = 0, max = 1))] f64),
    /// With the probability min(1, c K / (d^2 t)) in round t of K actions.
    Falling {
        /// c: the larger, the longer is explored.
        #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0))]
        c: f64,
        /// d, by how much the best mean utility is above the next.
        #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
        d: f64,
    },
}

impl Exploration {
    fn check(self) -> Result<(), Invalid> {
        match self {
            Exploration::Constant(epsilon) => super::support::probability("constant", epsilon),
            Exploration::Falling { c, .. } if !(c > 0.0 && c <= 1e6) => {
                let message = format!("{c} is no weight; give a number above 0, at most 10^6");
                Err(Invalid::new("falling.c", message))
            }
            Exploration::Falling { d, .. } if !(d > 0.0 && d <= 1.0) => {
                let message = format!("{d} is no distance; give a number above 0, at most 1");
                Err(Invalid::new("falling.d", message))
            }
            Exploration::Falling { .. } => Ok(()),
        }
    }

    /// Of a round, counted from 1.
    fn in_round(self, round: u64, choices: usize) -> f64 {
        match self {
            Exploration::Constant(epsilon) => epsilon,
            Exploration::Falling { c, d } => (c * choices as f64 / (d * d * round as f64)).min(1.0),
        }
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        self.exploration.check().map_err(|invalid| invalid.within("exploration"))?;
        self.step.map_or(Ok(()), |given| rate("step", given))?;
        share("untried", self.untried)
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    exploration: Exploration,
    step: Option<f64>,
    untried: f64,
    /// Of the first round.
    first: Vec<f64>,
    /// By action, how often it was played.
    counts: Vec<u64>,
    values: Vec<f64>,
}

/// The rule at a table.
pub type EpsilonGreedy = Chooser<Rule>;

state_of_fields!(Rule { counts, values });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { exploration, step, untried, .. } = *options;
        let (first, counts, values) = (Vec::new(), Vec::new(), Vec::new());
        Rule { exploration, step, untried, first, counts, values }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.counts = vec![0; first.len()];
        self.values = vec![self.untried; first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let played = round.played();
        self.counts[played] += 1;
        let step = self.step.unwrap_or(1.0 / self.counts[played] as f64);
        self.values[played] += step * (round.utility() - self.values[played]);
    }

    fn law(&self, law: &mut [f64]) -> bool {
        let rounds: u64 = self.counts.iter().sum();
        if rounds == 0 {
            law.copy_from_slice(&self.first);
            return true;
        }
        surely(largest(self.values.iter().copied()).unwrap_or(0), law);
        explore(self.exploration.in_round(rounds + 1, law.len()), law);
        true
    }
}
