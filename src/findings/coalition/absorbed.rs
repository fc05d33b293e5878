//! Absorbed learners: organizations that settle on one action, which one, and since which round.
//!
//! An action that did not change may be luck. So at least [`FEWEST`] rounds must have been seen, and
//! by the learner's own probabilities, where it has them, a change must have been unlikely in them
//! ([`LUCK`]).

use serde::{Deserialize, Serialize};

use super::stretch::Stretch;
use crate::rounds::settled::median;
use game::stage::Act;
use kernel::order::InOrder as _;

/// Fewest rounds of the last quarter of which anything is said: a learner that changes its action in
/// a tenth of the rounds does the same in 29 of them with a probability of 0.9^29 = 4.7%.
pub const FEWEST: u64 = 29;
/// Most changes that a learner's own probabilities let expect in these rounds.
pub const LUCK: f64 = 0.05;

/// The current action of an organization, and the round since which it has not changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Since {
    /// Last action, and the first round of the unbroken run of it.
    act: Option<(Act, u64)>,
}

impl Since {
    /// Records the action of the next round in which the organization was present.
    pub fn add(&mut self, round: u64, act: Act) {
        if self.act.is_none_or(|(before, _)| before != act) {
            self.act = Some((act, round));
        }
    }

    /// True if the action has not changed since before the late rounds began, and not by luck;
    /// `None` if these are too few to tell.
    pub(crate) fn is_absorbed(self, first: u64, late: &Stretch) -> Option<bool> {
        let (act, since) = self.act.filter(|_| late.rounds >= FEWEST)?;
        let joins = late.probability();
        let otherwise = joins.map_or(0.0, |joins| if act.is_in() { 1.0 - joins } else { joins });
        Some(since <= first && late.rounds as f64 * otherwise <= LUCK)
    }
}

/// Count of absorbed learners: those that stuck to one action over the last quarter of the rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Absorbed {
    /// Number of learners that can be judged, counted over members and replications.
    pub known: u64,
    /// For each absorbed learner, the round since which its action did not change.
    rounds: Vec<u64>,
    /// Final actions with the number of learners on each, in order of discovery.
    acts: Vec<(Act, u64)>,
}

impl Absorbed {
    pub(crate) fn add(&mut self, since: Since, is_absorbed: Option<bool>) {
        self.known += u64::from(is_absorbed.is_some());
        let Some((act, since)) = since.act.filter(|_| is_absorbed == Some(true)) else { return };
        self.rounds.push(since);
        match self.acts.iter_mut().find(|(one, _)| *one == act) {
            Some((_, count)) => *count += 1,
            None => self.acts.push((act, 1)),
        }
    }

    /// The share of learners that were absorbed.
    pub fn share(&self) -> Option<f64> {
        (self.known > 0).then(|| self.rounds.len() as f64 / self.known as f64)
    }

    /// Median number of rounds until absorption.
    pub fn rounds(&self) -> Option<f64> {
        median(&self.rounds)
    }

    /// Number of absorbed learners that ended with this action.
    pub fn doing(&self, act: Act) -> u64 {
        self.acts.iter().find(|(one, _)| *one == act).map_or(0, |&(_, count)| count)
    }

    /// Final actions with the number of absorbed learners on each, the most frequent first.
    pub fn acts(&self) -> Vec<(Act, u64)> {
        let mut acts = self.acts.clone();
        acts.order_by_key(|&(_, count)| std::cmp::Reverse(count));
        acts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::stage::Terms;
    use policy::learn::Stance;
    use sim::pool::turn::Turn;

    const IN: Act = Act::In(Terms::ANY);

    /// The late rounds of a learner that takes part with this probability, if it has one.
    fn late(rounds: u64, act: Act, probability: Option<f64>) -> Stretch {
        let mut late = Stretch::default();
        let turn = Turn { present: true, act, jobs: 1, flow: 1, alone: 1, ..Turn::absent() };
        let stance = Stance { probability, ..Stance::default() };
        (0..rounds).for_each(|_| late.add(&turn, &stance));
        late
    }

    #[test]
    fn absorbed_is_who_does_one_thing_since_the_last_quarter_began() {
        let mut all = Absorbed::default();
        let mut add = |since: Since| {
            let is_absorbed = since.is_absorbed(75, &late(FEWEST, Act::Out, None));
            all.add(since, is_absorbed);
        };
        for turn in [3, 7, 75, 76, 99, 100] {
            let mut since = Since::default();
            (0..100).for_each(|round| since.add(round, if round < turn { IN } else { Act::Out }));
            add(since);
        }
        add(Since::default());
        assert_eq!((all.known, all.share(), all.rounds()), (6, Some(4.0 / 6.0), Some(5.0)));
        assert_eq!(all.acts(), [(Act::Out, 3), (IN, 1)]);
        assert_eq!((all.doing(Act::Out), all.doing(IN)), (3, 1));
    }

    /// A learner whose coin falls in with 0.49 has not stopped changing, however few rounds there
    /// were.
    #[test]
    fn luck_is_not_told_as_rest() {
        let mut since = Since::default();
        since.add(0, Act::Out);
        let is_absorbed =
            |rounds, probability| since.is_absorbed(0, &late(rounds, Act::Out, probability));
        assert_eq!(is_absorbed(1, Some(0.49)), None);
        assert_eq!(is_absorbed(FEWEST - 1, None), None);
        assert_eq!(is_absorbed(FEWEST, None), Some(true));
        assert_eq!(is_absorbed(FEWEST, Some(0.49)), Some(false));
        // Fifty rounds are the same by luck with 0.99^50 = 61% at 0.01.
        assert_eq!(is_absorbed(50, Some(0.01)), Some(false));
        assert_eq!(is_absorbed(50, Some(1e-6)), Some(true));
    }
}
