//! A claim on a results folder: only one process works in it.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use records::files::{self, FileError, is_draft};
use scenario::plan::Plan;

/// The manifest, which marks a results folder; it is written last.
pub const MANIFEST: &str = "manifest.json";

/// Subfolder with everything needed to resume the run.
pub const STATE: &str = "state";

/// File locked while a process works in the folder.
pub(super) const LOCK: &str = "lock";

/// Cost of a run, which is no result.
pub const TIMING: &str = "timing.json";

/// Subfolder of a study's results with a folder for each share.
pub const SHARDS: &str = "shards";

/// Names and, of records, byte ranges of the files that a run publishes; in the state folder.
pub(super) const PARTS: &str = "parts.json";

/// Description of a run that can be resumed; in the state folder.
pub(super) const KEPT: &str = "run.json";

/// Status of a run while it runs.
pub const LIVE: &str = "live.json";

/// Identifies a run.
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

/// An error that makes a folder unusable for a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It holds the results of another run.
    #[error("{}: {what} are here already", folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// A description of those results.
        what: String,
    },
    /// It holds unrelated files.
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
    /// Another process is using it.
    #[error("{}: another process is running in this folder", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// It holds an interrupted run that can be resumed.
    #[error("{}: {what} was interrupted here and can go on", folder.display())]
    Interrupted {
        /// The folder.
        folder: PathBuf,
        /// A description of that run.
        what: String,
    },
    /// It cannot be created or read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Exclusive write access to a results folder, for the lifetime of this value.
#[derive(Debug)]
pub struct Claim {
    folder: PathBuf,
    state: PathBuf,
    /// The operating system releases the lock with the file, even if the process is killed.
    _lock: File,
}

/// Refuses a folder with a pipe or a device: reading it might never end.
fn only_regular(folder: &Path) -> Result<(), FileError> {
    for name in names_in(folder)? {
        let path = folder.join(name);
        let kind = fs::metadata(&path).map(|about| about.file_type());
        if kind.is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
            return Err(FileError::of(&path)(io::Error::other("not a regular file")));
        }
    }
    Ok(())
}

/// Names of the files and folders in a folder.
///
/// # Errors
/// Fails if it cannot be read.
pub fn names_in(folder: &Path) -> Result<Vec<OsString>, FileError> {
    let names = fs::read_dir(folder).and_then(|all| all.map(|one| Ok(one?.file_name())).collect());
    names.map_err(FileError::of(folder))
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::of(path)(error)),
        _ => Ok(()),
    }
}

impl Claim {
    /// Claims an existing folder, whatever it holds.
    ///
    /// # Errors
    /// Fails if another process has claimed it, or it is not writable.
    pub fn of(folder: &Path) -> Result<Claim, FolderError> {
        let state = folder.join(STATE);
        match fs::create_dir(&state) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(FileError::of(folder)(error).into());
            }
            _ => {}
        }
        for folder in [folder, &state] {
            only_regular(folder)?;
        }
        let path = state.join(LOCK);
        let lock = File::options().create(true).append(true).open(&path);
        let lock = lock.map_err(FileError::of(&path))?;
        match lock.try_lock() {
            Ok(()) => {
                // Fails now rather than after the run.
                files::probe(folder)?;
                Ok(Claim { folder: folder.to_owned(), state, _lock: lock })
            }
            Err(TryLockError::WouldBlock) => Err(FolderError::Busy { folder: folder.to_owned() }),
            Err(TryLockError::Error(error)) => Err(FileError::of(&path)(error).into()),
        }
    }

    /// The results folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder with the state for resuming the run.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Removes the unfinished files of runs that were killed.
    ///
    /// # Errors
    /// Fails if it cannot be removed.
    pub fn tidy(&self) -> Result<(), FileError> {
        for folder in [&self.folder, &self.state] {
            for name in names_in(folder)? {
                if is_draft(&name) {
                    let draft = folder.join(name);
                    fs::remove_file(&draft).map_err(FileError::of(&draft))?;
                }
            }
        }
        Ok(())
    }

    /// Removes all saved state of an earlier run.
    ///
    /// # Errors
    /// Fails if something cannot be removed.
    pub fn forget(&self) -> Result<(), FileError> {
        // The file that marks a resumable run goes first.
        remove(&self.state.join(KEPT))?;
        for name in names_in(&self.state)? {
            if name != LOCK {
                remove(&self.state.join(name))?;
            }
        }
        Ok(())
    }
}
