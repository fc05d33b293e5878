//! Unison: choices are tried in turn, on a timetable that depends on nothing but their number and
//! on which are left, and the worse half is dropped again and again until one is left.
//!
//! Who learns alone finds what is best while all others do what they do, and where that is nearly
//! the same for several choices, no number of rounds tells them apart. Those who follow this rule
//! and begin together try the same choice in the same round, without a word between them: what
//! each compares is what a choice brings when *all* make it. Where all rank the choices alike, as
//! players do that are alike, they end at the best profile in which all do the same, which need not
//! be an equilibrium (in a prisoner's dilemma they cooperate with each other, and defect against
//! who always defects). Where they do not, each ends at its own favourite: in the battle of the
//! sexes they miss each other until the next search. Among others it is a plain search by own
//! payoffs.
//!
//! A search of R rounds goes in stages, from K choices to ceil(K/2) and so on; in each stage every
//! choice that is left is tried equally often, `GROWTH` times as often as in the one before, and
//! choice c has the turns that are c modulo the number left (the next free ones, if those are
//! taken), so that players who dropped different choices still try the common ones together. Means
//! are over the whole search; of equals the later one stays. What was found is played for H
//! rounds; then the search begins anew, so that a changed world is followed within R + H rounds.
//! The first round of all is drawn from the law it is given. O(1) a round, O(K log K) a stage.
//!
//! Halving: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits",
//! Proceedings of ICML 2013, PMLR 28(3). To do it in step is gridpact's own.

use super::choose::{Chooser, Round, options};
use super::support::horizon;
use crate::game::stage::OwnPayoff;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

/// How many times as often each choice that is left is tried from stage to stage.
const GROWTH: u64 = 3;

options! {
    /// Parameters of unison.
    {
        /// R, the rounds of a search.
        #[schemars(range(min = 1))]
        search: u64 = 1400,
        /// H, the rounds for which that is played which a search has found.
        #[schemars(range(min = 1))]
        hold: u64 = 8600,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        horizon("search", self.search)?;
        horizon("hold", self.hold)
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    search: u64,
    hold: u64,
    /// The probabilities of the very first round.
    first: Vec<f64>,
    begun: bool,
    /// The choices that are left, by their turns in the stage; of a search that is over, one.
    left: Vec<usize>,
    /// The stages of this search that are over.
    stage: u32,
    /// The rounds of the stage, or of what was found, that are over.
    turn: u64,
    /// By choice, how often it was tried in this search and the sum of what it brought.
    tried: Vec<(u64, f64)>,
}

/// The rule at a table.
pub type Unison = Chooser<Rule>;

state_of_fields!(Rule { begun, left, stage, turn, tried });

impl Rule {
    /// Begins a search among all choices.
    fn open(&mut self) {
        let choices = self.first.len();
        self.left = (0..choices).collect();
        self.tried = vec![(0, 0.0); choices];
        (self.stage, self.turn) = (0, 0);
    }

    /// How often each choice that is left is tried in this stage: such that all stages together
    /// have R rounds, but for what a division leaves.
    fn trials(&self) -> u64 {
        let (mut left, mut weight, mut all) = (self.first.len() as u64, 1_u64, 0_u64);
        while left > 1 {
            all = all.saturating_add(left.saturating_mul(weight));
            left = left.div_ceil(2);
            weight = weight.saturating_mul(GROWTH);
        }
        let rounds = u128::from(self.search) * u128::from(GROWTH.saturating_pow(self.stage));
        ((rounds / u128::from(all.max(1))) as u64).max(1)
    }

    /// The better half stays, and has its turns.
    fn halve(&mut self) {
        let mean = |choice: usize| {
            let (times, sum) = self.tried[choice];
            sum / times.max(1) as f64
        };
        let mut order = self.left.clone();
        order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)).then(b.cmp(&a)));
        order.truncate(self.left.len().div_ceil(2));
        order.sort_unstable();
        let mut turns = vec![None; order.len()];
        for &choice in &order {
            let own = (0..turns.len()).map(|later| (choice + later) % turns.len());
            let free = own.into_iter().find(|&turn| turns[turn].is_none());
            turns[free.expect("there are as many turns as choices")] = Some(choice);
        }
        self.left = turns.into_iter().flatten().collect();
        self.stage += 1;
        self.turn = 0;
    }
}

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        Rule {
            search: options.search,
            hold: options.hold,
            first: Vec::new(),
            begun: false,
            left: Vec::new(),
            stage: 0,
            turn: 0,
            tried: Vec::new(),
        }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.open();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, _: &mut Draws<'_>) {
        let (times, sum) = &mut self.tried[round.played()];
        *times += 1;
        *sum += round.utility();
        if !self.begun {
            self.begun = true;
            return;
        }
        self.turn += 1;
        match self.left.len() {
            1 if self.turn >= self.hold => self.open(),
            1 => {}
            left if self.turn >= self.trials().saturating_mul(left as u64) => self.halve(),
            _ => {}
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        if self.begun {
            law.fill(0.0);
            law[self.left[(self.turn % self.left.len() as u64) as usize]] = 1.0;
        } else {
            law.copy_from_slice(&self.first);
        }
        true
    }
}
