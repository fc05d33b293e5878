//! Index of waiting jobs in the order of a rule, searched by requirements.

use super::facts::Order;
use kernel::time::Span;

/// Position in the order: the rule's sort key, then the order of submission.
pub(super) type Key = (i128, u64);

/// A waiting job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    pub key: Key,
    pub slot: usize,
    pub size: i64,
    pub length: Span,
}

impl Waits {
    /// Sort key of an order.
    pub fn rank(order: Order, size: i64, length: Span) -> i128 {
        let (size, length) = (i128::from(size), i128::from(length.ticks()));
        match order {
            Order::Submit | Order::Random => 0,
            Order::ShortestEstimate => length,
            Order::LongestEstimate => -length,
            Order::Smallest => size,
            Order::Largest => -size,
            Order::SmallestArea => size * length,
            Order::LargestArea => -(size * length),
        }
    }
}

/// Search criteria: at most `free` processors, and either at most `extra` processors or a runtime
/// of at most `limit`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub free: i64,
    pub extra: i64,
    pub limit: Span,
}

impl Wanted {
    /// Every job that fits into `free` processors.
    pub fn fits(free: i64) -> Wanted {
        Wanted { free, extra: free, limit: Span::ZERO }
    }

    fn holds(&self, job: &Waits) -> bool {
        job.size <= self.free && (job.size <= self.extra || job.length <= self.limit)
    }
}

/// Maximum number of jobs in a block; larger ones are split.
const MOST: usize = 256;

/// Number of width classes: powers of two, the last of which includes all wider jobs.
const WIDTHS: usize = 20;

/// Consecutive jobs, with the bounds that let a search skip them.
#[derive(Debug)]
struct Block {
    jobs: Vec<Waits>,
    narrowest: i64,
    /// Shortest runtime in each width class; `MAX` if it is empty.
    shortest: [Span; WIDTHS],
}

fn width(size: i64) -> usize {
    (size.max(1).ilog2() as usize).min(WIDTHS - 1)
}

impl Block {
    fn of(jobs: Vec<Waits>) -> Block {
        let mut block =
            Block { jobs: Vec::new(), narrowest: i64::MAX, shortest: [Span::MAX; WIDTHS] };
        jobs.iter().for_each(|job| block.note(job));
        block.jobs = jobs;
        block
    }

    fn note(&mut self, job: &Waits) {
        self.narrowest = self.narrowest.min(job.size);
        let shortest = &mut self.shortest[width(job.size)];
        *shortest = job.length.min(*shortest);
    }

    /// Updates the bounds after a job was removed.
    fn forget(&mut self, job: &Waits) {
        let class = width(job.size);
        if job.size == self.narrowest || job.length == self.shortest[class] {
            *self = Block::of(std::mem::take(&mut self.jobs));
        }
    }

    /// False if it cannot contain a matching job.
    fn may_hold(&self, wanted: &Wanted) -> bool {
        if self.narrowest > wanted.free {
            return false;
        }
        self.narrowest <= wanted.extra
            || self.shortest[..=width(wanted.free)].iter().any(|&length| length <= wanted.limit)
    }
}

/// The waiting jobs. Blocks of at most 256 let a search skip most of them.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// Nonempty blocks.
    blocks: Vec<Block>,
}

impl Waiting {
    /// Index of the block for a key.
    fn block(&self, key: Key) -> usize {
        self.blocks.partition_point(|block| block.jobs[0].key <= key).saturating_sub(1)
    }

    pub fn insert(&mut self, job: Waits) {
        if self.blocks.is_empty() {
            self.blocks.push(Block::of(vec![job]));
            return;
        }
        let at = self.block(job.key);
        let block = &mut self.blocks[at];
        let place = block.jobs.partition_point(|other| other.key < job.key);
        block.jobs.insert(place, job);
        block.note(&job);
        if block.jobs.len() > MOST {
            // Jobs that come in order of submission fill a block before the next one begins.
            let is_last = place + 1 == block.jobs.len();
            let behind = block.jobs.split_off(if is_last { MOST } else { MOST / 2 });
            let before = Block::of(std::mem::take(&mut block.jobs));
            *block = before;
            self.blocks.insert(at + 1, Block::of(behind));
        }
    }

    pub fn remove(&mut self, key: Key) -> Option<Waits> {
        let at = self.block(key);
        let block = self.blocks.get_mut(at)?;
        let place = block.jobs.binary_search_by_key(&key, |job| job.key).ok()?;
        let job = block.jobs.remove(place);
        if block.jobs.is_empty() {
            self.blocks.remove(at);
        } else {
            block.forget(&job);
        }
        Some(job)
    }

    /// The jobs, in order.
    pub fn into_jobs(self) -> impl Iterator<Item = Waits> {
        self.blocks.into_iter().flat_map(|block| block.jobs)
    }

    pub fn first(&self) -> Option<Waits> {
        Some(self.blocks.first()?.jobs[0])
    }

    /// The first matching job behind a key.
    pub fn find(&self, behind: Option<Key>, wanted: &Wanted) -> Option<Waits> {
        let first = behind.map_or(0, |key| self.block(key));
        for (at, block) in self.blocks.iter().enumerate().skip(first) {
            if !block.may_hold(wanted) {
                continue;
            }
            let from = match behind {
                Some(key) if at == first => block.jobs.partition_point(|job| job.key <= key),
                _ => 0,
            };
            if let Some(job) = block.jobs[from..].iter().find(|job| wanted.holds(job)) {
                return Some(*job);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compared with a plain list.
        #[test]
        fn a_search_finds_what_a_list_finds(
            jobs in proptest::collection::vec((0_i128..40, 1_i64..70, 0_i64..50), 1..900),
            removed in proptest::collection::vec(0_usize..900, 0..500),
            looks in proptest::collection::vec(
                (0_i128..40, 0_i64..80, -3_i64..70, 0_i64..50),
                1..40,
            ),
        ) {
            let (mut waiting, mut list) = (Waiting::default(), Vec::new());
            for (slot, (rank, size, length)) in jobs.into_iter().enumerate() {
                let (key, length) = ((rank, slot as u64), Span::units(length));
                let job = Waits { key, slot, size, length };
                waiting.insert(job);
                list.push(job);
            }
            list.sort_by_key(|job| job.key);
            for at in removed {
                if at < list.len() {
                    let job = list.remove(at);
                    prop_assert_eq!(waiting.remove(job.key).map(|job| job.slot), Some(job.slot));
                    prop_assert!(waiting.remove(job.key).is_none());
                }
            }
            prop_assert_eq!(waiting.first().map(|job| job.key), list.first().map(|job| job.key));
            for (rank, free, extra, limit) in looks {
                let wanted = Wanted { free, extra, limit: Span::units(limit) };
                for behind in [None, Some((rank, 450))] {
                    let found = list.iter().find(|job| {
                        behind.is_none_or(|key| job.key > key)
                            && job.size <= free
                            && (job.size <= extra || job.length <= wanted.limit)
                    });
                    let found = found.map(|job| job.slot);
                    prop_assert_eq!(waiting.find(behind, &wanted).map(|job| job.slot), found);
                }
            }
        }
    }
}
