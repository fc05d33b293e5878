//! Explains a results folder: the waiting time of a job, or the state at a given time.
//!
//! Each kind of question has a file: what is read, the answer in words, and its tables. Files of a run
//! are read line by line; only the jobs alive on the cluster while the job in question waited are kept.
//! The promises of schedulers are in `decisions.csv`; without it, explanations rely on `jobs.csv` alone.

mod class;
mod instant;
mod job;
mod pooled;
mod read;
mod shared;
mod words;

use std::path::Path;

pub use class::{OnSite, WhichClass, WhyClass, why_class};
pub use instant::{AtInstant, OnCluster, WaitingJob, at};
pub use job::{Candidate, Named, Overtaker, PlannedFor, Stage, WhyJob, Yielded, named, why};
pub use pooled::{Pooled, PooledJob, PooledRound, why_pooled};
pub use read::{Job, RecordedDecision};
pub use shared::{Balancing, Queued, Replayed, Sent, SharedJob, why_shared};

use crate::audit::{has, is_same};
use records::files::read_regular;
use records::packed::name::Name;
use records::recorded::{RecordedError, located};
use report::files::Manifest;
use run::claim::names_in;
use run::folder::MANIFEST;
use scenario::diagnostics::nearest;
use stats::shown;

/// An error that leaves nothing to explain.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// A file is missing, cannot be read, or does not have the content that a run writes.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// The question matches nothing, or is ambiguous.
    #[error("{message}\nhelp: {help}")]
    Question {
        /// The problem with the question.
        message: String,
        /// A correction to suggest.
        help: String,
    },
}

fn question(message: impl Into<String>, help: impl Into<String>) -> ExplainError {
    ExplainError::Question { message: message.into(), help: help.into() }
}

/// Selects a job; fields left out match any.
#[derive(Clone, Debug, Default)]
pub struct WhichJob {
    /// Its number.
    pub number: u64,
    /// The organization that owns it.
    pub organization: Option<String>,
    /// The workload it comes from.
    pub workload: Option<String>,
    /// The replication.
    pub replication: Option<u32>,
    /// The round of a coalition.
    pub round: Option<u64>,
}

impl WhichJob {
    /// Checks the names and the replication.
    fn check(&self, manifest: &Manifest) -> Result<(), ExplainError> {
        if let Some(name) = &self.organization {
            known("organization", name, manifest.organizations.iter().map(String::as_str))?;
        }
        if let Some(name) = &self.workload {
            known("workload", name, manifest.workloads.iter().map(|one| &*one.name))?;
        }
        self.replication.map_or(Ok(()), |one| replication(manifest, Some(one)).map(drop))
    }
}

/// Most jobs of one number that are named.
const NAMED: usize = 4;

/// The jobs of a number, and the numbers next to it.
struct Near<T> {
    number: u64,
    found: Vec<T>,
    /// Jobs of the number, all jobs.
    counts: [u64; 2],
    below: Option<u64>,
    above: Option<u64>,
}

impl<T> Near<T> {
    fn new(number: u64) -> Near<T> {
        Near { number, found: Vec::new(), counts: [0; 2], below: None, above: None }
    }

    /// Adds a job of this number; the first few that are meant are kept.
    fn add(&mut self, number: u64, job: impl FnOnce() -> T) {
        self.counts[1] += 1;
        if number < self.number {
            self.below = self.below.max(Some(number));
        } else if number > self.number {
            self.above = Some(self.above.map_or(number, |above| above.min(number)));
        } else {
            self.counts[0] += 1;
            if self.found.len() <= NAMED {
                self.found.push(job());
            }
        }
    }

    /// The only job of the number, with help if there is none at all, or several.
    fn only(
        mut self,
        none: impl FnOnce() -> String,
        several: impl FnOnce(&[T]) -> String,
    ) -> Result<T, ExplainError> {
        let near = [self.below, self.above].into_iter().flatten().map(|number| number.to_string());
        let near: Vec<String> = near.collect();
        let [count, all] = self.counts;
        match self.found.pop() {
            Some(job) if count == 1 => Ok(job),
            Some(job) => {
                self.found.push(job);
                let message = format!("there are {} jobs {}", shown::count(count), self.number);
                Err(question(message, several(&self.found)))
            }
            None => {
                let all = shown::counted(all, "job", "jobs");
                let nearest = || format!("of {all}, the nearest are {}", near.join(" and "));
                let help = if near.is_empty() { none() } else { nearest() };
                Err(question(format!("there is no job {}", self.number), help))
            }
        }
    }
}

fn needs_jobs(manifest: &Manifest) -> Result<(), ExplainError> {
    if has(manifest, "jobs") {
        return Ok(());
    }
    Err(question(
        "the run wrote no jobs.csv, without which nothing is known of single jobs",
        "set `output.jobs = true` and run again",
    ))
}

/// Reads the manifest of a run from its folder.
///
/// # Errors
/// Fails if the manifest is missing, or does not belong to a run of a grid or of a coalition.
pub fn manifest(folder: &Path) -> Result<Manifest, ExplainError> {
    let path = folder.join(MANIFEST);
    let text = read_regular(&path).map_err(RecordedError::File)?;
    let message = match Manifest::read(&text) {
        Ok(manifest) => match manifest.without_jobs() {
            None => return Ok(manifest),
            Some(why) => why.to_owned(),
        },
        Err(error) => format!("not a manifest, or cut short: {error}; run the scenario again"),
    };
    Err(RecordedError::Content { path, message }.into())
}

/// The kinds of records used for explanations.
const TOLD_FROM: [&str; 7] =
    ["jobs", "decisions", "rounds", "moves", "applications", "classes", "runs"];

/// Record files that differ from those the run wrote: changed, missing, or not in its manifest.
/// Explanations based on them may be false.
///
/// # Errors
/// Fails if the folder or a file cannot be read.
pub fn changed(folder: &Path, manifest: &Manifest) -> Result<Vec<String>, ExplainError> {
    let is_told_from =
        |name: &str| Name::of(name).is_some_and(|name| TOLD_FROM.contains(&&*name.kind));
    let mut changed = Vec::new();
    for (name, digest) in manifest.files.iter().filter(|(name, _)| is_told_from(name)) {
        if is_same(&located(folder, name), digest).map_err(RecordedError::File)? != Some(true) {
            changed.push(name.clone());
        }
    }
    for name in names_in(folder).map_err(RecordedError::File)? {
        let name = name.to_string_lossy();
        let content = Name::of(&name).map(|name| name.to_string()).unwrap_or_default();
        if is_told_from(&name) && !manifest.files.contains_key(&content) {
            changed.push(name.into_owned());
        }
    }
    changed.sort();
    changed.dedup();
    Ok(changed)
}

/// Checks a name against a list and suggests the nearest one.
fn known<'a>(
    what: &str,
    given: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), ExplainError> {
    if names.clone().any(|name| name == given) {
        return Ok(());
    }
    let near = nearest(given, names.clone()).first().map(|near| format!("did you mean `{near}`?"));
    let all: Vec<String> = names.take(8).map(|name| format!("`{name}`")).collect();
    let help = near.unwrap_or_else(|| format!("there are {}", all.join(", ")));
    Err(question(format!("the run has no {what} called `{given}`"), help))
}

/// The selected replication; it must be given if there are several.
fn replication(manifest: &Manifest, said: Option<u32>) -> Result<u32, ExplainError> {
    let all = manifest.replications;
    match said {
        Some(number) if number < all => Ok(number),
        Some(number) => {
            let message = format!("there is no replication {number}");
            let help = match all {
                1 => "the run has one, number 0".to_owned(),
                _ => format!("the run has {}, numbered from 0", shown::count(all.into())),
            };
            Err(question(message, help))
        }
        None if all == 1 => Ok(0),
        None => Err(question(
            format!("the run has {} replications", shown::count(all.into())),
            format!("say which with `--replication`, from 0 to {}", all - 1),
        )),
    }
}
