//! The results folder: made, recognized, never overwritten by accident.

use std::fs;
use std::path::{Path, PathBuf};

use crate::report::files::{FileError, is_draft};
use crate::report::json::Manifest;
use crate::scenario::plan::Plan;

/// The file that makes a folder a results folder; it is written last.
pub const MANIFEST: &str = "manifest.json";

/// All files that a run may write.
pub const FILES: [&str; 6] =
    [MANIFEST, "timing.json", "summary.json", "organizations.csv", "jobs.csv", "histograms.hlog"];

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Something else is in it.
    #[error("{}: {what} are here already", folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        what: String,
    },
    /// It cannot be made or read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Where the results of a plan go unless somebody says otherwise.
pub fn default(plan: &Plan) -> PathBuf {
    let name = plan.name.to_lowercase();
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    Path::new("results").join(words.collect::<Vec<_>>().join("-"))
}

/// Makes the folder, or checks that it holds nothing but an earlier run of the same; with `force`,
/// any run's. Its files stay until the new ones are complete. What a run that was ended from
/// outside had begun to write is removed.
///
/// # Errors
/// When it holds something else, or cannot be made.
pub fn prepare(folder: &Path, plan: &Plan, force: bool) -> Result<(), FolderError> {
    fs::create_dir_all(folder).map_err(FileError::of(folder))?;
    let mut drafts = Vec::new();
    let mut is_empty = true;
    for entry in fs::read_dir(folder).map_err(FileError::of(folder))? {
        let name = entry.map_err(FileError::of(folder))?.file_name();
        if is_draft(&name) {
            drafts.push(folder.join(name));
        } else {
            is_empty = false;
        }
    }
    if !is_empty {
        check_taken(folder, plan, force)?;
    }
    for draft in drafts {
        fs::remove_file(&draft).map_err(FileError::of(&draft))?;
    }
    Ok(())
}

/// May what is in the folder be replaced?
fn check_taken(folder: &Path, plan: &Plan, force: bool) -> Result<(), FolderError> {
    let path = folder.join(MANIFEST);
    let found =
        fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Manifest>(&text).ok());
    let taken = |what: String| FolderError::Taken { folder: folder.to_owned(), what };
    match found {
        Some(found) if !force && !is_same(&found, plan) => {
            Err(taken(format!("results of `{}` (seed {})", found.name, found.seed)))
        }
        None if !force => Err(taken("files that are not a run's results".to_owned())),
        _ => Ok(()),
    }
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

/// Would the run give the same files?
fn is_same(found: &Manifest, plan: &Plan) -> bool {
    found.scenario_digest == plan.digest
        && found.seed == plan.seed
        && found.gridpact == env!("CARGO_PKG_VERSION")
}
