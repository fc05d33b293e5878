//! Errors in a trace: place, reason and remedy.

use std::io;
use std::path::PathBuf;

use crate::SourceError;
use crate::invalid::Invalid;

/// The reason why a trace could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SwfError {
    /// The file does not exist, may not be read, or is compressed in a way that is not read
    /// (`InvalidData`).
    #[error("{}: cannot be opened: {error}", file.display())]
    Open {
        /// The trace.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// Reading failed midway.
    #[error("{}: reading failed after line {line}: {error}", file.display())]
    Read {
        /// The trace.
        file: PathBuf,
        /// The last line read.
        line: u64,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The gzip stream is truncated or damaged.
    #[error(
        "{}: the gzip data is cut short or damaged after line {line} ({error}); what was unpacked cannot be trusted: fetch the file again (`gzip -t` tells whether a copy is whole)",
        file.display()
    )]
    Gzip {
        /// The trace.
        file: PathBuf,
        /// The last line read.
        line: u64,
        /// The error of the decoder.
        error: io::Error,
    },
    /// No line of the file is a line of a trace.
    #[error(
        "{}: line {line}: this does not look like an SWF trace: {reason}; expected lines of 18 numbers (plain or gzip), with comments after `;`",
        file.display()
    )]
    NotATrace {
        /// The file.
        file: PathBuf,
        /// The first line that is not a comment.
        line: u64,
        /// The problem with it.
        reason: String,
    },
    /// A line is not a job, and the rule makes this an error.
    #[error(
        "{}: line {line}: {reason}; to leave such lines out, set malformed = \"drop\"",
        file.display()
    )]
    Malformed {
        /// The trace.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The problem with it.
        reason: String,
    },
    /// A job breaks a rule set to `error`.
    #[error("{}: line {line}: {found}; {remedy}", file.display())]
    Rule {
        /// The trace.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The problem found.
        found: &'static str,
        /// The option to change, with its new value.
        remedy: &'static str,
    },
    /// Scaling the load takes a job out of range.
    #[error(
        "{}: line {line}: load.factor = {factor:?} takes the job's {field} beyond what can be simulated; choose a factor nearer to 1",
        file.display()
    )]
    Scaled {
        /// The trace.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The factor.
        factor: f64,
        /// The field that became too large.
        field: &'static str,
    },
    /// The trace is not the one that was surveyed.
    #[error(
        "{}: the file changed while it was in use (its survey found {expected} jobs, now {found}); run again and leave the file alone",
        file.display()
    )]
    Changed {
        /// The trace.
        file: PathBuf,
        /// Jobs in the survey.
        expected: u64,
        /// Jobs found.
        found: u64,
    },
    /// The trace has as many jobs as the surveyed one, but different ones.
    #[error(
        "{}: the file changed while it was in use (jobs {first} to {last} are not those that its survey found); put it back as it was and resume, or run again and leave the file alone",
        file.display()
    )]
    Replaced {
        /// The trace.
        file: PathBuf,
        /// The first job of the block that differs, from 1.
        first: u64,
        /// Its last job.
        last: u64,
    },
    /// An option is invalid.
    #[error(transparent)]
    Options(#[from] Invalid),
    /// The file could not be written.
    #[error("{}: cannot be written: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}

impl SwfError {
    /// Returns true if the file cannot be read at all, as opposed to having wrong content.
    pub fn is_unreadable(&self) -> bool {
        match self {
            SwfError::Open { error, .. } => error.kind() != io::ErrorKind::InvalidData,
            SwfError::Read { .. } => true,
            _ => false,
        }
    }
}

impl From<SwfError> for SourceError {
    fn from(error: SwfError) -> SourceError {
        SourceError(error.to_string())
    }
}
