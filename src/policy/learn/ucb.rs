//! UCB1 and its discounted and sliding-window forms: plays the highest upper confidence bound.
//!
//! For each action, n is the number of plays and m the mean utility. The next action has the
//! largest m + sqrt(c ln t / n), with t the sum of all n; actions with n = 0 come first, and ties
//! go to the first. UCB1 has c = 2: with two actions of independent utilities whose means differ by
//! D, its expected regret over T rounds is at most 8 ln T / D + (1 + pi^2 / 3) D.
//!
//! With `memory.discount` = d all n and all sums of utilities are multiplied by d before each round
//! is added (with c = 2 this is discounted UCB with xi = 1/2). With `memory.window` = W they cover
//! the last W rounds (sliding-window UCB with xi = c). Only the action of the first round is
//! random, drawn from its given probabilities. O(K) for each round.
//!
//! Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, theorem 1; Garivier and Moulines,
//! "On upper-confidence bound policies for switching bandit problems", Algorithmic Learning Theory
//! 2011.

use std::collections::VecDeque;

use super::choose::{Chooser, Round};
use super::support::{FACTOR, Total, WEIGHT, largest, surely};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{Bounds, Inside, parameters};

parameters! {
    /// Parameters of UCB.
    #[serde(default)]
    pub struct Options {
        /// c, the weight of the confidence bonus: 2 in UCB1.
        bonus: f64 as WEIGHT = 2.0,
        /// Rounds to remember.
        memory: Memory as Inside = Memory::All {},
    }
}

/// The rounds of a window.
const WINDOW: Bounds<'_> = Bounds::of("a number of rounds").from(1.0).to(1e6);

parameters! {
    /// Rounds to remember, and their weights.
    #[derive(Copy)]
    pub enum Memory {
        /// All rounds, with equal weights.
        All {},
        /// Discounting: each round counts by this factor less than the next one.
        Discount(factor: f64 as FACTOR),
        /// Sliding window: this many of the last rounds.
        Window(rounds: u32 as WINDOW),
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    bonus: f64,
    memory: Memory,
    /// Probabilities in the first round.
    first: Vec<f64>,
    /// Effective number of plays of each action.
    counts: Vec<f64>,
    /// Effective sum of the utilities of each action.
    sums: Vec<Total>,
    /// Actions and utilities in the window.
    window: VecDeque<(usize, f64)>,
}

/// The learner.
pub type Ucb = Chooser<Rule>;

state_of_fields!(Rule { counts, sums, window });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        Rule {
            bonus: options.bonus,
            memory: options.memory,
            first: Vec::new(),
            counts: Vec::new(),
            sums: Vec::new(),
            window: VecDeque::new(),
        }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.counts = vec![0.0; first.len()];
        self.sums = vec![Total::default(); first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let (played, utility) = (round.played(), round.utility());
        match self.memory {
            Memory::All {} => {}
            Memory::Discount(factor) => {
                self.counts.iter_mut().for_each(|count| *count *= factor);
                self.sums.iter_mut().for_each(|sum| sum.scale(factor));
            }
            Memory::Window(rounds) => {
                if self.window.len() == rounds as usize
                    && let Some((choice, utility)) = self.window.pop_front()
                {
                    self.counts[choice] -= 1.0;
                    self.sums[choice].add(-utility);
                }
                self.window.push_back((played, utility));
            }
        }
        self.counts[played] += 1.0;
        self.sums[played].add(utility);
    }

    fn law(&self, law: &mut [f64]) -> bool {
        let total: f64 = self.counts.iter().sum();
        if total == 0.0 {
            law.copy_from_slice(&self.first);
            return true;
        }
        let spread = self.bonus * libm::log(total.max(1.0));
        let bound = |(&count, sum): (&f64, &Total)| match count {
            0.0 => f64::INFINITY,
            _ => sum.value() / count + libm::sqrt(spread / count),
        };
        surely(largest(self.counts.iter().zip(&self.sums).map(bound), 1.0).unwrap_or(0), law);
        true
    }
}
