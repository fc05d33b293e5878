//! Moods: who is content keeps to a benchmark and seldom tries something else; who is discontent
//! tries anything, until something is good enough to be content with.
//!
//! A player has a benchmark, an action and the utility that it brought, and a mood. Content, it
//! plays the benchmark's action with the probability 1 - e^c, and each other with e^c / (K - 1);
//! discontent, it draws all alike. What it played and what that brought become the benchmark; if
//! it was content and both are those of the benchmark, it stays content. Else it becomes content
//! with the probability e^(1 - u), and otherwise discontent. It begins discontent.
//!
//! Where n such players play a game in which every group can be moved by those outside of it
//! (interdependence) and c >= n, the states that keep a probability as e goes to 0 are those in
//! which all are content with the profile of the largest sum of utilities, an equilibrium or not.
//! The sum is that of utilities, so payoffs should be read alike by all. How rarely it moves grows
//! as e^-c. Payoffs that are noisy never repeat themselves: `tolerance` (not in the paper, 0)
//! takes those for equal that are that close. O(K) a round.
//!
//! Marden, Young and Pao, SIAM Journal on Control and Optimization 52(5), 2014, section 3.

use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round, options};
use super::support::probability;
use crate::game::stage::OwnPayoff;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of the moods.
    {
        /// e: who is content experiments with the probability e^c, and what brought u is accepted
        /// with e^(1 - u).
        #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
        noise: f64 = 0.05,
        /// c, at least the number of players where the best sum is to be found.
        #[schemars(range(min = 0, max = 1000))]
        exponent: f64 = 2.0,
        /// How far two utilities may be from each other that are the same to it.
        #[schemars(range(min = 0, max = 1))]
        tolerance: f64 = 0.0,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        super::support::rate("noise", self.noise).map_err(|_| {
            let message = format!("{} is no noise; give a number above 0, at most 1", self.noise);
            Invalid::new("noise", message)
        })?;
        if !(0.0..=1000.0).contains(&self.exponent) {
            let message = format!("{} is no exponent; give one from 0 to 1000", self.exponent);
            return Err(Invalid::new("exponent", message));
        }
        probability("tolerance", self.tolerance)
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    noise: f64,
    exponent: f64,
    tolerance: f64,
    first: Vec<f64>,
    /// `None` before the first round is over.
    benchmark: Option<Benchmark>,
}

/// What was played, what it brought, and how that is liked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Benchmark {
    action: usize,
    utility: f64,
    is_content: bool,
}

/// The rule at a table.
pub type Moods = Chooser<Rule>;

state_of_fields!(Rule { benchmark });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { noise, exponent, tolerance, .. } = *options;
        Rule { noise, exponent, tolerance, first: Vec::new(), benchmark: None }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, draws: &mut Draws<'_>) {
        let (action, utility) = (round.played(), round.utility());
        let is_same = self.benchmark.is_some_and(|old| {
            let is_close = (old.utility - utility).abs() <= self.tolerance;
            old.is_content && old.action == action && is_close
        });
        if !is_same {
            let accepts = libm::pow(self.noise, 1.0 - utility);
            let is_content = draws.rng().random::<f64>() < accepts;
            self.benchmark = Some(Benchmark { action, utility, is_content });
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        let count = law.len();
        match self.benchmark {
            None => law.copy_from_slice(&self.first),
            Some(Benchmark { action, is_content: true, .. }) if count > 1 => {
                let tries = libm::pow(self.noise, self.exponent);
                law.fill(tries / (count - 1) as f64);
                law[action] = 1.0 - tries;
            }
            Some(_) => law.fill(1.0 / count as f64),
        }
        true
    }
}
