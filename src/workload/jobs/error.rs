//! Files of jobs that cannot be read.

use std::io;
use std::path::PathBuf;

/// The reason why a file of jobs could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobsError {
    /// The file cannot be read or is not valid CSV.
    #[error("{}: cannot be read: {error}", file.display())]
    Read {
        /// The file of jobs.
        file: PathBuf,
        /// The error of the reader.
        error: csv::Error,
    },
    /// The header lacks a column or has an unknown one.
    #[error("{}: line 1: {message}; the columns are submit, runtime, processors and, where wanted, id, organization, estimate, user, wait, uses, account, partition, label", file.display())]
    Header {
        /// The file of jobs.
        file: PathBuf,
        /// The problem.
        message: String,
    },
    /// A row is shorter or longer than the header.
    #[error(
        "{}: line {line}: there are {found} values, but the header has {expected} columns",
        file.display()
    )]
    Columns {
        /// The file of jobs.
        file: PathBuf,
        /// The line.
        line: u64,
        /// Number of values.
        found: usize,
        /// Number of columns.
        expected: usize,
    },
    /// A job is too large once the load is scaled.
    #[error("{}: line {line}: with `load`, the {field} is out of range", file.display())]
    Scaled {
        /// The file of jobs.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The field.
        field: &'static str,
    },
    /// A value is invalid.
    #[error("{}: line {line}: {column} is `{found}`; expected {expected}", file.display())]
    Value {
        /// The file of jobs.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The column.
        column: &'static str,
        /// The value found.
        found: String,
        /// The value expected.
        expected: String,
    },
}

impl JobsError {
    /// Returns true if the system could not read the file, as opposed to having wrong content.
    pub fn is_unreadable(&self) -> bool {
        let JobsError::Read { error, .. } = self else { return false };
        let csv::ErrorKind::Io(error) = error.kind() else { return false };
        error.kind() != io::ErrorKind::InvalidData
    }
}
