//! Gradient ascent in two-player games with two choices each.
//!
//! IGA: each player moves the probability of its first choice along the gradient of its expected
//! payoff (Singh, Kearns and Mansour, *Nash convergence of gradient dynamics in general-sum games*,
//! UAI 2000). WoLF-IGA ("win or learn fast"): the player learns slowly while winning and fast while
//! losing, where winning means a higher payoff than its equilibrium strategy would get against the
//! same opponent; then play converges (Bowling and Veloso, *Multiagent learning using a variable
//! learning rate*, Artificial Intelligence 136, 2002). A step takes O(1); both players move
//! simultaneously, and probabilities are clipped to [0, 1].

use super::Dynamics;
use crate::payoffs::Payoffs;

/// Gradient ascent of two players; `time` is the step size eta.
#[derive(Clone, Copy, Debug)]
pub struct Gradient<'a> {
    game: &'a Payoffs,
    winning: f64,
    losing: f64,
    /// First-choice probabilities in the equilibrium that defines winning.
    equilibrium: [f64; 2],
}

impl<'a> Gradient<'a> {
    /// WoLF-IGA with these learning rates, as factors of the step size; IGA if they are equal.
    ///
    /// # Panics
    /// Panics unless the game has two players with two choices each.
    pub fn wolf(game: &'a Payoffs, winning: f64, losing: f64) -> Gradient<'a> {
        let is_small = game.players() == 2 && (0..2).all(|player| game.choices(player) == 2);
        assert!(is_small, "gradients are of two players with two choices each");
        Gradient { game, winning, losing, equilibrium: equilibrium(game) }
    }

    /// The equilibrium that defines winning: mixed if there is one, otherwise the first pure one.
    pub fn equilibrium(&self) -> [f64; 2] {
        self.equilibrium
    }
}

/// Payoff advantage of a player's first choice, given the other's probability of its first choice;
/// linear in that probability.
fn advantage(game: &Payoffs, player: usize, other: f64) -> f64 {
    let at = |theirs: u32| {
        let profile = |own: u32| if player == 0 { [own, theirs] } else { [theirs, own] };
        game.payoff(player, &profile(0)) - game.payoff(player, &profile(1))
    };
    other * at(0) + (1.0 - other) * at(1)
}

/// First-choice probabilities in an equilibrium.
fn equilibrium(game: &Payoffs) -> [f64; 2] {
    // The opponent's probability that makes a player indifferent.
    let indifferent = |player: usize| {
        let (at_0, at_1) = (advantage(game, player, 0.0), advantage(game, player, 1.0));
        (at_0.signum() != at_1.signum() && at_0 != 0.0 && at_1 != 0.0).then(|| at_0 / (at_0 - at_1))
    };
    if let (Some(second), Some(first)) = (indifferent(0), indifferent(1)) {
        return [first, second];
    }
    let pure = game.to_matrix().and_then(|matrix| matrix.equilibria().into_iter().next());
    let pure = pure.expect("a game of two by two has a pure equilibrium or one in which both mix");
    [0, 1].map(|player| if pure[player] == 0 { 1.0 } else { 0.0 })
}

impl Dynamics for Gradient<'_> {
    fn advance(&self, at: &mut [Vec<f64>], time: f64) {
        let now = [at[0][0], at[1][0]];
        for (player, shares) in at.iter_mut().enumerate() {
            let gradient = advantage(self.game, player, now[1 - player]);
            // The payoff is linear in the player's own probability.
            let is_winning = (now[player] - self.equilibrium[player]) * gradient > 0.0;
            let rate = if is_winning { self.winning } else { self.losing };
            shares[0] = (now[player] + time * rate * gradient).clamp(0.0, 1.0);
            shares[1] = 1.0 - shares[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::tests::{dilemma, hunt, pennies};

    fn radius(at: &[Vec<f64>]) -> f64 {
        libm::hypot(at[0][0] - 0.5, at[1][0] - 0.5)
    }

    fn start() -> Vec<Vec<f64>> {
        vec![vec![0.9, 0.1], vec![0.3, 0.7]]
    }

    #[test]
    fn iga_circles_at_the_border_of_matching_pennies() {
        let (game, mut at) = (pennies(), start());
        Gradient::wolf(&game, 1.0, 1.0).run(&mut at, 1e-3, 20_000, |_, _| {});
        assert!((radius(&at) - 0.5).abs() < 5e-3, "{}", radius(&at));
    }

    #[test]
    fn who_learns_fast_when_losing_comes_to_rest() {
        let (game, mut at) = (pennies(), start());
        let wolf = Gradient::wolf(&game, 1.0, 2.0);
        assert_eq!(wolf.equilibrium(), [0.5, 0.5]);
        wolf.run(&mut at, 1e-3, 200_000, |_, _| {});
        assert!(radius(&at) < 1e-5, "{}", radius(&at));
    }

    #[test]
    fn where_there_are_pure_equilibria_both_find_one() {
        for (game, from, to) in [(dilemma(), 0.9, 0.0), (hunt(), 0.7, 1.0), (hunt(), 0.6, 0.0)] {
            for rates in [[1.0, 1.0], [1.0, 2.0]] {
                let mut at = vec![vec![from, 1.0 - from]; 2];
                let climb = Gradient::wolf(&game, rates[0], rates[1]);
                climb.run(&mut at, 1e-3, 20_000, |_, _| {});
                assert_eq!([at[0][0], at[1][0]], [to, to]);
            }
        }
        let found = Gradient::wolf(&hunt(), 1.0, 1.0).equilibrium();
        assert!(found.iter().all(|share| (share - 2.0 / 3.0).abs() < 1e-15), "{found:?}");
    }
}
