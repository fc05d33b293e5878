//! The results folder: made, recognized, never overwritten by accident.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::report::files::{FileError, is_draft};
use crate::scenario::plan::{GamePlan, Plan};

/// The file that makes a folder a results folder; it is written last.
pub const MANIFEST: &str = "manifest.json";

/// All files that a run may write.
pub const FILES: [&str; 15] = [
    MANIFEST,
    "timing.json",
    "live.json",
    "summary.json",
    "organizations.csv",
    "jobs.csv",
    "rounds.csv",
    "moves.csv",
    "learning.csv",
    "learning.svg",
    "histograms.hlog",
    "players.csv",
    "actions.csv",
    "profiles.csv",
    "dynamics.csv",
];

/// What tells a run from others.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    pub(super) name: &'a str,
    pub(super) seed: u64,
    pub(super) digest: &'a str,
}

impl<'a> From<&'a Plan> for Identity<'a> {
    fn from(plan: &'a Plan) -> Identity<'a> {
        Identity { name: &plan.name, seed: plan.seed, digest: &plan.digest }
    }
}

impl<'a> From<&'a GamePlan> for Identity<'a> {
    fn from(plan: &'a GamePlan) -> Identity<'a> {
        Identity { name: &plan.name, seed: plan.seed, digest: &plan.digest }
    }
}

/// The same as a manifest tells it, of whatever kind of run.
#[derive(Debug, Deserialize)]
struct Known {
    gridpact: String,
    name: String,
    scenario_digest: String,
    seed: u64,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The results of another run are in it.
    #[error("{}: {what} are here already", folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Which results.
        what: String,
    },
    /// Something else is in it.
    #[error(
        "{}: files that are not a run's results are here already, such as {file}",
        folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The first of them.
        file: String,
    },
    /// It cannot be made or read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Where the results of a plan go unless somebody says otherwise.
pub fn default<'a>(plan: impl Into<Identity<'a>>) -> PathBuf {
    let name = plan.into().name.to_lowercase();
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    Path::new("results").join(words.collect::<Vec<_>>().join("-"))
}

/// Makes the folder, or checks that it holds nothing but an earlier run of the same; with `force`,
/// any run's. Its files stay until the new ones are complete. What a run that was ended from
/// outside had begun to write is removed.
///
/// # Errors
/// When it holds something else, or cannot be made.
pub fn prepare<'a>(
    folder: &Path,
    plan: impl Into<Identity<'a>>,
    force: bool,
) -> Result<(), FolderError> {
    if folder.is_file() {
        let error = io::Error::new(io::ErrorKind::NotADirectory, "this is a file, not a folder");
        return Err(FileError::of(folder)(error).into());
    }
    fs::create_dir_all(folder).map_err(FileError::of(folder))?;
    // Better told now than after the run.
    tempfile::tempfile_in(folder).map_err(|error| FileError::of(folder)(error.kind().into()))?;
    let mut drafts = Vec::new();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(FileError::of(folder))? {
        let name = entry.map_err(FileError::of(folder))?.file_name();
        if is_draft(&name) {
            drafts.push(folder.join(name));
        } else {
            files.push(name.to_string_lossy().into_owned());
        }
    }
    if let Some(first) = files.into_iter().min().filter(|_| !force) {
        check_taken(folder, plan.into(), first)?;
    }
    for draft in drafts {
        fs::remove_file(&draft).map_err(FileError::of(&draft))?;
    }
    Ok(())
}

/// May what is in the folder, `first` among it, be replaced without asking?
fn check_taken(folder: &Path, plan: Identity<'_>, first: String) -> Result<(), FolderError> {
    let path = folder.join(MANIFEST);
    let found = fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Known>(&text).ok());
    let folder = folder.to_owned();
    let Some(found) = found else {
        return Err(FolderError::Foreign { folder, file: first });
    };
    let mut what = format!("results of `{}` (seed {})", found.name, found.seed);
    if found.gridpact != env!("CARGO_PKG_VERSION") {
        what.push_str(&format!(" by version {}", found.gridpact));
    } else if found.scenario_digest == plan.digest && found.seed == plan.seed {
        return Ok(());
    } else if found.name == plan.name && found.seed == plan.seed {
        what.push_str(" with other values or files");
    }
    Err(FolderError::Taken { folder, what })
}

/// Removes the files of an earlier run, the manifest first, so that what is left is never taken for
/// a run's results.
///
/// # Errors
/// When a file cannot be removed.
pub fn clear(folder: &Path) -> Result<(), FileError> {
    for name in FILES {
        let path = folder.join(name);
        if path.exists() {
            fs::remove_file(&path).map_err(FileError::of(&path))?;
        }
    }
    Ok(())
}
