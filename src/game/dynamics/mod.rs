//! Dynamics of rules that know the whole game: deterministic references for learners, and
//! stochastic population dynamics.

pub mod best_reply;
pub mod gradient;
pub mod imitation;
pub mod log_linear;
pub mod replicator;

use super::payoffs::Payoffs;

/// The populations that play a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Populations {
    /// One large population from which all players are drawn; all are like the first.
    One,
    /// One large population for each player.
    Each,
}

/// Large populations that play a game. Their state is a list of shares: by population, then by
/// choice.
#[derive(Clone, Copy, Debug)]
pub struct Society<'a> {
    game: &'a Payoffs,
    populations: Populations,
}

impl<'a> Society<'a> {
    /// Creates populations for a game.
    ///
    /// # Panics
    /// Panics if there is one population but menus differ.
    pub fn new(game: &'a Payoffs, populations: Populations) -> Society<'a> {
        let is_alike = (0..game.players()).all(|player| game.choices(player) == game.choices(0));
        assert!(populations == Populations::Each || is_alike, "one population has one menu");
        Society { game, populations }
    }

    /// The game.
    pub fn game(&self) -> &'a Payoffs {
        self.game
    }

    /// Number of populations.
    pub fn count(&self) -> usize {
        match self.populations {
            Populations::One => 1,
            Populations::Each => self.game.players(),
        }
    }

    /// Mixed strategy of each player: the shares of its population.
    pub fn mixed(&self, at: &[Vec<f64>]) -> Vec<Vec<f64>> {
        match self.populations {
            Populations::One => vec![at[0].clone(); self.game.players()],
            Populations::Each => at.to_vec(),
        }
    }

    /// Expected payoff of each choice, by population. O(populations) times [`Payoffs::expected`].
    pub fn payoffs(&self, at: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mixed = self.mixed(at);
        let of = |population: usize| {
            let mut pays = Vec::new();
            self.game.expected(population, &mixed, &mut pays);
            pays
        };
        (0..self.count()).map(of).collect()
    }
}

/// A rule that moves shares.
pub trait Dynamics {
    /// Advances by a time step; dynamics in generations advance by one, whatever the time.
    fn advance(&self, at: &mut [Vec<f64>], time: f64);

    /// Advances by a number of steps; `each` receives the number of every step, from 1, and the
    /// state after it.
    fn run(
        &self,
        at: &mut [Vec<f64>],
        time: f64,
        steps: u64,
        mut each: impl FnMut(u64, &[Vec<f64>]),
    ) where
        Self: Sized,
    {
        for step in 1..=steps {
            self.advance(at, time);
            each(step, at);
        }
    }
}

/// One step of the classical fourth-order Runge-Kutta method, with error O(h^5). Rounding that
/// would leave the simplex is clipped: no share is negative, and shares sum to 1.
fn runge_kutta(at: &mut [Vec<f64>], step: f64, velocity: impl Fn(&[Vec<f64>]) -> Vec<Vec<f64>>) {
    let moved = |by: &[Vec<f64>], time: f64| -> Vec<Vec<f64>> {
        let row = |(at, by): (&Vec<f64>, &Vec<f64>)| {
            at.iter().zip(by).map(|(at, by)| at + time * by).collect()
        };
        at.iter().zip(by).map(row).collect()
    };
    let first = velocity(at);
    let second = velocity(&moved(&first, 0.5 * step));
    let third = velocity(&moved(&second, 0.5 * step));
    let fourth = velocity(&moved(&third, step));
    for (population, shares) in at.iter_mut().enumerate() {
        for (choice, share) in shares.iter_mut().enumerate() {
            let of = |stage: &[Vec<f64>]| stage[population][choice];
            let sum = of(&first) + 2.0 * (of(&second) + of(&third)) + of(&fourth);
            *share = (*share + step / 6.0 * sum).max(0.0);
        }
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::pairwise::Pairwise;

    /// A symmetric two-player game.
    pub fn symmetric<const K: usize>(pays: [[f64; K]; K]) -> Payoffs {
        Payoffs::Pairwise(Pairwise::new(2, K as u32, |own, other| {
            pays[own as usize][other as usize]
        }))
    }

    pub fn dilemma() -> Payoffs {
        symmetric([[3.0, 0.0], [5.0, 1.0]])
    }

    pub fn hunt() -> Payoffs {
        symmetric([[4.0, 0.0], [3.0, 2.0]])
    }

    /// Hawk is the first choice.
    pub(crate) fn doves() -> Payoffs {
        symmetric([[-0.5, 2.0], [0.0, 0.0]])
    }

    pub fn pennies() -> Payoffs {
        let pays = [[(1.0, -1.0), (-1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]];
        Payoffs::Table(Matrix::of_two(pays))
    }

    /// Rock, paper, scissors.
    pub(crate) fn rock(win: f64, lose: f64) -> Payoffs {
        symmetric([[0.0, -lose, win], [win, 0.0, -lose], [-lose, win, 0.0]])
    }
}
