//! Explaining a results folder: why a job waited, and what was going on at some time.
//!
//! Everything is read from the files that a run left, line by line; what is kept is only the jobs
//! that were alive on the cluster while the job in question waited. What a scheduler promised is in
//! `decisions.csv`; without it, who waited for whom is told from `jobs.csv` alone.

mod instant;
mod job;
mod read;
mod shared;

use std::fs;
use std::path::{Path, PathBuf};

pub use instant::{OnCluster, RunningJob, WaitingJob, at};
pub use job::{Candidate, Freed, Overtaker, Stage, WhyJob, Yielded, why};
pub use read::{Job, Line, Told};
pub use shared::{Balancing, Queued, Replayed, Sent, SharedJob, why_shared};

use super::folder::MANIFEST;
use crate::report::figure;
use crate::report::files::FileError;
use crate::report::json::Manifest;

/// Why nothing can be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// A file is missing or cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is not what a run writes.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// What is asked for is not there, or not told well enough.
    #[error("{message}\nhelp: {help}")]
    Question {
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: String,
    },
}

fn question(message: impl Into<String>, help: impl Into<String>) -> ExplainError {
    ExplainError::Question { message: message.into(), help: help.into() }
}

/// Which job is meant; what is not said may be any.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// Its number.
    pub number: u64,
    /// Whose it is.
    pub organization: Option<String>,
    /// The workload that it comes from.
    pub workload: Option<String>,
    /// The replication.
    pub replication: Option<u32>,
    /// The round of a coalition.
    pub round: Option<u64>,
}

/// What a run says of itself, from its folder.
///
/// # Errors
/// When the manifest is missing, or is not one of a run of a grid or of a coalition.
pub fn manifest(folder: &Path) -> Result<Manifest, ExplainError> {
    let path = folder.join(MANIFEST);
    let text = fs::read(&path).map_err(FileError::of(&path))?;
    serde_json::from_slice(&text).map_err(|error| {
        let known = serde_json::from_slice::<serde_json::Value>(&text);
        let message = if known.is_ok_and(|manifest| manifest.get("players").is_some()) {
            "these are the results of a game, in which no job waits".to_owned()
        } else {
            format!("not a manifest, or cut short: {error}; run the scenario again")
        };
        ExplainError::Content { path: path.clone(), message }
    })
}

/// Names of a list, of which the nearest to a wrong one is pointed out.
fn known<'a>(
    what: &str,
    given: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), ExplainError> {
    if names.clone().any(|name| name == given) {
        return Ok(());
    }
    let near = |name: &&str| strsim::damerau_levenshtein(name, given);
    let nearest = names.clone().min_by_key(near).filter(|name| near(name) <= 3);
    let all: Vec<String> = names.take(8).map(|name| format!("`{name}`")).collect();
    let help = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("there are {}", all.join(", ")),
    };
    Err(question(format!("the run has no {what} called `{given}`"), help))
}

/// The replication that is meant: one must be said where there are several.
fn replication(manifest: &Manifest, said: Option<u32>) -> Result<u32, ExplainError> {
    let all = manifest.replications;
    match said {
        Some(number) if number < all => Ok(number),
        Some(number) => {
            let message = format!("there is no replication {number}");
            let help = match all {
                1 => "the run has one, number 0".to_owned(),
                _ => format!("the run has {}, numbered from 0", figure::count(all.into())),
            };
            Err(question(message, help))
        }
        None if all == 1 => Ok(0),
        None => Err(question(
            format!("the run has {} replications", figure::count(all.into())),
            format!("say which with `--replication`, from 0 to {}", all - 1),
        )),
    }
}
