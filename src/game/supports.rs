//! Mixed equilibria of three and more players, support by support.
//!
//! A support says which choices each player takes. The choices that a player takes pay the same, which
//! gives as many equations as unknowns: polynomials, as others' probabilities are multiplied. They are
//! solved by Newton's method from several starts, and what is found is kept if nobody gains from any other
//! choice (Dickhaut and Kaplan, *A program for finding Nash equilibria*, The Mathematica Journal 1, 1991).
//! Supports with a choice that another one dominates there are left out (Porter, Nudelman and Shoham,
//! *Simple search methods for finding a Nash equilibrium*, Games and Economic Behavior 63, 2008).
//!
//! Nothing proves that a start leads to every solution of a support: what is found are equilibria, but
//! there may be more of them.

use std::ops::ControlFlow;

use super::bimatrix::{TIE, solve};
use super::matrix::Matrix;

/// Maximum number of supports of a game.
pub const MOST_SUPPORTS: u64 = 5000;
/// Starts of Newton's method in a support.
pub const STARTS: usize = 16;
/// Most steps from a start.
const STEPS: usize = 30;
/// Least probability of a choice that is taken.
const TAKEN: f64 = 1e-9;

/// Equilibria of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equilibria {
    /// Mixed strategies by player, then by choice; with fewer choices taken first.
    pub all: Vec<Vec<Vec<f64>>>,
    /// True if a choice that is not taken pays as much as those that are: there may be infinitely many
    /// equilibria.
    pub is_degenerate: bool,
}

/// Number of supports of a game with these numbers of choices; `None` if they are too many.
fn number(choices: &[u32]) -> Option<u64> {
    let of = |choices: u32| 1_u64.checked_shl(choices).map(|all| all - 1);
    let all = choices.iter().try_fold(1_u64, |all, &one| all.checked_mul(of(one)?));
    all.filter(|&all| all <= MOST_SUPPORTS)
}

/// Finds equilibria; `None` if the game is too large.
pub fn equilibria(game: &Matrix) -> Option<Equilibria> {
    let choices: Vec<u32> = (0..game.players()).map(|player| game.choices(player)).collect();
    let supports = number(&choices)?;
    let game = Scaled::new(game, &choices);
    let mut found = Equilibria::default();
    let mut sets: Vec<u64> = vec![1; choices.len()];
    let mut order: Vec<Vec<Vec<usize>>> = Vec::new();
    for _ in 0..supports {
        let taken = sets.iter().zip(&choices).map(|(&set, &all)| {
            (0..all as usize).filter(|&choice| set >> choice & 1 == 1).collect()
        });
        order.push(taken.collect());
        for (set, &all) in sets.iter_mut().zip(&choices).rev() {
            *set += 1;
            if *set >> all == 0 {
                break;
            }
            *set = 1;
        }
    }
    order.sort_by_key(|taken| taken.iter().map(Vec::len).sum::<usize>());
    for taken in &order {
        game.support(taken, &mut found);
    }
    Some(found)
}

/// A game whose payoffs span 0 to 1 for each player.
struct Scaled {
    choices: Vec<usize>,
    /// By player, then by profile, the last player's choice changing fastest.
    pays: Vec<Vec<f64>>,
}

impl Scaled {
    fn new(game: &Matrix, choices: &[u32]) -> Scaled {
        let pays = (0..choices.len()).map(|player| {
            let (least, most) = game.range_of(player);
            let span = if most > least { most - least } else { 1.0 };
            game.profiles().map(|profile| (game.payoff(player, &profile) - least) / span).collect()
        });
        Scaled { pays: pays.collect(), choices: choices.iter().map(|&one| one as usize).collect() }
    }

    /// Acts on each profile of some choices, given as indices into them, and on its place.
    fn each(&self, taken: &[Vec<usize>], mut act: impl FnMut(&[usize], usize)) {
        let mut profile = vec![0; taken.len()];
        loop {
            let place = profile.iter().zip(taken).zip(&self.choices);
            act(&profile, place.fold(0, |at, ((&own, taken), all)| at * all + taken[own]));
            let next = profile.iter_mut().zip(taken).rev().try_for_each(|(own, taken)| {
                *own = (*own + 1) % taken.len();
                if *own == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if next.is_continue() {
                return;
            }
        }
    }

    /// Expected payoff of each choice of a player against mixed strategies over all choices.
    fn expected(&self, player: usize, mixed: &[Vec<f64>]) -> Vec<f64> {
        let mut all = vec![0.0; self.choices[player]];
        let every: Vec<Vec<usize>> = self.choices.iter().map(|&all| (0..all).collect()).collect();
        self.each(&every, |profile, place| {
            let others =
                profile.iter().zip(mixed).enumerate().filter(|&(other, _)| other != player);
            let weight: f64 = others.map(|(_, (&choice, law))| law[choice]).product();
            all[profile[player]] += weight * self.pays[player][place];
        });
        all
    }

    /// True if some choice pays a player more than one that it takes, whatever the others take.
    fn is_dominated(&self, taken: &[Vec<usize>]) -> bool {
        (0..taken.len()).any(|player| {
            let all: Vec<usize> = (0..self.choices[player]).collect();
            let mut wider = taken.to_vec();
            wider[player] = all;
            // By own choice, the payoffs against all that the others may take.
            let mut rows = vec![Vec::new(); self.choices[player]];
            self.each(&wider, |profile, place| {
                rows[profile[player]].push(self.pays[player][place]);
            });
            let beats = |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(a, b)| a > b);
            taken[player].iter().any(|&own| rows.iter().any(|other| beats(other, &rows[own])))
        })
    }

    /// Adds the equilibria of a support.
    fn support(&self, taken: &[Vec<usize>], found: &mut Equilibria) {
        let more: usize = taken.iter().map(|taken| taken.len() - 1).sum();
        // More choices than the others' mixtures can make equal are taken only in degenerate games.
        let is_overfull = taken.iter().any(|taken| 2 * (taken.len() - 1) > more);
        if is_overfull || self.is_dominated(taken) {
            return;
        }
        let starts = if more == 0 { 1 } else { STARTS };
        for start in 0..starts {
            let Some(laws) = self.newton(taken, start) else { continue };
            let mut mixed: Vec<Vec<f64>> = self.choices.iter().map(|&all| vec![0.0; all]).collect();
            for ((mixed, taken), law) in mixed.iter_mut().zip(taken).zip(&laws) {
                taken.iter().zip(law).for_each(|(&choice, &share)| mixed[choice] = share);
            }
            let is_same = |other: &Vec<Vec<f64>>| {
                let pairs = other.iter().flatten().zip(mixed.iter().flatten());
                pairs.into_iter().all(|(one, other)| (one - other).abs() < 1e-7)
            };
            if found.all.iter().any(is_same) {
                continue;
            }
            let ties = (0..taken.len()).map(|player| self.tied(player, &mixed));
            let Some(ties) = ties.collect::<Option<Vec<usize>>>() else { continue };
            found.is_degenerate |= ties.iter().zip(taken).any(|(&ties, taken)| ties > taken.len());
            found.all.push(mixed);
        }
    }

    /// Number of a player's choices that pay most; `None` if it would gain.
    fn tied(&self, player: usize, mixed: &[Vec<f64>]) -> Option<usize> {
        let pays = self.expected(player, mixed);
        let own: f64 = pays.iter().zip(&mixed[player]).map(|(pays, share)| pays * share).sum();
        let best = pays.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let nothing = 1e3 * TIE;
        let ties = pays.iter().filter(|&&pays| pays >= best - nothing).count();
        (best - own <= nothing).then_some(ties)
    }

    /// Probabilities by player and choice that is taken, at which these pay each player the same.
    fn newton(&self, taken: &[Vec<usize>], start: usize) -> Option<Vec<Vec<f64>>> {
        let offsets: Vec<usize> = taken
            .iter()
            .scan(0, |at, taken| {
                let from = *at;
                *at += taken.len();
                Some(from)
            })
            .collect();
        let all: usize = taken.iter().map(Vec::len).sum();
        let size = all + taken.len();
        let mut point = begin(taken, start);
        point.resize(size, 0.5);
        for _ in 0..STEPS {
            let mut rows = vec![vec![0.0; size + 1]; size];
            self.each(taken, |profile, place| {
                let at = |player: usize| offsets[player] + profile[player];
                for player in 0..taken.len() {
                    let pays = self.pays[player][place];
                    let mut whole = pays;
                    for other in (0..taken.len()).filter(|&other| other != player) {
                        let rest = (0..taken.len()).filter(|&one| one != player && one != other);
                        let slope: f64 = pays * rest.map(|one| point[at(one)]).product::<f64>();
                        rows[at(player)][at(other)] += slope;
                        whole *= point[at(other)];
                    }
                    rows[at(player)][size] -= whole;
                }
            });
            for (player, (&from, taken)) in offsets.iter().zip(taken).enumerate() {
                for row in &mut rows[from..from + taken.len()] {
                    row[all + player] = -1.0;
                    row[size] += point[all + player];
                }
                rows[all + player][from..from + taken.len()].fill(1.0);
                let sum: f64 = point[from..from + taken.len()].iter().sum();
                rows[all + player][size] = 1.0 - sum;
            }
            let step = solve(rows)?;
            point.iter_mut().zip(&step).for_each(|(value, step)| *value += step);
            let length = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
            if point.iter().any(|value| value.abs() > 1e3) {
                return None;
            }
            if length < 1e-14 {
                break;
            }
        }
        if point[..all].iter().any(|&share| share < TAKEN) {
            return None;
        }
        let laws = offsets.iter().zip(taken).map(|(&from, taken)| {
            let law = &point[from..from + taken.len()];
            let sum: f64 = law.iter().sum();
            law.iter().map(|share| share / sum).collect()
        });
        Some(laws.collect())
    }
}

/// A start: even shares, then others that cover the mixtures evenly, by multiples of the golden ratio.
fn begin(taken: &[Vec<usize>], start: usize) -> Vec<f64> {
    let mut place = 0.0;
    let mut shares = Vec::new();
    for taken in taken {
        let own = (0..taken.len()).map(|_| {
            place += 1.0;
            let even = (start as f64 * (0.5 + place * 0.618_033_988_749_894_9)).fract();
            if start == 0 { 1.0 } else { -libm::log(1.0 - 0.98 * even - 0.01) }
        });
        let own: Vec<f64> = own.collect();
        let sum: f64 = own.iter().sum();
        shares.extend(own.iter().map(|one| one / sum));
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(game: &Matrix) -> Vec<Vec<Vec<f64>>> {
        equilibria(game).expect("it is small").all
    }

    /// Each of three wants to be the only one that takes something: it is worth 1, with others -1.
    #[test]
    fn three_who_want_to_be_alone() {
        let alone = |player: usize, profile: &[u32]| {
            let others = profile.iter().enumerate().filter(|&(other, _)| other != player);
            let is_alone = others.into_iter().all(|(_, &choice)| choice == 0);
            match (profile[player], is_alone) {
                (1, true) => 1.0,
                (1, false) => -1.0,
                _ => 0.0,
            }
        };
        let game = Matrix::new(&[2, 2, 2], alone);
        let all = found(&game);
        // One takes it; or all do with 1 - sqrt(1/2), as the others then leave it with 1/2; or two do with
        // 1/2, beside a third one that would get 1/4 - 3/4.
        let pure = all.iter().filter(|mixed| mixed.iter().flatten().all(|p| p.fract() == 0.0));
        assert_eq!(pure.count(), 3);
        let share = 1.0 - 0.5_f64.sqrt();
        let is_even =
            |mixed: &&Vec<Vec<f64>>| mixed.iter().all(|law| (law[1] - share).abs() < 1e-12);
        assert_eq!(all.iter().filter(is_even).count(), 1);
        let two = |mixed: &&Vec<Vec<f64>>| {
            mixed.iter().filter(|law| (law[1] - 0.5).abs() < 1e-12).count() == 2
        };
        assert_eq!((all.iter().filter(two).count(), all.len()), (3, 7), "{all:?}");
    }

    /// The game of McKelvey and McLennan (*The maximal number of regular totally mixed Nash equilibria*,
    /// Journal of Economic Theory 72, 1997) with nine equilibria, two of them totally mixed.
    #[test]
    fn two_by_two_by_two_can_have_nine() {
        let game = Matrix::new(&[2, 2, 2], |player, profile| match profile {
            [0, 0, 0] => [9.0, 8.0, 12.0][player],
            [1, 1, 0] => [9.0, 8.0, 2.0][player],
            [0, 1, 1] | [1, 0, 1] => [3.0, 4.0, 6.0][player],
            _ => 0.0,
        });
        let all = found(&game);
        let whole = all.iter().filter(|mixed| mixed.iter().flatten().all(|&share| share > 0.0));
        assert_eq!((all.len(), whole.count()), (9, 2), "{all:?}");
    }

    /// With two players the polytopes give the same equilibria.
    #[test]
    fn two_players_have_those_of_their_polytopes() {
        let draws = kernel::rng::Streams::new(5);
        let mut draws = draws.stream("games");
        for sizes in [[2, 2], [3, 3], [4, 3]] {
            for _ in 0..20 {
                use rand::Rng as _;
                let pays: Vec<f64> = (0..2 * sizes[0] * sizes[1])
                    .map(|_| f64::from(draws.next_u32()) / f64::from(u32::MAX))
                    .collect();
                let game = Matrix::new(&[sizes[0], sizes[1]], |player, profile| {
                    pays[player + 2 * (profile[0] * sizes[1] + profile[1]) as usize]
                });
                let polytopes = crate::bimatrix::extreme(&game).expect("it is small").equilibria;
                let all = found(&game);
                assert_eq!(all.len(), polytopes.len(), "{game:?}");
                for pair in polytopes {
                    let is_it = |mixed: &Vec<Vec<f64>>| {
                        let pairs = mixed.iter().flatten().zip(pair.iter().flatten());
                        pairs.into_iter().all(|(one, other)| (one - other).abs() < 1e-8)
                    };
                    assert!(all.iter().any(is_it), "{pair:?}");
                }
            }
        }
    }

    #[test]
    fn a_game_with_many_supports_is_too_large() {
        assert_eq!(number(&[2; 7]), Some(2187));
        assert_eq!(number(&[2; 8]), None);
        assert_eq!(number(&[70, 2]), None);
    }
}
