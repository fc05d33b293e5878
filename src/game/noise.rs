//! Noise on what a game pays: a payoff is drawn, and has the payoff of the game as its mean.

use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

use crate::kernel::rng::Rng;

/// How payoffs are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// With a normal deviation from the mean.
    Normal {
        /// The standard deviation, not negative.
        deviation: f64,
    },
    /// The largest or the least payoff of the game, with the probability that keeps the mean.
    Coin,
}

/// What was drawn for a player in a round. It is the same for everything that the player could
/// have done, so that these differ by what was done alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drawn {
    /// It is added.
    Added(f64),
    /// The coin falls high for payoffs above this share of the range.
    Share(f64),
}

impl Noise {
    /// Draws for a player.
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
    /// What a payoff becomes, in a game of this least and largest payoff.
    pub(super) fn on(self, payoff: f64, (least, most): (f64, f64)) -> f64 {
        match self {
            Drawn::Added(added) => payoff + added,
            Drawn::Share(share) if payoff - least > share * (most - least) => most,
            Drawn::Share(_) => least,
        }
    }
}
