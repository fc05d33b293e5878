//! Small games in normal form, solved by enumeration: dominance, best replies, pure equilibria,
//! social optima.

/// A finite game in normal form: the payoff of every profile to each player.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Number of choices, by player.
    choices: Vec<u32>,
    /// Payoffs by profile (the last player's choice varies fastest), then by player.
    payoffs: Vec<f64>,
}

/// Kind of dominance of one choice over another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dominance {
    /// It always pays more.
    Strict,
    /// It never pays less, and sometimes more.
    Weak,
}

impl Matrix {
    /// A game with these numbers of choices; `payoff` takes a player and a profile.
    ///
    /// # Panics
    /// Panics if a player has no choice, or there are more than 2^24 payoffs.
    pub fn new(choices: &[u32], payoff: impl Fn(usize, &[u32]) -> f64) -> Matrix {
        assert!(choices.iter().all(|&count| count > 0), "every player has a choice");
        let profiles = choices.iter().fold(1_u64, |all, &count| all.saturating_mul(count.into()));
        let all = profiles.saturating_mul(choices.len() as u64);
        assert!(all <= 1 << 24, "a game of {all} payoffs is too large");
        let mut matrix = Matrix { choices: choices.to_vec(), payoffs: Vec::new() };
        let mut payoffs = Vec::with_capacity(all as usize);
        for profile in matrix.profiles() {
            payoffs.extend((0..choices.len()).map(|player| payoff(player, &profile)));
        }
        matrix.payoffs = payoffs;
        matrix
    }

    /// A two-player game from the payoffs of the row player and of the column player.
    pub fn of_two<const R: usize, const C: usize>(pays: [[(f64, f64); C]; R]) -> Matrix {
        Matrix::new(&[R as u32, C as u32], |player, profile| {
            let (row, column) = pays[profile[0] as usize][profile[1] as usize];
            if player == 0 { row } else { column }
        })
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.choices.len()
    }

    /// Number of choices of a player.
    pub fn choices(&self, player: usize) -> u32 {
        self.choices[player]
    }

    /// Payoff of a profile to a player.
    pub fn payoff(&self, player: usize, profile: &[u32]) -> f64 {
        let place = profile.iter().zip(&self.choices);
        let at = place.fold(0, |at, (&choice, &count)| at * count as usize + choice as usize);
        self.payoffs[at * self.players() + player]
    }

    /// Payoff of a profile to a player if it took another choice instead.
    pub fn payoff_instead(&self, player: usize, profile: &[u32], instead: u32) -> f64 {
        let mut at = 0;
        for (other, (&choice, &count)) in profile.iter().zip(&self.choices).enumerate() {
            let choice = if other == player { instead } else { choice };
            at = at * count as usize + choice as usize;
        }
        self.payoffs[at * self.players() + player]
    }

    /// Smallest and largest payoff.
    pub fn range(&self) -> (f64, f64) {
        let first = (f64::INFINITY, f64::NEG_INFINITY);
        self.payoffs.iter().fold(first, |(least, most), &pays| (least.min(pays), most.max(pays)))
    }

    /// Smallest and largest payoff of a player.
    pub fn range_of(&self, player: usize) -> (f64, f64) {
        let own = self.profiles().map(|profile| self.payoff(player, &profile));
        own.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), pays| {
            (least.min(pays), most.max(pays))
        })
    }

    /// All profiles, the last player's choice varying fastest.
    pub fn profiles(&self) -> impl Iterator<Item = Vec<u32>> + use<> {
        let choices = self.choices.clone();
        let first = choices.iter().all(|&count| count > 0).then(|| vec![0; choices.len()]);
        std::iter::successors(first, move |profile: &Vec<u32>| {
            let mut next = profile.clone();
            for (choice, &count) in next.iter_mut().zip(&choices).rev() {
                *choice += 1;
                if *choice < count {
                    return Some(next);
                }
                *choice = 0;
            }
            None
        })
    }

    /// Dominance of `choice` over `other`, if any.
    pub fn dominates(&self, player: usize, choice: u32, other: u32) -> Option<Dominance> {
        let (mut is_never_equal, mut is_ever_better) = (true, false);
        for profile in self.profiles().filter(|profile| profile[player] == other) {
            let [more, less] =
                [choice, other].map(|entry| self.payoff(player, &with(&profile, player, entry)));
            if more < less || more.is_nan() || less.is_nan() {
                return None;
            }
            is_never_equal &= more > less;
            is_ever_better |= more > less;
        }
        match (is_never_equal, is_ever_better) {
            (true, _) => Some(Dominance::Strict),
            (false, true) => Some(Dominance::Weak),
            (false, false) => None,
        }
    }

    /// The choice that dominates all others of a player, if there is one; strict only if it
    /// dominates each of them strictly.
    pub fn dominant(&self, player: usize) -> Option<(u32, Dominance)> {
        (0..self.choices[player]).find_map(|choice| {
            let mut how = Dominance::Strict;
            for other in (0..self.choices[player]).filter(|&other| other != choice) {
                if self.dominates(player, choice, other)? == Dominance::Weak {
                    how = Dominance::Weak;
                }
            }
            Some((choice, how))
        })
    }

    /// Best replies of a player to the others' choices in a profile.
    pub fn best_replies(&self, player: usize, profile: &[u32]) -> Vec<u32> {
        let pays = |choice: u32| self.payoff(player, &with(profile, player, choice));
        let all = 0..self.choices[player];
        let most = all.clone().map(pays).fold(f64::NEG_INFINITY, f64::max);
        all.filter(|&choice| pays(choice) >= most).collect()
    }

    /// True for a Nash equilibrium: nobody gains by switching alone.
    pub fn is_equilibrium(&self, profile: &[u32]) -> bool {
        let stays = |player: usize| self.best_replies(player, profile).contains(&profile[player]);
        (0..self.players()).all(stays)
    }

    /// All pure equilibria, in the order of the profiles.
    pub fn equilibria(&self) -> Vec<Vec<u32>> {
        self.profiles().filter(|profile| self.is_equilibrium(profile)).collect()
    }

    /// Social welfare: the sum of all players' payoffs.
    pub fn welfare(&self, profile: &[u32]) -> f64 {
        (0..self.players()).map(|player| self.payoff(player, profile)).sum()
    }

    /// Social optima: the profiles with the highest welfare.
    pub fn optima(&self) -> Vec<Vec<u32>> {
        let most =
            self.profiles().map(|profile| self.welfare(&profile)).fold(f64::NEG_INFINITY, f64::max);
        self.profiles().filter(|profile| self.welfare(profile) >= most).collect()
    }
}

/// The profile with one player's choice replaced.
fn with(profile: &[u32], player: usize, choice: u32) -> Vec<u32> {
    let mut other = profile.to_vec();
    other[player] = choice;
    other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dilemma() -> Matrix {
        Matrix::of_two([[(3.0, 3.0), (0.0, 5.0)], [(5.0, 0.0), (1.0, 1.0)]])
    }

    #[test]
    fn in_the_dilemma_the_dominant_choices_are_worse_for_both() {
        let game = dilemma();
        assert_eq!(game.dominant(0), Some((1, Dominance::Strict)));
        assert_eq!(game.dominant(1), Some((1, Dominance::Strict)));
        assert_eq!(game.equilibria(), [[1, 1]]);
        assert_eq!(game.optima(), [[0, 0]]);
        assert_eq!(game.welfare(&[0, 1]), 5.0);
    }

    #[test]
    fn games_without_dominance_have_none_one_or_several_equilibria() {
        let hunt = Matrix::of_two([[(4.0, 4.0), (0.0, 3.0)], [(3.0, 0.0), (2.0, 2.0)]]);
        assert_eq!(hunt.equilibria(), [[0, 0], [1, 1]]);
        assert_eq!(hunt.dominant(0), None);
        let pennies = Matrix::of_two([[(1.0, -1.0), (-1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]]);
        assert!(pennies.equilibria().is_empty());
        assert_eq!(pennies.optima().len(), 4);
        let doves = Matrix::of_two([[(-0.5, -0.5), (2.0, 0.0)], [(0.0, 2.0), (0.0, 0.0)]]);
        assert_eq!(doves.equilibria(), [[0, 1], [1, 0]]);
    }

    #[test]
    fn weak_dominance_is_never_less_and_sometimes_more() {
        let game = Matrix::of_two([[(1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)]]);
        assert_eq!(game.dominates(0, 0, 1), Some(Dominance::Weak));
        assert_eq!(game.dominates(0, 1, 0), None);
        assert_eq!(game.dominates(1, 0, 1), None);
        assert_eq!(game.dominant(0), Some((0, Dominance::Weak)));
        assert_eq!(game.best_replies(0, &[1, 1]), [0, 1]);
    }

    /// Everybody gets the smallest number named. Naming the largest is best against anything, and
    /// any common number is an equilibrium.
    #[test]
    fn more_players_and_menus_of_different_lengths() {
        let game = Matrix::new(&[2, 2, 3], |player, profile| {
            let least = profile.iter().min().expect("three play");
            f64::from(*least) - if player == 2 { 0.1 * f64::from(profile[2]) } else { 0.0 }
        });
        assert_eq!(game.profiles().count(), 12);
        assert_eq!(game.payoff(2, &[1, 1, 2]), 0.8);
        assert_eq!(game.dominant(0), Some((1, Dominance::Weak)));
        assert_eq!(game.dominant(2), None);
        assert_eq!(game.optima(), [[1, 1, 1]]);
        assert!(game.is_equilibrium(&[1, 1, 1]) && game.is_equilibrium(&[0, 0, 0]));
        assert!(!game.is_equilibrium(&[0, 1, 1]));
    }
}
