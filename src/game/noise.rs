//! Payoff noise: a random payoff whose mean is the payoff of the game.

use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

use kernel::rng::Rng;

/// Distribution of payoffs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// Normal noise around the mean.
    Normal {
        /// Standard deviation, not negative.
        deviation: f64,
    },
    /// Either the largest or the smallest payoff of the game. The probabilities keep the mean.
    Coin,
}

/// A player's draw in a round. It is the same for all of the player's counterfactuals, so they
/// differ only through the choice (common random numbers).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drawn {
    /// Amount added to the payoff.
    Added(f64),
    /// Threshold: payoffs above this fraction of the range become the largest.
    Share(f64),
}

impl Noise {
    /// Draws the noise of a player.
    pub(super) fn draw(self, rng: &mut Rng) -> Drawn {
        match self {
            Noise::Normal { deviation } => {
                let standard: f64 = StandardNormal.sample(rng);
                Drawn::Added(deviation * standard)
            }
            Noise::Coin => Drawn::Share(rng.random::<f64>()),
        }
    }
}

impl Drawn {
    /// Applies the draw to a payoff, in a game with this smallest and largest payoff.
    pub(super) fn on(self, payoff: f64, (least, most): (f64, f64)) -> f64 {
        match self {
            Drawn::Added(added) => payoff + added,
            Drawn::Share(share) if payoff - least > share * (most - least) => most,
            Drawn::Share(_) => least,
        }
    }
}
