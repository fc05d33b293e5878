//! Echelon: search along an ordered list by ever narrower windows and longer blocks, for players
//! that start at different times.
//!
//! Like [`unison`](super::unison) it compares payoffs of choices that all make at once, but it
//! plays each choice for a block of rounds on end. Players that start d rounds apart then make the
//! same choice in all but d rounds of a block, without a common clock. A window stays in step with
//! a shifted one: choice i is played in the block that is i modulo the width.
//!
//! A search has a stage for each length of a block: the first over all choices, the others over a
//! window around the best mean so far. Sums are kept over the stages of a search; of equal means
//! (within 10^-12) the later choice is best. The best choice of the last stage is held; then a new
//! search begins, with blocks and hold twice as long, so that some search is longer than any delay.
//! The very first round is drawn from its given probabilities. O(1) for each round.
//!
//! A coalition's score S counts as the logarithm of the flow time alone over that in the coalition,
//! ln(1 + S), below 0 -ln(1 - S): a few very good rounds at a level then do not outweigh the usual
//! ones. Payoffs of a game count as they are. Original to gridpact.

use super::choose::{Chooser, Round};
use super::support::{HORIZON, TIE, Total};
use game::stage::OwnPayoff;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{Bounds, Many, parameters};

/// Lengths of blocks, or widths of windows.
const LENGTHS: Many<Bounds<'_>> = Many::new(1, 16, HORIZON);

/// Payoffs beyond count as this, so that sums stay finite.
const LARGEST: f64 = 1e15;

parameters! {
    /// Parameters of echelon.
    #[serde(default)]
    pub struct Options {
        /// Rounds of a block in each stage of a search.
        blocks: Vec<u64> as LENGTHS = vec![60, 200, 1000],
        /// Number of choices in each stage after the first, which has all; the last one counts for
        /// all further stages.
        windows: Vec<u64> as LENGTHS = vec![5, 3],
        /// Rounds for which the result of the first search is held.
        hold: u64 as HORIZON = 10_000,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    options: Options,
    /// Probabilities in the very first round.
    first: Vec<f64>,
    /// True if payoffs are scores of a coalition.
    scores: bool,
    begun: bool,
    /// Finished searches.
    searches: u32,
    /// Finished stages of this search.
    stage: usize,
    /// First choice of the window; after the search the choice that is held.
    from: usize,
    /// Finished rounds of the stage, or of the hold.
    turn: u64,
    /// Number of trials of each choice in this search, and the sum of its payoffs.
    tried: Vec<(u64, Total)>,
}

/// The learner.
pub type Echelon = Chooser<Rule>;

state_of_fields!(Rule { begun, searches, stage, from, turn, tried });

impl Rule {
    /// A number of rounds in this search.
    fn grown(&self, rounds: u64) -> u64 {
        rounds.saturating_mul(2_u64.saturating_pow(self.searches))
    }

    /// Rounds of a block; `None` while the result is held.
    fn block(&self) -> Option<u64> {
        self.options.blocks.get(self.stage).map(|&rounds| self.grown(rounds))
    }

    /// Number of choices in a stage.
    fn width(&self, stage: usize) -> usize {
        let Some(later) = stage.checked_sub(1) else { return self.first.len() };
        let windows = &self.options.windows;
        self.first.len().min(windows[later.min(windows.len() - 1)] as usize)
    }

    /// The choice of the next round.
    fn next(&self) -> usize {
        let Some(block) = self.block() else { return self.from };
        let width = self.width(self.stage);
        let slot = (self.turn / block) as usize;
        self.from + (slot + width - self.from % width) % width
    }

    /// Ends a stage: centres the next window on the best mean of this one.
    fn narrow(&mut self) {
        let width = self.width(self.stage);
        let mean = |&(times, sum): &(u64, Total)| sum.value() / times.max(1) as f64;
        let mut best = self.from;
        for choice in self.from..self.from + width {
            if mean(&self.tried[choice]) >= mean(&self.tried[best]) - TIE {
                best = choice;
            }
        }
        self.stage += 1;
        self.turn = 0;
        let next = if self.block().is_some() { self.width(self.stage) } else { 1 };
        self.from = best.saturating_sub(next / 2).min(self.first.len() - next);
    }
}

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        Rule {
            options: options.clone(),
            first: Vec::new(),
            scores: true,
            begun: false,
            searches: 0,
            stage: 0,
            from: 0,
            turn: 0,
            tried: Vec::new(),
        }
    }

    fn read(&mut self, _: [f64; 2], _: Option<u32>) {
        self.scores = false;
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.tried = vec![(0, Total::default()); first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        if !self.begun {
            self.begun = true;
            return;
        }
        let pays = round.payoff().clamp(-LARGEST, LARGEST);
        let counted = if self.scores { libm::log1p(pays.abs()).copysign(pays) } else { pays };
        let (times, sum) = &mut self.tried[round.played()];
        *times += 1;
        sum.add(counted);
        self.turn += 1;
        match self.block() {
            Some(block) if self.turn >= block.saturating_mul(self.width(self.stage) as u64) => {
                self.narrow();
            }
            None if self.turn >= self.grown(self.options.hold) => {
                (self.searches, self.stage, self.from, self.turn) = (self.searches + 1, 0, 0, 0);
                self.tried.fill((0, Total::default()));
            }
            _ => {}
        }
    }

    fn is_searching(&self) -> bool {
        self.block().is_some()
    }

    fn law(&self, law: &mut [f64]) -> bool {
        if self.begun {
            law.fill(0.0);
            law[self.next()] = 1.0;
        } else {
            law.copy_from_slice(&self.first);
        }
        true
    }
}
