//! Availability over time: the number of free processors, given the running jobs and the
//! reservations.
//!
//! The profile is a sorted list of steps; the last one lasts for ever. The steps are in blocks, which
//! know their least and greatest number of free processors, so a search passes over whole blocks
//! and a change touches few steps: with n steps, of which at most `B = 256` are in a block, an update
//! costs O(B + n / B), and a search O(n / B) besides the steps that it must look at. A profile
//! of up to B steps is a plain list.

mod block;
#[cfg(test)]
mod tests;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::kernel::time::{Span, Time};
use block::{Block, Step};

/// Maximum number of steps in a block; longer ones are split.
const MOST: usize = 256;

/// The free processors of a cluster over all future time.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Never empty, strictly increasing in time.
    blocks: Vec<Block>,
    /// Number of leading steps of the first block that are past.
    past: usize,
}

/// Position of a step: its block, and its index there.
type Place = (usize, usize);

impl Profile {
    /// Creates a profile with all of `processors` free from `now` on.
    pub fn new(processors: u32, now: Time) -> Profile {
        let step = Step { from: now, free: processors };
        Profile { blocks: vec![Block::new(vec![step])], past: 0 }
    }

    /// Resets it to all of `processors` free from `now` on.
    pub fn reset(&mut self, processors: u32, now: Time) {
        self.blocks.truncate(1);
        self.blocks[0].reset(Step { from: now, free: processors });
        self.past = 0;
    }

    /// Discards everything before `now`.
    pub fn advance(&mut self, now: Time) {
        let mut whole = 0;
        while self.blocks.get(whole + 1).is_some_and(|next| next.begin <= now) {
            whole += 1;
        }
        if whole > 0 {
            self.blocks.drain(..whole);
            self.past = 0;
        }
        let block = &mut self.blocks[0];
        while block.from(self.past + 1).is_some_and(|next| next <= now) {
            self.past += 1;
        }
        if self.past > 32 && self.past * 2 > block.len() {
            block.forget(self.past);
            self.past = 0;
            self.bound(0);
        }
    }

    /// Returns the free processors at `time`, which must not be past.
    pub fn free_at(&self, time: Time) -> u32 {
        let (block, index) = self.step_at(time);
        self.blocks[block].free(index)
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
        let latest = latest.min(own);
        let mut place = (0, self.past);
        loop {
            let (begins, from) = self.first_with(place, latest, processors)?;
            let begun = from.max(now);
            if begun >= latest {
                return None;
            }
            let end = begun.saturating_add(length).min(own);
            // The last lack before the end rules out all starts before it. In a short list the
            // first one is found sooner.
            let lack = match self.blocks.len() {
                1 => self.first_lacking(begins, end, processors).map(|(place, _)| place),
                _ => self.last_lacking(begins, end, processors),
            };
            match lack {
                Some(lack) => place = lack,
                None => return Some(begun),
            }
        }
    }

    /// Returns the first time at which fewer than `processors` are free. The search covers `from`,
    /// which must not be past, up to but not including `until`.
    pub fn first_lack(&self, from: Time, until: Time, processors: u32) -> Option<Time> {
        let (_, lacking) = self.first_lacking(self.step_at(from), until, processors)?;
        Some(lacking.max(from)).filter(|&at| at < until)
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

    /// Returns the position of the step that `time`, which must not be past, is in.
    #[inline]
    fn step_at(&self, time: Time) -> Place {
        let block = self.block_at(time);
        let first = if block == 0 { self.past } else { 0 };
        let behind = self.blocks[block].before(first, time);
        match self.blocks[block].from(behind) {
            Some(from) if from == time => (block, behind),
            _ => (block, behind.max(first + 1) - 1),
        }
    }

    /// Returns the last block that begins by `time`, or the first.
    #[inline]
    fn block_at(&self, time: Time) -> usize {
        self.blocks.partition_point(|block| block.begin <= time).max(1) - 1
    }

    /// Returns the first step from a position on, and before a time, with `processors` free.
    #[inline]
    fn first_with(&self, from: Place, until: Time, processors: u32) -> Option<(Place, Time)> {
        self.first(from, until, |block| block.may_have(processors), |free| free >= processors)
    }

    /// Returns the first step from a position on, and before a time, with fewer than `processors`
    /// free.
    #[inline]
    fn first_lacking(&self, from: Place, until: Time, processors: u32) -> Option<(Place, Time)> {
        self.first(from, until, |block| block.may_lack(processors), |free| free < processors)
    }

    /// Returns the first step from a position on, and before a time, whose free processors are
    /// wanted. `may` is false for blocks that have none.
    #[inline]
    fn first(
        &self,
        (first, mut from): Place,
        until: Time,
        may: impl Fn(&Block) -> bool,
        is_wanted: impl Fn(u32) -> bool,
    ) -> Option<(Place, Time)> {
        let single = self.blocks.len() == 1;
        for (at, block) in self.blocks.iter().enumerate().skip(first) {
            if block.begin >= until && at > first {
                return None;
            }
            if single || may(block) {
                for (index, (begin, free)) in (from..).zip(block.steps(from)) {
                    if begin >= until {
                        return None;
                    }
                    if is_wanted(free) {
                        return Some(((at, index), begin));
                    }
                }
            }
            from = 0;
        }
        None
    }

    /// Returns the last step from a position on, and before a time, with fewer than `processors`
    /// free. The blocks have bounds.
    fn last_lacking(&self, from: Place, until: Time, processors: u32) -> Option<Place> {
        let last = self.block_at(until).max(from.0);
        for at in (from.0..=last).rev() {
            let block = &self.blocks[at];
            if !block.may_lack(processors) {
                continue;
            }
            let begin = if at == from.0 { from.1 } else { 0 };
            let end = if at == last { block.before(begin, until) } else { block.len() };
            if let Some(index) = block.last_lack(begin, end, processors) {
                return Some((at, index));
            }
        }
        None
    }

    fn change(&mut self, from: Time, to: Time, change: impl Fn(u32) -> u32) {
        if from >= to {
            return;
        }
        let first = self.split(from);
        let last = if to == Time::NEVER { (self.blocks.len(), 0) } else { self.split(to) };
        for at in first.0..self.blocks.len().min(last.0 + 1) {
            let begin = if at == first.0 { first.1 } else { 0 };
            let end = if at == last.0 { last.1 } else { self.blocks[at].len() };
            if self.blocks.len() > 1 && (begin, end) == (0, self.blocks[at].len()) {
                self.blocks[at].change_all(&change);
            } else if begin < end {
                self.blocks[at].change(begin, end, &change);
                self.bound(at);
            }
        }
        self.merge(last);
        self.merge(first);
        self.resize(last.0);
        self.resize(first.0);
    }

    /// Makes a step begin at `time`, and returns its position.
    fn split(&mut self, time: Time) -> Place {
        let at = self.block_at(time);
        let first = if at == 0 { self.past } else { 0 };
        let block = &mut self.blocks[at];
        let index = block.before(first, time);
        if block.from(index) != Some(time) {
            assert!(index > first, "the past is not changed");
            block.split(index, time);
        }
        (at, index)
    }

    /// Removes the step at a position, if there is one, if it equals the one before it.
    fn merge(&mut self, (at, index): Place) {
        let first = if at == 0 { self.past } else { 0 };
        let Some(block) = self.blocks.get(at).filter(|block| index < block.len()) else { return };
        let before = match (index > first, at) {
            (true, _) => block.free(index - 1),
            (false, 0) => return,
            (false, _) => self.blocks[at - 1].free(self.blocks[at - 1].len() - 1),
        };
        if before != block.free(index) {
            return;
        }
        self.blocks[at].remove(index);
        if self.blocks[at].len() == 0 {
            self.blocks.remove(at);
        } else if index == 0 {
            self.bound(at);
        }
    }

    /// Splits a long block, and joins a short one with a neighbour.
    fn resize(&mut self, at: usize) {
        let Some(length) = self.blocks.get(at).map(Block::len) else { return };
        if length > MOST {
            let first = if at == 0 { self.past } else { 0 };
            let behind = self.blocks[at].split_off(first + (length - first) / 2);
            self.blocks.insert(at + 1, behind);
            self.bound(at);
            self.bound(at + 1);
        } else if self.is_short(at, at + 1) {
            self.join(at);
        } else if at > 0 && self.is_short(at - 1, at) {
            self.join(at - 1);
        }
    }

    /// Returns true if two blocks, of which the second may not exist, are better one.
    fn is_short(&self, at: usize, next: usize) -> bool {
        let next = self.blocks.get(next).map(Block::len);
        next.is_some_and(|next| self.blocks[at].len() + next <= MOST / 2)
    }

    /// Joins a block with the next one.
    fn join(&mut self, at: usize) {
        let behind = self.blocks.remove(at + 1);
        self.blocks[at].append(&behind);
    }

    /// Computes the bounds of a block, unless it is the only one and needs none.
    #[inline]
    fn bound(&mut self, at: usize) {
        if self.blocks.len() > 1 {
            self.blocks[at].bound(if at == 0 { self.past } else { 0 });
        }
    }

    /// Returns the steps that are not past, with their free processors.
    fn steps(&self) -> impl Iterator<Item = (Time, u32)> + '_ {
        let first = |at| if at == 0 { self.past } else { 0 };
        self.blocks.iter().enumerate().flat_map(move |(at, block)| block.steps(first(at)))
    }
}

/// Writes the steps that are not past: how they are divided into blocks is of no consequence.
impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps: Vec<(Time, u32)> = self.steps().collect();
        steps.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Profile, D::Error> {
        let steps: Vec<(Time, u32)> = Vec::deserialize(deserializer)?;
        if steps.is_empty() || steps.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err(D::Error::custom("the steps of a profile are not in the order of time"));
        }
        let steps: Vec<Step> = steps.into_iter().map(|(from, free)| Step { from, free }).collect();
        let blocks = match steps.len() <= MOST {
            true => vec![Block::new(steps)],
            false => steps.chunks(MOST / 2).map(|steps| Block::new(steps.to_vec())).collect(),
        };
        Ok(Profile { blocks, past: 0 })
    }
}
