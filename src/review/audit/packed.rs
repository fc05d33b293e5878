//! Jobs as bytes, for the spool.
//!
//! A job is a list of numbers. Each group of sixteen begins with a word that has a nibble for each
//! number: how many bytes it takes. Most numbers are small, so most jobs take some eighty bytes.

use audit::JobFacts;
use kernel::time::{Span, Time};
use model::interval_set::IntervalSet;

/// Numbers of a group.
const GROUP: usize = 16;

/// Numbers of every job: its flags, its other fields, 0 where one is missing, and how many intervals
/// of processors follow.
const FIELDS: usize = 19;

/// Appends a job.
pub(super) fn pack(job: &JobFacts, out: &mut Vec<u8>) {
    let flags = [
        job.source.is_some(),
        job.cluster.is_some(),
        job.waits_in_grid,
        job.group.is_some(),
        job.sent.is_some(),
        job.arrival.is_some(),
        job.start.is_some(),
        job.finish.is_some(),
        job.start_order.is_some(),
        job.expected.is_some(),
        job.expected_in_grid.is_some(),
        job.allocated.is_some(),
        job.success,
    ];
    let flags = flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
    let time = |time: Option<Time>| time.map_or(0, |time| time.ticks() as u64);
    let span = |span: Option<Span>| span.map_or(0, |span| span.ticks() as u64);
    let index = |index: Option<usize>| index.map_or(0, |index| index as u64);
    let intervals = job.allocated.as_ref().map_or(0, |set| set.intervals().len());
    let fields: [u64; FIELDS] = [
        flags,
        job.number,
        job.source.unwrap_or_default().into(),
        job.replication.into(),
        job.organization as u64,
        index(job.cluster),
        index(job.group),
        time(job.sent),
        job.submit.ticks() as u64,
        job.arrival.unwrap_or_default(),
        time(job.start),
        time(job.finish),
        job.start_order.unwrap_or_default(),
        job.runtime.ticks() as u64,
        job.requested.ticks() as u64,
        span(job.expected),
        span(job.expected_in_grid),
        u64::from(job.user) << 32 | u64::from(job.processors),
        intervals as u64,
    ];
    let processors = job.allocated.iter().flat_map(IntervalSet::intervals);
    let processors = processors.map(|one| u64::from(*one.end()) << 32 | u64::from(*one.start()));
    let mut numbers = fields.into_iter().chain(processors);
    let mut left = FIELDS + intervals;
    while left > 0 {
        let count = left.min(GROUP);
        put_group(numbers.by_ref().take(count), out);
        left -= count;
    }
}

/// Appends a group.
fn put_group(numbers: impl Iterator<Item = u64>, out: &mut Vec<u8>) {
    let mut bytes = [0; 8 * (GROUP + 1)];
    let (mut lengths, mut end) = (0_u64, 8);
    for (place, number) in numbers.enumerate() {
        bytes[end..end + 8].copy_from_slice(&number.to_le_bytes());
        let length = 8 - number.leading_zeros() as usize / 8;
        lengths |= (length as u64) << (4 * place);
        end += length;
    }
    bytes[..8].copy_from_slice(&lengths.to_le_bytes());
    out.extend_from_slice(&bytes[..end]);
}

/// Numbers read from bytes.
struct Numbers<'a> {
    bytes: &'a [u8],
    lengths: u64,
    /// Numbers left in the group.
    left: usize,
}

impl Numbers<'_> {
    /// The next number; `None` at the end of the bytes.
    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.left == 0 {
            let (lengths, rest) = self.bytes.split_first_chunk()?;
            (self.lengths, self.bytes, self.left) = (u64::from_le_bytes(*lengths), rest, GROUP);
        }
        let length = (self.lengths & 15) as usize;
        self.lengths >>= 4;
        self.left -= 1;
        let word = match self.bytes.first_chunk() {
            Some(&word) => u64::from_le_bytes(word),
            None => {
                let mut word = [0; 8];
                word[..self.bytes.len()].copy_from_slice(self.bytes);
                u64::from_le_bytes(word)
            }
        };
        self.bytes = self.bytes.get(length..)?;
        // No number takes more than eight bytes.
        let behind = 8_usize.checked_sub(length)? as u32;
        Some(word & u64::MAX.checked_shr(8 * behind).unwrap_or(0))
    }
}

/// Reads a job; `None` if the bytes are none.
pub(super) fn unpack(bytes: &[u8]) -> Option<JobFacts> {
    let mut numbers = Numbers { bytes, lengths: 0, left: 0 };
    let mut fields = [0; FIELDS];
    for field in &mut fields {
        *field = numbers.next()?;
    }
    let [flags, rest @ ..] = fields;
    let [number, source, replication, organization, cluster, group, sent, submit, rest @ ..] = rest;
    let [arrival, start, finish, start_order, runtime, requested, rest @ ..] = rest;
    let [expected, expected_in_grid, sizes, intervals] = rest;
    let has = |flag: u32| flags >> flag & 1 == 1;
    let time = |flag: u32, ticks: u64| has(flag).then(|| Time::from_ticks(ticks as i64));
    let span = |flag: u32, ticks: u64| has(flag).then(|| Span::from_ticks(ticks as i64));
    let allocated = match has(11) {
        true => {
            let interval = |_| numbers.next().map(|one| one as u32..=(one >> 32) as u32);
            Some(IntervalSet::of((0..intervals).map_while(interval))?)
        }
        false => None,
    };
    Some(JobFacts {
        number,
        source: has(0).then_some(source as u32),
        replication: replication as u32,
        organization: organization as usize,
        cluster: has(1).then_some(cluster as usize),
        waits_in_grid: has(2),
        group: has(3).then_some(group as usize),
        sent: time(4, sent),
        submit: Time::from_ticks(submit as i64),
        arrival: has(5).then_some(arrival),
        start: time(6, start),
        finish: time(7, finish),
        start_order: has(8).then_some(start_order),
        runtime: Span::from_ticks(runtime as i64),
        requested: Span::from_ticks(requested as i64),
        expected: span(9, expected),
        expected_in_grid: span(10, expected_in_grid),
        processors: sizes as u32,
        allocated,
        user: (sizes >> 32) as u32,
        success: has(12),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0..=64_u32).prop_map(|(bits, length)| bits.checked_shr(length).unwrap_or(0))
    }

    fn job() -> impl Strategy<Value = JobFacts> {
        let numbers = proptest::collection::vec(number(), 8);
        let others = proptest::collection::vec(proptest::option::of(number()), 10);
        let set = proptest::option::of(proptest::collection::btree_set(0_u32..90, 0..60));
        (numbers, others, set, any::<[bool; 2]>()).prop_map(|(numbers, others, set, [a, b])| {
            let time = |ticks: u64| Time::from_ticks(ticks as i64);
            let span = |ticks: u64| Span::from_ticks(ticks as i64);
            let mut job = JobFacts::new(numbers[0], time(numbers[1]), span(numbers[2]), 0);
            job.replication = numbers[3] as u32;
            job.organization = numbers[4] as usize;
            job.requested = span(numbers[5]);
            job.processors = numbers[6] as u32;
            job.user = numbers[7] as u32;
            job.source = others[0].map(|one| one as u32);
            job.cluster = others[1].map(|one| one as usize);
            job.group = others[2].map(|one| one as usize);
            job.sent = others[3].map(time);
            job.arrival = others[4];
            job.start = others[5].map(time);
            job.finish = others[6].map(time);
            job.start_order = others[7];
            job.expected = others[8].map(span);
            job.expected_in_grid = others[9].map(span);
            (job.waits_in_grid, job.success) = (a, b);
            let words = |one: u32| format!("{one} ");
            job.allocated = set
                .map(|set| set.into_iter().map(words).collect::<String>())
                .map(|text| text.parse().unwrap());
            job
        })
    }

    proptest! {
        #[test]
        fn a_packed_job_comes_back(job in job(), before in 0_usize..20, cut in 0_usize..400) {
            let mut bytes = vec![7; before];
            pack(&job, &mut bytes);
            prop_assert_eq!(unpack(&bytes[before..]), Some(job));
            // Bytes that are cut may be another job, and are no reason to panic.
            let end = bytes.len().min(before + cut);
            let _ = unpack(&bytes[before..end]);
        }

        #[test]
        fn other_bytes_are_no_reason_to_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = unpack(&bytes);
        }
    }
}
