//! Regret: the payoff that a player missed, in hindsight.
//!
//! External regret is the extra payoff of the best fixed choice, played in all rounds. Swap regret
//! is the gain from replacing each choice, in the rounds in which it was played, by the best one
//! for those rounds (Blum and Mansour, *From external to internal regret*, Journal of Machine
//! Learning Research 8, 2007). Play without external regret tends to coarse correlated equilibria,
//! without swap regret to correlated equilibria.

use serde::{Deserialize, Serialize};

use kernel::state_of_fields;

/// Cumulative regret of one player. O(K) for a round, K^2 numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Regret {
    rounds: u64,
    got: f64,
    /// Cumulative gain of the second choice over the first, in rounds in which the first was
    /// played.
    gains: Vec<f64>,
    choices: usize,
}

state_of_fields!(Regret { rounds, got, gains, choices });

impl Regret {
    /// Before the first round, for a menu of this size.
    pub fn new(choices: usize) -> Regret {
        Regret { rounds: 0, got: 0.0, gains: vec![0.0; choices * choices], choices }
    }

    /// Adds a round: the choice played, the payoff of each choice, and the actual payoff. Infinite
    /// payoffs must be clipped before.
    pub fn add(&mut self, played: usize, instead: &[f64], got: f64) {
        let row = &mut self.gains[played * self.choices..][..self.choices];
        row.iter_mut().zip(instead).for_each(|(gain, pays)| *gain += pays - got);
        self.got += got;
        self.rounds += 1;
    }

    /// Number of rounds.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Total payoff.
    pub fn got(&self) -> f64 {
        self.got
    }

    /// Total regret against a fixed choice.
    pub fn against(&self, choice: usize) -> f64 {
        self.gains.iter().skip(choice).step_by(self.choices.max(1)).sum()
    }

    /// Total external regret. It is negative if no fixed choice would have done as well.
    pub fn external(&self) -> f64 {
        let most = (0..self.choices).map(|choice| self.against(choice));
        most.reduce(f64::max).unwrap_or(0.0)
    }

    /// Total swap regret; never negative.
    pub fn swap(&self) -> f64 {
        let rows = self.gains.chunks(self.choices.max(1));
        rows.map(|row| row.iter().copied().fold(0.0, f64::max)).sum()
    }

    /// Mean of a total over the rounds; 0 before the first.
    pub fn per_round(&self, sum: f64) -> f64 {
        if self.rounds == 0 { 0.0 } else { sum / self.rounds as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::state::State as _;

    /// Three rounds of two choices, computed by hand.
    #[test]
    fn sums_are_those_by_hand() {
        let mut regret = Regret::new(2);
        assert_eq!((regret.external(), regret.swap(), regret.per_round(0.0)), (0.0, 0.0, 0.0));
        regret.add(0, &[1.0, 3.0], 1.0);
        regret.add(1, &[4.0, 0.0], 0.0);
        regret.add(1, &[0.0, 1.0], 1.0);
        // Always 0 pays 5, always 1 pays 4; it got 2. In rounds with choice 0, choice 1 gains 2; in
        // rounds with choice 1, choice 0 gains 4 - 1.
        assert_eq!((regret.against(0), regret.against(1)), (3.0, 2.0));
        assert_eq!((regret.external(), regret.swap(), regret.got()), (3.0, 5.0, 2.0));
        assert_eq!(regret.per_round(regret.external()), 1.0);
        let mut bytes = Vec::new();
        regret.save(&mut bytes);
        let mut rebuilt = Regret::new(2);
        rebuilt.load(&mut bytes.as_slice()).unwrap();
        assert_eq!(rebuilt, regret);
    }

    /// A player that always makes the best choice of the round beats every fixed choice.
    #[test]
    fn who_foresees_has_negative_external_and_no_swap_regret() {
        let mut regret = Regret::new(3);
        for round in 0..9 {
            let mut pays = [0.0; 3];
            pays[round % 3] = 1.0;
            regret.add(round % 3, &pays, 1.0);
        }
        assert_eq!((regret.external(), regret.swap()), (-6.0, 0.0));
    }
}
