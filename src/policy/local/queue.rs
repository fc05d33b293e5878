//! Waiting jobs of a scheduler sorted by a key, in groups of blocks, each with the least that its jobs
//! require.
//!
//! A pass over a long queue skips every group and block in which nothing can start, so its cost depends
//! on the jobs that start and the number of groups, of some 4000 jobs, rather than on that of jobs. Blocks
//! are reused: once a queue has reached its full length it allocates next to nothing.

use std::collections::VecDeque;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use model::ids::JobId;

/// Most jobs in a block.
const BLOCK: usize = 64;

/// Blocks in a group; one that jobs are inserted into may have up to twice as many.
const BLOCKS: usize = if cfg!(test) { 3 } else { 64 };

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
    /// True if a job could start that requires this much; one that requires less of both could too.
    fn hopes(&self, processors: u32, expected: Span) -> bool;
    /// True if the job starts, which removes it from the queue.
    fn starts(&mut self, entry: &Entry<K>) -> bool;
}

/// The least requirements of several jobs: those of each that no other undercuts in both, by increasing
/// processors and decreasing length. So a job could start if and only if one of these could.
#[derive(Clone, Debug, Default)]
struct Least(Vec<(u32, Span)>);

impl Least {
    fn add(&mut self, processors: u32, expected: Span) {
        let place = self.0.partition_point(|one| one.0 < processors);
        let is_undercut = (place > 0 && self.0[place - 1].1 <= expected)
            || self.0.get(place).is_some_and(|one| one.0 == processors && one.1 <= expected);
        if !is_undercut {
            let longer = self.0[place..].iter().take_while(|one| one.1 >= expected).count();
            self.0.splice(place..place + longer, [(processors, expected)]);
        }
    }

    fn hopes<K>(&self, pass: &impl Pass<K>) -> bool {
        self.0.iter().any(|&(processors, expected)| pass.hopes(processors, expected))
    }
}

#[derive(Clone, Debug)]
struct Block<K> {
    entries: Vec<Entry<K>>,
    least: Least,
}

impl<K: Copy> Block<K> {
    fn new() -> Block<K> {
        Block { entries: Vec::with_capacity(BLOCK), least: Least::default() }
    }

    fn recount(&mut self) {
        self.least.0.clear();
        self.entries.iter().for_each(|entry| self.least.add(entry.processors, entry.expected));
    }
}

/// Blocks in a row; there is one at least.
#[derive(Clone, Debug)]
struct Group<K> {
    blocks: VecDeque<Block<K>>,
    least: Least,
}

impl<K: Copy> Group<K> {
    fn of(blocks: VecDeque<Block<K>>) -> Group<K> {
        let mut group = Group { blocks, least: Least::default() };
        group.recount();
        group
    }

    fn recount(&mut self) {
        self.least.0.clear();
        for &(processors, expected) in self.blocks.iter().flat_map(|block| &block.least.0) {
            self.least.add(processors, expected);
        }
    }

    /// The key of its last job.
    fn last(&self) -> Option<K> {
        self.blocks.back().and_then(|block| block.entries.last()).map(|entry| entry.key)
    }
}

/// The queue.
#[derive(Clone, Debug)]
pub(super) struct Queue<K> {
    /// No block is empty.
    groups: VecDeque<Group<K>>,
    spare: Vec<Block<K>>,
    /// Number of removed entries at the front of the first block.
    gone: usize,
    length: usize,
}

impl<K: Copy + Ord> Queue<K> {
    pub fn new() -> Queue<K> {
        Queue { groups: VecDeque::new(), spare: Vec::new(), gone: 0, length: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn first(&self) -> Option<&Entry<K>> {
        self.groups.front().map(|group| &group.blocks[0].entries[self.gone])
    }

    /// Inserts a job after all with the same or a smaller key: constant time at the end of the
    /// queue, otherwise logarithmic in its length.
    pub fn push(&mut self, entry: Entry<K>) {
        self.length += 1;
        let is_behind_all =
            self.groups.back().and_then(Group::last).is_none_or(|last| last <= entry.key);
        if is_behind_all {
            let is_full = |group: &Group<K>| group.blocks.len() >= BLOCKS;
            let has_room =
                |group: &Group<K>| group.blocks.back().is_some_and(|one| one.entries.len() < BLOCK);
            if self.groups.back().is_none_or(|group| is_full(group) && !has_room(group)) {
                self.groups.push_back(Group::of(VecDeque::new()));
            }
            let group = self.groups.back_mut().expect("a group was just made sure of");
            if !has_room(group) {
                group.blocks.push_back(self.spare.pop().unwrap_or_else(Block::new));
            }
            let block = group.blocks.back_mut().expect("a block was just made sure of");
            block.entries.push(entry);
            block.least.add(entry.processors, entry.expected);
            group.least.add(entry.processors, entry.expected);
            return;
        }
        self.settle_front();
        // Insert into the first block whose last key is larger.
        let is_before = |last: Option<K>| last.is_none_or(|last| last <= entry.key);
        let at = self.groups.partition_point(|group| is_before(group.last()));
        let group = &mut self.groups[at];
        let last = |block: &Block<K>| block.entries.last().map(|last| last.key);
        let mut found = group.blocks.partition_point(|block| is_before(last(block)));
        if group.blocks[found].entries.len() == BLOCK {
            let mut upper = self.spare.pop().unwrap_or_else(Block::new);
            let lower = &mut group.blocks[found];
            upper.entries.extend(lower.entries.drain(BLOCK / 2..));
            upper.recount();
            lower.recount();
            let is_upper = is_before(last(lower));
            group.blocks.insert(found + 1, upper);
            found += usize::from(is_upper);
        }
        let block = &mut group.blocks[found];
        let place = block.entries.partition_point(|other| other.key <= entry.key);
        block.entries.insert(place, entry);
        block.least.add(entry.processors, entry.expected);
        group.least.add(entry.processors, entry.expected);
        if group.blocks.len() >= 2 * BLOCKS {
            let upper = group.blocks.split_off(BLOCKS);
            group.recount();
            self.groups.insert(at + 1, Group::of(upper));
        }
    }

    pub fn pop_first(&mut self) -> Option<Entry<K>> {
        let block = &self.groups.front()?.blocks[0];
        let entry = block.entries[self.gone];
        self.gone += 1;
        self.length -= 1;
        if self.gone == block.entries.len() {
            self.gone = 0;
            self.drop_block(0, 0);
        }
        Some(entry)
    }

    /// Offers the jobs to a pass, in order; those that start leave the queue.
    pub fn sweep(&mut self, pass: &mut impl Pass<K>) {
        let mut at = 0;
        while at < self.groups.len() {
            if self.groups[at].least.hopes(pass) && self.sweep_group(at, pass) {
                continue;
            }
            at += 1;
        }
    }

    /// Offers the jobs of a group; returns true if none is left, and the group is dropped.
    fn sweep_group(&mut self, at: usize, pass: &mut impl Pass<K>) -> bool {
        let mut index = 0;
        while index < self.groups[at].blocks.len() {
            let block = &mut self.groups[at].blocks[index];
            if block.least.hopes(pass) {
                // Only the first block has removed entries; drop them now.
                let is_first = at == 0 && index == 0;
                let mut gone = if is_first { std::mem::take(&mut self.gone) } else { 0 };
                let before = block.entries.len() - gone;
                block.entries.retain(|entry| {
                    if gone > 0 {
                        gone -= 1;
                        return false;
                    }
                    !pass.starts(entry)
                });
                self.length -= before - block.entries.len();
                if block.entries.is_empty() {
                    if self.drop_block(at, index) {
                        return true;
                    }
                    continue;
                }
                block.recount();
            }
            index += 1;
        }
        self.groups[at].recount();
        false
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
        let blocks = self.groups.iter().flat_map(|group| &group.blocks);
        blocks.flat_map(|block| &block.entries).skip(self.gone)
    }

    /// Drops the removed entries of the first block. Its least requirements may then be too low,
    /// which is harmless: they only tell which blocks to visit.
    fn settle_front(&mut self) {
        if self.gone > 0 {
            let group = self.groups.front_mut().expect("what is gone was in a group");
            group.blocks[0].entries.drain(..self.gone);
            self.gone = 0;
        }
    }

    /// Drops an empty block; returns true if that empties its group, which is dropped too.
    fn drop_block(&mut self, at: usize, index: usize) -> bool {
        if let Some(mut block) = self.groups[at].blocks.remove(index) {
            block.entries.clear();
            block.recount();
            self.spare.push(block);
        }
        let is_empty = self.groups[at].blocks.is_empty();
        if is_empty {
            self.groups.remove(at);
        }
        is_empty
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
