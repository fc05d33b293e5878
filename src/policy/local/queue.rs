//! Waiting jobs of a scheduler sorted by a key, in blocks with their minimum requirements.
//!
//! A pass over a long queue skips every block in which nothing can start, so its cost depends on
//! the number of blocks of 64 rather than of jobs. Blocks are reused: once a queue has reached its
//! full length it allocates nothing more.

use std::collections::VecDeque;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use model::ids::JobId;

/// Jobs in a block.
const BLOCK: usize = 64;

/// A waiting job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry<K> {
    /// Sort key; equal keys keep their order of arrival.
    pub key: K,
    pub id: JobId,
    pub processors: u32,
    pub expected: Span,
}

/// A pass over the queue that starts jobs.
pub(super) trait Pass<K> {
    /// True if a job could start, given the minimum requirements of several jobs.
    fn hopes(&self, processors: u32, expected: Span) -> bool;
    /// True if the job starts, which removes it from the queue.
    fn starts(&mut self, entry: &Entry<K>) -> bool;
}

#[derive(Clone, Debug)]
struct Block<K> {
    entries: Vec<Entry<K>>,
    least_processors: u32,
    least_expected: Span,
}

impl<K: Copy> Block<K> {
    fn new() -> Block<K> {
        let entries = Vec::with_capacity(BLOCK);
        Block { entries, least_processors: u32::MAX, least_expected: Span::MAX }
    }

    fn count_in(&mut self, entry: &Entry<K>) {
        self.least_processors = self.least_processors.min(entry.processors);
        self.least_expected = self.least_expected.min(entry.expected);
    }

    fn recount(&mut self) {
        self.least_processors = u32::MAX;
        self.least_expected = Span::MAX;
        for index in 0..self.entries.len() {
            let entry = self.entries[index];
            self.count_in(&entry);
        }
    }
}

/// The queue.
#[derive(Clone, Debug)]
pub(super) struct Queue<K> {
    /// No block is empty.
    blocks: VecDeque<Block<K>>,
    spare: Vec<Block<K>>,
    /// Number of removed entries at the front of the first block.
    gone: usize,
    length: usize,
}

impl<K: Copy + Ord> Queue<K> {
    pub fn new() -> Queue<K> {
        Queue { blocks: VecDeque::new(), spare: Vec::new(), gone: 0, length: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn first(&self) -> Option<&Entry<K>> {
        self.blocks.front().map(|block| &block.entries[self.gone])
    }

    /// Inserts a job after all with the same or a smaller key: constant time at the end of the
    /// queue, otherwise logarithmic in its length.
    pub fn push(&mut self, entry: Entry<K>) {
        self.length += 1;
        let behind_all = self
            .blocks
            .back()
            .and_then(|block| block.entries.last())
            .is_none_or(|last| last.key <= entry.key);
        if behind_all {
            if self.blocks.back().is_none_or(|block| block.entries.len() == BLOCK) {
                let block = self.spare.pop().unwrap_or_else(Block::new);
                self.blocks.push_back(block);
            }
            let block = self.blocks.back_mut().expect("a block was just made sure of");
            block.entries.push(entry);
            block.count_in(&entry);
            return;
        }
        self.settle_front();
        // Insert into the first block whose last key is larger.
        let found = self
            .blocks
            .partition_point(|block| block.entries.last().is_none_or(|last| last.key <= entry.key));
        if self.blocks[found].entries.len() == BLOCK {
            let mut upper = self.spare.pop().unwrap_or_else(Block::new);
            let lower = &mut self.blocks[found];
            upper.entries.extend(lower.entries.drain(BLOCK / 2..));
            upper.recount();
            lower.recount();
            self.blocks.insert(found + 1, upper);
        }
        let last = self.blocks[found].entries.last().map(|last| last.key);
        let found = found + usize::from(last.is_some_and(|last| last <= entry.key));
        let block = &mut self.blocks[found];
        let place = block.entries.partition_point(|other| other.key <= entry.key);
        block.entries.insert(place, entry);
        block.count_in(&entry);
    }

    pub fn pop_first(&mut self) -> Option<Entry<K>> {
        let block = self.blocks.front_mut()?;
        let entry = block.entries[self.gone];
        self.gone += 1;
        self.length -= 1;
        if self.gone == block.entries.len() {
            self.gone = 0;
            self.drop_block(0);
        }
        Some(entry)
    }

    /// Offers the jobs to a pass, in order; those that start leave the queue.
    pub fn sweep(&mut self, pass: &mut impl Pass<K>) {
        let mut index = 0;
        while index < self.blocks.len() {
            let block = &mut self.blocks[index];
            if pass.hopes(block.least_processors, block.least_expected) {
                // Only the first block has removed entries; drop them now.
                let mut gone = if index == 0 { std::mem::take(&mut self.gone) } else { 0 };
                let before = block.entries.len() - gone;
                let (mut processors, mut expected) = (u32::MAX, Span::MAX);
                block.entries.retain(|entry| {
                    if gone > 0 {
                        gone -= 1;
                        return false;
                    }
                    let starts = pass.starts(entry);
                    if !starts {
                        processors = processors.min(entry.processors);
                        expected = expected.min(entry.expected);
                    }
                    !starts
                });
                (block.least_processors, block.least_expected) = (processors, expected);
                self.length -= before - block.entries.len();
                if block.entries.is_empty() {
                    self.drop_block(index);
                    continue;
                }
            }
            index += 1;
        }
    }

    /// Removes a job from anywhere: linear in the length of the queue.
    pub fn remove(&mut self, id: JobId) -> Option<Entry<K>> {
        struct Find<K>(JobId, Option<Entry<K>>);
        impl<K: Copy> Pass<K> for Find<K> {
            fn hopes(&self, _: u32, _: Span) -> bool {
                self.1.is_none()
            }
            fn starts(&mut self, entry: &Entry<K>) -> bool {
                if entry.id == self.0 && self.1.is_none() {
                    self.1 = Some(*entry);
                    return true;
                }
                false
            }
        }
        let mut find = Find(id, None);
        self.sweep(&mut find);
        find.1
    }

    pub fn iter(&self) -> impl Iterator<Item = &Entry<K>> {
        self.blocks.iter().flat_map(|block| &block.entries).skip(self.gone)
    }

    /// Drops the removed entries of the first block. Its minimum requirements may then be too low,
    /// which is harmless: they only tell which blocks to visit.
    fn settle_front(&mut self) {
        if self.gone > 0 {
            let block = self.blocks.front_mut().expect("what is gone was in a block");
            block.entries.drain(..self.gone);
            self.gone = 0;
        }
    }

    fn drop_block(&mut self, index: usize) {
        if let Some(mut block) = self.blocks.remove(index) {
            block.entries.clear();
            block.recount();
            self.spare.push(block);
        }
    }
}

/// Saved as a list of jobs; their distribution over blocks does not matter.
impl<K: Copy + Ord + Serialize + DeserializeOwned> State for Queue<K> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.iter().copied().collect::<Vec<_>>(), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let entries: Vec<Entry<K>> = take(from)?;
        *self = Queue::new();
        entries.into_iter().for_each(|entry| self.push(entry));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Fit {
        free: u32,
        window: Span,
        started: Vec<u32>,
    }
    impl Pass<i64> for Fit {
        fn hopes(&self, processors: u32, expected: Span) -> bool {
            processors <= self.free && expected <= self.window
        }
        fn starts(&mut self, entry: &Entry<i64>) -> bool {
            let fits = self.hopes(entry.processors, entry.expected);
            if fits {
                self.free -= entry.processors;
                self.started.push(entry.id.0);
            }
            fits
        }
    }

    proptest! {
        /// Compared with a sorted vector: pushes by key, pops, sweeps and removals in any order.
        #[test]
        fn a_queue_is_a_sorted_list(
            moves in proptest::collection::vec((0_u8..12, -50_i64..50, 1_u32..9, 0_i64..9), 0..600),
        ) {
            let mut queue = Queue::new();
            let mut naive: Vec<Entry<i64>> = Vec::new();
            for (id, (what, key, processors, length)) in moves.into_iter().enumerate() {
                let expected = Span::from_ticks(length);
                match what {
                    0 => prop_assert_eq!(
                        queue.pop_first(),
                        (!naive.is_empty()).then(|| naive.remove(0))
                    ),
                    1 => {
                        let (free, window) = (processors * 2, expected);
                        let mut pass = Fit { free, window, started: Vec::new() };
                        queue.sweep(&mut pass);
                        let mut plain = Fit { free, window, started: Vec::new() };
                        naive.retain(|entry| !plain.starts(entry));
                        prop_assert_eq!(pass.started, plain.started);
                    }
                    2 if !naive.is_empty() => {
                        let victim = naive.remove(key.unsigned_abs() as usize % naive.len());
                        prop_assert_eq!(queue.remove(victim.id), Some(victim));
                    }
                    _ => {
                        let key = if what < 8 { id as i64 } else { key };
                        let entry = Entry { key, id: JobId(id as u32), processors, expected };
                        queue.push(entry);
                        let place = naive.partition_point(|other| other.key <= key);
                        naive.insert(place, entry);
                    }
                }
                prop_assert_eq!(queue.is_empty(), naive.is_empty());
                prop_assert_eq!(queue.length, naive.len());
                prop_assert_eq!(queue.first(), naive.first());
                let all: Vec<_> = queue.iter().copied().collect();
                prop_assert_eq!(&all, &naive);
            }
            let mut bytes = Vec::new();
            queue.save(&mut bytes);
            let mut again = Queue::new();
            again.load(&mut bytes.as_slice()).unwrap();
            prop_assert_eq!(again.iter().collect::<Vec<_>>(), naive.iter().collect::<Vec<_>>());
        }
    }
}
