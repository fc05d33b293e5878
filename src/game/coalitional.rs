//! Coalitional games: sharing the worth of the grand coalition.
//!
//! The Shapley value (Shapley, *A value for n-person games*, Contributions to the Theory of Games
//! II, 1953) gives each player its mean contribution over all orders of joining; it is computed
//! exactly over all coalitions, in O(n 2^n). The least core (Maschler, Peleg and Shapley,
//! *Geometric properties of the kernel, nucleolus, and related solution concepts*, Mathematics of
//! Operations Research 4, 1979) is the set of allocations that minimize epsilon, the most that any
//! coalition could gain by leaving; the core is empty exactly if epsilon is above 0. It is a linear
//! program with one row for each coalition. Rows are generated as needed: solve for some of them,
//! then add the row of the worst-treated coalition.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// A coalitional game: the worth of every coalition.
#[derive(Clone, Debug, PartialEq)]
pub struct Coalitional {
    players: usize,
    /// Worth by coalition; player i is a member if bit i is set.
    worth: Vec<f64>,
}

/// An allocation of the least core.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastCore {
    /// Gain of the worst-treated coalition by leaving; negative if all would lose.
    pub epsilon: f64,
    /// Payoff of each player; they sum to the worth of the grand coalition.
    pub allocation: Vec<f64>,
}

/// The linear program could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the least core was not found: {0}")]
pub struct Unsolved(String);

/// Maximum number of players: 20 have a million coalitions.
pub const MOST_PLAYERS: usize = 20;

impl Coalitional {
    /// A game with this many players; `worth` takes a coalition, with player i in it if bit i is
    /// set.
    ///
    /// # Panics
    /// Panics if there is no player or more than [`MOST_PLAYERS`], a worth is not finite, or the
    /// worth of the empty coalition is not 0.
    pub fn new(players: usize, worth: impl Fn(u32) -> f64) -> Coalitional {
        assert!(
            (1..=MOST_PLAYERS).contains(&players),
            "1 to {MOST_PLAYERS} players, not {players}"
        );
        let worth: Vec<f64> = (0..1 << players).map(worth).collect();
        assert!(worth[0] == 0.0, "nobody is worth nothing");
        assert!(worth.iter().all(|worth| worth.is_finite()), "every worth is finite");
        Coalitional { players, worth }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Worth of a coalition.
    pub fn worth(&self, coalition: u32) -> f64 {
        self.worth[coalition as usize]
    }

    /// Worth of the grand coalition.
    pub fn total(&self) -> f64 {
        self.worth[self.worth.len() - 1]
    }

    /// The Shapley value of each player.
    pub fn shapley(&self) -> Vec<f64> {
        // Probability that exactly these players joined before, by their number: s! (n - s - 1)! /
        // n!, computed recursively.
        let count = self.players as f64;
        let mut weights = vec![1.0 / count];
        for size in 1..self.players {
            let before = weights[size - 1];
            weights.push(before * size as f64 / (self.players - size) as f64);
        }
        let of = |player: usize| {
            let others = (0..self.worth.len()).filter(|coalition| coalition >> player & 1 == 0);
            let adds = |coalition: usize| {
                let contribution = self.worth[coalition | 1 << player] - self.worth[coalition];
                weights[coalition.count_ones() as usize] * contribution
            };
            others.map(adds).sum()
        };
        (0..self.players).map(of).collect()
    }

    /// The proper, nonempty coalition that could gain most by leaving, and its gain. `None` with a
    /// single player. O(2^n).
    pub fn worst_treated(&self, allocation: &[f64]) -> Option<(u32, f64)> {
        let mut gets = vec![0.0; self.worth.len()];
        let mut worst: Option<(u32, f64)> = None;
        for coalition in 1..self.worth.len() - 1 {
            let first = coalition.trailing_zeros() as usize;
            gets[coalition] = gets[coalition & (coalition - 1)] + allocation[first];
            let gain = self.worth[coalition] - gets[coalition];
            if worst.is_none_or(|(_, most)| gain > most) {
                worst = Some((coalition as u32, gain));
            }
        }
        worst
    }

    /// The least core and one allocation in it. The choice among several is deterministic.
    ///
    /// # Errors
    /// Fails if the linear programming solver fails.
    ///
    /// # Panics
    /// Panics with a single player.
    pub fn least_core(&self) -> Result<LeastCore, Unsolved> {
        assert!(self.players > 1, "one player has nobody to leave with");
        let scale = self.worth.iter().fold(0.0_f64, |most, worth| most.max(worth.abs()));
        if scale == 0.0 {
            return Ok(LeastCore { epsilon: 0.0, allocation: vec![0.0; self.players] });
        }
        let mut rows: Vec<u32> = (0..self.players).map(|player| 1 << player).collect();
        loop {
            let allocation = self.solve(&rows, scale)?;
            let (worst, epsilon) = self.worst_treated(&allocation).expect("there are several");
            if rows.contains(&worst) {
                return Ok(LeastCore { epsilon, allocation });
            }
            rows.push(worst);
        }
    }

    /// The allocation that minimizes the largest gain of the given coalitions. Everything is
    /// divided by `scale`, so the solver's tolerance is relative.
    fn solve(&self, rows: &[u32], scale: f64) -> Result<Vec<f64>, Unsolved> {
        const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut program = Problem::new(OptimizationDirection::Minimize);
        let epsilon = program.add_var(1.0, FREE);
        let gets: Vec<Variable> = (0..self.players).map(|_| program.add_var(0.0, FREE)).collect();
        let all: Vec<(Variable, f64)> = gets.iter().map(|&gets| (gets, 1.0)).collect();
        program.add_constraint(all.as_slice(), ComparisonOp::Eq, self.total() / scale);
        for &row in rows {
            let mut terms = vec![(epsilon, 1.0)];
            let members = all.iter().enumerate().filter(|&(player, _)| row >> player & 1 == 1);
            terms.extend(members.map(|(_, &term)| term));
            program.add_constraint(terms.as_slice(), ComparisonOp::Ge, self.worth(row) / scale);
        }
        let outcome = program.solve().map_err(|error| Unsolved(error.to_string()))?;
        let solution = outcome.solution().ok_or_else(|| Unsolved("it was interrupted".into()))?;
        Ok(gets.iter().map(|&gets| solution.var_value(gets) * scale).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use rand::RngExt as _;

    #[track_caller]
    fn check(game: &Coalitional, shapley: &[f64], epsilon: f64) {
        for (found, expected) in game.shapley().iter().zip(shapley) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(game.shapley().len(), shapley.len());
        let core = game.least_core().expect("it is solved");
        assert!((core.epsilon - epsilon).abs() < 1e-9, "{core:?}");
        let sum: f64 = core.allocation.iter().sum();
        assert!((sum - game.total()).abs() < 1e-9, "{core:?}");
        let (_, worst) = game.worst_treated(&core.allocation).expect("there are several");
        assert_eq!(worst, core.epsilon);
    }

    #[test]
    fn known_values_and_least_cores() {
        // Two players have a left glove, the third a right one; a pair is worth 1.
        let glove = Coalitional::new(3, |s| f64::from(s & 4 != 0 && s & 3 != 0));
        check(&glove, &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0], 0.0);
        let majority = Coalitional::new(3, |s| f64::from(s.count_ones() >= 2));
        check(&majority, &[1.0 / 3.0; 3], 1.0 / 3.0);
        let squares = Coalitional::new(3, |s| f64::from(s.count_ones().pow(2)));
        check(&squares, &[3.0; 3], -2.0);
        // A runway's cost is set by the largest plane: 1, 2 and 3.
        let airport = Coalitional::new(3, |s| -f64::from(u32::BITS - s.leading_zeros()));
        check(&airport, &[-1.0 / 3.0, -5.0 / 6.0, -11.0 / 6.0], -0.5);
    }

    /// If n players are worth n^2, single players are the worst treated when each gets n: 1 - n.
    #[test]
    fn sixteen_players_are_no_trouble() {
        let squares = Coalitional::new(16, |s| 1e-4 * f64::from(s.count_ones().pow(2)));
        check(&squares, &[16e-4; 16], -15e-4);
    }

    /// Random games against the full linear program and the mean over all orders.
    #[test]
    fn random_games_agree_with_all_rows_and_all_orders() {
        let mut rng = Streams::new(1).stream("coalitional");
        for players in [2, 3, 5, 6] {
            let worth: Vec<f64> = (0..1 << players)
                .map(|s: u32| if s == 0 { 0.0 } else { rng.random_range(-3.0..9.0) })
                .collect();
            let game = Coalitional::new(players, |s| worth[s as usize]);
            let all: Vec<u32> = (1..(1 << players) - 1).collect();
            let whole = game.solve(&all, 9.0).expect("it is solved");
            let (_, epsilon) = game.worst_treated(&whole).expect("there are several");
            let orders = orders(players);
            let mean = |player: usize| {
                let adds = |order: &Vec<usize>| {
                    let before = order.iter().take_while(|&&other| other != player);
                    let before = before.fold(0, |s, &other| s | 1 << other);
                    game.worth(before | 1 << player) - game.worth(before)
                };
                orders.iter().map(adds).sum::<f64>() / orders.len() as f64
            };
            check(&game, &(0..players).map(mean).collect::<Vec<_>>(), epsilon);
        }
    }

    fn orders(players: usize) -> Vec<Vec<usize>> {
        let Some(last) = players.checked_sub(1) else { return vec![Vec::new()] };
        let with = |order: Vec<usize>| {
            (0..players).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, last);
                longer
            })
        };
        orders(last).into_iter().flat_map(with).collect()
    }
}
