//! One line of a log.

use std::fmt;

use super::columns::{Columns, Elapsed, Limit, Processors};
use super::value;

/// The content of a line; times are in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Record<'a> {
    pub id: &'a str,
    /// `12.batch`, `12.extern` or `12.0`.
    pub is_step: bool,
    /// `12_[3-9]`, tasks of an array that the queue holds as one.
    pub is_array: bool,
    /// `12+1`, part of a heterogeneous job.
    pub is_component: bool,
    pub is_running: bool,
    /// In the queue, without having run.
    pub is_waiting: bool,
    pub is_completed: bool,
    /// False for a state that Slurm's manual does not name.
    pub has_known_state: bool,
    pub submit: Option<i64>,
    pub start: Option<i64>,
    /// It ran, but the log does not tell when it started.
    pub has_unknown_wait: bool,
    pub elapsed: i64,
    /// `None` without a limit.
    pub limit: Option<i64>,
    /// Bound by the limit of its partition, which the log does not tell.
    pub has_partition_limit: bool,
    /// `None` if the job has no processors.
    pub processors: Option<u32>,
    /// `sacct` printed the processors with two digits, as `1.95K`.
    pub is_rounded: bool,
    pub owner: &'a str,
    pub account: &'a str,
    pub partition: &'a str,
    /// Names of its nodes; empty if the log does not tell.
    pub nodes: &'a str,
    /// Its times have the form of a clock; seconds since 1970 have no zone.
    pub is_local: bool,
    /// When it ended, if the log tells that.
    pub end: Option<i64>,
    /// Empty if the log has no such column.
    pub cluster: &'a str,
    pub user: &'a str,
}

/// The problem with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The line and the header have different numbers of columns.
    Columns {
        /// Columns of the line.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
    /// A line of the Grid Workloads Format has too few fields, or those of several lines.
    Fields {
        /// Fields of the line.
        found: usize,
    },
    /// A value does not match its column.
    Value {
        /// The column.
        column: &'static str,
        /// The value found.
        found: String,
        /// The value expected.
        expected: &'static str,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Columns { found, expected } => write!(
                out,
                "there are {found} values under {expected} columns; a job's name with the sign \
                 between columns in it does this, so leave `JobName` out of `--format`"
            ),
            Fault::Fields { found } => write!(
                out,
                "there are {found} fields; a line of the Grid Workloads Format has 18 to 29, and ends with \
                 LF or CR LF"
            ),
            Fault::Value { column, found, expected } => {
                write!(out, "{column} is `{found}`; expected {expected}")
            }
        }
    }
}

const MOMENT: &str = "a time such as 2026-03-01T12:00:00";
const LENGTH: &str = "a length such as 2-01:30:00 (days-hours:minutes:seconds)";
const NUMBER: &str = "a whole number";

/// The states in Slurm's manual besides those of jobs that run or are in the queue.
const OTHERS: [&str; 12] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "REQUEUE_FED",
    "RESV_DEL_HOLD",
    "REVOKED",
    "TIMEOUT",
];

impl<'a> Record<'a> {
    /// Parses a line.
    pub fn of(line: &'a csv::StringRecord, columns: &Columns) -> Result<Record<'a>, Fault> {
        let found = line.len();
        // `--parsable` ends each line, and the header, with a delimiter.
        if found != columns.count {
            return Err(Fault::Columns { found, expected: columns.count });
        }
        let text = |column: usize| line.get(column).unwrap_or_default();
        let some = |column: Option<usize>| column.map_or("", |column| text(column));
        let id = text(columns.id);
        let state = columns.state.map_or("COMPLETED", |column| text(column));
        // `CANCELLED by 1000`, or `CANCELLED+` if the column was truncated.
        let state = state.split([' ', '+']).next().unwrap_or_default();
        let is_step = id.contains('.');
        let start = moment("Start", text(columns.start))?;
        // A run that ended in the queue again held its processors until then.
        let has_run = start.is_some() && elapsed(columns.elapsed, text).is_ok_and(|long| long > 0);
        let is_queued = matches!(state, "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "SPECIAL_EXIT");
        let is_running = matches!(
            state,
            "RUNNING"
                | "SUSPENDED"
                | "CONFIGURING"
                | "COMPLETING"
                | "STOPPED"
                | "SIGNALING"
                | "STAGE_OUT"
                | "RESIZING"
        );
        let is_waiting = is_queued && !has_run;
        let record = Record {
            id,
            is_step,
            is_array: id.contains('['),
            is_component: id.contains('+'),
            is_running,
            is_waiting,
            is_completed: state == "COMPLETED",
            has_known_state: is_running || is_queued || OTHERS.contains(&state),
            submit: moment("Submit", text(columns.submit))?,
            start,
            has_unknown_wait: false,
            elapsed: 0,
            limit: None,
            has_partition_limit: columns.limit.is_some_and(|limit| is_of_partition(limit, text)),
            processors: None,
            is_rounded: false,
            owner: some(columns.owner),
            account: some(columns.account),
            partition: some(columns.partition),
            nodes: some(columns.nodes),
            is_local: text(columns.start).contains(':'),
            end: None,
            cluster: some(columns.cluster),
            user: some(columns.user),
        };
        // Lines that are dropped anyway may lack their durations and processors.
        if is_step || record.is_array || is_waiting || record.start.is_none() {
            return Ok(record);
        }
        let (processors, is_rounded) = processors(columns.processors, text)?;
        let elapsed = elapsed(columns.elapsed, text)?;
        Ok(Record {
            elapsed,
            end: value::moment(some(columns.end)).filter(|_| record.is_local),
            limit: columns.limit.map(|limit| self::limit(limit, text)).transpose()?.flatten(),
            processors,
            is_rounded,
            ..record
        })
    }
}

fn wrong(column: &'static str, found: &str, expected: &'static str) -> Fault {
    Fault::Value { column, found: found.to_owned(), expected }
}

/// Parses a point in time; `Unknown` and `None` are Slurm's words for none.
fn moment(column: &'static str, text: &str) -> Result<Option<i64>, Fault> {
    if text.is_empty() || ["Unknown", "None", "N/A"].contains(&text) {
        return Ok(None);
    }
    value::moment(text).map(Some).ok_or_else(|| wrong(column, text, MOMENT))
}

fn elapsed<'a>(at: Elapsed, text: impl Fn(usize) -> &'a str) -> Result<i64, Fault> {
    match at {
        Elapsed::Seconds(column) => {
            let text = text(column);
            value::number(text).ok_or_else(|| wrong("ElapsedRaw", text, NUMBER))
        }
        Elapsed::Clock(column) => {
            let text = text(column);
            value::length(text).ok_or_else(|| wrong("Elapsed", text, LENGTH))
        }
    }
}

/// Slurm's word for the limit of the partition.
const PARTITION_LIMIT: &str = "Partition_Limit";

fn is_of_partition<'a>(at: Limit, text: impl Fn(usize) -> &'a str) -> bool {
    let (Limit::Minutes(column) | Limit::Clock(column)) = at;
    PARTITION_LIMIT.eq_ignore_ascii_case(text(column))
}

/// Parses the time limit in seconds, if there is one.
fn limit<'a>(at: Limit, text: impl Fn(usize) -> &'a str) -> Result<Option<i64>, Fault> {
    let (Limit::Minutes(column) | Limit::Clock(column)) = at;
    let text = text(column);
    let is_none = ["UNLIMITED", PARTITION_LIMIT, "INVALID", ""];
    if is_none.iter().any(|none| none.eq_ignore_ascii_case(text)) {
        return Ok(None);
    }
    let found = match at {
        Limit::Minutes(_) => value::number(text).map(|minutes| minutes * 60),
        Limit::Clock(_) => value::length(text),
    };
    let (column, expected) = match at {
        Limit::Minutes(_) => ("TimelimitRaw", "a whole number of minutes"),
        Limit::Clock(_) => ("Timelimit", LENGTH),
    };
    // Some sites write a limit of 0 for no limit.
    found.map(|limit| (limit > 0).then_some(limit)).ok_or_else(|| wrong(column, text, expected))
}

/// Parses the number of processors, if the job has any; true if it was rounded.
fn processors<'a>(
    at: Processors,
    text: impl Fn(usize) -> &'a str,
) -> Result<(Option<u32>, bool), Fault> {
    let (found, column, shown) = match at {
        Processors::Number(column, name) => {
            let text = text(column);
            (if text.is_empty() { Some(0) } else { value::converted(text) }, name, text)
        }
        Processors::Gpus(column) => (value::gpus(text(column)), "AllocTRES", text(column)),
    };
    let found = found.and_then(|found| u32::try_from(found).ok());
    let found = found.ok_or_else(|| wrong(column, shown, NUMBER))?;
    Ok(((found > 0).then_some(found), shown.contains('.')))
}
