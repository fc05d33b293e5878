//! Strategies for a repeated game of two choices that remember one round.
//!
//! A strategy says how probably it cooperates after each of the four outcomes of the last round
//! (Nowak and Sigmund, *A strategy of win-stay, lose-shift that outperforms tit-for-tat in the
//! Prisoner's Dilemma game*, Nature 364, 1993). With a probability of error the opposite is done.
//! Two of them make a chain of four states, whose stationary law tells everything in the long run;
//! with errors it does not depend on the first round. O(1).

use super::markov;

/// The probabilities to cooperate after mutual cooperation, after only the own, after only the
/// other's, and after neither.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryOne(pub [f64; 4]);

impl MemoryOne {
    /// Does what the other did.
    pub const TIT_FOR_TAT: MemoryOne = MemoryOne([1.0, 0.0, 1.0, 0.0]);
    /// Win-stay, lose-shift: cooperates where both did the same.
    pub const WIN_STAY: MemoryOne = MemoryOne([1.0, 0.0, 0.0, 1.0]);
    /// Cooperates until anybody does not.
    pub const GRIM: MemoryOne = MemoryOne([1.0, 0.0, 0.0, 0.0]);
    /// Always cooperates.
    pub const ALWAYS: MemoryOne = MemoryOne([1.0; 4]);
    /// Never does.
    pub const NEVER: MemoryOne = MemoryOne([0.0; 4]);

    /// Tit for tat that forgives with a probability.
    pub const fn generous(forgives: f64) -> MemoryOne {
        MemoryOne([1.0, forgives, 1.0, forgives])
    }

    /// With errors, the probabilities to cooperate and not to, by outcome. The second is not taken
    /// from the first, which would lose the digits of a small error.
    fn erring(self, error: f64) -> [[f64; 2]; 4] {
        let with = |does: f64, not: f64| does * (1.0 - error) + not * error;
        self.0.map(|p| [with(p, 1.0 - p), with(1.0 - p, p)])
    }
}

/// What comes of two strategies in the long run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The shares of rounds in which both cooperate, only the first does, only the second, neither.
    pub shares: [f64; 4],
}

impl Meeting {
    /// Two strategies, each with a probability of error in each round; `None` where without errors
    /// the long run depends on the first round.
    pub fn of(first: MemoryOne, second: MemoryOne, error: f64) -> Option<Meeting> {
        let (first, second) = (first.erring(error), second.erring(error));
        // The second sees the two in the middle the other way round.
        let seen = [0, 2, 1, 3];
        let row = |state: usize| {
            let ([p, not_p], [q, not_q]) = (first[state], second[seen[state]]);
            let to = [p * q, p * not_q, not_p * q, not_p * not_q];
            to.map(libm::log).to_vec()
        };
        let law = markov::stationary((0..4).map(row).collect())?;
        Some(Meeting { shares: [law[0], law[1], law[2], law[3]] })
    }

    /// How often each cooperates.
    pub fn cooperation(&self) -> [f64; 2] {
        let [both, first, second, _] = self.shares;
        [both + first, both + second]
    }

    /// What each gets in the mean of a symmetric game: by own choice, then by the other's,
    /// cooperation first.
    pub fn payoffs(&self, pays: [[f64; 2]; 2]) -> [f64; 2] {
        let [both, first, second, neither] = self.shares;
        let same = both * pays[0][0] + neither * pays[1][1];
        let [cheated, cheats] = [pays[0][1], pays[1][0]];
        [same + first * cheated + second * cheats, same + second * cheated + first * cheats]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DILEMMA: [[f64; 2]; 2] = [[3.0, 0.0], [5.0, 1.0]];

    /// With an error of 5 %, to the digits that are known.
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
                    (meeting.cooperation()[player], meeting.payoffs(DILEMMA)[player]);
                assert!((cooperates - cooperation).abs() <= 5e-5, "{strategy:?} {cooperates}");
                assert!((gets - payoff).abs() <= 5e-4, "{strategy:?} {gets}");
            }
        }
        for error in [1e-9, 0.001, 0.3] {
            let meeting = Meeting::of(MemoryOne::TIT_FOR_TAT, MemoryOne::TIT_FOR_TAT, error);
            let meeting = meeting.expect("there are errors");
            assert!((meeting.cooperation()[0] - 0.5).abs() < 1e-12, "any error does that");
            assert!((meeting.payoffs(DILEMMA)[0] - 2.25).abs() < 1e-12);
        }
    }

    /// Win-stay, lose-shift cooperates every other time with who never does: it gets (S + P) / 2,
    /// and who never does gets (T + P) / 2 = 3, as much as the others get among themselves. That 2
    /// R = T + P is the border of its stability.
    #[test]
    fn win_stay_is_only_just_stable_here() {
        let [wins, never] = Meeting::of(MemoryOne::WIN_STAY, MemoryOne::NEVER, 1e-12)
            .expect("there are errors")
            .payoffs(DILEMMA);
        assert!((wins - 0.5).abs() < 1e-9 && (never - 3.0).abs() < 1e-9, "{wins} {never}");
        assert_eq!(2.0 * DILEMMA[0][0], DILEMMA[1][0] + DILEMMA[1][1]);
    }

    #[test]
    fn without_errors_there_may_be_no_single_answer() {
        let twins = Meeting::of(MemoryOne::TIT_FOR_TAT, MemoryOne::TIT_FOR_TAT, 0.0);
        assert_eq!(twins, None);
        // The first cooperates always, the second never: by hand.
        let pair = Meeting::of(MemoryOne::ALWAYS, MemoryOne::NEVER, 0.1).expect("errors");
        let [cooperates, never] = pair.cooperation();
        assert!((cooperates - 0.9).abs() < 1e-12 && (never - 0.1).abs() < 1e-12);
        let [sucker, cheat] = pair.payoffs(DILEMMA);
        assert!((sucker - (0.09 * 3.0 + 0.01 * 5.0 + 0.09)).abs() < 1e-12);
        assert!((cheat - (0.09 * 3.0 + 0.81 * 5.0 + 0.09)).abs() < 1e-12);
    }
}
