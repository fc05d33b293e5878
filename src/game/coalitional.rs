//! Coalitional games: sharing the worth of the grand coalition.
//!
//! Players of a class are equal, so a coalition is told by its number of members of each class, and
//! equal players get equal shares: n players of c classes need no 2^n numbers. In a game whose players
//! all differ each is a class of its own, and coalition number s has player i if bit i of s is set.
//!
//! The Shapley value (Shapley, *A value for n-person games*, Contributions to the Theory of Games
//! II, 1953) gives each player its mean contribution over all orders of joining, the Banzhaf value
//! (Banzhaf, Rutgers Law Review 19, 1965) over all coalitions of the others; both are exact. The least
//! core (Maschler, Peleg and Shapley, *Geometric properties of the kernel, nucleolus, and related
//! solution concepts*, Mathematics of Operations Research 4, 1979) is the set of allocations that
//! minimize epsilon, the most that any coalition could gain by leaving; the core is empty exactly if
//! epsilon is above 0. The nucleolus (Schmeidler, SIAM Journal on Applied Mathematics 17, 1969) goes on
//! in it with the coalitions that could gain next most. Both are linear programs with one row for each
//! coalition. Rows are generated as needed: solve for some of them, then add the row of the
//! worst-treated coalition.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// A coalitional game: the worth of every coalition.
#[derive(Clone, Debug, PartialEq)]
pub struct Coalitional {
    /// Number of players of each class.
    sizes: Vec<usize>,
    /// Worth by coalition: by the number of members of each class, of which the first changes first.
    worth: Vec<f64>,
}

/// An allocation of the least core.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastCore {
    /// Gain of the worst-treated coalition by leaving; negative if all would lose.
    pub epsilon: f64,
    /// Payoff of each player of each class.
    pub allocation: Vec<f64>,
}

/// The linear program could not be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the least core was not found: {0}")]
pub struct Unsolved(String);

/// Maximum number of players: 20 have a million coalitions.
pub const MOST_PLAYERS: usize = 20;

/// Maximum number of coalitions.
pub const MOST_COALITIONS: usize = 1 << MOST_PLAYERS;

/// Maximum number of coalitions of which a nucleolus is found at once: 14 players.
pub const MOST_SETTLED: usize = 1 << 14;

/// Payoffs, divided by the largest worth, that differ by less count as equal in the nucleolus.
const EQUAL: f64 = 1e-9;

impl Coalitional {
    /// A game of players that all differ; `worth` takes a coalition, with player i in it if bit i is
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
        Coalitional::of_classes(&vec![1; players], |coalition| worth(coalition as u32))
    }

    /// A game of classes of equal players; `worth` takes the number of a coalition.
    ///
    /// # Panics
    /// Panics if a class is empty, there are more than [`MOST_COALITIONS`], a worth is not finite, or
    /// the worth of the empty coalition is not 0.
    pub fn of_classes(sizes: &[usize], worth: impl Fn(usize) -> f64) -> Coalitional {
        assert!(!sizes.is_empty() && !sizes.contains(&0), "every class has players");
        let all = sizes.iter().fold(1_usize, |all, size| all.saturating_mul(size + 1));
        assert!(all <= MOST_COALITIONS, "{all} coalitions");
        let worth: Vec<f64> = (0..all).map(worth).collect();
        assert!(worth[0] == 0.0, "nobody is worth nothing");
        assert!(worth.iter().all(|worth| worth.is_finite()), "every worth is finite");
        Coalitional { sizes: sizes.to_vec(), worth }
    }

    /// Number of classes; of players, if all differ.
    pub fn players(&self) -> usize {
        self.sizes.len()
    }

    /// Number of players of each class.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Number of coalitions, with the empty one.
    pub fn coalitions(&self) -> usize {
        self.worth.len()
    }

    /// Worth of a coalition.
    pub fn worth(&self, coalition: usize) -> f64 {
        self.worth[coalition]
    }

    /// Worth of the grand coalition.
    pub fn total(&self) -> f64 {
        self.worth[self.worth.len() - 1]
    }

    /// Members of each class in a coalition.
    pub fn counts(&self, coalition: usize) -> impl Iterator<Item = usize> {
        let mut rest = coalition;
        self.sizes.iter().map(move |size| {
            let count = rest % (size + 1);
            rest /= size + 1;
            count
        })
    }

    /// The coalition with one more member of a class is further by this.
    pub fn step(&self, class: usize) -> usize {
        self.sizes[..class].iter().map(|size| size + 1).product()
    }

    /// The Shapley value of a player of each class.
    pub fn shapley(&self) -> Vec<f64> {
        // Probability that exactly these players joined before, by their number: s! (n - s - 1)! /
        // n!, computed recursively.
        let players: usize = self.sizes.iter().sum();
        let mut weights = vec![1.0 / players as f64];
        for size in 1..players {
            let before = weights[size - 1];
            weights.push(before * size as f64 / (players - size) as f64);
        }
        self.value(|members| weights[members])
    }

    /// The Banzhaf value of a player of each class.
    pub fn banzhaf(&self) -> Vec<f64> {
        let players: usize = self.sizes.iter().sum();
        let weight = libm::exp2(1.0 - players as f64);
        self.value(|_| weight)
    }

    /// The mean of the contributions of a player of each class, by the weight of the others that are
    /// there before, whose number is given.
    fn value(&self, weight: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut values = vec![0.0; self.sizes.len()];
        let mut choose: Vec<Vec<f64>> = Vec::new();
        for size in &self.sizes {
            let mut row = vec![1.0];
            for taken in 0..*size {
                row.push(row[taken] * (size - taken) as f64 / (taken + 1) as f64);
            }
            choose.push(row);
        }
        let steps: Vec<usize> = (0..self.sizes.len()).map(|class| self.step(class)).collect();
        let mut counts = vec![0; self.sizes.len()];
        for coalition in 0..self.worth.len() {
            let members: usize = counts.iter().sum();
            let ways: f64 = counts.iter().zip(&choose).map(|(&count, row)| row[count]).product();
            for (class, &size) in
                self.sizes.iter().enumerate().filter(|&(at, &size)| counts[at] < size)
            {
                // As one of this class is not there before, the others are chosen among one less.
                let ways = ways * (size - counts[class]) as f64 / size as f64;
                let contribution = self.worth[coalition + steps[class]] - self.worth[coalition];
                values[class] += ways * weight(members) * contribution;
            }
            for (count, size) in counts.iter_mut().zip(&self.sizes) {
                *count = if *count < *size { *count + 1 } else { 0 };
                if *count > 0 {
                    break;
                }
            }
        }
        values
    }

    /// The sum of an allocation over the members of each coalition.
    fn gets(&self, allocation: &[f64]) -> Vec<f64> {
        let mut gets = vec![0.0];
        for (size, payoff) in self.sizes.iter().zip(allocation) {
            let before = gets.len();
            for at in before..before * (size + 1) {
                gets.push(gets[at - before] + payoff);
            }
        }
        gets
    }

    /// The proper, nonempty coalition that could gain most by leaving, and its gain. `None` with a
    /// single player. O(2^n).
    pub fn worst_treated(&self, allocation: &[f64]) -> Option<(usize, f64)> {
        self.worst(allocation, |_| true)
    }

    /// The same among the coalitions that are asked for.
    fn worst(&self, allocation: &[f64], is_asked: impl Fn(usize) -> bool) -> Option<(usize, f64)> {
        let gets = self.gets(allocation);
        let mut worst: Option<(usize, f64)> = None;
        let proper = 1..self.worth.len() - 1;
        let gains = self.worth.iter().zip(&gets).map(|(worth, gets)| worth - gets).enumerate();
        for (coalition, gain) in gains.filter(|(coalition, _)| proper.contains(coalition)) {
            if worst.is_none_or(|(_, most)| gain > most) && is_asked(coalition) {
                worst = Some((coalition, gain));
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
        assert!(self.worth.len() > 2, "one player has nobody to leave with");
        let mut program = Program::of(self);
        let (_, allocation) = program.least(&[], |_| true)?;
        let (_, epsilon) = self.worst_treated(&allocation).expect("there are several");
        Ok(LeastCore { epsilon, allocation })
    }

    /// The nucleolus: the payoff of a player of each class.
    ///
    /// # Errors
    /// Fails if the linear programming solver fails.
    ///
    /// # Panics
    /// Panics with a single player.
    pub fn nucleolus(&self) -> Result<Vec<f64>, Unsolved> {
        assert!(self.worth.len() > 2, "one player has nobody to leave with");
        let mut program = Program::of(self);
        // Coalitions whose excess can get no smaller, with it; all that they span have theirs too.
        let mut settled: Vec<(usize, f64)> = Vec::new();
        let mut span = Span::default();
        span.add(self.counts(self.worth.len() - 1));
        loop {
            let is_open = |coalition: usize| !span.has(self.counts(coalition));
            let (epsilon, allocation) = program.least(&settled, is_open)?;
            if span.rank() == self.sizes.len() {
                return Ok(allocation);
            }
            let gets = self.gets(&allocation);
            let slack = EQUAL * program.scale;
            let is_tight =
                |&coalition: &usize| self.worth[coalition] - gets[coalition] >= epsilon - slack;
            let tight: Vec<usize> =
                (1..self.worth.len() - 1).filter(is_tight).filter(|&one| is_open(one)).collect();
            let mut found = Vec::new();
            for coalition in tight {
                let most = program.most(coalition, epsilon, &settled, is_open)?;
                if most <= self.worth[coalition] - epsilon + slack {
                    found.push(coalition);
                }
            }
            if found.is_empty() {
                return Err(Unsolved("rounding errors hide which coalitions are settled".into()));
            }
            for coalition in found {
                if !span.has(self.counts(coalition)) {
                    span.add(self.counts(coalition));
                    settled.push((coalition, epsilon));
                }
            }
        }
    }
}

/// The linear programs of a game. Everything is divided by `scale`, so the solver's tolerance is
/// relative.
struct Program<'a> {
    game: &'a Coalitional,
    scale: f64,
    /// The coalitions that have a row.
    rows: Vec<usize>,
}

impl<'a> Program<'a> {
    fn of(game: &'a Coalitional) -> Program<'a> {
        let scale = game.worth.iter().fold(0.0_f64, |most, worth| most.max(worth.abs()));
        let rows = (0..game.sizes.len()).map(|class| game.step(class)).collect();
        Program { game, scale: if scale == 0.0 { 1.0 } else { scale }, rows }
    }

    /// The smallest excess that all open coalitions can keep to while the settled ones have theirs, and
    /// an allocation.
    fn least(
        &mut self,
        settled: &[(usize, f64)],
        is_open: impl Fn(usize) -> bool,
    ) -> Result<(f64, Vec<f64>), Unsolved> {
        loop {
            let allocation = self.solve(settled, &is_open, None)?;
            match self.game.worst(&allocation, &is_open) {
                Some((worst, _)) if !self.rows.contains(&worst) => self.rows.push(worst),
                worst => return Ok((worst.map_or(0.0, |(_, excess)| excess), allocation)),
            }
        }
    }

    /// The most that a coalition can get while no open one has more than this excess.
    fn most(
        &mut self,
        coalition: usize,
        epsilon: f64,
        settled: &[(usize, f64)],
        is_open: impl Fn(usize) -> bool,
    ) -> Result<f64, Unsolved> {
        loop {
            let allocation = self.solve(settled, &is_open, Some((coalition, epsilon)))?;
            match self.game.worst(&allocation, &is_open) {
                Some((worst, excess))
                    if excess > epsilon + EQUAL * self.scale && !self.rows.contains(&worst) =>
                {
                    self.rows.push(worst);
                }
                _ => return Ok(self.game.gets(&allocation)[coalition]),
            }
        }
    }

    /// Solves for the rows: the smallest excess, or the most of a coalition at a given one.
    fn solve(
        &self,
        settled: &[(usize, f64)],
        is_open: impl Fn(usize) -> bool,
        most: Option<(usize, f64)>,
    ) -> Result<Vec<f64>, Unsolved> {
        // With few rows the program has no bounds of its own.
        const FREE: (f64, f64) = (-1000.0, 1000.0);
        let (game, scale) = (self.game, self.scale);
        let direction = match most {
            None => OptimizationDirection::Minimize,
            Some(_) => OptimizationDirection::Maximize,
        };
        let mut program = Problem::new(direction);
        let bounds = most.map_or(FREE, |(_, epsilon)| (epsilon / scale, epsilon / scale));
        let epsilon = program.add_var(f64::from(u8::from(most.is_none())), bounds);
        let wanted: Vec<usize> = most
            .map_or(vec![0; game.sizes.len()], |(coalition, _)| game.counts(coalition).collect());
        let gets: Vec<Variable> =
            wanted.iter().map(|&count| program.add_var(count as f64, FREE)).collect();
        let terms = |coalition: usize| -> Vec<(Variable, f64)> {
            let terms = gets.iter().copied().zip(game.counts(coalition));
            terms
                .filter(|(_, count)| *count > 0)
                .map(|(gets, count)| (gets, count as f64))
                .collect()
        };
        let all = game.worth.len() - 1;
        for &(coalition, excess) in [(all, 0.0)].iter().chain(settled) {
            let is = (game.worth[coalition] - excess) / scale;
            program.add_constraint(terms(coalition).as_slice(), ComparisonOp::Eq, is);
        }
        for &row in self.rows.iter().filter(|&&row| is_open(row)) {
            let mut terms = terms(row);
            terms.push((epsilon, 1.0));
            program.add_constraint(terms.as_slice(), ComparisonOp::Ge, game.worth[row] / scale);
        }
        let outcome = program.solve().map_err(|error| Unsolved(error.to_string()))?;
        let solution = outcome.solution().ok_or_else(|| Unsolved("it was interrupted".into()))?;
        Ok(gets.iter().map(|&gets| solution.var_value(gets) * scale).collect())
    }
}

/// The linear span of vectors of whole numbers, in echelon form.
#[derive(Default)]
struct Span {
    rows: Vec<Vec<f64>>,
}

impl Span {
    fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The rest of a vector beyond the span; the leading entry of each row is 1.
    fn rest(&self, vector: impl Iterator<Item = usize>) -> Vec<f64> {
        let mut rest: Vec<f64> = vector.map(|entry| entry as f64).collect();
        for row in &self.rows {
            let lead = row.iter().position(|entry| *entry != 0.0).expect("no row is empty");
            let times = rest[lead];
            rest.iter_mut().zip(row).for_each(|(rest, entry)| *rest -= times * entry);
            rest[lead] = 0.0;
        }
        rest.iter_mut().filter(|rest| rest.abs() < EQUAL).for_each(|rest| *rest = 0.0);
        rest
    }

    fn has(&self, vector: impl Iterator<Item = usize>) -> bool {
        self.rest(vector).iter().all(|rest| *rest == 0.0)
    }

    fn add(&mut self, vector: impl Iterator<Item = usize>) {
        let mut rest = self.rest(vector);
        if let Some(&lead) = rest.iter().find(|entry| **entry != 0.0) {
            rest.iter_mut().for_each(|entry| *entry /= lead);
            self.rows.push(rest);
        }
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
            let all: Vec<usize> = (1..(1 << players) - 1).collect();
            let all = Program { game: &game, scale: 9.0, rows: all };
            let whole = all.solve(&[], |_| true, None).expect("it is solved");
            let (_, epsilon) = game.worst_treated(&whole).expect("there are several");
            let orders = orders(players);
            let mean = |player: usize| {
                let adds = |order: &Vec<usize>| {
                    let before = order.iter().take_while(|&&other| other != player);
                    let before = before.fold(0_usize, |s, &other| s | 1 << other);
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

    /// By hand: the glove game and the majority have one point in the least core; three players with
    /// pairs worth 1, 2 and 4 (Maschler, Peleg and Shapley's method on paper) and bankruptcy by the
    /// Talmud (Aumann and Maschler, Journal of Economic Theory 36, 1985): claims of 100, 200, 300.
    #[test]
    fn the_nucleolus_is_that_of_the_talmud() {
        let near = |found: &[f64], expected: &[f64]| {
            let off = found.iter().zip(expected).map(|(one, other)| (one - other).abs());
            assert!(off.fold(0.0, f64::max) < 1e-7, "{found:?} {expected:?}");
        };
        for (estate, shares) in [
            (100.0, [100.0 / 3.0, 100.0 / 3.0, 100.0 / 3.0]),
            (200.0, [50.0, 75.0, 75.0]),
            (300.0, [50.0, 100.0, 150.0]),
        ] {
            let game = Coalitional::new(3, |s| {
                let others = (0..3).filter(|player| s >> player & 1 == 0);
                let claims: f64 = others.map(|player| 100.0 * f64::from(player + 1)).sum();
                if s == 0 { 0.0 } else { (estate - claims).max(0.0) }
            });
            near(&game.nucleolus().expect("it is solved"), &shares);
        }
        let glove = Coalitional::new(3, |s| f64::from(s & 4 != 0 && s & 3 != 0));
        near(&glove.nucleolus().expect("it is solved"), &[0.0, 0.0, 1.0]);
        let nothing = Coalitional::new(3, |_| 0.0);
        near(&nothing.nucleolus().expect("it is solved"), &[0.0; 3]);
    }

    /// Random games of classes are those of all their players, each by itself.
    #[test]
    fn classes_are_many_equal_players() {
        let mut rng = Streams::new(2).stream("coalitional");
        for sizes in [vec![3], vec![2, 3], vec![1, 2, 2], vec![4, 1]] {
            let all: usize = sizes.iter().map(|size| size + 1).product();
            let worth: Vec<f64> =
                (0..all).map(|s| if s == 0 { 0.0 } else { rng.random_range(-3.0..9.0) }).collect();
            let game = Coalitional::of_classes(&sizes, |s| worth[s]);
            let class = |player: usize| {
                let ends = sizes.iter().scan(0, |end, size| {
                    *end += size;
                    Some(*end)
                });
                ends.take_while(|&end| end <= player).count()
            };
            let players: usize = sizes.iter().sum();
            let each = Coalitional::new(players, |s| {
                let members = (0..players).filter(|player| s >> player & 1 == 1);
                worth[members.map(|player| game.step(class(player))).sum::<usize>()]
            });
            let near = |found: &[f64], all: &[f64]| {
                for (player, one) in all.iter().enumerate() {
                    assert!((one - found[class(player)]).abs() < 1e-7, "{found:?} {all:?}");
                }
            };
            near(&game.shapley(), &each.shapley());
            near(&game.banzhaf(), &each.banzhaf());
            near(&game.nucleolus().expect("solved"), &each.nucleolus().expect("solved"));
            let [one, other] =
                [&game, &each].map(|game| game.least_core().expect("solved").epsilon);
            assert!((one - other).abs() < 1e-9, "{one} {other}");
            assert_eq!(game.counts(all - 1).collect::<Vec<_>>(), sizes);
        }
    }
}
