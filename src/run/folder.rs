//! The results folder: made, recognized, never overwritten by accident.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::kept::{self, KEPT};
use super::live::LIVE;
use crate::report::files::{self, FileError, is_draft};
use crate::report::packed::name::Name;
use crate::scenario::plan::{GamePlan, Plan};

/// The file that makes a folder a results folder; it is written last.
pub const MANIFEST: &str = "manifest.json";

/// The folder in it with all that is needed to go on with the run.
pub const STATE: &str = "state";

/// The file that is locked while a process works in the folder.
const LOCK: &str = "lock";

/// All files that a run may write.
pub const FILES: [&str; 20] = [
    MANIFEST,
    "timing.json",
    LIVE,
    "summary.json",
    "organizations.csv",
    "jobs.csv",
    "decisions.csv",
    "rounds.csv",
    "moves.csv",
    "learning.csv",
    "learning.svg",
    "alternatives.csv",
    "timeline.csv",
    "timeline.svg",
    "histograms.hlog",
    "windows.hlog",
    "players.csv",
    "actions.csv",
    "profiles.csv",
    "dynamics.csv",
];

/// Those of them that are records, which may also be rotated and packed.
const RECORDS: [&str; 4] = ["jobs", "decisions", "rounds", "moves"];

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
    /// Another process writes to it.
    #[error("{}: another process is running in this folder", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A run that was interrupted is in it, and may go on.
    #[error("{}: {what} was interrupted here and can go on", folder.display())]
    Interrupted {
        /// The folder.
        folder: PathBuf,
        /// Which run.
        what: String,
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

/// A results folder that this process alone may write to, as long as this lives.
#[derive(Debug)]
pub struct Claim {
    folder: PathBuf,
    state: PathBuf,
    /// The system takes the lock off when the file is closed, however the process ends.
    _lock: File,
}

impl Claim {
    /// Of a folder that exists, whatever is in it.
    ///
    /// # Errors
    /// When another process has it, or it cannot be written to.
    pub fn of(folder: &Path) -> Result<Claim, FolderError> {
        let state = folder.join(STATE);
        match fs::create_dir(&state) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(FileError::of(folder)(error).into());
            }
            _ => {}
        }
        // Better told now than after the run.
        files::probe(folder)?;
        let path = state.join(LOCK);
        let lock = File::options().create(true).append(true).open(&path);
        let lock = lock.map_err(FileError::of(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Claim { folder: folder.to_owned(), state, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(FolderError::Busy { folder: folder.to_owned() }),
            Err(TryLockError::Error(error)) => Err(FileError::of(&path)(error).into()),
        }
    }

    /// Where the results go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where what is needed to go on with the run is kept.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Removes what runs that were ended from outside had begun to write.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn tidy(&self) -> Result<(), FileError> {
        for folder in [&self.folder, &self.state] {
            for entry in fs::read_dir(folder).map_err(FileError::of(folder))? {
                let name = entry.map_err(FileError::of(folder))?.file_name();
                if is_draft(&name) {
                    let draft = folder.join(name);
                    fs::remove_file(&draft).map_err(FileError::of(&draft))?;
                }
            }
        }
        Ok(())
    }

    /// Removes all that was kept to go on with an earlier run.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn forget(&self) -> Result<(), FileError> {
        // What says that there is a run to go on with goes first.
        let known = self.state.join(KEPT);
        let remove = |path: &Path| match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(FileError::of(path)(error))
            }
            _ => Ok(()),
        };
        remove(&known)?;
        for entry in fs::read_dir(&self.state).map_err(FileError::of(&self.state))? {
            let name = entry.map_err(FileError::of(&self.state))?.file_name();
            if name != LOCK {
                remove(&self.state.join(name))?;
            }
        }
        Ok(())
    }
}

/// Makes the folder, or checks that it holds nothing but an earlier run of the same; with `force`,
/// any run's. Its files stay until the new ones are complete. What a run that was ended from
/// outside had begun to write is removed.
///
/// # Errors
/// When it holds something else or a run that may go on, when another process works in it, or when
/// it cannot be made.
pub fn prepare<'a>(
    folder: &Path,
    plan: impl Into<Identity<'a>>,
    force: bool,
) -> Result<Claim, FolderError> {
    let claim = claim(folder, plan, force)?;
    claim.tidy()?;
    claim.forget()?;
    Ok(claim)
}

fn claim<'a>(
    folder: &Path,
    plan: impl Into<Identity<'a>>,
    force: bool,
) -> Result<Claim, FolderError> {
    if folder.is_file() {
        let error = io::Error::new(io::ErrorKind::NotADirectory, "this is a file, not a folder");
        return Err(FileError::of(folder)(error).into());
    }
    fs::create_dir_all(folder).map_err(FileError::of(folder))?;
    let state = folder.join(STATE);
    // An empty one is what a process leaves that ended before it could lock it.
    let is_empty = fs::read_dir(&state).is_ok_and(|mut inside| inside.next().is_none());
    let is_ours = is_empty || state.join(LOCK).exists();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(FileError::of(folder))? {
        let name = entry.map_err(FileError::of(folder))?.file_name();
        // What a run said of itself while it ran is of no use any more.
        let is_known = name == LIVE || is_ours && name == STATE;
        if !is_draft(&name) && !is_known {
            files.push(name.to_string_lossy().into_owned());
        }
    }
    // Looked at under the lock, since a run that ends leaves its results.
    if is_ours {
        let claim = Claim::of(folder)?;
        if !force {
            if let Some(what) = kept::unfinished(&claim) {
                return Err(FolderError::Interrupted { folder: folder.to_owned(), what });
            }
            if let Some(first) = files.into_iter().min() {
                check_taken(folder, plan.into(), first)?;
            }
        }
        return Ok(claim);
    }
    if let Some(first) = files.into_iter().min().filter(|_| !force) {
        check_taken(folder, plan.into(), first)?;
    }
    Claim::of(folder)
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
    let mut names: Vec<OsString> = FILES.map(OsString::from).into();
    for entry in fs::read_dir(folder).map_err(FileError::of(folder))? {
        let name = entry.map_err(FileError::of(folder))?.file_name();
        if is_record(&name.to_string_lossy()) {
            names.push(name);
        }
    }
    for path in names.iter().map(|name| folder.join(name)).filter(|path| path.exists()) {
        fs::remove_file(&path).map_err(FileError::of(&path))?;
    }
    Ok(())
}

/// True of the name of a file of records, rotated or packed or neither.
fn is_record(file: &str) -> bool {
    Name::of(file).is_some_and(|name| RECORDS.contains(&&*name.kind))
}
