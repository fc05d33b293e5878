//! Games of many identical players with two choices, where only the number of each matters.
//!
//! Public goods, congestion on two roads, a coalition of equal clusters: n players need 2n numbers,
//! where a table would need n 2^n.

/// Payoff of each choice by the number of others that take the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// Payoffs by own choice, then by the number of others that take the second: 0 to n - 1.
    pays: [Vec<f64>; 2],
}

impl Counts {
    /// A game with this many players; `payoff` takes the own choice (0 or 1) and the number of
    /// others that take the second.
    ///
    /// # Panics
    /// Panics if there is no player.
    pub fn new(players: usize, payoff: impl Fn(u32, usize) -> f64) -> Counts {
        assert!(players > 0, "somebody plays");
        Counts { pays: [0, 1].map(|own| (0..players).map(|others| payoff(own, others)).collect()) }
    }

    /// A population that plays a symmetric two-player game: everybody meets everybody else and gets
    /// the mean payoff.
    ///
    /// # Panics
    /// Panics if there are fewer than two players.
    pub fn of_meetings(players: usize, pays: [[f64; 2]; 2]) -> Counts {
        assert!(players >= 2, "nobody meets itself");
        Counts::new(players, |own, others| {
            let [first, second] = pays[own as usize];
            let not = players - 1 - others;
            (not as f64 * first + others as f64 * second) / (players - 1) as f64
        })
    }

    /// The same game with the two choices exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Counts {
        let turned = |pays: &Vec<f64>| pays.iter().rev().copied().collect();
        Counts { pays: [turned(&self.pays[1]), turned(&self.pays[0])] }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.pays[0].len()
    }

    /// Payoff of a choice, given the number of others that take the second.
    pub fn payoff(&self, own: u32, others: usize) -> f64 {
        self.pays[own as usize][others]
    }

    /// Number of other players that take the second choice in a profile. O(n).
    pub(super) fn others(player: usize, profile: &[u32]) -> usize {
        second(profile) - profile[player] as usize
    }

    /// Fills a `Tally`: payoff of each choice (inner) to a player that currently plays the outer
    /// one.
    pub(super) fn tally(&self, profile: &[u32], pays: &mut Vec<f64>) {
        let second = second(profile);
        for own in 0..2 {
            // If nobody plays it, there is no such player.
            let others = second.checked_sub(own).filter(|&others| others < self.players());
            let instead = |choice: usize| others.map_or(f64::NAN, |k| self.pays[choice][k]);
            pays.extend([instead(0), instead(1)]);
        }
    }

    /// Expected payoff of each choice of a player against mixed strategies. The number of others
    /// that take the second has a Poisson-binomial distribution, built up player by player. O(n^2).
    pub(super) fn expected(&self, player: usize, mixed: &[Vec<f64>], out: &mut Vec<f64>) {
        let mut law = Vec::with_capacity(mixed.len());
        law.push(1.0);
        for (_, strategy) in mixed.iter().enumerate().filter(|&(other, _)| other != player) {
            law.push(0.0);
            for k in (1..law.len()).rev() {
                law[k] = law[k] * strategy[0] + law[k - 1] * strategy[1];
            }
            law[0] *= strategy[0];
        }
        let mean = |pays: &Vec<f64>| -> f64 {
            // Skip impossible counts, even if their payoff is infinite.
            let possible = law.iter().zip(pays).filter(|&(&weight, _)| weight > 0.0);
            possible.map(|(weight, pays)| weight * pays).sum()
        };
        out.extend(self.pays.iter().map(mean));
    }

    /// Numbers of players that take the second choice in pure equilibria, ascending: nobody gains
    /// by switching alone more than `near`. O(n).
    pub fn equilibria(&self, near: f64) -> Vec<usize> {
        (0..=self.players()).filter(|&taking| self.gain(taking) <= near).collect()
    }

    /// The most that a player gains by switching alone while so many take the second choice;
    /// negative if everybody would lose.
    pub fn gain(&self, taking: usize) -> f64 {
        let [first, second] = &self.pays;
        let leaves = taking.checked_sub(1).map(|others| first[others] - second[others]);
        let joins = (taking < self.players()).then(|| second[taking] - first[taking]);
        leaves.into_iter().chain(joins).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The sum of all payoffs while so many take the second choice.
    pub fn welfare(&self, taking: usize) -> f64 {
        let [first, second] = &self.pays;
        let joined = taking.checked_sub(1).map_or(0.0, |others| taking as f64 * second[others]);
        let out = self.players() - taking;
        joined + if out > 0 { out as f64 * first[taking] } else { 0.0 }
    }

    /// All payoffs.
    pub(super) fn all(&self) -> impl Iterator<Item = f64> {
        self.pays.iter().flatten().copied()
    }
}

/// Number of players that take the second choice.
fn second(profile: &[u32]) -> usize {
    profile.iter().map(|&choice| choice as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairwise::Pairwise;
    use crate::payoffs::{Payoffs, tests::agree_with_their_table};

    #[test]
    fn it_pays_as_its_table_does() {
        let game = |players| {
            Counts::new(players, |own, others| {
                let others = others as f64;
                if own == 0 { 0.3 * others - 1.0 } else { others * others - 2.5 * others + 0.7 }
            })
        };
        for players in [1, 2, 5] {
            agree_with_their_table(&Payoffs::Counts(game(players)));
        }
    }

    #[test]
    fn meetings_are_counted_and_choices_exchanged() {
        let pays = [[-0.5, 2.0], [0.25, 0.0]];
        let counts = Counts::of_meetings(4, pays);
        let meetings = Pairwise::new(4, 2, |own, other| pays[own as usize][other as usize]);
        let [ours, theirs] = [Payoffs::Counts(counts.clone()), Payoffs::Pairwise(meetings)]
            .map(|game| game.to_matrix().expect("it is small"));
        for profile in ours.profiles() {
            let other: Vec<u32> = profile.iter().map(|choice| 1 - choice).collect();
            for player in 0..4 {
                let payoff = ours.payoff(player, &profile);
                assert!((payoff - theirs.payoff(player, &profile)).abs() < 1e-15);
                let mirrored = Payoffs::Counts(counts.mirrored());
                assert_eq!(mirrored.payoff(player, &other), payoff);
            }
        }
    }

    /// A stag hunt that needs four of six, a road that takes two of six.
    #[test]
    fn equilibria_are_counted() {
        let hunt = Counts::new(6, |own, others| match (own, others) {
            (0, _) => 1.0,
            (_, 3..) => 2.0,
            _ => 0.0,
        });
        assert_eq!(hunt.equilibria(0.0), [0, 6]);
        let road = Counts::new(6, |own, others| if own == 0 { 0.0 } else { 1.5 - others as f64 });
        assert_eq!(road.equilibria(0.0), [2]);
        assert_eq!((hunt.gain(6), hunt.gain(3), road.gain(2)), (-1.0, 1.0, -0.5));
        let table = Payoffs::Counts(hunt.clone()).to_matrix().expect("it is small");
        for taking in 0..=6 {
            let profile = std::array::from_fn::<u32, 6, _>(|at| u32::from(at < taking));
            assert_eq!(hunt.welfare(taking), table.welfare(&profile));
        }
        assert_eq!(table.equilibria(), [vec![0; 6], vec![1; 6]]);
    }

    /// The mean of a binomial count by its closed form, for many players.
    #[test]
    fn many_players_are_no_trouble() {
        let players = 2000;
        let game = Counts::new(players, |own, others| f64::from(own) * others as f64);
        let mixed = vec![vec![0.75, 0.25]; players];
        let mut out = Vec::new();
        game.expected(7, &mixed, &mut out);
        assert_eq!(out[0], 0.0);
        assert!((out[1] - 0.25 * 1999.0).abs() < 1e-9, "{}", out[1]);
    }
}
