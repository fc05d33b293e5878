//! Coalitional games without side payments (nontransferable utility): the core by enumeration.
//!
//! A coalition can reach some vectors of payoffs, one payoff a member, and members cannot pay each
//! other. It *blocks* an outcome if it can reach more for each of its members. The core is what no
//! coalition blocks (Aumann and Peleg, *Von Neumann-Morgenstern solutions to cooperative games
//! without side payments*, Bulletin of the American Mathematical Society 66, 1960). With side
//! payments a coalition has a single worth: see [`coalitional`](super::coalitional).

use std::cmp::Reverse;

use super::equity::{Points, pareto_front};
use kernel::order::InOrder as _;

/// Maximum number of players: each coalition holds a list of vectors.
pub const MOST_PLAYERS: usize = 12;

/// Distance of an outcome from the payoffs that a coalition could take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Squares of what members lack, added up. More than a member could take is no gap: it is no
    /// reason to leave.
    Short,
    /// Squares of all differences, added up: the Euclidean distance.
    Both,
}

/// Outcomes that are proposed one after the other, each in answer to who blocked the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// The payoffs of each outcome, the first proposal in front.
    pub outcomes: Points,
    /// The coalitions that blocked them; one less than outcomes unless the last is blocked too.
    pub blocking: Vec<u32>,
    /// Reason why there were no more.
    pub ending: Ending,
}

/// Reason why a sequence of answers ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nobody blocks the last outcome.
    Unblocked,
    /// The answer to the last objection is the outcome of this number, from 0, again.
    Again(usize),
    /// All players together can reach nothing that leaves each as well off as alone.
    Infeasible,
}

/// A game without side payments: the payoffs that each coalition can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ntu {
    players: usize,
    /// By coalition, in which player i is a member if bit i is set: the vectors of payoffs that it
    /// can reach, a number for each member in ascending order. The first stands for nobody.
    reach: Vec<Points>,
}

impl Ntu {
    /// A game; `reach` takes a coalition and returns what it can reach, at least the vectors that are
    /// not below others in every payoff.
    ///
    /// # Errors
    /// The first error of `reach`.
    ///
    /// # Panics
    /// Panics if there are no players or more than [`MOST_PLAYERS`], or a vector is not of a
    /// coalition's members.
    pub fn new<E>(
        players: usize,
        mut reach: impl FnMut(u32) -> Result<Points, E>,
    ) -> Result<Ntu, E> {
        assert!(
            (1..=MOST_PLAYERS).contains(&players),
            "1 to {MOST_PLAYERS} players, not {players}"
        );
        let mut all = vec![Points::new(1)];
        for coalition in 1..1_u32 << players {
            let points = reach(coalition)?;
            assert_eq!(points.width(), coalition.count_ones() as usize, "a payoff for each member");
            all.push(points);
        }
        Ok(Ntu { players, reach: all })
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Vectors of payoffs that a coalition can reach, a number for each member in ascending order.
    ///
    /// # Panics
    /// Panics without a member.
    pub fn reach(&self, coalition: u32) -> &Points {
        assert!(coalition != 0, "nobody reaches nothing");
        &self.reach[coalition as usize]
    }

    /// Outcomes that all players together can reach.
    pub fn outcomes(&self) -> &Points {
        self.reach.last().expect("there is a player")
    }

    /// The vector by which a coalition blocks an outcome, the first of several: more for each member.
    pub fn objection(&self, coalition: u32, payoffs: &[i64]) -> Option<&[i64]> {
        self.objections(coalition, payoffs).next()
    }

    /// The vector by which a coalition blocks an outcome and whose gains its members share best: the
    /// largest least gain, of several the largest second least, and so on; then the first one.
    pub fn fairest_objection(&self, coalition: u32, payoffs: &[i64]) -> Option<&[i64]> {
        let own = self.own(coalition, payoffs);
        let gains = |reached: &&[i64]| {
            let gains = reached.iter().zip(&own).map(|(reached, own)| reached - own);
            Reverse(ascending(gains.collect()))
        };
        self.objections(coalition, payoffs).min_by_key(gains)
    }

    /// All vectors by which a coalition blocks an outcome.
    fn objections(&self, coalition: u32, payoffs: &[i64]) -> impl Iterator<Item = &[i64]> {
        let own = self.own(coalition, payoffs);
        let gains = move |reached: &&[i64]| reached.iter().zip(&own).all(|(a, b)| a > b);
        self.reach(coalition).iter().filter(gains)
    }

    /// The payoffs of a coalition's members.
    fn own(&self, coalition: u32, payoffs: &[i64]) -> Vec<i64> {
        let members = (0..self.players).filter(|player| coalition >> player & 1 == 1);
        members.map(|player| payoffs[player]).collect()
    }

    /// The first coalition that blocks an outcome, smaller ones first; `None` for an outcome of the
    /// core that all players together can reach.
    pub fn blocking(&self, payoffs: &[i64]) -> Option<u32> {
        let mut coalitions: Vec<u32> = (1..1 << self.players).collect();
        coalitions.order_by_key(|coalition| coalition.count_ones());
        coalitions.into_iter().find(|&coalition| self.objection(coalition, payoffs).is_some())
    }

    /// The core: what all players together can reach and no coalition blocks. Takes as many
    /// comparisons as there are pairs of an outcome and a vector that a coalition can reach.
    pub fn core(&self) -> Points {
        let all = self.outcomes();
        Points::of(self.players, all.iter().filter(|payoffs| self.blocking(payoffs).is_none()))
    }

    /// The feasible outcomes: undominated ones by which nobody gets less than alone, sorted.
    pub fn feasible(&self) -> Points {
        let mut costs = Points::new(self.players);
        let mut turned = Vec::new();
        for payoffs in self.outcomes().iter() {
            turned.clear();
            turned.extend(payoffs.iter().map(|payoff| -payoff));
            costs.push(&turned);
        }
        let mut feasible = Points::new(self.players);
        for costs in pareto_front(costs).iter() {
            let payoffs: Vec<i64> = costs.iter().map(|cost| -cost).collect();
            if (0..self.players).all(|one| self.objection(1 << one, &payoffs).is_none()) {
                feasible.push(&payoffs);
            }
        }
        feasible.sorted()
    }

    /// The feasible outcome nearest to what a coalition's members wish: the answer to an objection
    /// without payments, as Rzadca, Trystram and Wierzbicki suggest (Fair Game-Theoretic Resource
    /// Management in Dedicated Grids, section 4.2). Only the members are compared. Of several the one
    /// with the largest least payoff over all players, then the largest second least, and so on; then
    /// the first one. `None` without a feasible outcome.
    ///
    /// Squares are chosen since sums of differences can leave one member with all of the gap, and the
    /// largest difference alone says nothing of the other members. All is exact in integers.
    ///
    /// # Panics
    /// Panics unless there is a wish for each member.
    pub fn nearest(&self, coalition: u32, wish: &[i64], gap: Gap) -> Option<Vec<i64>> {
        self.nearest_of(&self.feasible(), coalition, wish, gap).map(<[i64]>::to_vec)
    }

    /// The nearest of some outcomes.
    fn nearest_of<'o>(
        &self,
        outcomes: &'o Points,
        coalition: u32,
        wish: &[i64],
        gap: Gap,
    ) -> Option<&'o [i64]> {
        assert_eq!(wish.len(), coalition.count_ones() as usize, "a wish for each member");
        let distance = |payoffs: &[i64]| -> u128 {
            let own = self.own(coalition, payoffs);
            let lacks = wish.iter().zip(&own).map(|(wish, own)| match gap {
                Gap::Short => i128::from(*wish) - i128::from(*own.min(wish)),
                Gap::Both => i128::from(*wish) - i128::from(*own),
            });
            let squares = lacks.map(|lack| lack.unsigned_abs().saturating_pow(2));
            squares.fold(0, u128::saturating_add)
        };
        outcomes
            .iter()
            .min_by_key(|payoffs| (distance(payoffs), Reverse(ascending(payoffs.to_vec()))))
    }

    /// Answers objections until nobody blocks, or an outcome comes again. Each answer is the feasible
    /// outcome [nearest](Ntu::nearest) to the [fairest objection](Ntu::fairest_objection) of the first
    /// coalition that [blocks](Ntu::blocking). As there are finitely many outcomes, it ends.
    ///
    /// # Panics
    /// Panics unless there is a payoff for each player.
    pub fn answers(&self, proposal: &[i64], gap: Gap) -> Answers {
        let feasible = self.feasible();
        let mut outcomes = Points::of(self.players, [proposal]);
        let mut blocking = Vec::new();
        let ending = loop {
            let last = outcomes.at(outcomes.len() - 1);
            let Some(coalition) = self.blocking(last) else { break Ending::Unblocked };
            blocking.push(coalition);
            let wish = self.fairest_objection(coalition, last).expect("it blocks");
            let Some(answer) = self.nearest_of(&feasible, coalition, wish, gap) else {
                break Ending::Infeasible;
            };
            if let Some(before) = outcomes.iter().position(|one| one == answer) {
                break Ending::Again(before);
            }
            outcomes.push(answer);
        };
        Answers { outcomes, blocking, ending }
    }
}

/// Numbers in ascending order.
fn ascending(mut numbers: Vec<i64>) -> Vec<i64> {
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn game(players: usize, reach: impl Fn(u32) -> Vec<Vec<i64>>) -> Ntu {
        let points = |coalition: u32| -> Result<Points, Infallible> {
            let all = reach(coalition);
            let width = coalition.count_ones() as usize;
            Ok(Points::of(width, all.iter().map(|one| &one[..])))
        };
        match Ntu::new(players, points) {
            Ok(game) => game,
            Err(never) => match never {},
        }
    }

    /// Majorities of three may share 4 among them in any way: every division is blocked by the two
    /// that get less than 4 together, as with payments.
    #[test]
    fn majorities_that_share_have_an_empty_core() {
        let divisions = |members: usize| -> Vec<Vec<i64>> {
            let all = (0..5_i64).flat_map(|a| (0..5).map(move |b| (a, b)));
            match members {
                1 => vec![vec![0]],
                2 => (0..5).map(|a| vec![a, 4 - a]).collect(),
                _ => all.filter(|(a, b)| a + b <= 4).map(|(a, b)| vec![a, b, 4 - a - b]).collect(),
            }
        };
        let game = game(3, |coalition| divisions(coalition.count_ones() as usize));
        assert_eq!(game.blocking(&[2, 1, 1]), Some(0b110));
        assert_eq!(game.objection(0b110, &[2, 1, 1]), Some(&[2, 2][..]));
        assert_eq!(game.objection(0b101, &[2, 2, 0]), Some(&[3, 1][..]));
        assert_eq!(game.objection(0b011, &[2, 2, 0]), None);
        assert!(game.core().is_empty());
    }

    /// Marriages of two men and two women with opposite wishes: both pairings are stable.
    #[test]
    fn stable_pairings_are_the_core() {
        // Payoffs 2 with the first choice, 1 with the second, 0 alone. Men 0 and 1, women 2 and 3.
        let wish = |one: usize, other: usize| -> i64 {
            let first = [2, 3, 1, 0];
            if first[one] == other { 2 } else { 1 }
        };
        let pairings = [[(0, 2), (1, 3)], [(0, 3), (1, 2)]];
        let paid = |pairing: &[(usize, usize); 2]| -> Vec<i64> {
            let mut payoffs = vec![0; 4];
            for &(man, woman) in pairing {
                (payoffs[man], payoffs[woman]) = (wish(man, woman), wish(woman, man));
            }
            payoffs
        };
        let game = game(4, |coalition| {
            let members: Vec<usize> = (0..4).filter(|one| coalition >> one & 1 == 1).collect();
            match members[..] {
                [man @ 0..=1, woman @ 2..=3] => vec![vec![wish(man, woman), wish(woman, man)]],
                [_, _, _, _] => pairings.iter().map(paid).collect(),
                _ => vec![vec![0; members.len()]],
            }
        });
        assert_eq!(game.core().iter().collect::<Vec<_>>(), [[2, 2, 1, 1], [1, 1, 2, 2]]);
        assert_eq!(game.blocking(&[0, 2, 1, 0]), Some(0b1001));
    }

    /// Random games of three players who gain at least 0 alone, against the definition word by word.
    #[test]
    fn answers_are_their_definition() {
        use kernel::rng::Streams;
        use rand::RngExt as _;
        let (mut unblocked, mut again, mut infeasible) = (0, 0, 0);
        for number in 0..300 {
            let mut rng = Streams::new(9).in_replication(number).stream("ntu");
            let mut all = vec![Vec::new(); 8];
            for (coalition, vectors) in all.iter_mut().enumerate().skip(1) {
                let members = coalition.count_ones();
                let mut one = |count: u32| -> Vec<i64> {
                    (0..count).map(|_| rng.random_range(-1..7)).collect()
                };
                *vectors = match members {
                    1 => vec![vec![0]],
                    2 => (0..3).map(|_| one(2)).collect(),
                    _ => (0..=number % 12).map(|_| one(3)).collect(),
                };
            }
            let game = game(3, |coalition| all[coalition as usize].clone());
            let dominates = |a: &[i64], b: &[i64]| a != b && a.iter().zip(b).all(|(a, b)| a >= b);
            let is_feasible = |one: &&Vec<i64>| {
                one.iter().all(|&payoff| payoff >= 0) && !all[7].iter().any(|b| dominates(b, one))
            };
            let mut feasible: Vec<Vec<i64>> = all[7].iter().filter(is_feasible).cloned().collect();
            feasible.sort();
            feasible.dedup();
            assert!(game.feasible().iter().eq(feasible.iter().map(|one| &one[..])));
            for gap in [Gap::Short, Gap::Both] {
                let answers = game.answers(&all[7][0], gap);
                for (step, &coalition) in answers.blocking.iter().enumerate() {
                    let last = answers.outcomes.at(step);
                    assert_eq!(game.blocking(last), Some(coalition));
                    let wish = game.fairest_objection(coalition, last).unwrap();
                    let members: Vec<usize> =
                        (0..3).filter(|player| coalition >> player & 1 == 1).collect();
                    // No other objection has a larger least gain.
                    let least = |wish: &[i64]| {
                        members.iter().zip(wish).map(|(&one, wish)| wish - last[one]).min()
                    };
                    assert!(least(wish) > Some(0));
                    let others = all[coalition as usize].iter();
                    assert!(others.map(|other| least(other)).all(|other| other <= least(wish)));
                    // No feasible outcome is nearer, and of those as near none is fairer.
                    let key = |payoffs: &[i64]| {
                        let lack = members.iter().zip(wish).map(|(&one, wish)| {
                            let lack = wish - payoffs[one];
                            if gap == Gap::Short && lack < 0 { 0 } else { lack * lack }
                        });
                        let mut rising = payoffs.to_vec();
                        rising.sort_unstable();
                        (lack.sum::<i64>(), Reverse(rising))
                    };
                    let expected = feasible.iter().min_by_key(|one| key(one));
                    let answer = game.nearest(coalition, wish, gap);
                    assert_eq!(answer.as_ref(), expected);
                    let next = match (answers.ending, answers.outcomes.len() - step) {
                        (Ending::Again(before), 1) => Some(answers.outcomes.at(before)),
                        (_, 1) => None,
                        _ => Some(answers.outcomes.at(step + 1)),
                    };
                    assert_eq!(answer.as_deref(), next);
                }
                let last = answers.outcomes.at(answers.outcomes.len() - 1);
                let is_blocked = game.blocking(last).is_some();
                assert_eq!(is_blocked, answers.ending != Ending::Unblocked);
                let mut seen: Vec<&[i64]> = answers.outcomes.iter().collect();
                seen.sort_unstable();
                assert!(seen.is_sorted_by(|a, b| a < b), "no outcome comes twice");
                match answers.ending {
                    Ending::Unblocked => unblocked += 1,
                    Ending::Again(_) => again += 1,
                    Ending::Infeasible => infeasible += 1,
                }
            }
        }
        assert!(
            unblocked > 50 && again > 20 && infeasible > 20,
            "{unblocked} {again} {infeasible}"
        );
    }

    /// More than a member asked for is no gap, unless all differences count.
    #[test]
    fn a_gift_is_no_gap() {
        let game = game(2, |coalition| match coalition.count_ones() {
            1 => vec![vec![0]],
            _ => vec![vec![3, 0], vec![1, 9]],
        });
        assert_eq!(game.nearest(0b11, &[1, 2], Gap::Short), Some(vec![1, 9]));
        assert_eq!(game.nearest(0b11, &[1, 2], Gap::Both), Some(vec![3, 0]));
        // Equally near for its one member: the fairer for all.
        assert_eq!(game.nearest(0b01, &[0], Gap::Short), Some(vec![1, 9]));
        let answers = game.answers(&[3, 0], Gap::Short);
        assert_eq!((answers.ending, answers.outcomes.len()), (Ending::Unblocked, 1));
    }
}
