//! Coalitional games without side payments (nontransferable utility): the core by enumeration.
//!
//! A coalition can reach some vectors of payoffs, one payoff a member, and members cannot pay each
//! other. It *blocks* an outcome if it can reach more for each of its members. The core is what no
//! coalition blocks (Aumann and Peleg, *Von Neumann-Morgenstern solutions to cooperative games
//! without side payments*, Bulletin of the American Mathematical Society 66, 1960). With side
//! payments a coalition has a single worth: see [`coalitional`](super::coalitional).

use super::equity::Points;

/// Maximum number of players: each coalition holds a list of vectors.
pub const MOST_PLAYERS: usize = 12;

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
        let members = (0..self.players).filter(|player| coalition >> player & 1 == 1);
        let own: Vec<i64> = members.map(|player| payoffs[player]).collect();
        self.reach(coalition).iter().find(|reached| reached.iter().zip(&own).all(|(a, b)| a > b))
    }

    /// The first coalition that blocks an outcome, smaller ones first; `None` for an outcome of the
    /// core that all players together can reach.
    pub fn blocking(&self, payoffs: &[i64]) -> Option<u32> {
        let mut coalitions: Vec<u32> = (1..1 << self.players).collect();
        coalitions.sort_by_key(|coalition| coalition.count_ones());
        coalitions.into_iter().find(|&coalition| self.objection(coalition, payoffs).is_some())
    }

    /// The core: what all players together can reach and no coalition blocks. Takes as many
    /// comparisons as there are pairs of an outcome and a vector that a coalition can reach.
    pub fn core(&self) -> Points {
        let all = self.outcomes();
        Points::of(self.players, all.iter().filter(|payoffs| self.blocking(payoffs).is_none()))
    }
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
}
