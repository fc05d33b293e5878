//! Reads `jobs.csv` and `decisions.csv` line by line.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use super::ExplainError;
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time};
use crate::report::decisions::decision;
use crate::report::recorded::{self, RecordedError};

/// Reader for one kind of records in a folder, rotated or packed or neither.
pub(super) struct Rows {
    rows: recorded::Rows,
    columns: BTreeMap<String, usize>,
}

/// A line.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    row: recorded::Row<'a>,
    columns: &'a BTreeMap<String, usize>,
}

impl Rows {
    /// Opens records of a kind: `jobs`, `moves` or the like.
    pub fn open(folder: &Path, kind: &str) -> Result<Rows, ExplainError> {
        let rows = recorded::Rows::found(folder, kind)?;
        let columns = rows.columns().iter().map(str::to_owned).zip(0..).collect();
        Ok(Rows { rows, columns })
    }

    /// The next line, if there is one.
    pub fn next(&mut self) -> Result<Option<Row<'_>>, ExplainError> {
        let Rows { rows, columns } = self;
        Ok(rows.read()?.map(|row| Row { row, columns }))
    }
}

impl From<RecordedError> for ExplainError {
    fn from(error: RecordedError) -> ExplainError {
        match error {
            RecordedError::File(error) => ExplainError::File(error),
            RecordedError::Content { path, message } => ExplainError::Content { path, message },
        }
    }
}

impl<'a> Row<'a> {
    fn content(&self, message: String) -> ExplainError {
        ExplainError::Content { path: self.row.path.to_owned(), message }
    }

    pub fn text(&self, column: &str) -> Result<&'a str, ExplainError> {
        let index = self.columns.get(column).copied();
        let field = index.and_then(|index| self.row.record.get(index));
        field.ok_or_else(|| self.content(format!("there is no column `{column}`")))
    }

    fn refuse(&self, column: &str, found: &str) -> ExplainError {
        let line = self.row.line;
        self.content(format!("line {line}: {column} is `{found}`, which no run writes"))
    }

    pub fn number<T: FromStr>(&self, column: &str) -> Result<T, ExplainError> {
        let text = self.text(column)?;
        text.parse().map_err(|_| self.refuse(column, text))
    }

    pub fn some_number<T: FromStr>(&self, column: &str) -> Result<Option<T>, ExplainError> {
        if self.text(column)?.is_empty() { Ok(None) } else { self.number(column).map(Some) }
    }

    pub fn some_span(&self, column: &str) -> Result<Option<Span>, ExplainError> {
        let text = self.text(column)?;
        if text.is_empty() {
            return Ok(None);
        }
        span(text).map(Some).ok_or_else(|| self.refuse(column, text))
    }

    pub fn span(&self, column: &str) -> Result<Span, ExplainError> {
        self.some_span(column)?.ok_or_else(|| self.refuse(column, ""))
    }

    pub fn some_time(&self, column: &str) -> Result<Option<Time>, ExplainError> {
        Ok(self.some_span(column)?.map(|span| Time::ZERO + span))
    }

    pub fn time(&self, column: &str) -> Result<Time, ExplainError> {
        Ok(Time::ZERO + self.span(column)?)
    }
}

/// Parses a non-negative exact decimal with at most six places.
fn span(text: &str) -> Option<Span> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > 6 || !plain(whole) || !plain(part) {
        return None;
    }
    let part: i64 = format!("{part:0<6}").parse().ok()?;
    let ticks = whole.parse::<i64>().ok()?.checked_mul(TICKS_PER_UNIT)?.checked_add(part)?;
    (ticks < i64::MAX).then(|| Span::from_ticks(ticks))
}

/// A line of `jobs.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number in its workload.
    pub number: u64,
    /// The workload it comes from.
    pub workload: String,
    /// The replication.
    pub replication: u32,
    /// The organization that owns it.
    pub organization: String,
    /// The cluster on which it waited and ran; empty if it was rejected.
    pub cluster: String,
    /// Processors it needs.
    pub processors: u32,
    /// Submission time.
    pub submit: Time,
    /// Start time, if it started.
    pub start: Option<Time>,
    /// Finish time, if it finished.
    pub finish: Option<Time>,
    /// Runtime as schedulers expected it.
    pub expected: Option<Span>,
    /// Index among all submissions.
    pub arrival: u64,
    /// Final state, in Batsim's words.
    pub state: String,
}

impl Job {
    pub(super) fn read(row: &Row<'_>) -> Result<Job, ExplainError> {
        Ok(Job {
            number: row.number("job_id")?,
            workload: row.text("workload_name")?.to_owned(),
            replication: row.number("replication")?,
            organization: row.text("organization")?.to_owned(),
            cluster: row.text("cluster")?.to_owned(),
            processors: row.number("requested_number_of_resources")?,
            submit: row.time("submission_time")?,
            start: row.some_time("starting_time")?,
            finish: row.some_time("finish_time")?,
            expected: row.some_span("expected_time")?,
            arrival: row.number("arrival")?,
            state: row.text("final_state")?.to_owned(),
        })
    }

    /// True if it waits at a time, after everything that happened then.
    pub fn waits(&self, at: Time) -> bool {
        self.submit <= at && self.start.is_none_or(|start| at < start)
    }

    /// True if it runs at a time, after everything that happened then.
    pub fn runs(&self, at: Time) -> bool {
        self.start.is_some_and(|start| start <= at) && self.finish.is_none_or(|end| at < end)
    }

    /// Expected end, once it has started.
    pub fn expected_end(&self) -> Option<Time> {
        Some(self.start?.saturating_add(self.expected?))
    }

    pub(super) fn name(&self) -> Name {
        (self.workload.clone(), self.number)
    }
}

/// Workload and number, unique within a replication.
pub(super) type Name = (String, u64);

/// The kind of a line of `decisions.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The job may use this cluster, which was not chosen.
    Candidate,
    /// It was sent here.
    Chosen,
    /// It waits behind another.
    Ahead,
    /// It waits for processors.
    Processors,
    /// It waits because the free processors are reserved.
    Reservation,
    /// It waits for a job that has run longer than expected.
    Overdue,
    /// It started in queue order.
    Started,
    /// It started ahead of a job submitted earlier.
    Overtook,
}

const WORDS: [(&str, Told); 8] = [
    (decision::CANDIDATE, Told::Candidate),
    (decision::CHOSEN, Told::Chosen),
    (decision::AHEAD, Told::Ahead),
    (decision::PROCESSORS, Told::Processors),
    (decision::RESERVATION, Told::Reservation),
    (decision::OVERDUE, Told::Overdue),
    (decision::STARTED, Told::Started),
    (decision::OVERTOOK, Told::Overtook),
];

impl Told {
    /// The word for it in the file.
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, told)| *told == self).expect("every one has a word").0
    }

    /// True if the line says why the job waits.
    pub fn is_reason(self) -> bool {
        matches!(self, Told::Ahead | Told::Processors | Told::Reservation | Told::Overdue)
    }
}

/// A line of `decisions.csv`, without the job's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Time of the decision.
    pub time: Time,
    /// The cluster.
    pub cluster: String,
    /// The decision.
    pub told: Told,
    /// Workload and number of the job that blocks it, if any.
    pub by: Option<(String, u64)>,
    /// The time at which the blocking job is due.
    pub due: Option<Time>,
    /// Expected start of the job.
    pub expected_start: Option<Time>,
    /// Free processors.
    pub free: Option<u32>,
    /// Processors that may be used beyond the blocking job's start.
    pub extra: Option<u32>,
    /// Processors requested by running and waiting jobs.
    pub demand: Option<u64>,
}

impl Line {
    /// Reads the job's name and the line.
    pub(super) fn read(row: &Row<'_>) -> Result<(Name, Line), ExplainError> {
        let name = (row.text("workload_name")?.to_owned(), row.number("job_id")?);
        let word = row.text("decision")?;
        let known = WORDS.iter().find(|(known, _)| *known == word);
        let by = row.some_number("by_job")?;
        let by = match by {
            Some(number) => Some((row.text("by_workload")?.to_owned(), number)),
            None => None,
        };
        let line = Line {
            time: row.time("time")?,
            cluster: row.text("cluster")?.to_owned(),
            told: known.ok_or_else(|| row.refuse("decision", word))?.1,
            by,
            due: row.some_time("due")?,
            expected_start: row.some_time("expected_start")?,
            free: row.some_number("free")?,
            extra: row.some_number("extra")?,
            demand: row.some_number("demand")?,
        };
        Ok((name, line))
    }
}
