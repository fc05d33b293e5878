//! Absorbed learners: organizations that settle on one action, which one, and since which round.

use serde::{Deserialize, Serialize};

use crate::rounds::settled::median;
use game::stage::Act;
use kernel::order::InOrder as _;

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

    /// True if the action has not changed since before the late rounds began.
    pub(crate) fn is_absorbed(self, late: u64) -> bool {
        self.act.is_some_and(|(_, since)| since <= late)
    }
}

/// Count of absorbed learners: those that stuck to one action over the last quarter of the rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Absorbed {
    /// Number of learners observed, counted over members and replications.
    pub known: u64,
    /// For each absorbed learner, the round since which its action did not change.
    rounds: Vec<u64>,
    /// Final actions with the number of learners on each, in order of discovery.
    acts: Vec<(Act, u64)>,
}

impl Absorbed {
    pub(crate) fn add(&mut self, since: Since, late: u64) {
        let Some((act, since)) = since.act else { return };
        self.known += 1;
        if since > late {
            return;
        }
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

    #[test]
    fn absorbed_is_who_does_one_thing_since_the_last_quarter_began() {
        let (mut all, join) = (Absorbed::default(), Act::In(Terms::ANY));
        for turn in [3, 7, 75, 76, 99] {
            let mut since = Since::default();
            for round in 0..100 {
                since.add(round, if round < turn { join } else { Act::Out });
            }
            all.add(since, 75);
        }
        let mut sure = Since::default();
        (0..100).for_each(|round| sure.add(round, join));
        all.add(sure, 75);
        all.add(Since::default(), 75);
        assert_eq!((all.known, all.share(), all.rounds()), (6, Some(4.0 / 6.0), Some(5.0)));
        assert_eq!(all.acts(), [(Act::Out, 3), (join, 1)]);
        assert_eq!((all.doing(Act::Out), all.doing(join)), (3, 1));
        assert!(sure.is_absorbed(0) && !Since::default().is_absorbed(75));
    }
}
