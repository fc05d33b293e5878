//! The profile as one sorted list of steps, searched from its beginning.

use crate::kernel::time::{Span, Time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub from: Time,
    pub free: u32,
}

#[derive(Clone, Debug)]
pub struct Linear {
    steps: Vec<Step>,
    past: usize,
}

impl Linear {
    pub fn new(processors: u32, now: Time) -> Linear {
        Linear { steps: vec![Step { from: now, free: processors }], past: 0 }
    }

    pub fn advance(&mut self, now: Time) {
        while self.steps.get(self.past + 1).is_some_and(|next| next.from <= now) {
            self.past += 1;
        }
        if self.past > 32 && self.past * 2 > self.steps.len() {
            self.steps.drain(..self.past);
            self.past = 0;
        }
    }

    pub fn current(&self) -> &[Step] {
        &self.steps[self.past..]
    }

    pub fn free_at(&self, time: Time) -> u32 {
        let steps = self.current();
        steps[steps.partition_point(|step| step.from <= time).max(1) - 1].free
    }

    pub fn earliest(&self, now: Time, processors: u32, length: Span) -> Time {
        self.earliest_onto(Time::NEVER, Time::NEVER, now, processors, length).unwrap_or(Time::NEVER)
    }

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

    pub fn first_lack(&self, from: Time, until: Time, processors: u32) -> Option<Time> {
        let steps = self.current();
        let begun = steps.partition_point(|step| step.from <= from).max(1) - 1;
        let lacking = steps[begun..].iter().find(|step| step.free < processors);
        lacking.map(|step| step.from.max(from)).filter(|&at| at < until)
    }

    pub fn take(&mut self, from: Time, to: Time, processors: u32) {
        self.change(from, to, |free| {
            free.checked_sub(processors).expect("only free processors are taken")
        });
    }

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

    fn split(&mut self, time: Time) -> usize {
        let index = self.past + self.current().partition_point(|step| step.from < time);
        if self.steps.get(index).is_none_or(|step| step.from != time) {
            assert!(index > self.past, "the past is not changed");
            let free = self.steps[index - 1].free;
            self.steps.insert(index, Step { from: time, free });
        }
        index
    }

    fn merge(&mut self, index: usize) {
        if index > self.past
            && index < self.steps.len()
            && self.steps[index].free == self.steps[index - 1].free
        {
            self.steps.remove(index);
        }
    }
}
