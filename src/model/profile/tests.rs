//! The profile against a table of ticks, and blocks of steps against one list.

use proptest::prelude::*;

use super::*;
use kernel::state::{put, take};

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
            // With everything before `from` discarded, and with it still there.
            let mut later = profile.clone();
            later.advance(at(from));
            prop_assert_eq!(later.earliest(at(from), q, Span::from_ticks(length)), at(found));
            prop_assert_eq!(profile.earliest(at(from), q, Span::from_ticks(length)), at(found));
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
        prop_assert!((1..=2).contains(&profile.steps().len()));
        prop_assert_eq!(profile.free_at(at(now)), PROCESSORS);
    }
}

#[test]
fn a_job_may_move_onto_its_own_reservation() {
    let mut profile = Profile::new(4, at(0));
    profile.take(at(0), at(3), 2);
    profile.take(at(5), at(15), 4);
    let mut onto = |own, latest, processors| {
        let length = Span::from_ticks(10);
        profile.earliest_onto(at(own), at(latest), at(0), processors, length)
    };
    assert_eq!(onto(5, 5, 4), Some(at(3)));
    assert_eq!(onto(5, 3, 4), None, "it would begin too late");
    assert_eq!(onto(5, 5, 2), Some(at(0)));
    assert_eq!(onto(3, 3, 4), None);
}

/// Both forms of a profile, and one that changes its form, which must say the same.
struct Forms {
    list: List,
    blocks: Blocks,
    profile: Profile,
    /// Intervals taken and their processors.
    taken: Vec<(Time, Time, u32)>,
    now: Time,
}

/// An operation: its kind, two times and processors.
type Operation = (u8, i64, i64, u32);

impl Forms {
    fn new(processors: u32) -> Forms {
        let list = List::new(processors, at(0));
        let blocks = Blocks::of(list.steps());
        let profile = Profile::new(processors, at(0));
        Forms { list, blocks, profile, taken: Vec::new(), now: at(0) }
    }

    fn take(&mut self, from: Time, to: Time, processors: u32) {
        if from < to {
            let more = i64::from(processors);
            self.list.change(from, to, -more);
            self.blocks.change(&[(from, -more), (to, more)].map(Cut::of));
            self.profile.take(from, to, processors);
            self.taken.push((from, to, processors));
        }
    }

    fn give(&mut self, from: Time, to: Time, processors: u32) {
        let from = from.max(self.now);
        if from < to {
            let more = i64::from(processors);
            self.list.change(from, to, more);
            self.blocks.change(&[(from, more), (to, -more)].map(Cut::of));
            self.profile.give(from, to, processors);
            self.look_at_runs(from, to, processors);
        }
    }

    /// The runs around what was returned, against the definition.
    fn look_at_runs(&mut self, from: Time, to: Time, processors: u32) {
        let (mut of_list, mut of_blocks) = (Vec::new(), Vec::new());
        if from < to {
            self.list.gained((from, to), processors, |c, l, r| of_list.push((c, l, r)));
            self.blocks.gained((from, to), processors, |c, l, r| of_blocks.push((c, l, r)));
        }
        let steps = self.list.steps();
        let end = |at: usize| steps.get(at + 1).map_or(Time::NEVER, |next| next.from);
        let mut wanted = Vec::new();
        for class in 0..u32::BITS {
            let numbers = 1_u64 << class..2_u64 << class;
            let mut at = 0;
            while at < steps.len() {
                let begin = at;
                let mut gains = false;
                while steps.get(at).is_some_and(|step| u64::from(step.free) >= numbers.start) {
                    let free = u64::from(steps[at].free);
                    let was = free.saturating_sub(processors.into());
                    gains |= end(at) > from
                        && steps[at].from < to
                        && (was + 1..=free).any(|number| numbers.contains(&number));
                    at += 1;
                }
                if gains {
                    wanted.push((class as usize, steps[begin].from, end(at - 1)));
                }
                at += usize::from(at == begin);
            }
        }
        assert_eq!(of_list, wanted);
        // A step that is past may be part of a run of blocks.
        let now = self.now;
        let since = |runs: Vec<(usize, Time, Time)>| -> Vec<(usize, Time, Time)> {
            runs.into_iter().map(|(class, from, until)| (class, from.max(now), until)).collect()
        };
        assert_eq!(since(of_blocks), since(wanted));
    }

    fn earliest(&mut self, search: Search) -> Option<Time> {
        let search = Search { length: search.length.max(Span::TICK), ..search };
        let Search { processors, length, now, latest, own } = search;
        let found = self.list.earliest(search);
        assert_eq!(self.blocks.earliest(search), found);
        assert_eq!(self.profile.earliest_onto(own, latest, now, processors, length), found);
        found
    }

    /// Reserves, gives back, lets time pass, or looks.
    fn apply(&mut self, (kind, a, b, processors): Operation, horizon: i64) {
        let now = self.now;
        let length = Span::from_ticks(b % (horizon / 8) + i64::from(kind % 7 > 0));
        let some = |taken: &[_]| a as usize % taken.len().max(1);
        match kind % 16 {
            0 | 1 if !self.taken.is_empty() => {
                let (from, to, processors) = self.taken.swap_remove(some(&self.taken));
                self.give(from, to, processors);
            }
            2 => {
                self.now = now + Span::from_ticks(a % 40);
                self.list.advance(self.now);
                self.blocks.advance(self.now);
                self.profile.advance(self.now);
            }
            3 => {
                // A job moves onto its own reservation, if it can.
                let place = some(&self.taken);
                let Some(&(own, to, processors)) = self.taken.get(place) else { return };
                if own < now {
                    return;
                }
                let latest = own.min(now + Span::from_ticks(b));
                let length = to - own;
                let found = self.earliest(Search { processors, length, now, latest, own });
                if let Some(start) = found {
                    self.taken.swap_remove(place);
                    let mut moved = self.profile.clone();
                    let mut blocks = self.blocks.clone();
                    self.give(own, to, processors);
                    self.take(start, start + length, processors);
                    moved.shift(own, start, processors, length);
                    assert_eq!(moved.steps(), self.profile.steps());
                    let (more, end) = (i64::from(processors), start + length);
                    if end >= own {
                        let cuts = [(start, -more), (own, more), (end, more), (to, -more)];
                        blocks.change(&cuts.map(Cut::of));
                        assert!(blocks.steps().eq(self.blocks.steps()));
                    }
                    self.profile = moved;
                    self.look_at_runs((start + length).max(own), to, processors);
                }
            }
            4 => {
                let from = now + Span::from_ticks(a);
                let until = from + Span::from_ticks(b);
                assert_eq!(self.blocks.free_at(from), self.list.free_at(from));
                let lack = self.list.first_lack(from, until, processors);
                assert_eq!(self.blocks.first_lack(from, until, processors), lack);
            }
            5 => {
                // A reservation far from the beginning.
                let from = now + Span::from_ticks(a);
                if self.list.first_lack(from, from + length, processors).is_none() {
                    self.take(from, from + length, processors);
                }
            }
            6 => {
                // A search from a later time on.
                let (latest, own) = (Time::NEVER, Time::NEVER);
                let later = now + Span::from_ticks(a);
                self.earliest(Search { processors, length, now: later, latest, own });
            }
            _ => {
                let (latest, own) = (Time::NEVER, Time::NEVER);
                let start = self.earliest(Search { processors, length, now, latest, own });
                let start = start.expect("all are free in the end");
                self.take(start, start + length, processors);
            }
        }
    }

    fn check(&self) {
        let steps: Vec<Step> = self.blocks.steps().collect();
        assert_eq!(steps, self.list.steps());
        assert_eq!(steps, self.profile.steps());
    }

    fn save_and_load(&mut self) {
        let (mut saved, mut again) = (Vec::new(), Vec::new());
        put(&self.profile, &mut saved);
        self.profile = take(&mut saved.as_slice()).unwrap();
        put(&self.profile, &mut again);
        assert_eq!(saved, again);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
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
        let mut forms = Forms::new(64);
        for (count, (kind, a, b, processors)) in operations.into_iter().enumerate() {
            if count == saved_at {
                forms.save_and_load();
            }
            let processors = (processors - 1) % widest + 1;
            forms.apply((kind, a % horizon, b % horizon, processors), horizon);
            if count % 64 == 0 {
                forms.check();
            }
        }
        forms.check();
        for (from, to, processors) in std::mem::take(&mut forms.taken) {
            forms.give(from, to, processors);
        }
        forms.check();
        prop_assert!((1..=2).contains(&forms.profile.steps().len()));
        prop_assert!(matches!(forms.profile.form, Form::List(_)));
    }
}

/// A long profile, in which one processor of eight is free in every other tick.
fn long() -> Profile {
    let mut profile = Profile::new(8, at(0));
    profile.take(at(0), at(10_000), 7);
    for tick in 0..5000 {
        profile.take(at(2 * tick), at(2 * tick + 1), 1);
    }
    assert!(matches!(profile.form, Form::Blocks(_)));
    profile
}

#[test]
fn many_blocks_change_together() {
    let mut profile = long();
    profile.give(at(1), at(9999), 2);
    assert_eq!(profile.steps().len(), 10_001);
    let free = [0, 1, 2, 4999, 9998, 9999, 10_000].map(|tick| profile.free_at(at(tick)));
    assert_eq!(free, [0, 3, 2, 3, 2, 1, 8]);
    let mut earliest =
        |processors, length| profile.earliest(at(0), processors, Span::from_ticks(length)).ticks();
    assert_eq!((earliest(3, 1), earliest(3, 2)), (1, 10_000));
    assert_eq!((earliest(2, 9998), earliest(2, 9999)), (1, 10_000));
    assert_eq!(profile.first_lack(at(1), at(9999), 2), None);
    assert_eq!(profile.first_lack(at(1), at(10_000), 2), Some(at(9999)));
    profile.take(at(1), at(9999), 2);
    assert_eq!(profile.steps(), long().steps());
}

#[test]
#[should_panic(expected = "only free processors are taken")]
fn processors_that_are_not_free_are_not_taken() {
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
