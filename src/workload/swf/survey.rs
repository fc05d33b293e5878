//! First pass over a trace: its content, the effects of the rules, and the digest of the result.

use kernel::map::Map;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::canonical::{Canonical, Digests, Tally};
use super::error::SwfError;
use super::header::Header;
use super::import::{Import, Placing};
use super::input::Trace;
use super::kept::{Kept, Room};
use super::ledger::Rule;
use super::options::{Options, Unsorted};
use crate::ledger::Ledger;
use kernel::time::{Span, TICKS_PER_UNIT, Time};

/// Most bytes of packed jobs of a trace that stay in memory: some 800 000 jobs. Others go to a
/// temporary file.
pub const HELD_BYTES: usize = 1 << 24;

/// A moment in a header that is later is none.
const MOST_SECONDS: i64 = 100_000_000_000;

/// The jobs and work of one user, group or organization, and when they come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Number of jobs.
    pub jobs: u64,
    /// Total work, in processor-ticks.
    pub area: i128,
    /// First and last submission; `None` without jobs.
    pub submits: Option<(Time, Time)>,
}

impl Share {
    /// The share of a single job.
    pub fn one(area: i128, submit: Time) -> Share {
        Share { jobs: 1, area, submits: Some((submit, submit)) }
    }

    /// Adds another share.
    pub fn add(&mut self, other: Share) {
        self.jobs += other.jobs;
        self.area += other.area;
        self.submits = match (self.submits, other.submits) {
            (Some((first, last)), Some((from, until))) => Some((first.min(from), last.max(until))),
            (one, other) => one.or(other),
        };
    }

    /// Adds shares up.
    pub fn sum(shares: impl IntoIterator<Item = Share>) -> Share {
        shares.into_iter().fold(Share::default(), |mut sum, share| {
            sum.add(share);
            sum
        })
    }
}

/// The result of a first pass over a trace.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    /// Path of the trace, or the name of a trace in memory.
    pub file: PathBuf,
    /// The directives in its comments.
    pub header: Header,
    /// The effects of all rules.
    pub ledger: Ledger,
    /// BLAKE3 over the canonical workload, in hexadecimal: for each job in order the little-endian
    /// number, submit, runtime, estimate (8 bytes each, ticks), processors, user, group (4 bytes
    /// each). It does not depend on compression, blanks, comments or unread columns.
    pub digest: String,
    /// Number of jobs in the canonical workload.
    pub jobs: u64,
    /// Submission time of the first job.
    pub first_submit: Option<Time>,
    /// Submission time of the last job.
    pub last_submit: Option<Time>,
    /// Shift to earlier submission times relative to the trace (before any scaling).
    pub shift: Span,
    /// Most processors used by a job.
    pub max_processors: u32,
    /// Total work, in processor-ticks.
    pub area: i128,
    /// Jobs and work by user; user 0 if the trace names none.
    pub users: Map<u32, Share>,
    /// Jobs and work by group; group 0 if the trace names none.
    pub groups: Map<u32, Share>,
    /// Jobs and work by partition; -1 if the trace names none.
    pub partitions: Map<i32, Share>,
    /// Number of jobs with a recorded waiting time.
    pub waits: u64,
    /// True if the file lists the jobs in order of submission.
    pub sorted: bool,
    #[serde(skip)]
    pub(super) trace: Trace,
    #[serde(skip)]
    pub(super) options: Options,
    #[serde(skip)]
    pub(super) placing: Placing,
    /// Digests of the blocks with their records, with which a second reading is compared: 8 MB for 10^9
    /// jobs.
    #[serde(skip)]
    pub(super) blocks: Arc<[u64]>,
    /// The jobs, if they are kept.
    #[serde(skip)]
    pub(super) kept: Option<Arc<Kept>>,
}

impl Survey {
    /// Returns the rules of the import.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the moment that time 0 stands for, in seconds since 1970, if the header tells and no rule
    /// places jobs otherwise.
    pub fn start(&self) -> Option<i64> {
        let is_placed = self.placing.at_once || self.options.load.is_some();
        let start = self.header.unix_start_time().filter(|start| (1..MOST_SECONDS).contains(start));
        start.filter(|_| !is_placed).map(|start| start + self.shift.ticks() / TICKS_PER_UNIT)
    }

    /// Returns true if the jobs are kept, in memory or in a temporary file; otherwise the trace is
    /// reread during the run.
    pub fn holds_jobs(&self) -> bool {
        self.kept.is_some()
    }

    /// Returns digests of the jobs with their recorded waiting times and partitions, a block of jobs
    /// each.
    pub fn blocks(&self) -> &[u64] {
        &self.blocks
    }

    /// Releases the jobs, so that the trace is reread during the run. A trace that had to
    /// be sorted keeps them.
    #[must_use]
    pub fn without_jobs(mut self) -> Survey {
        if self.sorted || self.options.unsorted != Unsorted::Sort {
            self.kept = None;
        }
        self
    }
}

/// Reads a trace once. Memory is bounded, except for a trace out of order under `unsorted =
/// "sort"`, which is read twice.
///
/// # Errors
/// A file that cannot be read or is not a trace, or a line that a rule rejects.
pub fn survey(file: &Path, options: &Options) -> Result<Survey, SwfError> {
    survey_holding(Trace::file(file), options, ROOM)
}

/// Reads a trace from memory, plain or gzip; messages call it `name`.
///
/// # Errors
/// Same as [`survey`], except for a file that cannot be read.
pub fn survey_bytes(
    name: &Path,
    bytes: impl Into<Arc<[u8]>>,
    options: &Options,
) -> Result<Survey, SwfError> {
    survey_holding(Trace::bytes(name, bytes.into()), options, ROOM)
}

const ROOM: Room = Room { memory: HELD_BYTES, file: true };

pub(super) fn survey_holding(
    trace: Trace,
    options: &Options,
    room: Room,
) -> Result<Survey, SwfError> {
    options.check()?;
    let mut import = Import::open(&trace, options, true)?;
    let found = match in_file_order(&mut import, options, room)? {
        Some(found) => found,
        None => {
            import = Import::open(&trace, options, true)?;
            in_submit_order(&mut import, options)?
        }
    };
    Ok(found.finish(trace, import, options))
}

/// The result of one pass.
struct Found {
    tally: Tally,
    placing: Placing,
    first_line: u64,
}

impl Found {
    fn new(options: &Options, room: Room) -> Found {
        Found { tally: Tally::new(room), placing: Placing::new(options, 0), first_line: 0 }
    }

    /// Adds the next job of the canonical order.
    #[inline]
    fn add(
        &mut self,
        options: &Options,
        file: &Path,
        (line, mut job): (u64, Canonical),
    ) -> Result<(), SwfError> {
        if self.tally.jobs == 0 {
            self.placing = Placing::new(options, job.submit);
            self.first_line = line;
        }
        self.placing.place_in(file, line, &mut job)?;
        self.tally.add(&job);
        Ok(())
    }

    fn finish(mut self, trace: Trace, mut import: Import, options: &Options) -> Survey {
        let ledger = import.ledger();
        ledger.kept = self.tally.jobs;
        let shift = Span::from_ticks(self.placing.shift);
        if shift > Span::ZERO {
            let effect = format!("submitted {shift} s earlier than in the trace");
            ledger.note_all(Rule::ShiftToZero, effect, self.first_line);
        }
        if self.placing.at_once {
            ledger.note_all(Rule::Arrivals, "submitted at once".to_owned(), self.first_line);
        }
        if let Some(effect) = self.placing.load_effect() {
            ledger.note_all(Rule::Load, effect, self.first_line);
        }
        ledger.weigh();
        let sorted = ledger.count(Rule::Unsorted) == 0;
        let Digests { all: digest, blocks, kept } = self.tally.finish();
        Survey {
            file: trace.name.clone(),
            ledger: import.ledger().clone(),
            header: import.header,
            digest,
            blocks: blocks.into(),
            jobs: self.tally.jobs,
            first_submit: self.tally.first.map(Time::from_ticks),
            last_submit: self.tally.last.map(Time::from_ticks),
            shift,
            max_processors: self.tally.max_processors,
            area: self.tally.area,
            users: self.tally.users(),
            groups: self.tally.groups(),
            partitions: self.tally.partitions(),
            waits: self.tally.waits,
            sorted,
            trace,
            options: options.clone(),
            placing: self.placing,
            kept: kept.map(Arc::new),
        }
    }
}

/// Makes one streaming pass; returns `None` if the jobs must be sorted first.
fn in_file_order(
    import: &mut Import,
    options: &Options,
    room: Room,
) -> Result<Option<Found>, SwfError> {
    let limit = options.first.unwrap_or(u64::MAX);
    let mut skipped = 0;
    let mut found = Found::new(options, room);
    let mut latest = 0;
    while let Some((line, job)) = import.next()? {
        if job.submit < latest {
            return Ok(None);
        }
        latest = job.submit;
        if skipped < options.skip {
            skipped += 1;
            import.ledger().drop(Rule::Skip, line, Some(job.area()));
        } else if found.tally.jobs < limit {
            found.add(options, import.file(), (line, job))?;
        } else {
            import.ledger().drop(Rule::First, line, Some(job.area()));
        }
    }
    Ok(Some(found))
}

/// Makes one pass that holds and sorts all jobs; ties keep the order of the file.
fn in_submit_order(import: &mut Import, options: &Options) -> Result<Found, SwfError> {
    let mut all = Vec::new();
    while let Some(job) = import.next()? {
        all.push(job);
    }
    all.sort_by_key(|(_, job)| job.submit);
    let skip = usize::try_from(options.skip).unwrap_or(usize::MAX).min(all.len());
    let mut skipped: Vec<_> = all.drain(..skip).map(|(line, job)| (line, job.area())).collect();
    skipped.sort_unstable();
    skipped.iter().for_each(|&(line, area)| import.ledger().drop(Rule::Skip, line, Some(area)));
    let limit =
        options.first.map_or(usize::MAX, |first| usize::try_from(first).unwrap_or(usize::MAX));
    let mut beyond: Vec<_> =
        all.iter().skip(limit).map(|(line, job)| (*line, job.area())).collect();
    beyond.sort_unstable();
    beyond.iter().for_each(|&(line, area)| import.ledger().drop(Rule::First, line, Some(area)));
    all.truncate(limit);
    // They cannot be read again in this order.
    let mut found = Found::new(options, Room { memory: usize::MAX, file: false });
    for job in all {
        found.add(options, import.file(), job)?;
    }
    Ok(found)
}
