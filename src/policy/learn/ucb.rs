//! UCB1 and its forms that forget: the action that is best if each is as good as it can still be.
//!
//! Of each action, n is how often it was played and m the mean of the utilities that it brought.
//! The next one has the largest m + sqrt(c ln t / n), t the sum of all n; an action with n = 0
//! comes before all others, and of equal ones the first. That is UCB1 with c = 2: of two actions
//! with independent utilities whose means differ by D, the mean regret of T rounds is at most 8 ln
//! T / D + (1 + pi^2 / 3) D.
//!
//! Under `memory.discount` = d all n, and all sums of utilities, shrink by the factor d before each
//! round is added (with c = 2 that is discounted UCB with xi = 1/2), under `memory.window` = W they
//! are those of the last W rounds (sliding-window UCB with xi = c). Nothing is drawn but the first
//! round's action, from the probabilities of the first round. O(K) a round.
//!
//! Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002, theorem 1; Garivier and Moulines,
//! "On upper-confidence bound policies for switching bandit problems", Algorithmic Learning Theory
//! 2011.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round, options};
use super::support::{largest, portion, surely};
use crate::game::stage::OwnPayoff;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of UCB.
    {
        /// c, the weight of what is not known: 2 in UCB1.
        #[schemars(range(max = 1000), extend("exclusiveMinimum" = 0))]
        bonus: f64 = 2.0,
        /// The rounds that count.
        memory: Memory = Memory::All {},
    }
}

/// Which rounds count, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Memory {
    /// All alike.
    All {},
    /// Each by this factor less than the next one.
    Discount(#[schemars(range(max = 1), extend("exclusiveMinimum" = 0))] f64),
    /// So many of the last rounds.
    Window(#[schemars(range(min = 1, max = 1_000_000))] u32),
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        super::support::weight("bonus", Some(self.bonus))?;
        match self.memory {
            Memory::All {} => Ok(()),
            Memory::Discount(factor) => portion("memory.discount", "factor", factor),
            Memory::Window(rounds) if (1..=1_000_000).contains(&rounds) => Ok(()),
            Memory::Window(rounds) => {
                let message = format!("{rounds} rounds are no window; give 1 to 1000000");
                Err(Invalid::new("memory.window", message))
            }
        }
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    bonus: f64,
    memory: Memory,
    /// Of the first round.
    first: Vec<f64>,
    /// By action, how often it was played, as far as that counts.
    counts: Vec<f64>,
    /// By action, the sum of its utilities, as far as they count.
    sums: Vec<f64>,
    /// The actions and utilities in the window.
    window: VecDeque<(usize, f64)>,
}

/// The rule at a table.
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
        self.sums = vec![0.0; first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let (played, utility) = (round.played(), round.utility());
        match self.memory {
            Memory::All {} => {}
            Memory::Discount(factor) => {
                self.counts.iter_mut().chain(&mut self.sums).for_each(|kept| *kept *= factor);
            }
            Memory::Window(rounds) => {
                if self.window.len() == rounds as usize
                    && let Some((choice, utility)) = self.window.pop_front()
                {
                    self.counts[choice] -= 1.0;
                    self.sums[choice] -= utility;
                }
                self.window.push_back((played, utility));
            }
        }
        self.counts[played] += 1.0;
        self.sums[played] += utility;
    }

    fn law(&self, law: &mut [f64]) -> bool {
        let total: f64 = self.counts.iter().sum();
        if total == 0.0 {
            law.copy_from_slice(&self.first);
            return true;
        }
        let spread = self.bonus * libm::log(total.max(1.0));
        let bound = |(&count, &sum): (&f64, &f64)| match count {
            0.0 => f64::INFINITY,
            _ => sum / count + libm::sqrt(spread / count),
        };
        surely(largest(self.counts.iter().zip(&self.sums).map(bound)).unwrap_or(0), law);
        true
    }
}
