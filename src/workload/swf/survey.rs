//! The first pass over a trace: what is in it, what the rules did, and the digest of what is left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::canonical::{Canonical, Tally};
use super::error::SwfError;
use super::header::Header;
use super::import::{Import, Placing};
use super::input::Trace;
use super::ledger::{Ledger, Rule};
use super::options::{Options, Unsorted};
use crate::kernel::time::{Span, Time};

/// A trace with at most so many jobs kept is held in memory (12 MiB) and not parsed a second time.
pub const HELD_JOBS: usize = 1 << 18;

/// What one user or group brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Its jobs.
    pub jobs: u64,
    /// Their work, in processor-ticks.
    pub area: i128,
}

impl Share {
    pub(super) fn add(&mut self, area: i128) {
        self.jobs += 1;
        self.area += area;
    }
}

/// What a first pass over a trace found.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    /// The trace, or what a trace in memory is called.
    pub file: PathBuf,
    /// The directives in its comments.
    pub header: Header,
    /// What every rule did.
    pub ledger: Ledger,
    /// BLAKE3 over the canonical workload, in hexadecimal: for each job in order the little-endian
    /// number, submit, runtime, estimate (8 bytes each, ticks), processors, user, group (4 bytes
    /// each). It does not depend on gzip, blanks, comments or columns that are not read.
    pub digest: String,
    /// Jobs of the canonical workload.
    pub jobs: u64,
    /// When the first of them is submitted.
    pub first_submit: Option<Time>,
    /// When the last of them is submitted.
    pub last_submit: Option<Time>,
    /// How much earlier than in the trace they are submitted (before any scaling).
    pub shift: Span,
    /// The most processors that one of them uses.
    pub max_processors: u32,
    /// Their work, in processor-ticks.
    pub area: i128,
    /// By user; 0 where the trace names none.
    pub users: BTreeMap<u32, Share>,
    /// By group; 0 where the trace names none.
    pub groups: BTreeMap<u32, Share>,
    /// Whether the jobs stand in the file in the order of their submission.
    pub sorted: bool,
    #[serde(skip)]
    pub(super) trace: Trace,
    #[serde(skip)]
    pub(super) options: Options,
    #[serde(skip)]
    pub(super) placing: Placing,
    /// The jobs, where they are held.
    #[serde(skip)]
    pub(super) held: Option<Arc<[Canonical]>>,
}

impl Survey {
    /// Whether the jobs are held in memory (else they are read again while the run goes on).
    pub fn holds_jobs(&self) -> bool {
        self.held.is_some()
    }

    /// Gives the memory of the jobs back, so that they are read again while the run goes on; a
    /// trace that had to be sorted keeps them.
    #[must_use]
    pub fn without_jobs(mut self) -> Survey {
        if self.sorted || self.options.unsorted != Unsorted::Sort {
            self.held = None;
        }
        self
    }
}

/// Reads a trace once. Memory is bounded, except for a trace out of order under `unsorted =
/// "sort"`.
///
/// # Errors
/// When the file cannot be read, is not a trace, or has a line that a rule refuses.
pub fn survey(file: &Path, options: &Options) -> Result<Survey, SwfError> {
    survey_holding(Trace::file(file), options, HELD_JOBS)
}

/// Reads a trace that is in memory, plain or gzip; messages call it `name`.
///
/// # Errors
/// As [`survey`], but for a file that cannot be read.
pub fn survey_bytes(
    name: &Path,
    bytes: impl Into<Arc<[u8]>>,
    options: &Options,
) -> Result<Survey, SwfError> {
    survey_holding(Trace::bytes(name, bytes.into()), options, HELD_JOBS)
}

pub(super) fn survey_holding(
    trace: Trace,
    options: &Options,
    hold: usize,
) -> Result<Survey, SwfError> {
    options.validate()?;
    let mut import = Import::open(&trace, options, true)?;
    let found = match in_file_order(&mut import, options, hold)? {
        Some(found) => found,
        None => {
            import = Import::open(&trace, options, true)?;
            in_submit_order(&mut import, options)?
        }
    };
    Ok(found.finish(trace, import, options))
}

/// A pass's harvest.
struct Found {
    tally: Tally,
    placing: Placing,
    held: Option<Vec<Canonical>>,
    first_line: u64,
}

impl Found {
    fn new(options: &Options) -> Found {
        Found {
            tally: Tally::default(),
            placing: Placing::new(options, 0),
            held: Some(Vec::new()),
            first_line: 0,
        }
    }

    /// Takes in the next job of the canonical order.
    #[inline]
    fn add(
        &mut self,
        options: &Options,
        file: &Path,
        (line, mut job): (u64, Canonical),
        hold: usize,
    ) -> Result<(), SwfError> {
        if self.tally.jobs == 0 {
            self.placing = Placing::new(options, job.submit);
            self.first_line = line;
        }
        self.placing.place_in(file, line, &mut job)?;
        self.tally.add(&job);
        match &mut self.held {
            Some(held) if held.len() < hold => held.push(job),
            Some(_) => self.held = None,
            None => {}
        }
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
        if let Some(effect) = self.placing.load_effect() {
            ledger.note_all(Rule::Load, effect, self.first_line);
        }
        let sorted = ledger.count(Rule::Unsorted) == 0;
        let by_number =
            |shares: &FxHashMap<u32, Share>| shares.iter().map(|(k, v)| (*k, *v)).collect();
        Survey {
            file: trace.name.clone(),
            ledger: import.ledger().clone(),
            header: import.header,
            digest: self.tally.digest(),
            jobs: self.tally.jobs,
            first_submit: self.tally.first.map(Time::from_ticks),
            last_submit: self.tally.last.map(Time::from_ticks),
            shift,
            max_processors: self.tally.max_processors,
            area: self.tally.area,
            users: by_number(&self.tally.users),
            groups: by_number(&self.tally.groups),
            sorted,
            trace,
            options: options.clone(),
            placing: self.placing,
            held: self.held.map(Arc::from),
        }
    }
}

/// One streaming pass; `None` when the jobs must be sorted first.
fn in_file_order(
    import: &mut Import,
    options: &Options,
    hold: usize,
) -> Result<Option<Found>, SwfError> {
    let limit = options.first.unwrap_or(u64::MAX);
    let mut found = Found::new(options);
    let mut latest = 0;
    while let Some((line, job)) = import.next()? {
        if job.submit < latest {
            return Ok(None);
        }
        latest = job.submit;
        if found.tally.jobs < limit {
            found.add(options, import.file(), (line, job), hold)?;
        } else {
            import.ledger().note(Rule::First, line);
        }
    }
    Ok(Some(found))
}

/// One pass that holds all jobs and puts them in order; equal times stay in the order of the file.
fn in_submit_order(import: &mut Import, options: &Options) -> Result<Found, SwfError> {
    let mut all = Vec::new();
    while let Some(job) = import.next()? {
        all.push(job);
    }
    all.sort_by_key(|(_, job)| job.submit);
    let limit =
        options.first.map_or(usize::MAX, |first| usize::try_from(first).unwrap_or(usize::MAX));
    let mut beyond: Vec<u64> = all.iter().skip(limit).map(|&(line, _)| line).collect();
    beyond.sort_unstable();
    beyond.iter().for_each(|&line| import.ledger().note(Rule::First, line));
    all.truncate(limit);
    let mut found = Found::new(options);
    for job in all {
        found.add(options, import.file(), job, usize::MAX)?;
    }
    Ok(found)
}
