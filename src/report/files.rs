//! Writing result files: each whole or not at all.
//!
//! A file is written under a temporary name in its own directory, synced, and renamed.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What the names of files begin and end with that are being written.
const DRAFT: (&str, &str) = (".gridpact-", ".tmp");

/// True of a file that somebody is writing, or was when the run was ended from outside.
pub fn is_draft(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(DRAFT.0) && name.ends_with(DRAFT.1))
}

/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct FileError {
    /// Which.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub error: io::Error,
}

impl FileError {
    /// Says which file an error is about.
    pub fn of(path: &Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_owned();
        move |error| FileError { path, error }
    }
}

/// A file that is being written and does not exist under its name yet; dropped, it never will.
#[derive(Debug)]
pub struct Draft {
    file: BufWriter<File>,
    complete: Complete,
}

impl Draft {
    /// Begins a file, instead of what a run that was ended from outside began under the same name.
    ///
    /// # Errors
    /// When its directory cannot be written to.
    pub fn begin(path: &Path) -> Result<Draft, FileError> {
        let draft = draft_of(path);
        let file = File::create(&draft).map_err(FileError::of(path))?;
        let complete = Complete { path: path.to_owned(), draft: Some(draft), is_kept: false };
        Ok(Draft { file: BufWriter::with_capacity(1 << 16, file), complete })
    }

    /// The BLAKE3 of what was written so far, in hexadecimal.
    ///
    /// # Errors
    /// When it cannot be read back.
    pub fn digest(&mut self) -> Result<String, FileError> {
        let mut hasher = blake3::Hasher::new();
        self.file
            .flush()
            .and_then(|()| File::open(draft_of(self.path())))
            .and_then(|file| hasher.update_reader(file).map(drop))
            .map_err(FileError::of(self.path()))?;
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Nothing more is written: all of it is on the disk, and only its name is still to come.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn complete(self) -> Result<Complete, FileError> {
        let Draft { file, complete } = self;
        let written = file.into_inner().map_err(|error| error.into_error());
        written.and_then(|file| file.sync_all()).map_err(FileError::of(&complete.path))?;
        Ok(complete)
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.complete.path
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What a file is called while it is written: always the same, as only one process writes it.
fn draft_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{}{name}{}", DRAFT.0, DRAFT.1))
}

/// A file that is written and waits for its name; dropped, it never has one.
#[derive(Debug)]
pub struct Complete {
    path: PathBuf,
    draft: Option<PathBuf>,
    /// Dropped, it stays where it is.
    is_kept: bool,
}

impl Complete {
    /// A file that is on the disk under another name, where it stays unless it is published.
    pub fn kept(path: &Path, draft: PathBuf) -> Complete {
        Complete { path: path.to_owned(), draft: Some(draft), is_kept: true }
    }

    /// Gives it its name, instead of whatever had it before.
    ///
    /// # Errors
    /// When the system refuses; what was there before is still there then.
    pub fn publish(mut self) -> Result<(), FileError> {
        let draft = self.draft.as_ref().expect("it is published once");
        fs::rename(draft, &self.path).map_err(FileError::of(&self.path))?;
        self.draft = None;
        Ok(())
    }
}

impl Drop for Complete {
    fn drop(&mut self) {
        if let Some(draft) = self.draft.as_ref().filter(|_| !self.is_kept) {
            // It is of no use to anybody; where it stays, the next run removes it.
            let _ = fs::remove_file(draft);
        }
    }
}

/// A whole file that waits for its name.
///
/// # Errors
/// When the disk does not take it.
pub fn written(path: &Path, content: &[u8]) -> Result<Complete, FileError> {
    let mut draft = Draft::begin(path)?;
    draft.write_all(content).map_err(FileError::of(path))?;
    draft.complete()
}

/// Finds out whether files can be written in a directory, without leaving one.
///
/// # Errors
/// When they cannot.
pub fn probe(folder: &Path) -> Result<(), FileError> {
    let path = draft_of(&folder.join("probe"));
    let probed = File::create(&path).and_then(|_| fs::remove_file(&path));
    probed.map_err(FileError::of(folder))
}

/// Syncs a directory, so that what was renamed into it stays.
///
/// # Errors
/// When the system cannot.
pub fn sync_folder(folder: &Path) -> Result<(), FileError> {
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(FileError::of(folder))?;
    Ok(())
}
