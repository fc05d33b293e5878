//! Who does always the same in the end, since when, and what.

use serde::{Deserialize, Serialize};

use super::acts::told;
use crate::game::stage::Act;

/// What an organization has done, round by round, as far as it was always the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Since {
    /// What it does, and the first round of those in which it has done nothing else.
    act: Option<(Act, u64)>,
}

impl Since {
    /// It did this in the next round in which it was there.
    pub(super) fn add(&mut self, round: u64, act: Act) {
        if self.act.is_none_or(|(before, _)| before != act) {
            self.act = Some((act, round));
        }
    }

    /// Has it done nothing else since the late rounds began?
    pub(super) fn is_absorbed(self, late: u64) -> bool {
        self.act.is_some_and(|(_, since)| since <= late)
    }
}

/// Of learners, how many were absorbed: did nothing but one thing in the last quarter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Absorbed {
    /// Members and replications.
    pub known: u64,
    /// The rounds that it took those that were.
    rounds: Vec<u64>,
    /// What they do, with how many do it; in the order in which it was found.
    acts: Vec<(Act, u64)>,
}

impl Absorbed {
    pub(super) fn add(&mut self, since: Since, late: u64) {
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

    /// The share that was absorbed.
    pub fn share(&self) -> Option<f64> {
        (self.known > 0).then(|| self.rounds.len() as f64 / self.known as f64)
    }

    /// The median of the rounds that it took those that were.
    pub fn rounds(&self) -> Option<f64> {
        let mut rounds = self.rounds.clone();
        rounds.sort_unstable();
        let (low, high) = (rounds.len().checked_sub(1)? / 2, rounds.len() / 2);
        Some((rounds[low] + rounds[high]) as f64 / 2.0)
    }

    /// How many do this.
    pub fn doing(&self, act: Act) -> u64 {
        self.acts.iter().find(|(one, _)| *one == act).map_or(0, |&(_, count)| count)
    }

    /// What they do, the most frequent first: `12 out, 3 in`.
    pub fn acts(&self) -> String {
        let mut acts = self.acts.clone();
        acts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let told = acts.iter().take(4).map(|&(act, count)| format!("{count} {}", told(act)));
        let mut all: Vec<String> = told.collect();
        let rest: u64 = acts.iter().skip(4).map(|(_, count)| count).sum();
        if rest > 0 {
            all.push(format!("{rest} something else"));
        }
        all.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::stage::Terms;

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
        assert_eq!(all.acts(), "3 out, 1 in");
        assert_eq!((all.doing(Act::Out), all.doing(join)), (3, 1));
        assert!(sure.is_absorbed(0) && !Since::default().is_absorbed(75));
    }
}
