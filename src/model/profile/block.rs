//! A run of consecutive steps of a profile, with bounds of their free processors.

use crate::kernel::time::Time;

/// A step: from time `from` on, `free` processors are free, once its block's offset is added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub from: Time,
    pub free: u32,
}

/// Consecutive steps, at least one.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Time of the first step.
    pub begin: Time,
    /// Added to the free processors of every step, modulo 2^32, so that all of them change at once.
    offset: u32,
    /// Least and greatest number of free processors, of a profile of several blocks.
    least: u32,
    most: u32,
    steps: Vec<Step>,
}

impl Block {
    /// Creates a block of these steps, with its bounds.
    pub fn new(steps: Vec<Step>) -> Block {
        let mut block = Block { begin: steps[0].from, offset: 0, least: 0, most: u32::MAX, steps };
        block.bound(0);
        block
    }

    /// Makes it a block of one step.
    pub fn reset(&mut self, step: Step) {
        self.steps.clear();
        self.steps.push(step);
        (self.begin, self.offset) = (step.from, 0);
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the time of a step, if there is one.
    #[inline]
    pub fn from(&self, index: usize) -> Option<Time> {
        self.steps.get(index).map(|step| step.from)
    }

    /// Returns the free processors of a step.
    #[inline]
    pub fn free(&self, index: usize) -> u32 {
        self.steps[index].free.wrapping_add(self.offset)
    }

    /// Returns the index of the first step from `index` on that does not begin before `time`.
    #[inline]
    pub fn before(&self, index: usize, time: Time) -> usize {
        index + self.steps[index..].partition_point(|step| step.from < time)
    }

    /// Returns true unless no step has this many free processors.
    #[inline]
    pub fn may_have(&self, processors: u32) -> bool {
        self.most >= processors
    }

    /// Returns true unless every step has this many free processors.
    #[inline]
    pub fn may_lack(&self, processors: u32) -> bool {
        self.least < processors
    }

    /// Returns the steps from `index` on, with their free processors.
    #[inline]
    pub fn steps(&self, index: usize) -> impl DoubleEndedIterator<Item = (Time, u32)> + '_ {
        let offset = self.offset;
        self.steps[index..].iter().map(move |step| (step.from, step.free.wrapping_add(offset)))
    }

    /// Returns the last step from `begin` up to but not including `end` with fewer than
    /// `processors` free.
    #[inline]
    pub fn last_lack(&self, begin: usize, end: usize, processors: u32) -> Option<usize> {
        let lacks = |step: &Step| step.free.wrapping_add(self.offset) < processors;
        self.steps[begin..end].iter().rposition(lacks).map(|index| begin + index)
    }

    /// Computes the bounds over the steps from `index` on.
    pub fn bound(&mut self, index: usize) {
        let free = || self.steps[index..].iter().map(|step| step.free.wrapping_add(self.offset));
        (self.least, self.most) = (free().min().unwrap_or(0), free().max().unwrap_or(u32::MAX));
    }

    /// Inserts a step that has as many free processors as the one before it.
    pub fn split(&mut self, index: usize, from: Time) {
        let free = self.steps[index - 1].free;
        self.steps.insert(index, Step { from, free });
    }

    /// Removes a step; the block may be left empty.
    pub fn remove(&mut self, index: usize) {
        self.steps.remove(index);
        self.begin = self.from(0).unwrap_or(self.begin);
    }

    /// Removes the steps before `index`, which is not behind the last.
    pub fn forget(&mut self, index: usize) {
        self.steps.drain(..index);
        self.begin = self.steps[0].from;
    }

    /// Changes the free processors of some steps.
    #[inline]
    pub fn change(&mut self, begin: usize, end: usize, change: &impl Fn(u32) -> u32) {
        let offset = self.offset;
        for step in &mut self.steps[begin..end] {
            step.free = change(step.free.wrapping_add(offset)).wrapping_sub(offset);
        }
    }

    /// Changes the free processors of all steps by the same number. The bounds are known.
    pub fn change_all(&mut self, change: &impl Fn(u32) -> u32) {
        let (least, most) = (change(self.least), change(self.most));
        self.offset = self.offset.wrapping_add(least.wrapping_sub(self.least));
        (self.least, self.most) = (least, most);
    }

    /// Splits off the steps from `index` on.
    pub fn split_off(&mut self, index: usize) -> Block {
        let mut behind = Block { begin: self.begin, steps: self.steps.split_off(index), ..*self };
        behind.begin = behind.steps[0].from;
        behind
    }

    /// Appends the steps of the block after it.
    pub fn append(&mut self, behind: &Block) {
        let shift = behind.offset.wrapping_sub(self.offset);
        let shifted = |step: &Step| Step { free: step.free.wrapping_add(shift), ..*step };
        self.steps.extend(behind.steps.iter().map(shifted));
        (self.least, self.most) = (self.least.min(behind.least), self.most.max(behind.most));
    }
}
