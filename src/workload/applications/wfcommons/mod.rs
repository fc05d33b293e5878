//! Recorded workflows in WfFormat, the JSON format of WfCommons, versions 1.0 to 1.6.
//!
//! An instance tells single tasks; an application consists of classes of identical ones. Tasks become
//! one class if they are of one type and on one level.
//!
//! - *Type*: the category of a task, which versions up to 1.4 may have; or else its name without the number at its
//!   end: `mProject_ID0000007` is of type `mProject`. Of a Nextflow name it is the part before two
//!   underscores. On request it is the program that ran.
//! - *Level*: 1 for a task without parents, otherwise one more than the highest level of its parents.
//!   A task only waits for lower levels, so classes never wait for one another in a cycle.
//! - A class waits for each class that has a parent of one of its tasks. It waits for the whole class,
//!   so it may begin later than its first task could; the ledger counts such classes.
//! - All tasks of a class take their mean runtime, so that the work is the recorded one. The ledger
//!   tells how runtimes differed.
//! - Storage is the mean size of the output files of a task, memory the mean of what is recorded.
//!
//! Each task takes one processor. Commands, input files, I/O and energy are not imported.

mod error;
mod graph;
mod group;
mod ledger;
mod lines;
mod parse;

use std::io::Read as _;
use std::path::Path;

pub use error::{Problem, WfCommonsError};
pub use group::{Workflow, WorkflowClass};
pub use ledger::{Group, Ledger};

use crate::opened;
use model::bounds::{Bounds, parameters};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Size of the longest file read, in bytes.
const MOST_BYTES: u64 = 512 << 20;
/// Speed of a processor.
const SPEED: Bounds<'_> = Bounds::of("a speed").unit("MHz").above(0.0).to(1e6);
/// Bytes of a unit.
const BYTES: Bounds<'_> = Bounds::of("a size").unit("bytes").from(1.0).to(1e15);

/// The property that makes tasks one type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Types {
    /// The category, or else the name without its number.
    #[default]
    Name,
    /// The program that ran, or else as by name.
    Program,
}

parameters! {
    /// Rules of the import.
    #[derive(Copy)]
    #[serde(default)]
    pub struct Options {
        /// The property that makes tasks one type.
        types: Types = Types::Name,
        /// Speed, in MHz, of a processor on which tasks shall take their times. A recorded runtime
        /// then counts times the speed of its machine over this one. By default machines count alike.
        #[serde(skip_serializing_if = "Option::is_none")]
        reference: Option<f64> as SPEED = None,
        /// Bytes of a unit of storage and of memory; by default a gigabyte, 10^9.
        bytes: f64 as BYTES = 1e9,
    }
}

/// Reads an instance from a file.
///
/// # Errors
/// A file that cannot be read or is no such instance, tasks that wait for unknown ones or for one
/// another, or a class without any runtime.
pub fn read(file: &Path, options: &Options) -> Result<Workflow, WfCommonsError> {
    let failed = |error| WfCommonsError::Read { file: file.to_owned(), error };
    let mut text = String::new();
    let opened = opened::open(file).map_err(failed)?;
    opened.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    let wrong = |problem| WfCommonsError::Instance { file: file.to_owned(), problem };
    if text.len() as u64 > MOST_BYTES {
        return Err(wrong(Problem::TooLong { most: MOST_BYTES >> 20 }));
    }
    import(&text, options).map_err(wrong)
}

/// Reads an instance from a text.
///
/// # Errors
/// As [`read`].
pub fn import(text: &str, options: &Options) -> Result<Workflow, Problem> {
    let instance = parse::parse(text)?;
    let lines = lines::Lines::of(text);
    let levels = graph::levels(&instance.tasks, &lines)?;
    group::group(&instance, &levels, options, &lines)
}

#[cfg(test)]
mod tests;
