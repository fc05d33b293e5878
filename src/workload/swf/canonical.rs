//! The canonical workload: jobs as they will run, before owners are assigned, and their digest.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::survey::Share;
use crate::kernel::time::{Span, Time};
use crate::model::ids::{ClusterId, OrganizationId};
use crate::model::job::Job;
use crate::model::recorded::Recorded;

/// A job of the canonical workload; times in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Canonical {
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

impl Canonical {
    /// Returns the binary form, little-endian: number, submit, runtime, estimate (8 bytes each),
    /// processors, user, group (4 bytes each).
    /// Then follows its record: partition (4 bytes) and waiting time (8 bytes).
    fn bytes(&self) -> [u8; WHOLE] {
        let mut bytes = [0; WHOLE];
        bytes[..8].copy_from_slice(&self.number.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.submit.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.runtime.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.estimate.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.processors.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.user.to_le_bytes());
        bytes[40..SIZE].copy_from_slice(&self.group.to_le_bytes());
        bytes[SIZE..SIZE + 4].copy_from_slice(&self.partition.to_le_bytes());
        bytes[SIZE + 4..].copy_from_slice(&self.wait.to_le_bytes());
        bytes
    }

    fn area(&self) -> i128 {
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
            recorded: Recorded::new((self.wait >= 0).then(|| Span::from_ticks(self.wait)), cluster),
        }
    }
}

/// Statistics of a workload, accumulated job by job.
#[derive(Default)]
pub(super) struct Tally {
    hasher: blake3::Hasher,
    /// Bytes not yet hashed: hashing many jobs at once is several times as fast as one by one.
    pending: Vec<u8>,
    /// The same jobs with their records.
    block: Vec<u8>,
    /// Digests of the full blocks so far.
    blocks: Vec<u64>,
    pub jobs: u64,
    pub first: Option<i64>,
    pub last: Option<i64>,
    pub max_processors: u32,
    pub area: i128,
    pub users: FxHashMap<u32, Share>,
    pub groups: FxHashMap<u32, Share>,
    pub partitions: BTreeMap<i32, Share>,
    /// Number of jobs with a recorded waiting time.
    pub waits: u64,
}

/// Number of jobs per digest, so that a second reading can be compared block by block.
pub(super) const BLOCK: usize = 1024;

const PENDING: usize = SIZE * BLOCK;

/// Returns eight bytes of the BLAKE3 hash of a block's binary form.
fn digest_of(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    let (first, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
    u64::from_le_bytes(*first)
}

/// Returns the digest of a block of jobs; `room` is a reusable buffer.
pub(super) fn digest_of_block(jobs: &[Canonical], room: &mut Vec<u8>) -> u64 {
    room.clear();
    jobs.iter().for_each(|job| room.extend_from_slice(&job.bytes()));
    digest_of(room)
}

impl Tally {
    pub fn add(&mut self, job: &Canonical) {
        let bytes = job.bytes();
        self.pending.extend_from_slice(&bytes[..SIZE]);
        self.block.extend_from_slice(&bytes);
        if self.pending.len() >= PENDING {
            self.close_block();
        }
        let area = job.area();
        self.jobs += 1;
        self.first.get_or_insert(job.submit);
        self.last = Some(job.submit);
        self.max_processors = self.max_processors.max(job.processors);
        self.area += area;
        let share = Share::one(area, Time::from_ticks(job.submit));
        self.users.entry(job.user).or_default().add(share);
        self.groups.entry(job.group).or_default().add(share);
        self.partitions.entry(job.partition).or_default().add(share);
        self.waits += u64::from(job.wait >= 0);
    }

    fn close_block(&mut self) {
        self.hasher.update(&self.pending);
        self.blocks.push(digest_of(&self.block));
        self.pending.clear();
        self.block.clear();
    }

    /// Returns the digest of all jobs and the digests of all blocks. The former is BLAKE3 over the
    /// binary form of the jobs in order, in hexadecimal. Call it once the tally is complete.
    pub fn digests(&mut self) -> (String, Vec<u64>) {
        if !self.pending.is_empty() {
            self.close_block();
        }
        (self.hasher.finalize().to_hex().to_string(), std::mem::take(&mut self.blocks))
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
        let mut tally = Tally::default();
        let mut whole = Vec::new();
        for number in 0..3000_u64 {
            tally.add(&job(number));
            whole.extend(number.to_le_bytes());
            [1_u64, 2, 3].iter().for_each(|value| whole.extend(value.to_le_bytes()));
            [4_u32, 5, 6].iter().for_each(|value| whole.extend(value.to_le_bytes()));
        }
        let (digest, blocks) = tally.digests();
        assert_eq!(digest, blake3::hash(&whole).to_hex().to_string());
        let jobs: Vec<Canonical> = (0..3000).map(job).collect();
        let again = jobs.chunks(BLOCK).map(|block| digest_of_block(block, &mut Vec::new()));
        assert!(blocks.iter().copied().eq(again));
    }
}
