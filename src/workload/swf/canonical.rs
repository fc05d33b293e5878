//! The canonical workload: jobs as they run, before it is said whose they are, and their digest.

use rustc_hash::FxHashMap;

use super::survey::Share;
use crate::kernel::time::{Span, Time};
use crate::model::ids::OrganizationId;
use crate::model::job::Job;

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
}

/// Bytes of a job's binary form.
const SIZE: usize = 4 * 8 + 3 * 4;

impl Canonical {
    /// Little-endian: number, submit, runtime, estimate (8 bytes each), processors, user, group
    /// (4).
    fn bytes(&self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.number.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.submit.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.runtime.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.estimate.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.processors.to_le_bytes());
        bytes[36..40].copy_from_slice(&self.user.to_le_bytes());
        bytes[40..].copy_from_slice(&self.group.to_le_bytes());
        bytes
    }

    fn area(&self) -> i128 {
        i128::from(self.processors) * i128::from(self.runtime)
    }

    /// The job in a run.
    #[inline]
    pub fn job(&self, source: u32, organization: OrganizationId) -> Job {
        Job {
            number: self.number,
            source,
            submit: Time::from_ticks(self.submit),
            runtime: Span::from_ticks(self.runtime),
            estimate: Span::from_ticks(self.estimate),
            processors: self.processors,
            user: self.user,
            organization,
        }
    }
}

/// The figures of a workload, made job by job.
#[derive(Default)]
pub(super) struct Tally {
    hasher: blake3::Hasher,
    /// Bytes not yet hashed: many jobs at once are hashed several times as fast as one by one.
    pending: Vec<u8>,
    pub jobs: u64,
    pub first: Option<i64>,
    pub last: Option<i64>,
    pub max_processors: u32,
    pub area: i128,
    pub users: FxHashMap<u32, Share>,
    pub groups: FxHashMap<u32, Share>,
}

const PENDING: usize = SIZE * 1024;

impl Tally {
    pub fn add(&mut self, job: &Canonical) {
        self.pending.extend_from_slice(&job.bytes());
        if self.pending.len() >= PENDING {
            self.hasher.update(&self.pending);
            self.pending.clear();
        }
        let area = job.area();
        self.jobs += 1;
        self.first.get_or_insert(job.submit);
        self.last = Some(job.submit);
        self.max_processors = self.max_processors.max(job.processors);
        self.area += area;
        self.users.entry(job.user).or_default().add(area);
        self.groups.entry(job.group).or_default().add(area);
    }

    /// BLAKE3 over the binary form of all jobs in order, in hexadecimal.
    pub fn digest(&mut self) -> String {
        self.hasher.update(&self.pending);
        self.pending.clear();
        self.hasher.finalize().to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_whole_binary_form() {
        let job = |number| Canonical {
            number,
            submit: 1,
            runtime: 2,
            estimate: 3,
            processors: 4,
            user: 5,
            group: 6,
        };
        let mut tally = Tally::default();
        let mut whole = Vec::new();
        for number in 0..3000_u64 {
            tally.add(&job(number));
            whole.extend(number.to_le_bytes());
            [1_u64, 2, 3].iter().for_each(|value| whole.extend(value.to_le_bytes()));
            [4_u32, 5, 6].iter().for_each(|value| whole.extend(value.to_le_bytes()));
        }
        assert_eq!(tally.digest(), blake3::hash(&whole).to_hex().to_string());
    }
}
