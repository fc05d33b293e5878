//! Detects a sequence of acts that repeats itself exactly, and its period in rounds.
//!
//! The last [`KEPT`] acts are kept individually. A cycle of a few rounds is therefore visible in a
//! run of any length, even if each point of a [`Track`](super::track::Track) is a mean over more
//! rounds than the cycle has. The definition:
//!
//! - The *tail* is the last half of the sequence, or its last `KEPT` acts if these are fewer.
//! - The *period* is the smallest p such that each act of the tail, except its first p, equals the
//!   act p rounds before. It counts if the tail contains it at least four times; for fewer than
//!   forty acts it is undefined.
//!
//! A period of 1 is rest: the same act throughout. Independent draws are hardly ever mistaken for a
//! cycle: a tail of 20 or more acts would have to repeat its first 5 or fewer.

use serde::{Deserialize, Serialize};

/// Fewest acts of which a period is told.
const FEWEST: usize = 40;
/// Number of acts kept.
pub const KEPT: usize = 512;
/// Minimum number of periods in the tail.
const TIMES: usize = 4;

/// A sequence of acts, identified by numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repeats {
    /// Number of all acts.
    count: u64,
    /// The last acts; act number n is at n modulo `KEPT`.
    last: Vec<u64>,
}

impl Repeats {
    /// Adds the next act.
    pub fn add(&mut self, act: u64) {
        let at = (self.count % KEPT as u64) as usize;
        match self.last.get_mut(at) {
            Some(last) => *last = act,
            None => self.last.push(act),
        }
        self.count += 1;
    }

    /// Returns the last half of the sequence, or as much of it as is kept; the latest act first.
    fn tail(&self) -> Vec<u64> {
        let length = self.count.div_ceil(2).min(KEPT as u64);
        let at = |back: u64| self.last[((self.count - 1 - back) % KEPT as u64) as usize];
        (0..length).map(at).collect()
    }

    /// Returns the period of the tail, 1 at rest. It is `None` if there is no period or there are
    /// too few acts.
    pub fn period(&self) -> Option<u64> {
        if self.count < FEWEST as u64 {
            return None;
        }
        let tail = self.tail();
        // Longest proper border of each prefix (Knuth, Morris and Pratt): the smallest period of
        // the whole is its length minus its longest border.
        let mut borders = vec![0; tail.len()];
        let mut border = 0;
        for at in 1..tail.len() {
            while border > 0 && tail[at] != tail[border] {
                border = borders[border - 1];
            }
            border += usize::from(tail[at] == tail[border]);
            borders[at] = border;
        }
        let period = tail.len() - border;
        (TIMES * period <= tail.len()).then_some(period as u64)
    }

    /// Returns the period of a cycle: at least 2.
    pub fn cycle(&self) -> Option<u64> {
        self.period().filter(|&period| period > 1)
    }
}

impl FromIterator<u64> for Repeats {
    fn from_iter<T: IntoIterator<Item = u64>>(acts: T) -> Repeats {
        let mut repeats = Repeats::default();
        acts.into_iter().for_each(|act| repeats.add(act));
        repeats
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use rand::RngExt as _;

    /// Returns the smallest period of a tail by trying each.
    fn by_hand(acts: &[u64]) -> Option<u64> {
        let tail = &acts[acts.len() - acts.len().div_ceil(2).min(KEPT)..];
        let has = |p: &usize| (*p..tail.len()).all(|at| tail[at] == tail[at - p]);
        let period = (1..=tail.len() / TIMES).find(has);
        period.filter(|_| acts.len() >= FEWEST).map(|period| period as u64)
    }

    #[test]
    fn a_period_is_found_in_a_sequence_of_any_length() {
        let lengths = [40, 41, 200, 300, 450, 511, 512, 513, 600, 1023, 1024, 5000, 100_003];
        for length in lengths {
            for period in [1, 2, 3, 4, 5] {
                let acts = (0..length).map(|at| if at < 13 { 9 } else { at % period });
                let found = acts.collect::<Repeats>();
                assert_eq!(found.period(), Some(period), "in {length}");
                assert_eq!(found.cycle(), (period > 1).then_some(period));
            }
        }
        let long: Repeats = (0..10_000).map(|at| at % 128).collect();
        assert_eq!(long.cycle(), Some(128));
        let longer: Repeats = (0..10_000).map(|at| at % 129).collect();
        assert_eq!(longer.period(), None);
    }

    #[test]
    fn it_agrees_with_trying_each_period() {
        let mut rng = Streams::new(3).stream("acts");
        for _ in 0..2000 {
            let length = rng.random_range(0..1500);
            let period = rng.random_range(1..150);
            let word: Vec<u64> = (0..period).map(|_| rng.random_range(0..3)).collect();
            let from = rng.random_range(0..=length);
            let act = |at: usize| if at < from { 7 } else { word[at % word.len()] };
            let acts: Vec<u64> = (0..length).map(act).collect();
            assert_eq!(acts.iter().copied().collect::<Repeats>().period(), by_hand(&acts));
        }
    }

    #[test]
    fn draws_have_no_period_and_what_has_ended_is_none() {
        let mut rng = Streams::new(4).stream("acts");
        for _ in 0..2000 {
            let length = rng.random_range(40..600);
            let draws: Repeats = (0..length).map(|_| rng.random_range(0..2)).collect();
            assert_eq!(draws.period(), None);
        }
        let ended: Repeats = (0..5000).map(|at| if at < 4800 { at % 4 } else { at % 3 }).collect();
        assert_eq!(ended.period(), None);
        let few: Repeats = (0..39).map(|at| at % 2).collect();
        assert_eq!(few.period(), None);
    }
}
