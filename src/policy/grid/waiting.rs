//! Waiting jobs by their number of processors: which sizes wait, and which job comes first among
//! some of them.
//!
//! The jobs of one size are a line. A tree of minima over the sizes holds the key of each line's
//! first job, so every question takes time logarithmic in the largest size. Blocks of sizes that no
//! job ever had take no memory.

use std::collections::VecDeque;
use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::tree;
use kernel::state::{Corrupt, State, put, take};
use model::ids::JobId;

/// Key by which jobs of a list are in order.
pub(super) trait Key: Copy + Ord + Debug {
    /// A key after that of every job.
    const LAST: Self;
}

impl Key for u64 {
    const LAST: u64 = u64::MAX;
}

impl Key for (i128, u64) {
    const LAST: (i128, u64) = (i128::MAX, u64::MAX);
}

/// A complete binary tree of minima over a fixed number of places.
#[derive(Clone, Debug)]
struct Minima<K> {
    /// Node 1 is the root; the leaves are the second half.
    nodes: Vec<K>,
}

impl<K: Key> Minima<K> {
    fn new(places: usize) -> Minima<K> {
        Minima { nodes: vec![K::LAST; places.next_power_of_two() * 2] }
    }

    #[inline]
    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    #[inline]
    fn least(&self) -> K {
        self.nodes[1]
    }

    #[inline]
    fn set(&mut self, place: usize, key: K) {
        let mut node = self.leaves() + place;
        self.nodes[node] = key;
        while node > 1 {
            node /= 2;
            let least = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
            if self.nodes[node] == least {
                return;
            }
            self.nodes[node] = least;
        }
    }

    /// Returns the smallest key from one place up to before another, and its place.
    #[inline]
    fn first(&self, from: usize, to: usize) -> Option<(K, usize)> {
        if from >= to {
            return None;
        }
        let (mut low, mut high) = (self.leaves() + from, self.leaves() + to);
        let (mut best, mut at) = (K::LAST, 0);
        while low < high {
            if low & 1 == 1 {
                if self.nodes[low] < best {
                    (best, at) = (self.nodes[low], low);
                }
                low += 1;
            }
            if high & 1 == 1 {
                high -= 1;
                if self.nodes[high] < best {
                    (best, at) = (self.nodes[high], high);
                }
            }
            low /= 2;
            high /= 2;
        }
        if best == K::LAST {
            return None;
        }
        while at < self.leaves() {
            at = 2 * at + usize::from(self.nodes[2 * at] != best);
        }
        Some((best, at - self.leaves()))
    }

    /// Returns the first place from one on that has a key.
    #[inline]
    fn next(&self, from: usize) -> Option<usize> {
        tree::first(&self.nodes, from, |&key| key != K::LAST)
    }

    /// Returns the last place up to one that has a key.
    #[inline]
    fn previous(&self, to: usize) -> Option<usize> {
        let leaves = self.leaves();
        let mut node = leaves + to.min(leaves - 1);
        while self.nodes[node] == K::LAST {
            // Up until there is something to the left, then into it.
            while node & 1 == 0 {
                node /= 2;
            }
            if node == 1 {
                return None;
            }
            node -= 1;
        }
        while node < leaves {
            node = 2 * node + usize::from(self.nodes[2 * node + 1] != K::LAST);
        }
        Some(node - leaves)
    }
}

/// Number of sizes in a block.
const BLOCK: usize = 1024;

/// The lines of neighbouring sizes.
#[derive(Clone, Debug)]
struct Block<K> {
    lines: Vec<VecDeque<(K, JobId)>>,
    keys: Minima<K>,
}

/// Waiting jobs of up to a number of processors, in lines by size.
#[derive(Clone, Debug)]
pub(super) struct Waiting<K> {
    most: usize,
    blocks: Vec<Option<Box<Block<K>>>>,
    /// The first key of each block.
    firsts: Minima<K>,
    length: usize,
}

impl<K: Key> Waiting<K> {
    /// No jobs of up to `most` processors.
    pub fn new(most: u32) -> Waiting<K> {
        let most = most as usize;
        let blocks = most / BLOCK + 1;
        Waiting { most, blocks: vec![None; blocks], firsts: Minima::new(blocks), length: 0 }
    }

    /// Returns the number of waiting jobs.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns true if no job waits.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds a job to the line of its size, behind all whose key is not larger.
    #[inline]
    pub fn push(&mut self, processors: u32, key: K, id: JobId) {
        let (index, place) = (processors as usize / BLOCK, processors as usize % BLOCK);
        let most = self.most;
        let block = self.blocks[index].get_or_insert_with(|| {
            let sizes = (most + 1 - index * BLOCK).min(BLOCK);
            Box::new(Block { lines: vec![VecDeque::new(); sizes], keys: Minima::new(sizes) })
        });
        let line = &mut block.lines[place];
        if line.back().is_none_or(|&(last, _)| last <= key) {
            line.push_back((key, id));
        } else {
            line.insert(line.partition_point(|&(other, _)| other <= key), (key, id));
        }
        let first = line[0].0;
        if first == key {
            block.keys.set(place, first);
            self.firsts.set(index, block.keys.least());
        }
        self.length += 1;
    }

    /// Removes the first job of a size. Returns it, and whether it was the last of its size.
    ///
    /// # Panics
    /// If no job of this size waits.
    #[inline]
    pub fn pop(&mut self, processors: u32) -> (JobId, bool) {
        let (index, place) = (processors as usize / BLOCK, processors as usize % BLOCK);
        let block = self.blocks[index].as_mut().expect("a job of this size waits");
        let line = &mut block.lines[place];
        let (_, id) = line.pop_front().expect("a job of this size waits");
        block.keys.set(place, line.front().map_or(K::LAST, |&(key, _)| key));
        self.firsts.set(index, block.keys.least());
        self.length -= 1;
        (id, line.is_empty())
    }

    /// Removes the job of a size with a key, and returns it.
    ///
    /// # Panics
    /// If there is none.
    pub fn remove(&mut self, processors: u32, key: K) -> JobId {
        let (index, place) = (processors as usize / BLOCK, processors as usize % BLOCK);
        let block = self.blocks[index].as_mut().expect("a job of this size waits");
        let line = &mut block.lines[place];
        let at = line.iter().position(|one| one.0 == key);
        let (_, id) = at.and_then(|at| line.remove(at)).expect("it waits");
        block.keys.set(place, line.front().map_or(K::LAST, |&(key, _)| key));
        self.firsts.set(index, block.keys.least());
        self.length -= 1;
        id
    }

    /// Returns the first job in order of those with more than `above` and up to `most` processors: its
    /// key and size.
    #[inline]
    pub fn first(&self, above: u32, most: u32) -> Option<(K, u32)> {
        let (from, to) = (above as usize + 1, (most as usize).min(self.most) + 1);
        if from >= to {
            return None;
        }
        let (low, high) = (from / BLOCK, (to - 1) / BLOCK);
        let within = |index: usize, from: usize, to: usize| {
            let (key, place) = self.blocks[index].as_ref()?.keys.first(from, to)?;
            Some((key, (index * BLOCK + place) as u32))
        };
        if low == high {
            return within(low, from - low * BLOCK, to - low * BLOCK);
        }
        let ends =
            [within(low, from - low * BLOCK, self.sizes(low)), within(high, 0, to - high * BLOCK)];
        let between = self.firsts.first(low + 1, high).and_then(|(_, index)| {
            let sizes = self.sizes(index);
            within(index, 0, sizes)
        });
        ends.into_iter().chain([between]).flatten().min()
    }

    /// Returns the number of leaves of a block.
    fn sizes(&self, index: usize) -> usize {
        (self.most + 1 - index * BLOCK).min(BLOCK)
    }

    /// Returns the smallest size above one of which jobs wait.
    #[inline]
    pub fn smallest_above(&self, processors: u32) -> Option<u32> {
        let from = processors as usize + 1;
        if from > self.most {
            return None;
        }
        let index = from / BLOCK;
        let here = self.blocks[index].as_ref().and_then(|one| one.keys.next(from % BLOCK));
        if let Some(place) = here {
            return Some((index * BLOCK + place) as u32);
        }
        let index = self.firsts.next(index + 1)?;
        let place = self.blocks[index].as_ref()?.keys.next(0)?;
        Some((index * BLOCK + place) as u32)
    }

    /// Returns the largest size up to one of which jobs wait.
    #[inline]
    pub fn largest_up_to(&self, processors: u32) -> Option<u32> {
        let to = (processors as usize).min(self.most);
        let index = to / BLOCK;
        let here = self.blocks[index].as_ref().and_then(|one| one.keys.previous(to % BLOCK));
        if let Some(place) = here {
            return Some((index * BLOCK + place) as u32);
        }
        let index = self.firsts.previous(index.checked_sub(1)?)?;
        let place = self.blocks[index].as_ref()?.keys.previous(BLOCK - 1)?;
        Some((index * BLOCK + place) as u32)
    }

    /// Returns all jobs with their sizes and keys, size by size, each line in its order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, K, JobId)> {
        let blocks = self.blocks.iter().enumerate();
        let lines = blocks.flat_map(|(index, block)| {
            let lines = block.iter().flat_map(|block| block.lines.iter().enumerate());
            lines.map(move |(place, line)| ((index * BLOCK + place) as u32, line))
        });
        lines.flat_map(|(size, line)| line.iter().map(move |&(key, id)| (size, key, id)))
    }
}

/// Saved as a list of jobs.
impl<K: Key + Serialize + DeserializeOwned> State for Waiting<K> {
    fn save(&self, out: &mut Vec<u8>) {
        let all: Vec<(u32, K, JobId)> = self.iter().collect();
        put(&all, out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let all: Vec<(u32, K, JobId)> = take(from)?;
        *self = Waiting::new(self.most as u32);
        for (size, key, id) in all {
            if size as usize > self.most {
                return Err(Corrupt::Content("a job of another grid".to_owned()));
            }
            self.push(size, key, id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compared with a plain list of jobs.
        #[test]
        fn lines_answer_as_a_list_does(
            most in prop_oneof![1_u32..40, 1000_u32..5000],
            moves in proptest::collection::vec((0_u8..5, 0_u32..6000, 0_u32..6000, 0_u64..50), 0..200),
        ) {
            let mut waiting = Waiting::new(most);
            let mut plain: Vec<(u64, u32, u32)> = Vec::new();
            for (number, (what, one, other, key)) in moves.into_iter().enumerate() {
                let size = one % most + 1;
                match what {
                    0..=2 => {
                        let id = number as u32;
                        waiting.push(size, key, JobId(id));
                        plain.push((key, size, id));
                    }
                    3 => {
                        let first = plain.iter().filter(|job| job.1 == size).min_by_key(|job| job.0);
                        if let Some(&job) = first {
                            plain.retain(|other| *other != job);
                            let is_last = plain.iter().all(|other| other.1 != size);
                            prop_assert_eq!(waiting.pop(size), (JobId(job.2), is_last));
                        }
                    }
                    _ => {
                        let (low, high) = (one % (most + 2), other % (most + 2));
                        let within = plain.iter().filter(|job| low < job.1 && job.1 <= high);
                        let first = within.map(|job| (job.0, job.1)).min();
                        let found = waiting.first(low, high);
                        prop_assert_eq!(found.map(|one| one.0), first.map(|one| one.0));
                        let sizes = || plain.iter().map(|job| job.1);
                        prop_assert_eq!(waiting.smallest_above(low), sizes().filter(|&one| one > low).min());
                        prop_assert_eq!(waiting.largest_up_to(low), sizes().filter(|&one| one <= low).max());
                    }
                }
                prop_assert_eq!(waiting.len(), plain.len());
                prop_assert_eq!(waiting.iter().count(), plain.len());
            }
        }
    }
}
