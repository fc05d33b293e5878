//! Population games: everybody meets everybody else in a symmetric two-player game and gets the
//! mean payoff of these meetings.

/// A symmetric two-player game, played by many.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairwise {
    players: usize,
    choices: usize,
    /// Payoffs by own choice, then by the other's.
    pays: Vec<f64>,
}

impl Pairwise {
    /// A game with these numbers of players and choices; `payoff` takes the own choice and the
    /// other's.
    ///
    /// # Panics
    /// Panics if there are fewer than two players, or no choice.
    pub fn new(players: usize, choices: u32, payoff: impl Fn(u32, u32) -> f64) -> Pairwise {
        assert!(players >= 2, "nobody meets itself");
        assert!(choices > 0, "every player has a choice");
        let own = |own: u32| (0..choices).map(move |other| (own, other));
        let pays = (0..choices).flat_map(own).map(|(own, other)| payoff(own, other)).collect();
        Pairwise { players, choices: choices as usize, pays }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Number of choices of each player.
    pub fn choices(&self) -> u32 {
        self.choices as u32
    }

    /// Payoff of a choice in a meeting with another.
    pub fn meeting(&self, own: u32, other: u32) -> f64 {
        self.pays[own as usize * self.choices + other as usize]
    }

    /// Payoff of a choice against the others in a profile. O(n).
    pub(super) fn payoff(&self, player: usize, profile: &[u32], instead: u32) -> f64 {
        let mut counts = self.counts(profile);
        counts[profile[player] as usize] -= 1;
        self.mean(&counts, instead as usize)
    }

    /// Fills a `Tally`: payoff of each choice (inner) to a player that currently plays the outer
    /// one. O(n + K^3).
    pub(super) fn tally(&self, profile: &[u32], pays: &mut Vec<f64>) {
        let mut counts = self.counts(profile);
        for own in 0..self.choices {
            if counts[own] == 0 {
                // If nobody plays it, there is no such player.
                pays.extend(std::iter::repeat_n(f64::NAN, self.choices));
                continue;
            }
            counts[own] -= 1;
            pays.extend((0..self.choices).map(|instead| self.mean(&counts, instead)));
            counts[own] += 1;
        }
    }

    /// Number of players with each choice.
    fn counts(&self, profile: &[u32]) -> Vec<usize> {
        let mut counts = vec![0; self.choices];
        profile.iter().for_each(|&choice| counts[choice as usize] += 1);
        counts
    }

    /// Mean payoff against the others, counted by choice.
    fn mean(&self, others: &[usize], own: usize) -> f64 {
        let row = &self.pays[own * self.choices..][..self.choices];
        let met = others.iter().zip(row).filter(|&(&count, _)| count > 0);
        met.map(|(&count, pays)| count as f64 * pays).sum::<f64>() / (self.players - 1) as f64
    }

    /// Expected payoff of each choice of a player against mixed strategies: linear in those of the
    /// others. O(n K + K^2).
    pub(super) fn expected(&self, player: usize, mixed: &[Vec<f64>], out: &mut Vec<f64>) {
        let mut others = vec![0.0; self.choices];
        for (_, law) in mixed.iter().enumerate().filter(|&(other, _)| other != player) {
            others.iter_mut().zip(law).for_each(|(sum, probability)| *sum += probability);
        }
        out.extend((0..self.choices).map(|own| {
            let row = &self.pays[own * self.choices..][..self.choices];
            let met = others.iter().zip(row).filter(|&(&weight, _)| weight > 0.0);
            met.map(|(weight, pays)| weight * pays).sum::<f64>() / (self.players - 1) as f64
        }));
    }

    /// Payoffs of all meetings; a player's payoff lies between the smallest and the largest.
    pub(super) fn all(&self) -> impl Iterator<Item = f64> {
        self.pays.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payoffs::{Payoffs, tests::agree_with_their_table};

    #[test]
    fn it_pays_as_its_table_does() {
        let pays = [[3.0, -0.25, 1.0], [5.0, 1.0, 0.1], [0.0, 0.3, -7.0]];
        let pays = |own: u32, other: u32| pays[own as usize][other as usize];
        for (players, choices) in [(2, 2), (2, 3), (4, 3), (6, 2)] {
            agree_with_their_table(&Payoffs::Pairwise(Pairwise::new(players, choices, pays)));
        }
    }

    /// One hawk among three doves meets only doves; a dove meets one hawk and two doves.
    #[test]
    fn everybody_gets_the_mean_of_its_meetings() {
        let hawks = [[-0.5, 2.0], [0.0, 0.5]];
        let game = Pairwise::new(4, 2, |own, other| hawks[own as usize][other as usize]);
        let profile = [1, 0, 1, 1];
        assert_eq!(game.payoff(1, &profile, 0), 2.0);
        assert_eq!(game.payoff(0, &profile, 1), 1.0 / 3.0);
        assert_eq!(game.payoff(0, &profile, 0), 3.5 / 3.0);
        assert_eq!(game.meeting(1, 0), 0.0);
    }
}
