//! The profile against a table of ticks, and against one list of steps.

mod linear;

use proptest::prelude::*;

use super::*;
use crate::kernel::state::{put, take};
use linear::Linear;

const PROCESSORS: u32 = 8;
const HORIZON: i64 = 60;

fn at(ticks: i64) -> Time {
    Time::from_ticks(ticks)
}

proptest! {
    /// Against a table with one cell per tick.
    #[test]
    fn a_profile_is_what_a_table_says(
        jobs in proptest::collection::vec((0_i64..40, 1_u32..=PROCESSORS, 0_i64..12), 1..25),
        now in 0_i64..20,
    ) {
        let mut profile = Profile::new(PROCESSORS, Time::ZERO);
        let mut table = vec![PROCESSORS; HORIZON as usize * 20];
        let fits = |table: &[u32], start: i64, q: u32, length: i64| {
            (start..start + length.max(1)).all(|t| table[t as usize] >= q)
        };
        let mut taken = Vec::new();
        for (from, q, length) in jobs {
            let found = (from..).find(|&t| fits(&table, t, q, length)).unwrap();
            // `earliest` searches from the profile's start, so discard everything before
            // `from`.
            let mut later = profile.clone();
            later.advance(at(from));
            prop_assert_eq!(later.earliest(at(from), q, Span::from_ticks(length)), at(found));
            profile.take(at(found), at(found + length), q);
            for cell in &mut table[found as usize..(found + length) as usize] {
                *cell -= q;
            }
            taken.push((found, q, length));
        }
        // Returning the part after `now` of each job leaves all processors free.
        profile.advance(at(now));
        for t in now..HORIZON {
            prop_assert_eq!(profile.free_at(at(t)), table[t as usize]);
        }
        for (start, q, length) in taken {
            profile.give(at(start.max(now)), at(start + length), q);
        }
        // One step remains, besides that of the instant before `now`.
        prop_assert!((1..=2).contains(&profile.steps().count()));
        prop_assert_eq!(profile.free_at(at(now)), PROCESSORS);
    }
}

#[test]
fn a_job_may_move_onto_its_own_reservation() {
    let mut profile = Profile::new(4, at(0));
    profile.take(at(0), at(3), 2);
    profile.take(at(5), at(15), 4);
    let onto = |own, latest, processors| {
        let length = Span::from_ticks(10);
        profile.earliest_onto(at(own), at(latest), at(0), processors, length)
    };
    assert_eq!(onto(5, 5, 4), Some(at(3)));
    assert_eq!(onto(5, 3, 4), None, "it would begin too late");
    assert_eq!(onto(5, 5, 2), Some(at(0)));
    assert_eq!(onto(3, 3, 4), None);
}

/// Both forms of a profile, which must say the same.
struct Both {
    blocks: Profile,
    linear: Linear,
    /// Intervals taken and their processors.
    taken: Vec<(Time, Time, u32)>,
    now: Time,
}

/// An operation, as numbers to choose it by.
type Operation = (u8, i64, i64, u32);

impl Both {
    fn new(processors: u32) -> Both {
        let (blocks, linear) = (Profile::new(processors, at(0)), Linear::new(processors, at(0)));
        Both { blocks, linear, taken: Vec::new(), now: at(0) }
    }

    fn change(&mut self, from: Time, to: Time, processors: u32, takes: bool) {
        if takes {
            self.blocks.take(from, to, processors);
            self.linear.take(from, to, processors);
        } else {
            self.blocks.give(from, to, processors);
            self.linear.give(from, to, processors);
        }
    }

    /// Reserves, or gives back, or lets time pass; and looks at every answer.
    fn apply(&mut self, (kind, a, b, processors): Operation, horizon: i64) {
        let length = Span::from_ticks(b % (horizon / 8) + i64::from(kind % 7 > 0));
        match kind % 16 {
            0 | 1 if !self.taken.is_empty() => {
                let (from, to, processors) = self.taken.swap_remove(a as usize % self.taken.len());
                self.change(from.max(self.now), to, processors, false);
            }
            2 => {
                self.now = self.now + Span::from_ticks(a % 40);
                self.blocks.advance(self.now);
                self.linear.advance(self.now);
            }
            3 => {
                // A job moves onto its own reservation, if it can.
                let Some(&(own, to, processors)) =
                    self.taken.get(a as usize % self.taken.len().max(1))
                else {
                    return;
                };
                let (length, latest) = (to - own, self.now + Span::from_ticks(b));
                let onto = self.linear.earliest_onto(own, latest, self.now, processors, length);
                let found = self.blocks.earliest_onto(own, latest, self.now, processors, length);
                assert_eq!(found, onto);
            }
            4 => {
                let from = self.now + Span::from_ticks(a);
                let until = from + Span::from_ticks(b);
                assert_eq!(self.blocks.free_at(from), self.linear.free_at(from));
                let lack = self.linear.first_lack(from, until, processors);
                assert_eq!(self.blocks.first_lack(from, until, processors), lack);
            }
            5 => {
                // A reservation far from the beginning.
                let from = self.now + Span::from_ticks(a);
                let to = from + length;
                if self.linear.first_lack(from, to, processors).is_none() {
                    self.change(from, to, processors, true);
                    self.taken.push((from, to, processors));
                }
            }
            _ => {
                let start = self.linear.earliest(self.now, processors, length);
                assert_eq!(self.blocks.earliest(self.now, processors, length), start);
                let end = start.saturating_add(length);
                self.change(start, end, processors, true);
                self.taken.push((start, end, processors));
            }
        }
    }

    fn check(&self) {
        let steps: Vec<(Time, u32)> = self.blocks.steps().collect();
        let wanted: Vec<(Time, u32)> =
            self.linear.current().iter().map(|step| (step.from, step.free)).collect();
        assert_eq!(steps, wanted);
        let lengths = self.blocks.blocks.iter().map(Block::len);
        assert!(lengths.clone().all(|length| (1..=MOST + 2).contains(&length)));
        assert!(lengths.len() <= 2 + wanted.len() * 5 / MOST, "{} blocks", lengths.len());
    }

    fn save_and_load(&mut self) {
        let (mut saved, mut again) = (Vec::new(), Vec::new());
        put(&self.blocks, &mut saved);
        self.blocks = take(&mut saved.as_slice()).unwrap();
        put(&self.blocks, &mut again);
        assert_eq!(saved, again);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// With few steps and with many.
    #[test]
    fn blocks_of_steps_say_what_one_list_says(
        operations in proptest::collection::vec(
            (any::<u8>(), 0_i64..60_000, 0_i64..60_000, 1_u32..=64),
            1..4000,
        ),
        widest in 1_u32..=64,
        horizon in 200_i64..20_000,
        saved_at in 0_usize..4000,
    ) {
        let mut both = Both::new(64);
        for (count, (kind, a, b, processors)) in operations.into_iter().enumerate() {
            if count == saved_at {
                both.save_and_load();
            }
            let processors = (processors - 1) % widest + 1;
            both.apply((kind, a % horizon, b % horizon, processors), horizon);
            if count % 64 == 0 {
                both.check();
            }
        }
        both.check();
        for (from, to, processors) in std::mem::take(&mut both.taken) {
            both.change(from.max(both.now), to, processors, false);
        }
        both.check();
        prop_assert!((1..=2).contains(&both.blocks.steps().count()));
        prop_assert_eq!(both.blocks.blocks.len(), 1);
    }
}

/// A profile of many blocks, in which one processor of eight is free in every other tick.
fn long() -> Profile {
    let mut profile = Profile::new(8, at(0));
    profile.take(at(0), at(10_000), 7);
    for tick in 0..5000 {
        profile.take(at(2 * tick), at(2 * tick + 1), 1);
    }
    profile
}

#[test]
fn whole_blocks_change_at_once() {
    let mut profile = long();
    assert!(profile.blocks.len() > 30);
    profile.give(at(1), at(9999), 2);
    assert_eq!(profile.steps().count(), 10_001);
    let free = |profile: &Profile, ticks: i64| profile.free_at(at(ticks));
    assert_eq!(
        [0, 1, 2, 4999, 9998, 9999, 10_000].map(|tick| free(&profile, tick)),
        [0, 3, 2, 3, 2, 1, 8]
    );
    assert_eq!(profile.earliest(at(0), 3, Span::from_ticks(1)), at(1));
    assert_eq!(profile.earliest(at(0), 3, Span::from_ticks(2)), at(10_000));
    assert_eq!(profile.earliest(at(0), 2, Span::from_ticks(9998)), at(1));
    assert_eq!(profile.earliest(at(0), 2, Span::from_ticks(9999)), at(10_000));
    assert_eq!(profile.first_lack(at(1), at(9999), 2), None);
    assert_eq!(profile.first_lack(at(1), at(10_000), 2), Some(at(9999)));
    profile.take(at(1), at(9999), 2);
    let steps: Vec<_> = long().steps().collect();
    assert_eq!(profile.steps().collect::<Vec<_>>(), steps);
}

#[test]
#[should_panic(expected = "only free processors are taken")]
fn processors_of_a_whole_block_that_are_not_free_are_not_taken() {
    long().take(at(1000), at(9000), 1);
}

#[test]
fn steps_without_order_are_not_loaded() {
    for steps in [vec![], vec![(at(1), 3_u32), (at(1), 2)], vec![(at(2), 3), (at(1), 2)]] {
        let mut saved = Vec::new();
        put(&steps, &mut saved);
        assert!(take::<Profile>(&mut saved.as_slice()).is_err());
    }
}
