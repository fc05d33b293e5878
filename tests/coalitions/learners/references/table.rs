//! Shared by the checks: learners at the table of a game that is known by its payoffs, and how
//! sure a mean over runs is.

use gridpact::game::matrix::Matrix;
use gridpact::game::payoffs::Payoffs;
use gridpact::game::stage::{Outcome, StageGame as _, Wanted};
use gridpact::game::table::Table;
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{AnyLearner, Player as _};

use super::play::Builds;

/// Players at a table.
pub struct Seated {
    game: Table,
    /// The players.
    pub players: Vec<AnyLearner>,
    names: Vec<[String; 2]>,
    seed: u64,
    round: u64,
    outcome: Outcome,
}

impl Seated {
    /// A learner in each seat. They read the game's least payoff as 0 and its largest as 1, where
    /// their parameters do not say otherwise.
    pub fn new(matrix: &Matrix, options: &[impl Builds], seed: u64) -> Seated {
        let game = Table::of(Payoffs::Table(matrix.clone()));
        let (least, most) = matrix.range();
        let mut players: Vec<AnyLearner> = options.iter().map(Builds::build).collect();
        players.iter_mut().for_each(|player| player.read([least, most], None));
        let name = |index| ["act", "learn"].map(|purpose| format!("{index}/{purpose}"));
        let names = (0..players.len()).map(name).collect();
        Seated { game, players, names, seed, round: 0, outcome: Outcome::default() }
    }

    /// Plays a round; what each did.
    pub fn play(&mut self) -> Vec<u32> {
        let streams = Streams::new(self.seed).in_round(self.round);
        let mut acts = Vec::new();
        for (index, player) in self.players.iter_mut().enumerate() {
            let actions = self.game.actions(index, self.round);
            acts.push(player.decide(actions, &mut streams.draws(&self.names[index][0])));
        }
        let wanted: Vec<Wanted> = self.players.iter().map(AnyLearner::wanted).collect();
        let Ok(()) = self.game.begin(self.round, &acts, &wanted);
        let Ok(()) = self.game.outcome(&mut self.outcome);
        for (index, player) in self.players.iter_mut().enumerate() {
            player.observe(&self.outcome, index, &mut streams.draws(&self.names[index][1]));
        }
        self.round += 1;
        acts.iter().map(|act| act.entry()).collect()
    }

    /// Payoffs of the last round.
    pub fn payoffs(&self) -> &[f64] {
        &self.outcome.payoffs
    }
}

/// A game of two that is the same for both: the row player's payoffs, staying out first.
pub fn symmetric<const K: usize>(pays: [[f64; K]; K]) -> Matrix {
    Matrix::new(&[K as u32; 2], |player, profile| {
        pays[profile[player] as usize][profile[1 - player] as usize]
    })
}

/// The dilemma: out defects, in cooperates.
pub fn dilemma() -> Matrix {
    symmetric([[1.0, 5.0], [0.0, 3.0]])
}

/// The stag hunt: in hunts the stag.
pub fn stag_hunt() -> Matrix {
    symmetric([[2.0, 3.0], [0.0, 4.0]])
}

/// Hawk and dove: in is the dove.
pub fn hawk_dove() -> Matrix {
    symmetric([[-0.5, 2.0], [0.0, 0.0]])
}

/// Matching pennies.
pub fn pennies() -> Matrix {
    Matrix::new(
        &[2, 2],
        |player, profile| {
            if (profile[0] == profile[1]) == (player == 0) { 1.0 } else { -1.0 }
        },
    )
}

/// Rock, paper, scissors.
pub fn rock_paper_scissors() -> Matrix {
    symmetric([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
}

/// The mean over independent runs, and how far it may be from what is expected: its standard error
/// times the 99.9 % quantile of Student's t with 50 degrees of freedom or more, two-sided (3.5).
pub fn mean_and_band(runs: &[f64]) -> (f64, f64) {
    assert!(runs.len() > 50, "the band is for many runs");
    let count = runs.len() as f64;
    let mean = runs.iter().sum::<f64>() / count;
    let squares: f64 = runs.iter().map(|run| (run - mean) * (run - mean)).sum();
    (mean, 3.5 * libm::sqrt(squares / (count - 1.0) / count))
}
