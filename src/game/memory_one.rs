//! Memory-one strategies for repeated games with two choices.
//!
//! A strategy gives the probability to cooperate after each of the four outcomes of the last round
//! (Nowak and Sigmund, *A strategy of win-stay, lose-shift that outperforms tit-for-tat in the
//! Prisoner's Dilemma game*, Nature 364, 1993). With a given error probability a player does the
//! opposite. Two such strategies form a Markov chain with four states, whose stationary
//! distribution determines long-run play; with errors it does not depend on the first round. O(1).

use super::markov;
use super::payoffs::Payoffs;

/// Probabilities to cooperate after mutual cooperation, after only the own, after only the other's,
/// and after neither.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryOne(pub [f64; 4]);

impl MemoryOne {
    /// Tit for tat: repeats the other player's choice.
    pub const TIT_FOR_TAT: MemoryOne = MemoryOne([1.0, 0.0, 1.0, 0.0]);
    /// Win-stay, lose-shift: cooperates if both made the same choice.
    pub const WIN_STAY: MemoryOne = MemoryOne([1.0, 0.0, 0.0, 1.0]);
    /// Grim trigger: cooperates until anybody defects.
    pub const GRIM: MemoryOne = MemoryOne([1.0, 0.0, 0.0, 0.0]);
    /// Always cooperates.
    pub const ALWAYS: MemoryOne = MemoryOne([1.0; 4]);
    /// Never cooperates.
    pub const NEVER: MemoryOne = MemoryOne([0.0; 4]);

    /// Generous tit for tat, which forgives a defection with this probability.
    pub const fn generous(forgives: f64) -> MemoryOne {
        MemoryOne([1.0, forgives, 1.0, forgives])
    }

    /// Probabilities to cooperate and to defect with errors, by outcome. The second is not computed
    /// from the first, which would lose the digits of a small error.
    fn erring(self, error: f64) -> [[f64; 2]; 4] {
        let with = |does: f64, not: f64| does * (1.0 - error) + not * error;
        self.0.map(|p| [with(p, 1.0 - p), with(1.0 - p, p)])
    }
}

/// Long-run play of two strategies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Shares of rounds in which both cooperate, only the first does, only the second, neither.
    pub shares: [f64; 4],
}

impl Meeting {
    /// Long-run play of two strategies with an error probability in each round; `None` if without
    /// errors it depends on the first round.
    pub fn of(first: MemoryOne, second: MemoryOne, error: f64) -> Option<Meeting> {
        let (first, second) = (first.erring(error), second.erring(error));
        // The second player sees the two middle outcomes swapped.
        let seen = [0, 2, 1, 3];
        let row = |state: usize| {
            let ([p, not_p], [q, not_q]) = (first[state], second[seen[state]]);
            let to = [p * q, p * not_q, not_p * q, not_p * not_q];
            to.map(libm::log).to_vec()
        };
        let law = markov::stationary((0..4).map(row).collect())?;
        Some(Meeting { shares: [law[0], law[1], law[2], law[3]] })
    }

    /// Cooperation rate of each player.
    pub fn cooperation(&self) -> [f64; 2] {
        let [both, first, second, _] = self.shares;
        [both + first, both + second]
    }

    /// Mean payoff of each player in a game of two players with two choices, of which these
    /// cooperate.
    pub fn payoffs(&self, game: &Payoffs, [first, second]: [u32; 2]) -> [f64; 2] {
        let profiles =
            [[first, second], [first, 1 - second], [1 - first, second], [1 - first, 1 - second]];
        [0, 1].map(|player| {
            let parts = self.shares.iter().zip(&profiles);
            parts.map(|(share, profile)| share * game.payoff(player, profile)).sum()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::tests::dilemma;

    /// Self-play with 5 % errors, to the known digits.
    #[test]
    fn who_meets_itself_with_errors() {
        let cases = [
            (MemoryOne::TIT_FOR_TAT, 0.5, 2.25),
            (MemoryOne::WIN_STAY, 0.8645, 2.7765),
            (MemoryOne::generous(1.0 / 3.0), 0.875, 2.859),
            (MemoryOne::GRIM, 0.0725, 1.1925),
        ];
        for (strategy, cooperation, payoff) in cases {
            let meeting = Meeting::of(strategy, strategy, 0.05).expect("there are errors");
            for player in 0..2 {
                let (cooperates, gets) =
                    (meeting.cooperation()[player], meeting.payoffs(&dilemma(), [0, 0])[player]);
                assert!((cooperates - cooperation).abs() <= 5e-5, "{strategy:?} {cooperates}");
                assert!((gets - payoff).abs() <= 5e-4, "{strategy:?} {gets}");
            }
        }
        for error in [1e-9, 0.001, 0.3] {
            let meeting = Meeting::of(MemoryOne::TIT_FOR_TAT, MemoryOne::TIT_FOR_TAT, error);
            let meeting = meeting.expect("there are errors");
            assert!((meeting.cooperation()[0] - 0.5).abs() < 1e-12, "any error does that");
            assert!((meeting.payoffs(&dilemma(), [0, 0])[0] - 2.25).abs() < 1e-12);
        }
    }

    /// Win-stay, lose-shift cooperates every other round against a permanent defector: it gets (S +
    /// P) / 2, and the defector gets (T + P) / 2 = 3, as much as the others get among themselves. 2
    /// R = T + P is the border of its stability.
    #[test]
    fn win_stay_is_only_just_stable_here() {
        let [wins, never] = Meeting::of(MemoryOne::WIN_STAY, MemoryOne::NEVER, 1e-12)
            .expect("there are errors")
            .payoffs(&dilemma(), [0, 0]);
        assert!((wins - 0.5).abs() < 1e-9 && (never - 3.0).abs() < 1e-9, "{wins} {never}");
    }

    #[test]
    fn without_errors_there_may_be_no_single_answer() {
        let twins = Meeting::of(MemoryOne::TIT_FOR_TAT, MemoryOne::TIT_FOR_TAT, 0.0);
        assert_eq!(twins, None);
        // The first always cooperates, the second never: by hand.
        let pair = Meeting::of(MemoryOne::ALWAYS, MemoryOne::NEVER, 0.1).expect("errors");
        let [cooperates, never] = pair.cooperation();
        assert!((cooperates - 0.9).abs() < 1e-12 && (never - 0.1).abs() < 1e-12);
        let [sucker, cheat] = pair.payoffs(&dilemma(), [0, 0]);
        assert!((sucker - (0.09 * 3.0 + 0.01 * 5.0 + 0.09)).abs() < 1e-12);
        assert!((cheat - (0.09 * 3.0 + 0.81 * 5.0 + 0.09)).abs() < 1e-12);
    }
}
