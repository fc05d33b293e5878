//! Steps in one list, for short profiles. Every operation is linear in the steps that it visits.

use super::{Search, Step, newly_free, plus};
use kernel::time::Time;

/// A list of steps.
#[derive(Clone, Debug)]
pub(super) struct List {
    /// Never empty, strictly increasing in time.
    steps: Vec<Step>,
    /// Number of leading steps that are past.
    past: usize,
}

impl List {
    pub fn new(processors: u32, now: Time) -> List {
        List::of(vec![Step { from: now, free: processors }])
    }

    /// A list of these steps, at least one, in the order of time.
    pub fn of(steps: Vec<Step>) -> List {
        List { steps, past: 0 }
    }

    pub fn reset(&mut self, processors: u32, now: Time) {
        self.steps.clear();
        self.steps.push(Step { from: now, free: processors });
        self.past = 0;
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

    /// Returns the steps that are not past.
    pub fn steps(&self) -> &[Step] {
        &self.steps[self.past..]
    }

    pub fn free_at(&self, time: Time) -> u32 {
        let steps = self.steps();
        steps[steps.partition_point(|step| step.from <= time).max(1) - 1].free
    }

    pub fn earliest(&self, search: Search) -> Option<Time> {
        let Search { processors, length, now, latest, own } = search;
        let steps = self.steps();
        let mut index = match steps.get(1) {
            Some(second) if second.from <= now => {
                steps.partition_point(|step| step.from <= now) - 1
            }
            _ => 0,
        };
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
        let steps = self.steps();
        let begun = steps.partition_point(|step| step.from <= from).max(1) - 1;
        let lacking = steps[begun..].iter().find(|step| step.free < processors);
        lacking.map(|step| step.from.max(from)).filter(|&at| at < until)
    }

    pub fn last(&self) -> Time {
        self.steps[self.steps.len() - 1].from
    }

    /// See [`Profile::gained`](super::Profile::gained).
    pub fn gained(
        &self,
        (from, to): (Time, Time),
        processors: u32,
        mut tell: impl FnMut(usize, Time, Time),
    ) {
        let steps = self.steps();
        let begin = steps.partition_point(|step| step.from <= from).max(1) - 1;
        let inside = steps[begin..].iter().take_while(|step| step.from < to);
        let mut classes = inside.fold(0, |all, step| all | newly_free(step.free, processors));
        while classes > 0 {
            let class = classes.trailing_zeros();
            classes &= classes - 1;
            let lacks = |step: &Step| step.free < 1 << class;
            let mut at = begin;
            while let Some(step) = steps.get(at).filter(|step| step.from < to) {
                if newly_free(step.free, processors) >> class & 1 == 0 {
                    at += 1;
                    continue;
                }
                let run = steps[..at].iter().rposition(lacks).map_or(0, |lack| lack + 1);
                let end = steps[at..].iter().position(lacks).map_or(steps.len(), |lack| at + lack);
                let until = steps.get(end).map_or(Time::NEVER, |step| step.from);
                tell(class as usize, steps[run].from, until);
                at = end;
            }
        }
    }

    /// Changes the free processors from `from` until `to`, which is later.
    pub fn change(&mut self, from: Time, to: Time, more: i64) {
        let first = self.split(from);
        let last = if to == Time::NEVER { self.steps.len() } else { self.split(to) };
        for step in &mut self.steps[first..last] {
            step.free = plus(step.free, more);
        }
        self.merge(last);
        self.merge(first);
    }

    /// Makes a step begin at `time`, and returns its index.
    fn split(&mut self, time: Time) -> usize {
        let index = self.past + self.steps().partition_point(|step| step.from < time);
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
