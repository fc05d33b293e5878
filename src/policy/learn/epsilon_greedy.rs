//! Epsilon-greedy choice: the best action so far, and with a small probability any action.
//!
//! Each action has a value: the mean of its utilities, or with `step` = s an exponential average, v
//! becoming v + s (u - v). An untried action has the value `untried`. In round t, counted from 1,
//! the probabilities are 1 - eps for the action with the largest value (ties within 10^-12: the
//! first) plus eps / K for each of the K actions; those of the first round are the common
//! parameter. eps is constant, or min(1, c K / (d^2 t)): with c > 5 and d at most the gap between
//! the best mean and the next, a worse action has probability c / (d^2 t) plus a smaller term in
//! round t, so the share of the best tends to 1. O(K) for each round.
//!
//! Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, section 4 and theorem 3.

use super::choose::{Chooser, Round};
use super::support::{RATE, Total, explore, largest, surely};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{Bounds, Inside, PROBABILITY, SHARE, parameters};

parameters! {
    /// Parameters of epsilon-greedy choice.
    #[serde(default)]
    pub struct Options {
        /// Probability of exploring: drawing any action, all equally likely.
        exploration: Exploration as Inside = Exploration::Constant(0.05),
        /// s, the learning rate: the weight of a round in an action's value. Without it all rounds
        /// count equally.
        #[serde(skip_serializing_if = "Option::is_none")]
        step: Option<f64> as RATE = None,
        /// Value of an untried action; at 1 each is tried soon.
        untried: f64 as SHARE = 1.0,
    }
}

/// Duration of exploration.
const LENGTH: Bounds<'_> = Bounds::of("a weight").above(0.0).to(1e6);
/// A gap between utilities.
const GAP: Bounds<'_> = Bounds::of("a distance").above(0.0).to(1.0);

parameters! {
    /// Schedule of the exploration probability.
    #[derive(Copy)]
    pub enum Exploration {
        /// The same probability in all rounds.
        Constant(probability: f64 as PROBABILITY),
        /// Probability min(1, c K / (d^2 t)) in round t with K actions.
        Falling {
            /// c: larger values explore longer.
            c: f64 as LENGTH,
            /// d, the gap between the best mean utility and the next.
            d: f64 as GAP,
        },
    }
}

impl Exploration {
    /// Exploration probability in a round, counted from 1.
    fn in_round(self, round: u64, choices: usize) -> f64 {
        match self {
            Exploration::Constant(epsilon) => epsilon,
            Exploration::Falling { c, d } => (c * choices as f64 / (d * d * round as f64)).min(1.0),
        }
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    exploration: Exploration,
    step: Option<f64>,
    untried: f64,
    /// Probabilities in the first round.
    first: Vec<f64>,
    /// Number of plays of each action.
    counts: Vec<u64>,
    values: Vec<f64>,
    /// Sum of the utilities of each action; without a `step` the value is their mean.
    sums: Vec<Total>,
}

/// The learner.
pub type EpsilonGreedy = Chooser<Rule>;

state_of_fields!(Rule { counts, values, sums });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { exploration, step, untried, .. } = *options;
        let (first, counts, values) = (Vec::new(), Vec::new(), Vec::new());
        Rule { exploration, step, untried, first, counts, values, sums: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.counts = vec![0; first.len()];
        self.values = vec![self.untried; first.len()];
        self.sums = vec![Total::default(); first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let played = round.played();
        self.counts[played] += 1;
        let (value, sum) = (&mut self.values[played], &mut self.sums[played]);
        match self.step {
            Some(step) => *value += step * (round.utility() - *value),
            None => {
                sum.add(round.utility());
                *value = sum.value() / self.counts[played] as f64;
            }
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        let rounds: u64 = self.counts.iter().sum();
        if rounds == 0 {
            law.copy_from_slice(&self.first);
            return true;
        }
        surely(largest(self.values.iter().copied(), 1.0).unwrap_or(0), law);
        explore(self.exploration.in_round(rounds + 1, law.len()), law);
        true
    }
}
