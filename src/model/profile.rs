//! Availability over time: the number of free processors, given the running jobs and the
//! reservations.
//!
//! The profile is a sorted list of steps; the last one lasts for ever. Every operation is linear in
//! the number of steps that it visits.

use serde::{Deserialize, Serialize};

use crate::kernel::time::{Span, Time};

/// A step: from time `from` on, `free` processors are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Step {
    from: Time,
    free: u32,
}

/// The free processors of a cluster over all future time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Never empty, strictly increasing in time.
    steps: Vec<Step>,
    /// Number of leading steps that are past.
    past: usize,
}

impl Profile {
    /// Creates a profile with all of `processors` free from `now` on.
    pub fn new(processors: u32, now: Time) -> Profile {
        Profile { steps: vec![Step { from: now, free: processors }], past: 0 }
    }

    /// Resets it to all of `processors` free from `now` on.
    pub fn reset(&mut self, processors: u32, now: Time) {
        self.steps.clear();
        self.steps.push(Step { from: now, free: processors });
        self.past = 0;
    }

    /// Discards everything before `now`.
    pub fn advance(&mut self, now: Time) {
        while self.steps.get(self.past + 1).is_some_and(|next| next.from <= now) {
            self.past += 1;
        }
        if self.past > 32 && self.past * 2 > self.steps.len() {
            self.steps.drain(..self.past);
            self.past = 0;
        }
    }

    fn current(&self) -> &[Step] {
        &self.steps[self.past..]
    }

    /// Returns the free processors at `time`, which must not be past.
    pub fn free_at(&self, time: Time) -> u32 {
        let steps = self.current();
        steps[steps.partition_point(|step| step.from <= time).max(1) - 1].free
    }

    /// Returns the earliest time from `now` on at which `processors` are free for `length`. `now`
    /// is the time last passed to [`advance`](Profile::advance). Returns [`Time::NEVER`] if that
    /// many are never free: processors taken up to the end of time are not returned.
    pub fn earliest(&self, now: Time, processors: u32, length: Span) -> Time {
        self.earliest_onto(Time::NEVER, Time::NEVER, now, processors, length).unwrap_or(Time::NEVER)
    }

    /// Returns an earlier time to which a job can move its reservation. The job has `processors`
    /// reserved from `own` on, for `length`. The result is the earliest time from `now` on, before
    /// both `latest` and `own`, at which the processors are free for `length` or until `own`, where
    /// its own reservation begins.
    pub fn earliest_onto(
        &self,
        own: Time,
        latest: Time,
        now: Time,
        processors: u32,
        length: Span,
    ) -> Option<Time> {
        let steps = self.current();
        let latest = latest.min(own);
        let mut index = 0;
        while let Some(step) = steps.get(index).filter(|step| step.from < latest) {
            index += 1;
            if step.free < processors {
                continue;
            }
            let begun = step.from.max(now);
            if begun >= latest {
                return None;
            }
            let end = begun.saturating_add(length).min(own);
            loop {
                match steps.get(index) {
                    Some(next) if next.from < end => {
                        index += 1;
                        if next.free < processors {
                            break;
                        }
                    }
                    _ => return Some(begun),
                }
            }
        }
        None
    }

    /// Returns the first time at which fewer than `processors` are free. The search covers `from`,
    /// which must not be past, up to but not including `until`.
    pub fn first_lack(&self, from: Time, until: Time, processors: u32) -> Option<Time> {
        let steps = self.current();
        let begun = steps.partition_point(|step| step.from <= from).max(1) - 1;
        let lacking = steps[begun..].iter().find(|step| step.free < processors);
        lacking.map(|step| step.from.max(from)).filter(|&at| at < until)
    }

    /// Takes `processors` from `from` until `to`.
    ///
    /// # Panics
    /// If they are not free.
    pub fn take(&mut self, from: Time, to: Time, processors: u32) {
        self.change(from, to, |free| {
            free.checked_sub(processors).expect("only free processors are taken")
        });
    }

    /// Returns `processors` to the free ones from `from` until `to`.
    pub fn give(&mut self, from: Time, to: Time, processors: u32) {
        self.change(from, to, |free| free + processors);
    }

    fn change(&mut self, from: Time, to: Time, change: impl Fn(u32) -> u32) {
        if from >= to {
            return;
        }
        let first = self.split(from);
        let last = if to == Time::NEVER { self.steps.len() } else { self.split(to) };
        for step in &mut self.steps[first..last] {
            step.free = change(step.free);
        }
        self.merge(last);
        self.merge(first);
    }

    /// Makes a step begin at `time`, and returns its index.
    fn split(&mut self, time: Time) -> usize {
        let index = self.past + self.current().partition_point(|step| step.from < time);
        if self.steps.get(index).is_none_or(|step| step.from != time) {
            assert!(index > self.past, "the past is not changed");
            let free = self.steps[index - 1].free;
            self.steps.insert(index, Step { from: time, free });
        }
        index
    }

    /// Removes the step at `index` if it equals the one before it.
    fn merge(&mut self, index: usize) {
        if index > self.past
            && index < self.steps.len()
            && self.steps[index].free == self.steps[index - 1].free
        {
            self.steps.remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
            prop_assert!((1..=2).contains(&profile.current().len()));
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
}
