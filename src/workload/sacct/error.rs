//! Errors in a log: place, reason and remedy.

use std::io;
use std::path::PathBuf;

use super::record::Fault;
use crate::ledger::Ledger;

/// The reason why a log could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SacctError {
    /// The file does not exist, may not be read, or is a folder, a pipe or a device.
    #[error("{}: cannot be opened: {error}", file.display())]
    Open {
        /// The log.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// Reading failed midway, or the bytes are not UTF-8.
    #[error("{}: cannot be read: {error}", file.display())]
    Read {
        /// The log.
        file: PathBuf,
        /// The error of the reader.
        error: csv::Error,
    },
    /// The file is empty.
    #[error("{}: the file is empty\nhelp: take a log with `{command}`", file.display())]
    Empty {
        /// The log.
        file: PathBuf,
        /// A command that prints all the columns needed.
        command: String,
    },
    /// The first line is not a header, or lacks a column.
    #[error("{}: line 1: {message}\nhelp: take a log with `{command}`", file.display())]
    Header {
        /// The log.
        file: PathBuf,
        /// The problem.
        message: String,
        /// A command that prints all the columns needed.
        command: String,
    },
    /// A line is not a job.
    #[error(
        "{}: line {line}: {fault}\nhelp: `--malformed drop` leaves such lines out and counts them",
        file.display()
    )]
    Malformed {
        /// The log.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The problem with the line.
        fault: Fault,
    },
    /// The file of owners does not list an owner of the log.
    #[error(
        "{}: line {line}: `{owner}` is not listed among the owners; add a row for it, or a row \
         `*,NAME` for all others",
        file.display()
    )]
    Unlisted {
        /// The log.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The owner.
        owner: String,
    },
    /// Logs that number their jobs apart, and do not tell their clusters.
    #[error(
        "{}: line {line}: job {id} is another user's than in the log before, so these are logs of \
         several centers\nhelp: name the center of each, as in `--center NAME={}`; for clusters of \
         one center, take the log with the column `Cluster`",
        file.display(),
        file.display()
    )]
    Centers {
        /// The log.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The job.
        id: String,
    },
    /// Jobs held a node at the same time, so that nodes are no unit.
    #[error(
        "{}: jobs {one} and {other} held the node `{node}` at the same time, so whole nodes would \
         count twice\nhelp: leave `--processors nodes` out, to count the processors of each job",
        file.display()
    )]
    SharedNodes {
        /// The logs.
        file: PathBuf,
        /// A job.
        one: String,
        /// A job that started before the first one ended.
        other: String,
        /// The node.
        node: String,
    },
    /// The times span too long a period.
    #[error(
        "{}: the log covers more time than can be simulated; take a shorter one",
        file.display()
    )]
    TooLong {
        /// The log.
        file: PathBuf,
    },
    /// No line yielded a job.
    #[error("{}: no job is left; {}", file.display(), reasons(ledger, fault))]
    NoJobs {
        /// The log.
        file: PathBuf,
        /// The effects of all rules.
        ledger: Box<Ledger>,
        /// The first malformed line, if there was one.
        fault: Option<(u64, Fault)>,
    },
}

impl SacctError {
    /// Returns true if the file could not be read at all.
    pub fn is_unreadable(&self) -> bool {
        match self {
            SacctError::Open { error, .. } => error.kind() != io::ErrorKind::InvalidData,
            SacctError::Read { error, .. } => error.is_io_error(),
            _ => false,
        }
    }
}

/// Explains what happened to the lines.
fn reasons(ledger: &Ledger, fault: &Option<(u64, Fault)>) -> String {
    if ledger.read == 0 {
        return "there is nothing below the names of the columns".to_owned();
    }
    let rows: Vec<String> =
        ledger.rows().map(|row| format!("{}: {} {}", row.rule, row.count, row.effect)).collect();
    let fault = fault.as_ref().map(|(line, fault)| format!("; line {line}: {fault}"));
    format!("of {}, {}{}", ledger.lines(), rows.join("; "), fault.unwrap_or_default())
}
