//! Sorts the jobs of a run by submission without holding them all in memory.
//!
//! `jobs.csv` lists them in the order in which they finished. Sorted runs of jobs are written to a
//! temporary file whenever they fill a given amount of memory, and merged on reading.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use audit::JobFacts;
use kernel::state::{put, take};
use records::files::FileError;
use workload::scratch::Scratch;

/// Default memory limit, in bytes.
const HELD: usize = 4 << 20;

/// Bytes read ahead for each sorted run.
const AHEAD: usize = 1 << 14;

/// External sorter that takes jobs in any order.
pub(super) struct Spool {
    /// Memory limit in bytes: beyond it the held jobs are sorted and written.
    most: usize,
    bytes: Vec<u8>,
    held: Vec<Held>,
    file: Option<Scratch>,
    /// Byte range of each sorted run in the file.
    runs: Vec<[u64; 2]>,
    jobs: u64,
}

/// A job in memory: its sort key as far as it fits, and its byte range.
#[derive(Clone, Copy)]
struct Held {
    key: u128,
    begin: u32,
    end: u32,
}

impl Held {
    fn range(&self) -> Range<usize> {
        self.begin as usize..self.end as usize
    }
}

/// A number in the order of [`JobFacts::place`]. Jobs have the same number if neither replication and
/// submission nor the first 32 bits of the arrival tell them apart.
fn key(job: &JobFacts) -> u128 {
    let submit = job.submit.ticks() as u64 ^ 1 << 63;
    let arrival = job.arrival.map_or(u32::MAX, |arrival| arrival.min(u32::MAX.into()) as u32);
    u128::from(job.replication) << 96 | u128::from(submit) << 32 | u128::from(arrival)
}

impl Default for Spool {
    fn default() -> Spool {
        Spool::holding(HELD)
    }
}

impl Spool {
    /// Creates a spool with a memory limit in bytes.
    fn holding(most: usize) -> Spool {
        Spool { most, bytes: Vec::new(), held: Vec::new(), file: None, runs: Vec::new(), jobs: 0 }
    }

    /// Adds a job.
    pub fn add(&mut self, job: &JobFacts) -> Result<(), FileError> {
        let begin = self.bytes.len() as u32;
        put(job, &mut self.bytes);
        self.held.push(Held { key: key(job), begin, end: self.bytes.len() as u32 });
        self.jobs += 1;
        if self.bytes.len() >= self.most { self.write() } else { Ok(()) }
    }

    /// Number of jobs added.
    pub fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Sorts the held jobs.
    fn sort(&mut self) {
        let place = |held: &Held| decoded(&self.bytes[held.range()]).ok().map(|job| job.place());
        self.held.sort_unstable_by(|one, other| {
            one.key.cmp(&other.key).then_with(|| place(one).cmp(&place(other)))
        });
    }

    /// Writes the held jobs as a sorted run.
    fn write(&mut self) -> Result<(), FileError> {
        self.sort();
        let mut run = Vec::with_capacity(self.bytes.len() + 4 * self.held.len());
        for held in &self.held {
            run.extend_from_slice(&(held.end - held.begin).to_le_bytes());
            run.extend_from_slice(&self.bytes[held.range()]);
        }
        let scratch = match &mut self.file {
            Some(scratch) => scratch,
            none => none.insert(scratch()?),
        };
        let begin = self.runs.last().map_or(0, |run| run[1]);
        scratch.file.write_all(&run).map_err(FileError::of(&scratch.path))?;
        self.runs.push([begin, begin + run.len() as u64]);
        self.bytes.clear();
        self.held.clear();
        Ok(())
    }

    /// Passes on all jobs in order of submission.
    pub fn each<E: From<FileError>>(
        mut self,
        mut one: impl FnMut(JobFacts) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(mut scratch) = self.file.take() else {
            self.sort();
            for held in &self.held {
                one(decoded(&self.bytes[held.range()])?)?;
            }
            return Ok(());
        };
        if !self.held.is_empty() {
            self.file = Some(scratch);
            self.write()?;
            scratch = self.file.take().ok_or_else(|| damaged("it is gone"))?;
        }
        let mut readers: Vec<Reader> = self.runs.iter().map(|&run| Reader::new(run)).collect();
        let mut next = BinaryHeap::new();
        let mut jobs: Vec<Option<JobFacts>> = Vec::new();
        for (at, reader) in readers.iter_mut().enumerate() {
            let job = reader.read(&mut scratch)?;
            next.extend(job.as_ref().map(|job| Reverse((job.place(), at))));
            jobs.push(job);
        }
        while let Some(mut first) = next.peek_mut() {
            let at = first.0.1;
            let following = readers[at].read(&mut scratch)?;
            match &following {
                Some(job) => first.0.0 = job.place(),
                None => _ = PeekMut::pop(first),
            }
            if let Some(job) = std::mem::replace(&mut jobs[at], following) {
                one(job)?;
            }
        }
        Ok(())
    }
}

fn decoded(mut bytes: &[u8]) -> Result<JobFacts, FileError> {
    take(&mut bytes).map_err(|_| damaged("it holds no job"))
}

fn scratch() -> Result<Scratch, FileError> {
    Scratch::new("audit").map_err(|(path, error)| FileError { path, error })
}

fn damaged(what: &str) -> FileError {
    let path = std::env::temp_dir();
    FileError { path, error: io::Error::other(format!("a temporary file was damaged: {what}")) }
}

/// Reader of one sorted run.
struct Reader {
    place: u64,
    end: u64,
    bytes: Vec<u8>,
    from: usize,
}

impl Reader {
    fn new([place, end]: [u64; 2]) -> Reader {
        Reader { place, end, bytes: Vec::new(), from: 0 }
    }

    /// Buffers at least this many bytes; false if the run has fewer left.
    fn fill(&mut self, scratch: &mut Scratch, bytes: usize) -> Result<bool, FileError> {
        if self.bytes.len() - self.from >= bytes {
            return Ok(true);
        }
        self.bytes.drain(..self.from);
        self.from = 0;
        let more = (self.end - self.place).min(AHEAD.max(bytes) as u64);
        let begin = self.bytes.len();
        self.bytes.resize(begin + more as usize, 0);
        let sought = scratch.file.seek(SeekFrom::Start(self.place));
        let read = sought.and_then(|_| scratch.file.read_exact(&mut self.bytes[begin..]));
        read.map_err(FileError::of(&scratch.path))?;
        self.place += more;
        Ok(self.bytes.len() >= bytes)
    }

    fn read(&mut self, scratch: &mut Scratch) -> Result<Option<JobFacts>, FileError> {
        if !self.fill(scratch, 4)? {
            return Ok(None);
        }
        let mut length = [0; 4];
        length.copy_from_slice(&self.bytes[self.from..self.from + 4]);
        let length = u32::from_le_bytes(length) as usize;
        if !self.fill(scratch, 4 + length)? {
            return Err(damaged("it is cut"));
        }
        let begin = self.from + 4;
        self.from = begin + length;
        decoded(&self.bytes[begin..begin + length]).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::time::{Span, Time};

    #[test]
    fn many_jobs_come_back_in_the_order_of_submission() {
        for number in [0, 1, 1000, 20_000_u64] {
            let mut spool = Spool::holding(1 << 16);
            for at in 0..number {
                let mixed = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                // Many have the same, and their number decides.
                let submit = Time::from_ticks((mixed % 997) as i64);
                let mut job = JobFacts::new(at, submit, Span::TICK, 1);
                job.replication = (at % 2) as u32;
                spool.add(&job).unwrap();
            }
            assert_eq!((spool.jobs(), spool.runs.len() > 1), (number, number > 10_000));
            let (mut last, mut count, mut sum) = (None, 0, 0);
            spool
                .each(|job| {
                    assert!(last.is_none_or(|last| last < job.place()));
                    last = Some(job.place());
                    (count, sum) = (count + 1, sum + job.number);
                    Ok::<_, FileError>(())
                })
                .unwrap();
            assert_eq!((count, sum), (number, (0..number).sum()));
        }
    }
}
