//! What can go wrong with a trace: where, why, and what to do about it.

use std::io;
use std::path::PathBuf;

use crate::workload::SourceError;
use crate::workload::invalid::Invalid;

/// Why a trace could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SwfError {
    /// The file is not there or may not be read.
    #[error("{}: cannot be opened: {error}", file.display())]
    Open {
        /// The trace.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Reading broke off.
    #[error("{}: reading failed after line {line}: {error}", file.display())]
    Read {
        /// The trace.
        file: PathBuf,
        /// The last line read.
        line: u64,
        /// What the system said.
        error: io::Error,
    },
    /// The gzip stream is cut or damaged.
    #[error(
        "{}: the gzip data is cut short or damaged after line {line} ({error}); fetch the file again, or unpack what can be saved and give that",
        file.display()
    )]
    Gzip {
        /// The trace.
        file: PathBuf,
        /// The last line read.
        line: u64,
        /// What the decoder said.
        error: io::Error,
    },
    /// Nothing in the file is a line of a trace.
    #[error(
        "{}: line {line}: this does not look like an SWF trace: {reason}; expected lines of 18 numbers (plain or gzip), with comments after `;`",
        file.display()
    )]
    NotATrace {
        /// The file.
        file: PathBuf,
        /// The first line that is not a comment.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A line is not a job, and the rule says that this is an error.
    #[error(
        "{}: line {line}: {reason}; to leave such lines out, set malformed = \"drop\"",
        file.display()
    )]
    Malformed {
        /// The trace.
        file: PathBuf,
        /// The line.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A job breaks a rule that was set to `error`.
    #[error("{}: line {line}: {found}; {remedy}", file.display())]
    Rule {
        /// The trace.
        file: PathBuf,
        /// The line.
        line: u64,
        /// What was found.
        found: &'static str,
        /// Which option to change, and to what.
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
        /// What got too large.
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
    /// An option cannot be.
    #[error(transparent)]
    Options(#[from] Invalid),
    /// The file could not be written.
    #[error("{}: cannot be written: {error}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl SwfError {
    /// True where not the content is wrong but the file cannot be read at all.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, SwfError::Open { .. } | SwfError::Read { .. })
    }
}

impl From<SwfError> for SourceError {
    fn from(error: SwfError) -> SourceError {
        SourceError(error.to_string())
    }
}
