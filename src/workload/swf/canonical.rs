//! The canonical workload: jobs as they will run, before owners are assigned, and their digest.

use kernel::map::Map;
use rustc_hash::FxHashMap;

use super::kept::{Keeper, Kept, Room};
use super::survey::Share;
use kernel::time::{Span, Time};
use model::ids::{ClusterId, OrganizationId};
use model::job::Job;
use model::recorded::Recorded;

/// A job of the canonical workload; times in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Canonical {
    pub number: u64,
    pub submit: i64,
    pub runtime: i64,
    pub estimate: i64,
    pub processors: u32,
    pub user: u32,
    pub group: u32,
    pub partition: i32,
    /// Recorded waiting time; negative if there is none.
    pub wait: i64,
}

/// Bytes of a job in binary form.
const SIZE: usize = 4 * 8 + 3 * 4;
/// Bytes of a job in binary form with its record, which is compared when a trace is read again.
const WHOLE: usize = SIZE + 4 + 8;

/// Four bytes of a binary form, of which all lengths are multiples.
type Word = [u8; 4];

impl Canonical {
    /// Returns the binary form, little-endian: number, submit, runtime, estimate (8 bytes each),
    /// processors, user, group (4 bytes each).
    /// Then follows its record: partition (4 bytes) and waiting time (8 bytes).
    #[inline]
    fn words(&self) -> [Word; WHOLE / 4] {
        let low = |value: u64| (value as u32).to_le_bytes();
        let high = |value: u64| ((value >> 32) as u32).to_le_bytes();
        let [number, submit, runtime] = [self.number, self.submit as u64, self.runtime as u64];
        let [estimate, wait] = [self.estimate as u64, self.wait as u64];
        [
            low(number),
            high(number),
            low(submit),
            high(submit),
            low(runtime),
            high(runtime),
            low(estimate),
            high(estimate),
            self.processors.to_le_bytes(),
            self.user.to_le_bytes(),
            self.group.to_le_bytes(),
            self.partition.to_le_bytes(),
            low(wait),
            high(wait),
        ]
    }

    #[inline]
    pub fn area(&self) -> i128 {
        i128::from(self.processors) * i128::from(self.runtime)
    }

    /// Converts it to a job of a run.
    #[inline]
    pub fn job(
        &self,
        source: u32,
        organization: OrganizationId,
        cluster: Option<ClusterId>,
    ) -> Job {
        Job {
            number: self.number,
            source,
            submit: Time::from_ticks(self.submit),
            runtime: Span::from_ticks(self.runtime),
            estimate: Span::from_ticks(self.estimate),
            processors: self.processors,
            user: self.user,
            organization,
            recorded: Recorded::new((self.wait >= 0).then(|| Span::from_ticks(self.wait)), cluster)
                .of_partition(self.partition),
        }
    }
}

/// The share of one user, group or partition, as it grows.
#[derive(Clone, Copy)]
struct Sum {
    jobs: u64,
    area: i128,
    first: i64,
    last: i64,
}

impl Sum {
    const NONE: Sum = Sum { jobs: 0, area: 0, first: i64::MAX, last: i64::MIN };

    #[inline]
    fn add(&mut self, area: i128, submit: i64) {
        self.jobs += 1;
        self.area += area;
        self.first = self.first.min(submit);
        self.last = self.last.max(submit);
    }

    fn share(&self) -> Share {
        let submits = (Time::from_ticks(self.first), Time::from_ticks(self.last));
        Share { jobs: self.jobs, area: self.area, submits: Some(submits) }
    }
}

/// Shares by number: small numbers, the usual ones, in a list, others in a map.
#[derive(Default)]
struct Shares {
    near: Vec<Sum>,
    far: FxHashMap<u32, Sum>,
}

impl Shares {
    /// Numbers below this are in the list, which takes at most 0.2 MB.
    const NEAR: usize = 1 << 12;

    #[inline]
    fn of(&mut self, number: u32) -> &mut Sum {
        let at = number as usize;
        if at >= self.near.len() {
            if at >= Shares::NEAR {
                return self.far.entry(number).or_insert(Sum::NONE);
            }
            self.near.resize(at + 1, Sum::NONE);
        }
        &mut self.near[at]
    }

    /// The shares of numbers with jobs.
    fn all(&self) -> impl Iterator<Item = (u32, Share)> {
        let near = (0..).zip(&self.near).filter(|(_, sum)| sum.jobs > 0);
        let far = self.far.iter().map(|(&number, sum)| (number, sum));
        near.chain(far).map(|(number, sum)| (number, sum.share()))
    }
}

/// Statistics of a workload, accumulated job by job.
pub(super) struct Tally {
    hasher: blake3::Hasher,
    /// Jobs not yet counted. A block at once is several times as fast as one by one.
    block: Vec<Canonical>,
    /// Room for the binary forms of a block, without and with records.
    room: [Vec<Word>; 2],
    /// Digests of the full blocks so far.
    blocks: Vec<u64>,
    keeper: Keeper,
    pub jobs: u64,
    pub first: Option<i64>,
    pub last: Option<i64>,
    pub max_processors: u32,
    pub area: i128,
    users: Shares,
    groups: Shares,
    /// By the number plus one, so that -1 is near.
    partitions: Shares,
    /// Number of jobs with a recorded waiting time.
    pub waits: u64,
}

/// The result of a complete tally.
pub(super) struct Digests {
    /// BLAKE3 over the binary form of the jobs in order, in hexadecimal.
    pub all: String,
    /// Digests of the blocks.
    pub blocks: Vec<u64>,
    /// The jobs, if they were kept.
    pub kept: Option<Kept>,
}

/// Number of jobs per digest, so that a second reading can be compared block by block.
pub(super) const BLOCK: usize = 1024;

/// Returns eight bytes of the BLAKE3 hash of a block's binary form.
fn digest_of(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    let (first, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
    u64::from_le_bytes(*first)
}

/// Returns the digest of a block of jobs; `room` is a reusable buffer.
pub(super) fn digest_of_block(jobs: &[Canonical], room: &mut Vec<Word>) -> u64 {
    room.resize(jobs.len() * (WHOLE / 4), Word::default());
    let rows = room.as_chunks_mut().0.iter_mut();
    rows.zip(jobs).for_each(|(row, job)| *row = job.words());
    digest_of(room.as_flattened())
}

impl Tally {
    /// A tally without jobs, which keeps them as far as there is room.
    pub fn new(room: Room) -> Tally {
        Tally {
            hasher: blake3::Hasher::new(),
            block: Vec::with_capacity(BLOCK),
            room: Default::default(),
            blocks: Vec::new(),
            keeper: Keeper::new(room),
            jobs: 0,
            first: None,
            last: None,
            max_processors: 0,
            area: 0,
            users: Shares::default(),
            groups: Shares::default(),
            partitions: Shares::default(),
            waits: 0,
        }
    }

    #[inline]
    pub fn add(&mut self, job: &Canonical) {
        self.jobs += 1;
        self.block.push(*job);
        if self.block.len() == BLOCK {
            self.close_block();
        }
    }

    #[inline(never)]
    fn close_block(&mut self) {
        let [bare, whole] = &mut self.room;
        self.blocks.push(digest_of_block(&self.block, whole));
        bare.resize(self.block.len() * (SIZE / 4), Word::default());
        let rows = bare.as_chunks_mut().0.iter_mut();
        for (row, whole) in rows.zip(whole.as_chunks::<{ WHOLE / 4 }>().0) {
            let Some(form) = whole.first_chunk::<{ SIZE / 4 }>() else { continue };
            *row = *form;
        }
        self.hasher.update(bare.as_flattened());
        self.keeper.add(&self.block);
        for job in &self.block {
            let area = job.area();
            self.max_processors = self.max_processors.max(job.processors);
            self.area += area;
            self.users.of(job.user).add(area, job.submit);
            self.groups.of(job.group).add(area, job.submit);
            self.partitions.of(job.partition.wrapping_add(1) as u32).add(area, job.submit);
            self.waits += u64::from(job.wait >= 0);
        }
        self.first = self.first.or(self.block.first().map(|job| job.submit));
        self.last = self.block.last().map(|job| job.submit);
        self.block.clear();
    }

    /// Counts the last jobs. Returns the digests, and the jobs if they were kept. Call it once the
    /// tally is complete, before its statistics are read.
    pub fn finish(&mut self) -> Digests {
        if !self.block.is_empty() {
            self.close_block();
        }
        Digests {
            all: self.hasher.finalize().to_hex().to_string(),
            blocks: std::mem::take(&mut self.blocks),
            kept: self.keeper.finish(),
        }
    }

    /// Shares by user.
    pub fn users(&self) -> Map<u32, Share> {
        self.users.all().collect()
    }

    /// Shares by group.
    pub fn groups(&self) -> Map<u32, Share> {
        self.groups.all().collect()
    }

    /// Shares by partition.
    pub fn partitions(&self) -> Map<i32, Share> {
        let number = |key: u32| (key as i32).wrapping_sub(1);
        self.partitions.all().map(|(key, share)| (number(key), share)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_binary_form_without_records() {
        let job = |number| Canonical {
            number,
            submit: 1,
            runtime: 2,
            estimate: 3,
            processors: 4,
            user: 5,
            group: 6,
            partition: 7,
            wait: 8,
        };
        let mut tally = Tally::new(Room::NONE);
        let mut whole = Vec::new();
        for number in 0..3000_u64 {
            tally.add(&job(number));
            whole.extend(number.to_le_bytes());
            [1_u64, 2, 3].iter().for_each(|value| whole.extend(value.to_le_bytes()));
            [4_u32, 5, 6].iter().for_each(|value| whole.extend(value.to_le_bytes()));
        }
        let Digests { all, blocks, kept } = tally.finish();
        assert!(kept.is_none());
        assert_eq!(all, blake3::hash(&whole).to_hex().to_string());
        let jobs: Vec<Canonical> = (0..3000).map(job).collect();
        let again = jobs.chunks(BLOCK).map(|block| digest_of_block(block, &mut Vec::new()));
        assert!(blocks.iter().copied().eq(again));
    }
}
