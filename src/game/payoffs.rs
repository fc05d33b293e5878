//! What every profile of choices pays to each player, in the forms in which games are written.

use super::matrix::Matrix;

/// The payoffs of a finite game.
#[derive(Clone, Debug, PartialEq)]
pub enum Payoffs {
    /// A number for every profile and player.
    Table(Matrix),
}

impl Payoffs {
    /// How many play.
    pub fn players(&self) -> usize {
        match self {
            Payoffs::Table(matrix) => matrix.players(),
        }
    }

    /// How many choices a player has.
    pub fn choices(&self, player: usize) -> u32 {
        match self {
            Payoffs::Table(matrix) => matrix.choices(player),
        }
    }

    /// What a profile pays to a player.
    pub fn payoff(&self, player: usize, profile: &[u32]) -> f64 {
        match self {
            Payoffs::Table(matrix) => matrix.payoff(player, profile),
        }
    }

    /// What a profile would pay to a player with another choice of its own.
    pub fn payoff_instead(&self, player: usize, profile: &[u32], instead: u32) -> f64 {
        match self {
            Payoffs::Table(matrix) => matrix.payoff_instead(player, profile, instead),
        }
    }

    /// What each choice of a player pays while the others do what they do in the profile.
    pub fn instead(&self, player: usize, profile: &[u32], out: &mut Vec<f64>) {
        out.clear();
        match self {
            Payoffs::Table(matrix) => {
                let menu = 0..matrix.choices(player);
                out.extend(menu.map(|choice| matrix.payoff_instead(player, profile, choice)));
            }
        }
    }

    /// What each choice of a player pays in the mean while the others draw theirs by themselves,
    /// with the probabilities `mixed` (by player, then by choice).
    pub fn expected(&self, player: usize, mixed: &[Vec<f64>], out: &mut Vec<f64>) {
        out.clear();
        match self {
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

    /// The least and the largest payoff of anybody.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Payoffs::Table(matrix) => matrix.range(),
        }
    }
}
