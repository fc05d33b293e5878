//! Errors in an instance: place, reason and remedy.

use std::io;
use std::path::PathBuf;

/// The reason why a workflow could not be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WfCommonsError {
    /// The file cannot be read, or is not UTF-8.
    #[error("{}: cannot be read: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The instance is invalid.
    #[error("{}: {problem}", file.display())]
    Instance {
        /// The file.
        file: PathBuf,
        /// The problem with it.
        problem: Problem,
    },
}

/// A problem of an instance. Lines count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file is too long.
    #[error("it is longer than {most} MB")]
    TooLong {
        /// The most megabytes.
        most: u64,
    },
    /// The text is no JSON, or a property has the wrong type.
    #[error("line {}: this is not WfFormat: {error}", error.line())]
    Syntax {
        /// The error of the reader.
        error: serde_json::Error,
    },
    /// The version is another one.
    #[error(
        "line {line}: version {found} of WfFormat is not read; give one of 1.0 to 1.6, to which the \
         tools of WfFormat convert"
    )]
    Version {
        /// The line.
        line: u64,
        /// The version.
        found: String,
    },
    /// There is no task.
    #[error("there are no tasks in it; version {version} has them in `{place}`")]
    NoTasks {
        /// The version.
        version: String,
        /// The place where they should be.
        place: &'static str,
    },
    /// Two tasks have the same identifier.
    #[error("line {line}: two tasks are called `{task}`")]
    Duplicate {
        /// The line of the first one.
        line: u64,
        /// The identifier.
        task: String,
    },
    /// A task waits for one that is not there.
    #[error("line {line}: task `{task}` has the {relation} `{other}`, which is not a task")]
    Unknown {
        /// The line.
        line: u64,
        /// The task.
        task: String,
        /// Parent or child.
        relation: &'static str,
        /// The missing one.
        other: String,
    },
    /// Tasks wait for one another.
    #[error("line {line}: these tasks wait for one another: {tasks}")]
    Cycle {
        /// The line of the first one.
        line: u64,
        /// The tasks, each waiting for the next.
        tasks: String,
    },
    /// A runtime is negative or too long.
    #[error("line {line}: task `{task}` ran for {seconds} s; give a runtime from 0 to 10^9")]
    Runtime {
        /// The line.
        line: u64,
        /// The task.
        task: String,
        /// The runtime.
        seconds: f64,
    },
    /// No task of a class has a runtime.
    #[error(
        "line {line}: the runtime of task `{task}` is not known, nor that of any other of its class; \
         an instance needs its `execution`"
    )]
    NoRuntime {
        /// The line.
        line: u64,
        /// The first task of the class.
        task: String,
    },
}

impl WfCommonsError {
    /// Returns true if the file could not be read at all.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, WfCommonsError::Read { error, .. } if error.kind() != io::ErrorKind::InvalidData)
    }
}
