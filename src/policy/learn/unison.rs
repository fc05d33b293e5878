//! Unison: synchronized search by halving. Players try the choices on a common schedule and drop
//! the worse half repeatedly until one is left.
//!
//! A single learner finds its best reply to the others' current play, and if several choices are
//! nearly equal then, no number of rounds tells them apart. Players that follow this rule and start
//! together try the same choice in the same round, without communication: each compares the payoffs
//! of choices made by *all* of them. If all rank the choices alike, as identical players do, they
//! end at the best symmetric profile, which need not be an equilibrium (in a prisoner's dilemma
//! they cooperate with each other, and defect against a permanent defector). Otherwise each ends at
//! its own favourite: in the battle of the sexes they miscoordinate until the next search. Among
//! other learners it is a plain search by own payoffs.
//!
//! A search of R rounds goes in stages, from K choices to ceil(K/2) and so on. In each stage all
//! remaining choices are tried equally often, `GROWTH` times as often as in the stage before, and
//! choice c has the turns equal to c modulo the number left (or the next free ones), so players
//! that dropped different choices still try the common ones together. Means are over the whole
//! search; ties (within 10^-12) go to the later choice. The result is played for H rounds; then the
//! search starts again, so a change of the environment is followed within R + H rounds. The very
//! first round is drawn from its given probabilities. O(1) for each round, O(K log K) for each
//! stage.
//!
//! Halving: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits",
//! Proceedings of ICML 2013, PMLR 28(3). Doing it in step is original to gridpact.

use super::choose::{Chooser, Round};
use super::support::{HORIZON, TIE, Total};
use game::stage::OwnPayoff;
use kernel::order::InOrder as _;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::parameters;

/// Factor by which the number of trials of each remaining choice grows from stage to stage.
const GROWTH: u64 = 3;

parameters! {
    /// Parameters of unison.
    #[serde(default)]
    pub struct Options {
        /// R, the length of a search in rounds.
        search: u64 as HORIZON = 1400,
        /// H, the number of rounds for which the result of a search is played.
        hold: u64 as HORIZON = 8600,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    search: u64,
    hold: u64,
    /// Probabilities in the very first round.
    first: Vec<f64>,
    begun: bool,
    /// Remaining choices in order of their turns in the stage; one after the search.
    left: Vec<usize>,
    /// Finished stages of this search.
    stage: u32,
    /// Finished rounds of the stage, or of playing the result.
    turn: u64,
    /// Number of trials of each choice in this search, and the sum of its utilities.
    tried: Vec<(u64, Total)>,
}

/// The learner.
pub type Unison = Chooser<Rule>;

state_of_fields!(Rule { begun, left, stage, turn, tried });

impl Rule {
    /// Starts a search among all choices.
    fn open(&mut self) {
        let choices = self.first.len();
        self.left = (0..choices).collect();
        self.tried = vec![(0, Total::default()); choices];
        (self.stage, self.turn) = (0, 0);
    }

    /// Trials of each remaining choice in this stage, such that all stages together have R rounds,
    /// up to the remainder of a division.
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

    /// Keeps the better half, and assigns its turns.
    fn halve(&mut self) {
        let mean = |choice: usize| {
            let (times, sum) = self.tried[choice];
            sum.value() / times.max(1) as f64
        };
        let mut order = self.left.clone();
        order.order_by(|&a, &b| mean(b).total_cmp(&mean(a)));
        for equals in order.chunk_by_mut(|&a, &b| mean(a) - mean(b) <= TIE) {
            equals.order_by(|a, b| b.cmp(a));
        }
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
        sum.add(round.utility());
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

    fn is_searching(&self) -> bool {
        !self.begun || self.left.len() > 1
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
