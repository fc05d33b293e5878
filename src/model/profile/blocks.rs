//! Steps in blocks, for long profiles. Searches pass over blocks.

use super::runs::Runs;
use super::{Search, Step};
use crate::kernel::time::Time;

/// Maximum number of steps in a block; longer ones are split.
const MOST: usize = 64;

/// Blocks of consecutive steps.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// At least one, each with at least one step, strictly increasing in time.
    blocks: Vec<Block>,
    /// For how long processors are free in each block.
    runs: Runs,
    /// Number of leading steps of the first block that are past.
    past: usize,
}

#[derive(Clone, Debug)]
struct Block {
    /// Time of the first step.
    begin: Time,
    /// Greatest number of free processors.
    most: u32,
    steps: Vec<Step>,
}

/// Position of a step: its block, and its index there.
type Place = (usize, usize);

impl Block {
    fn new(steps: Vec<Step>) -> Block {
        Block { begin: steps[0].from, most: u32::MAX, steps }
    }

    /// Returns the index of the first step from `index` on that does not begin before `time`.
    #[inline]
    fn before(&self, index: usize, time: Time) -> usize {
        index + self.steps[index..].partition_point(|step| step.from < time)
    }
}

impl Blocks {
    /// Blocks of these steps, at least one, in the order of time.
    pub fn of(steps: &[Step]) -> Blocks {
        let most = steps.iter().map(|step| step.free).max().unwrap_or(0);
        let blocks: Vec<Block> =
            steps.chunks(MOST / 2).map(|steps| Block::new(steps.to_vec())).collect();
        let mut all = Blocks { runs: Runs::new(most, blocks.len()), blocks, past: 0 };
        (0..all.blocks.len()).for_each(|at| all.look(at));
        all
    }

    pub fn advance(&mut self, now: Time) {
        let mut whole = 0;
        while self.blocks.get(whole + 1).is_some_and(|next| next.begin <= now) {
            whole += 1;
        }
        if whole > 0 {
            self.blocks.drain(..whole);
            self.runs.forget(whole);
            self.past = 0;
        }
        let steps = &mut self.blocks[0].steps;
        while steps.get(self.past + 1).is_some_and(|next| next.from <= now) {
            self.past += 1;
        }
    }

    /// Returns the steps that are not past.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.blocks.iter().flat_map(|block| &block.steps).skip(self.past).copied()
    }

    /// Returns an estimate of the number of steps.
    pub fn len(&self) -> usize {
        self.blocks.len() * (MOST * 3 / 4)
    }

    pub fn free_at(&self, time: Time) -> u32 {
        let (block, index) = self.step_at(time);
        self.blocks[block].steps[index].free
    }

    pub fn first_lack(&self, from: Time, until: Time, processors: u32) -> Option<Time> {
        let first = self.step_at(from);
        for (at, block) in self.blocks.iter().enumerate().skip(first.0) {
            let begin = if at == first.0 { first.1 } else { 0 };
            let lacking = block.steps[begin..].iter().find(|step| step.free < processors);
            if let Some(step) = lacking {
                return Some(step.from.max(from)).filter(|&at| at < until);
            }
            if block.begin >= until {
                break;
            }
        }
        None
    }

    pub fn earliest(&self, search: Search) -> Option<Time> {
        let Search { processors, length, now, latest, own } = search;
        let runs = self.runs.below(processors);
        // Since when the processors may be free without a break, if they are.
        let mut since = Time::NEVER;
        for (at, run) in runs.iter().enumerate().skip(self.block_at(now)) {
            let next = runs.get(at + 1).map_or(Time::NEVER, |next| next.begin);
            if since == Time::NEVER && run.lack > run.begin {
                since = run.begin.max(now);
            }
            if (if since == Time::NEVER { run.begin } else { since }) >= latest {
                return None;
            }
            if since != Time::NEVER {
                let until = run.lack.min(next);
                if until >= own || since.saturating_add(length) <= until {
                    let found = self.among(self.step_at(since), until, search);
                    if found.is_some() {
                        return found;
                    }
                    since = next;
                }
                if run.lack == Time::NEVER {
                    continue;
                }
            }
            if run.longest >= length || own < next {
                let found = self.among((at, self.first_of(at)), next, search);
                if found.is_some() {
                    return found;
                }
            }
            since = if run.open == Time::NEVER { run.open } else { run.open.max(now) };
        }
        match since {
            Time::NEVER => None,
            _ => self.among(self.step_at(since), Time::NEVER, search),
        }
    }

    /// Searches the starts from a position on and before a time, step by step.
    fn among(&self, from: Place, until: Time, search: Search) -> Option<Time> {
        let Search { processors, length, now, latest, own } = search;
        let until = until.min(latest);
        // The start that is tried, and the end that it needs.
        let mut tried: Option<(Time, Time)> = None;
        for (at, block) in self.blocks.iter().enumerate().skip(from.0) {
            if tried.is_none() && block.most < processors {
                continue;
            }
            let begin = if at == from.0 { from.1 } else { 0 };
            for step in &block.steps[begin..] {
                match tried {
                    Some((begun, end)) if step.from >= end => return Some(begun),
                    None if step.from >= until => return None,
                    _ => {}
                }
                if step.free < processors {
                    tried = None;
                } else if tried.is_none() {
                    let begun = step.from.max(now);
                    if begun >= latest {
                        return None;
                    }
                    tried = Some((begun, begun.saturating_add(length).min(own)));
                }
            }
        }
        tried.map(|(begun, _)| begun)
    }

    /// Returns the position of the step that `time`, which must not be past, is in.
    #[inline]
    fn step_at(&self, time: Time) -> Place {
        let block = self.block_at(time);
        let first = self.first_of(block);
        let behind = self.blocks[block].steps[first..].partition_point(|step| step.from <= time);
        (block, first + behind.max(1) - 1)
    }

    /// Returns the index of the first step of a block that is not past.
    #[inline]
    fn first_of(&self, block: usize) -> usize {
        if block == 0 { self.past } else { 0 }
    }

    /// Returns the last block that begins by `time`, or the first.
    #[inline]
    fn block_at(&self, time: Time) -> usize {
        self.blocks.partition_point(|block| block.begin <= time).max(1) - 1
    }

    /// Changes the free processors from `from` until `to`, which is later.
    pub fn change(&mut self, from: Time, to: Time, change: impl Fn(u32) -> u32) {
        let first = self.split(from);
        let last = if to == Time::NEVER { (self.blocks.len(), 0) } else { self.split(to) };
        for at in first.0..self.blocks.len().min(last.0 + 1) {
            let begin = if at == first.0 { first.1 } else { 0 };
            let steps = &mut self.blocks[at].steps;
            let end = if at == last.0 { last.1 } else { steps.len() };
            steps[begin..end].iter_mut().for_each(|step| step.free = change(step.free));
        }
        self.merge(last);
        self.merge(first);
        (first.0..=last.0).for_each(|at| self.look(at));
        self.resize(last.0);
        self.resize(first.0);
    }

    /// Makes a step begin at `time`, and returns its position.
    fn split(&mut self, time: Time) -> Place {
        let at = self.block_at(time);
        let first = self.first_of(at);
        let block = &mut self.blocks[at];
        let index = block.before(first, time);
        if block.steps.get(index).is_none_or(|step| step.from != time) {
            assert!(index > first, "the past is not changed");
            let free = block.steps[index - 1].free;
            block.steps.insert(index, Step { from: time, free });
        }
        (at, index)
    }

    /// Removes the step at a position, if there is one, if it equals the one before it.
    fn merge(&mut self, (at, index): Place) {
        let first = self.first_of(at);
        let steps = self.blocks.get(at).map_or(&[][..], |block| &block.steps);
        let before = match (index > first, at) {
            (true, _) => steps.get(index - 1),
            (false, 0) => None,
            (false, _) => self.blocks[at - 1].steps.last(),
        };
        let (Some(before), Some(step)) = (before, steps.get(index)) else { return };
        if before.free != step.free {
            return;
        }
        let block = &mut self.blocks[at];
        block.steps.remove(index);
        match block.steps.first() {
            Some(first) => block.begin = first.from,
            None => self.remove(at),
        }
    }

    /// Splits a long block, and joins a short one with a neighbour.
    fn resize(&mut self, at: usize) {
        let Some(length) = self.blocks.get(at).map(|block| block.steps.len()) else { return };
        if length > MOST {
            let first = self.first_of(at);
            let behind = self.blocks[at].steps.split_off(first + (length - first) / 2);
            self.blocks.insert(at + 1, Block::new(behind));
            self.runs.insert(at + 1);
            self.look(at);
            self.look(at + 1);
        } else if self.are_short(at, at + 1) {
            self.join(at);
        } else if at > 0 && self.are_short(at - 1, at) {
            self.join(at - 1);
        }
    }

    /// Returns true if two blocks, of which the second may not exist, are better one.
    fn are_short(&self, at: usize, next: usize) -> bool {
        let next = self.blocks.get(next).map(|block| block.steps.len());
        next.is_some_and(|next| self.blocks[at].steps.len() + next <= MOST / 2)
    }

    /// Joins a block with the next one.
    fn join(&mut self, at: usize) {
        let behind = std::mem::take(&mut self.blocks[at + 1].steps);
        self.remove(at + 1);
        self.blocks[at].steps.extend(behind);
        self.look(at);
    }

    fn remove(&mut self, at: usize) {
        self.blocks.remove(at);
        self.runs.remove(at);
    }

    /// Computes what is known of a block, if there is one.
    fn look(&mut self, at: usize) {
        let first = self.first_of(at);
        if let Some(block) = self.blocks.get_mut(at) {
            block.most = block.steps.iter().map(|step| step.free).max().unwrap_or(u32::MAX);
            self.runs.look(at, &block.steps[first..]);
        }
    }
}
