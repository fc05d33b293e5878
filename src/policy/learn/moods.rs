//! Moods: a content player keeps to a benchmark and rarely experiments; a discontent one tries
//! anything until it accepts an outcome.
//!
//! A player has a benchmark (an action and its utility) and a mood. If content, it plays the
//! benchmark's action with probability 1 - e^c, and each other one with e^c / (K - 1); if
//! discontent, all actions are equally likely. The action played and its utility become the
//! benchmark. If the player was content and both equal the old benchmark, it stays content.
//! Otherwise it becomes content with probability e^(1 - u), else discontent. It starts discontent.
//!
//! If n such players play a game in which every group can be affected by those outside of it
//! (interdependence) and c >= n, the stochastically stable states as e goes to 0 are those in which
//! all are content with the profile of the largest sum of utilities, whether an equilibrium or not.
//! The sum is over utilities, so all players should scale payoffs alike. The time between moves
//! grows as e^-c. Noisy payoffs never repeat; `tolerance` (not in the paper, 0 by default) treats
//! utilities this close as equal. O(K) for each round.
//!
//! Marden, Young and Pao, SIAM Journal on Control and Optimization 52(5), 2014, section 3.

use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{Bounds, SHARE, parameters};

parameters! {
    /// Parameters of the moods.
    #[serde(default)]
    pub struct Options {
        /// e: a content player experiments with probability e^c, and a utility u is accepted with
        /// probability e^(1 - u).
        noise: f64 as (Bounds::of("a noise").above(0.0).to(1.0)) = 0.05,
        /// c; at least the number of players, for convergence to the largest sum.
        exponent: f64 as (Bounds::of("an exponent").from(0.0).to(1000.0)) = 2.0,
        /// Largest difference between utilities that count as equal.
        tolerance: f64 as SHARE = 0.0,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    noise: f64,
    exponent: f64,
    tolerance: f64,
    first: Vec<f64>,
    /// `None` before the first round is over.
    benchmark: Option<Benchmark>,
}

/// Action played, its utility, and the mood.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Benchmark {
    action: usize,
    utility: f64,
    is_content: bool,
}

/// The learner.
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
