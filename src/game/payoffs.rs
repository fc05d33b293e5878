//! Payoffs of a game in the forms in which games are written.

use super::counts::Counts;
use super::matrix::Matrix;
use super::pairwise::Pairwise;

/// Payoffs of a finite game.
#[derive(Clone, Debug, PartialEq)]
pub enum Payoffs {
    /// A number for every profile and player.
    Table(Matrix),
    /// Many identical players with two choices: a number for every own choice and number of others
    /// that take the second.
    Counts(Counts),
    /// A symmetric two-player game, in which everybody meets everybody else.
    Pairwise(Pairwise),
}

/// Counts of a profile, computed once and shared by all players.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// For identical players: the payoff of each choice, by current choice. Otherwise empty.
    pays: Vec<f64>,
    choices: usize,
}

impl Payoffs {
    /// Number of players.
    pub fn players(&self) -> usize {
        match self {
            Payoffs::Table(matrix) => matrix.players(),
            Payoffs::Counts(counts) => counts.players(),
            Payoffs::Pairwise(pairwise) => pairwise.players(),
        }
    }

    /// Number of choices of a player.
    pub fn choices(&self, player: usize) -> u32 {
        match self {
            Payoffs::Table(matrix) => matrix.choices(player),
            Payoffs::Counts(_) => 2,
            Payoffs::Pairwise(pairwise) => pairwise.choices(),
        }
    }

    /// True if all players are identical except for their choices.
    pub fn are_alike(&self) -> bool {
        match self {
            Payoffs::Table(_) => false,
            Payoffs::Counts(_) | Payoffs::Pairwise(_) => true,
        }
    }

    /// Payoff of a profile to a player. O(n).
    pub fn payoff(&self, player: usize, profile: &[u32]) -> f64 {
        self.payoff_instead(player, profile, profile[player])
    }

    /// Payoff of a profile to a player if it took another choice instead. O(n).
    pub fn payoff_instead(&self, player: usize, profile: &[u32], instead: u32) -> f64 {
        match self {
            Payoffs::Table(matrix) => matrix.payoff_instead(player, profile, instead),
            Payoffs::Counts(counts) => counts.payoff(instead, Counts::others(player, profile)),
            Payoffs::Pairwise(pairwise) => pairwise.payoff(player, profile, instead),
        }
    }

    /// Payoff of each choice of a player against the others' choices in a profile.
    pub fn instead(&self, player: usize, profile: &[u32], out: &mut Vec<f64>) {
        let mut tally = Tally::default();
        self.count(profile, &mut tally);
        self.instead_of(&tally, player, profile, out);
    }

    /// Counts a profile for [`Payoffs::payoff_of`] and [`Payoffs::instead_of`]. O(n).
    pub fn count(&self, profile: &[u32], tally: &mut Tally) {
        tally.pays.clear();
        match self {
            Payoffs::Table(_) => {}
            Payoffs::Counts(counts) => counts.tally(profile, &mut tally.pays),
            Payoffs::Pairwise(pairwise) => pairwise.tally(profile, &mut tally.pays),
        }
        tally.choices = self.choices(0) as usize;
    }

    /// Like [`Payoffs::payoff_instead`] for a counted profile: O(1) if players are identical.
    pub fn payoff_of(&self, tally: &Tally, player: usize, profile: &[u32], instead: u32) -> f64 {
        match self {
            Payoffs::Table(matrix) => matrix.payoff_instead(player, profile, instead),
            Payoffs::Counts(_) | Payoffs::Pairwise(_) => {
                tally.pays[profile[player] as usize * tally.choices + instead as usize]
            }
        }
    }

    /// Like [`Payoffs::instead`] for a counted profile.
    pub fn instead_of(&self, tally: &Tally, player: usize, profile: &[u32], out: &mut Vec<f64>) {
        out.clear();
        let menu = 0..self.choices(player);
        out.extend(menu.map(|choice| self.payoff_of(tally, player, profile, choice)));
    }

    /// Expected payoff of each choice of a player against the others' mixed strategies. `mixed` is
    /// by player, then by choice. Tables are enumerated, counts take O(n^2), meetings O(n K).
    pub fn expected(&self, player: usize, mixed: &[Vec<f64>], out: &mut Vec<f64>) {
        out.clear();
        match self {
            Payoffs::Counts(counts) => counts.expected(player, mixed, out),
            Payoffs::Pairwise(pairwise) => pairwise.expected(player, mixed, out),
            Payoffs::Table(matrix) => {
                out.resize(matrix.choices(player) as usize, 0.0);
                for profile in matrix.profiles() {
                    let others = profile.iter().zip(mixed).enumerate();
                    let others = others.filter(|&(other, _)| other != player);
                    let weight: f64 =
                        others.map(|(_, (&choice, law))| law[choice as usize]).product();
                    if weight > 0.0 {
                        out[profile[player] as usize] += weight * matrix.payoff(player, &profile);
                    }
                }
            }
        }
    }

    /// Smallest and largest payoff of any player; for meetings, of any meeting.
    pub fn range(&self) -> (f64, f64) {
        let of = |pays: &mut dyn Iterator<Item = f64>| {
            let first = (f64::INFINITY, f64::NEG_INFINITY);
            pays.fold(first, |(least, most), pays| (least.min(pays), most.max(pays)))
        };
        match self {
            Payoffs::Table(matrix) => matrix.range(),
            Payoffs::Counts(counts) => of(&mut counts.all()),
            Payoffs::Pairwise(pairwise) => of(&mut pairwise.all()),
        }
    }

    /// Smallest and largest payoff of a player.
    pub fn range_of(&self, player: usize) -> (f64, f64) {
        match self {
            Payoffs::Table(matrix) => matrix.range_of(player),
            Payoffs::Counts(_) | Payoffs::Pairwise(_) => self.range(),
        }
    }

    /// The same game as a table; `None` if it has more than 2^24 payoffs.
    pub fn to_matrix(&self) -> Option<Matrix> {
        if let Payoffs::Table(matrix) = self {
            return Some(matrix.clone());
        }
        let choices: Vec<u32> = (0..self.players()).map(|player| self.choices(player)).collect();
        let first = choices.len() as u64;
        let all = choices.iter().fold(first, |all, &count| all.saturating_mul(count.into()));
        (all <= 1 << 24)
            .then(|| Matrix::new(&choices, |player, profile| self.payoff(player, profile)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Compares every way of asking with enumeration.
    pub(crate) fn agree_with_their_table(game: &Payoffs) {
        let table = Payoffs::Table(game.to_matrix().expect("it is small"));
        let Payoffs::Table(matrix) = &table else { unreachable!("it was made so") };
        let same = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        let (mut tally, mut ours, mut theirs) = (Tally::default(), Vec::new(), Vec::new());
        // Strategies of all kinds: pure ones, and a different one for each player.
        let mixed: Vec<Vec<f64>> = (0..game.players())
            .map(|player| {
                let weights: Vec<f64> = (0..game.choices(player))
                    .map(|choice| f64::from((choice + 2 * player as u32 + 1) % 4))
                    .collect();
                let sum: f64 = weights.iter().sum();
                weights.iter().map(|weight| weight / sum).collect()
            })
            .collect();
        for player in 0..game.players() {
            for profile in matrix.profiles() {
                game.count(&profile, &mut tally);
                game.instead_of(&tally, player, &profile, &mut ours);
                assert_eq!(ours.len(), game.choices(player) as usize);
                game.instead(player, &profile, &mut theirs);
                assert_eq!(ours, theirs);
                for choice in 0..game.choices(player) {
                    let mut other = profile.clone();
                    other[player] = choice;
                    same(ours[choice as usize], game.payoff(player, &other));
                    same(ours[choice as usize], matrix.payoff(player, &other));
                    same(ours[choice as usize], game.payoff_instead(player, &profile, choice));
                }
            }
            game.expected(player, &mixed, &mut ours);
            table.expected(player, &mixed, &mut theirs);
            assert_eq!(ours.len(), theirs.len());
            ours.iter().zip(&theirs).for_each(|(&a, &b)| same(a, b));
        }
        let (least, most) = game.range();
        assert!(matrix.profiles().all(|profile| {
            (0..game.players())
                .all(|player| (least..=most).contains(&matrix.payoff(player, &profile)))
        }));
    }
}
