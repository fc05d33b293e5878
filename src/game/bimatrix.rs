//! All equilibria of a two-player game, pure and mixed.
//!
//! A mixed strategy of one player, divided by the payoff that the other's best reply gets, is a
//! point of a polytope. Its tight constraints are labels: own choices that are not played, and best
//! replies of the other. A pair of vertices is an equilibrium if together they have every label.
//! Enumerating the vertices finds every extreme equilibrium, also of degenerate games, whose other
//! equilibria are mixtures of extreme ones (von Stengel, *Computing equilibria for two-person
//! games*, Handbook of Game Theory 3, 2002; Avis, Rosenberg, Savani and von Stengel, *Enumeration of
//! Nash equilibria for two-player games*, Economic Theory 42, 2010). With m and n choices both
//! polytopes have at most C(m + n, m) vertices, each found by a linear system.

use super::matrix::Matrix;
use kernel::map::Map;
use kernel::order::InOrder as _;

/// Maximum number of choices of both players together.
pub const MOST_CHOICES: u32 = 64;
/// Maximum number of candidates for vertices of either polytope, C(m + n, m).
pub const MOST_CANDIDATES: u64 = 200_000;
/// Each player's payoffs are scaled to lie from 1 to 2; smaller differences count as rounding errors.
const NOTHING: f64 = 1e-11;
/// Two choices whose payoffs differ by less than this part of what they are sums of pay the same.
pub const TIE: f64 = 1e-12;

/// The extreme equilibria of a two-player game.
#[derive(Clone, Debug, PartialEq)]
pub struct Extreme {
    /// Mixed strategies by player, then by choice; pure equilibria first, then by the number of
    /// choices that are played.
    pub equilibria: Vec<[Vec<f64>; 2]>,
    /// True if a strategy has more best replies than choices that it plays: there may be infinitely
    /// many equilibria, which are mixtures of the extreme ones.
    pub is_degenerate: bool,
}

/// A vertex: its labels, and the strategy.
type Vertices = Map<u64, Vec<f64>>;

/// Finds all extreme equilibria; `None` if the game is too large.
///
/// # Panics
/// Panics unless there are two players.
pub fn extreme(game: &Matrix) -> Option<Extreme> {
    assert!(game.players() == 2, "it takes two");
    let [rows, columns] = [0, 1].map(|player| game.choices(player) as usize);
    if rows + columns > MOST_CHOICES as usize || candidates(rows, columns) > MOST_CANDIDATES {
        return None;
    }
    let scales = [0, 1].map(|player| {
        let (least, most) = game.range_of(player);
        (least, if most > least { most - least } else { 1.0 })
    });
    let pays = |player: usize, row: usize, column: usize| {
        let (least, scale) = scales[player];
        1.0 + (game.payoff(player, &[row as u32, column as u32]) - least) / scale
    };
    // The first player's labels come first in both polytopes.
    let (own, other) = ((1 << rows) - 1, ((1 << columns) - 1) << rows);
    let first = vertices(rows, columns, |row, column| pays(1, row, column));
    let second = vertices(columns, rows, |column, row| pays(0, row, column));
    let swapped = |labels: u64| (labels >> columns) | (labels << rows & other);
    let mut found: Vec<[Vec<f64>; 2]> = Vec::new();
    let mut is_degenerate = false;
    for (&labels, strategy) in &first {
        for (&others, reply) in &second {
            let is_labelled = labels | swapped(others) == own | other;
            if is_labelled && (0..2).all(|player| replies_best(game, player, [strategy, reply])) {
                is_degenerate |= labels.count_ones() as usize > rows;
                is_degenerate |= others.count_ones() as usize > columns;
                found.push([strategy.clone(), reply.clone()]);
            }
        }
    }
    let support = |strategy: &Vec<f64>| -> Vec<usize> {
        (0..strategy.len()).filter(|&choice| strategy[choice] > 0.0).collect()
    };
    found.order_by_key(|pair| {
        let played = [support(&pair[0]), support(&pair[1])];
        (played[0].len() + played[1].len(), played)
    });
    Some(Extreme { equilibria: found, is_degenerate })
}

/// True if no choice pays a player more than those that its strategy plays, by the payoffs as given.
fn replies_best(game: &Matrix, player: usize, strategies: [&Vec<f64>; 2]) -> bool {
    let other = strategies[1 - player];
    let pays = |choice: usize| {
        let terms = (0..other.len()).map(|reply| {
            let profile = if player == 0 { [choice, reply] } else { [reply, choice] };
            other[reply] * game.payoff(player, &profile.map(|choice| choice as u32))
        });
        terms.fold((0.0, 0.0), |(sum, size), term: f64| (sum + term, size + term.abs()))
    };
    let all: Vec<(f64, f64)> = (0..strategies[player].len()).map(pays).collect();
    all.iter()
        .zip(strategies[player])
        .filter(|&(_, &share)| share > 0.0)
        .all(|(&own, _)| all.iter().all(|&(sum, size)| sum - own.0 <= TIE * (size + own.1)))
}

/// C(m + n, m), or more than the maximum.
fn candidates(m: usize, n: usize) -> u64 {
    let step = |all: u64, k: u64| all.saturating_mul(n as u64 + k) / k;
    (1..=m as u64).fold(1, |all, k| if all > MOST_CANDIDATES { all } else { step(all, k) })
}

/// Vertices of {x >= 0, sum over own of x pays <= 1 for each choice of the other}, but for 0: their
/// labels (bits of the own choices that are not played, then of the other's best replies) and x
/// divided by its sum.
fn vertices(own: usize, other: usize, pays: impl Fn(usize, usize) -> f64) -> Vertices {
    let mut found = Vertices::new();
    for size in 1..=own.min(other) {
        for played in subsets(own, size) {
            for replies in subsets(other, size) {
                let rows = replies.iter().map(|&reply| {
                    played.iter().map(|&choice| pays(choice, reply)).chain([1.0]).collect()
                });
                let Some(weights) = solve(rows.collect()) else { continue };
                if weights.iter().any(|&weight| weight < -NOTHING) {
                    continue;
                }
                let mut point = vec![0.0; own];
                for (&choice, weight) in played.iter().zip(weights) {
                    point[choice] = if weight > NOTHING { weight } else { 0.0 };
                }
                let gets = |reply| (0..own).map(|choice| point[choice] * pays(choice, reply)).sum();
                let gets: Vec<f64> = (0..other).map(gets).collect();
                if gets.iter().any(|&gets| gets > 1.0 + NOTHING) {
                    continue;
                }
                let unplayed = (0..own).filter(|&choice| point[choice] == 0.0);
                let best = (0..other).filter(|&reply| gets[reply] >= 1.0 - NOTHING);
                let labels = unplayed.chain(best.map(|reply| own + reply));
                let labels = labels.fold(0, |labels, label| labels | 1_u64 << label);
                let sum: f64 = point.iter().sum();
                point.iter_mut().for_each(|weight| *weight /= sum);
                found.get_or_insert_with(labels, || point);
            }
        }
    }
    found
}

/// All subsets of 0..all with this many elements.
fn subsets(all: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let first = (size <= all).then(|| (0..size).collect());
    std::iter::successors(first, move |last: &Vec<usize>| {
        let at = (0..size).rfind(|&at| last[at] < all - size + at)?;
        let mut next = last.clone();
        next[at] += 1;
        (at + 1..size).for_each(|later| next[later] = next[later - 1] + 1);
        Some(next)
    })
}

/// Solves a linear system, whose rows end in the right-hand side, by Gaussian elimination with
/// partial pivoting. `None` if it is singular.
pub(super) fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = rows.len();
    for at in 0..size {
        let pivot = (at..size).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs()))?;
        rows.swap(at, pivot);
        if rows[at][at].abs() < NOTHING {
            return None;
        }
        let (above, below) = rows.split_at_mut(at + 1);
        let pivot = &above[at];
        for row in below {
            let factor = row[at] / pivot[at];
            (at..=size).for_each(|column| row[column] -= factor * pivot[column]);
        }
    }
    let mut found = vec![0.0; size];
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|later| rows[at][later] * found[later]).sum();
        found[at] = (rows[at][size] - known) / rows[at][at];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixed::{epsilon, standings};
    use crate::payoffs::Payoffs;
    use kernel::rng::Streams;
    use rand::RngExt as _;

    fn game(row: &[&[f64]], column: &[&[f64]]) -> Matrix {
        Matrix::new(&[row.len() as u32, row[0].len() as u32], |player, profile| {
            let pays = if player == 0 { row } else { column };
            pays[profile[0] as usize][profile[1] as usize]
        })
    }

    #[track_caller]
    fn check(game: &Matrix, expected: &[[&[f64]; 2]], is_degenerate: bool) {
        let found = extreme(game).expect("it is small");
        assert_eq!(found.equilibria.len(), expected.len(), "{found:?}");
        for (pair, expected) in found.equilibria.iter().zip(expected) {
            for (found, expected) in pair.iter().flatten().zip(expected.iter().copied().flatten()) {
                assert!((found - expected).abs() < 1e-12, "{pair:?}");
            }
        }
        assert_eq!(found.is_degenerate, is_degenerate);
    }

    #[test]
    fn textbook_games() {
        let hunt = game(&[&[4.0, 0.0], &[3.0, 2.0]], &[&[4.0, 3.0], &[0.0, 2.0]]);
        let third = [2.0 / 3.0, 1.0 / 3.0];
        check(
            &hunt,
            &[[&[1.0, 0.0], &[1.0, 0.0]], [&[0.0, 1.0], &[0.0, 1.0]], [&third, &third]],
            false,
        );
        let pennies = game(&[&[1.0, -1.0], &[-1.0, 1.0]], &[&[-1.0, 1.0], &[1.0, -1.0]]);
        check(&pennies, &[[&[0.5, 0.5], &[0.5, 0.5]]], false);
        let rock: [&[f64]; 3] = [&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]];
        let loses: [&[f64]; 3] = [&[0.0, 1.0, -1.0], &[-1.0, 0.0, 1.0], &[1.0, -1.0, 0.0]];
        let even = [1.0 / 3.0; 3];
        check(&game(&rock, &loses), &[[&even, &even]], false);
        // Von Stengel 2002, equation 2.1 and section 2.2: a game of 3 x 2 with three equilibria.
        let game = game(
            &[&[3.0, 3.0], &[2.0, 5.0], &[0.0, 6.0]],
            &[&[3.0, 2.0], &[2.0, 6.0], &[3.0, 1.0]],
        );
        check(
            &game,
            &[
                [&[1.0, 0.0, 0.0], &[1.0, 0.0]],
                [&[0.8, 0.2, 0.0], &[2.0 / 3.0, 1.0 / 3.0]],
                [&[0.0, 1.0 / 3.0, 2.0 / 3.0], &[1.0 / 3.0, 2.0 / 3.0]],
            ],
            false,
        );
    }

    /// The units of one player, or one huge penalty, make no ties of the other payoffs.
    #[test]
    fn payoffs_of_very_different_sizes() {
        let units = game(&[&[3e9, 0.0], &[5e9, 1e9]], &[&[3.0, 5.0], &[0.0, 1.0]]);
        check(&units, &[[&[0.0, 1.0], &[0.0, 1.0]]], false);
        for penalty in [1e3, 1e6, 1e9, 1e12] {
            let row: [&[f64]; 3] = [&[3.0, 0.0, -penalty], &[5.0, 1.0, -penalty], &[-penalty; 3]];
            let column: [&[f64]; 3] =
                [&[3.0, 5.0, -penalty], &[0.0, 1.0, -penalty], &[-penalty; 3]];
            let found = extreme(&game(&row, &column)).expect("it is small");
            let dilemma = [vec![0.0, 1.0, 0.0], vec![0.0, 1.0, 0.0]];
            let rest = [vec![0.0, 0.0, 1.0], vec![0.0, 0.0, 1.0]];
            let pure: Vec<_> = found
                .equilibria
                .iter()
                .filter(|pair| pair.iter().flatten().all(|x| x.fract() == 0.0))
                .collect();
            assert!(pure.contains(&&dilemma) && pure.contains(&&rest), "{penalty}: {found:?}");
            for pair in &found.equilibria {
                assert!(
                    *pair == dilemma || pair.iter().all(|one| one[2] > 0.0),
                    "{penalty}: {pair:?}"
                );
            }
        }
    }

    /// With equal payoffs every pure profile is extreme. Where the first player is indifferent
    /// between both rows against the left column, the ends of the segment are.
    #[test]
    fn degenerate_games_have_extreme_equilibria() {
        let flat = game(&[&[1.0, 1.0], &[1.0, 1.0]], &[&[1.0, 1.0], &[1.0, 1.0]]);
        let found = extreme(&flat).expect("it is small");
        assert!(found.is_degenerate && found.equilibria.len() == 4, "{found:?}");
        let segment = game(&[&[1.0, 0.0], &[1.0, 2.0]], &[&[1.0, 0.0], &[0.0, 1.0]]);
        let half: [&[f64]; 2] = [&[0.5, 0.5], &[1.0, 0.0]];
        let pure: [&[f64]; 2] = [&[1.0, 0.0], &[1.0, 0.0]];
        check(&segment, &[pure, [&[0.0, 1.0], &[0.0, 1.0]], half], true);
    }

    /// In random games nobody gains, pure equilibria are those of enumeration, and the number of
    /// equilibria is odd.
    #[test]
    fn random_games_have_an_odd_number_of_equilibria_without_gains() {
        let mut rng = Streams::new(1).stream("bimatrix");
        for (rows, columns) in [(1, 1), (1, 4), (2, 3), (3, 3), (4, 3), (5, 5), (6, 4)] {
            for _ in 0..20 {
                let pays: Vec<f64> =
                    (0..2 * rows * columns).map(|_| rng.random_range(-3.0..9.0)).collect();
                let game = Matrix::new(&[rows, columns], |player, profile| {
                    pays[(player as u32 * rows * columns + profile[0] * columns + profile[1])
                        as usize]
                });
                let found = extreme(&game).expect("it is small");
                assert!(found.equilibria.len() % 2 == 1 && !found.is_degenerate, "{game:?}");
                let pure = |pair: &&[Vec<f64>; 2]| pair.iter().flatten().all(|&x| x.fract() == 0.0);
                let pure = found.equilibria.iter().filter(pure).count();
                assert_eq!(pure, game.equilibria().len());
                let payoffs = Payoffs::Table(game);
                for pair in &found.equilibria {
                    assert!(epsilon(&standings(&payoffs, pair)) < 1e-9, "{pair:?}");
                }
            }
        }
    }

    /// The identity game of size n has 2^n - 1 equilibria: both mix evenly on the same choices.
    #[test]
    fn coordination_has_an_equilibrium_for_each_set_of_choices() {
        let game = Matrix::new(&[6, 6], |_, profile| f64::from(u8::from(profile[0] == profile[1])));
        assert_eq!(extreme(&game).expect("it is small").equilibria.len(), 63);
        let large = Matrix::new(&[12, 12], |_, _| 0.0);
        assert_eq!(extreme(&large), None);
        assert_eq!((candidates(3, 4), candidates(10, 10)), (35, 184_756));
    }
}
