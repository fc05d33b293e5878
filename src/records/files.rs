//! Writes result files atomically: each is complete or does not exist.
//!
//! A file is written under a temporary name in its own directory, synced, and renamed.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Prefix and suffix of temporary file names.
const DRAFT: (&str, &str) = (".gridpact-", ".tmp");

/// True for a temporary file, either being written or left by a run that was killed.
pub fn is_draft(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(DRAFT.0) && name.ends_with(DRAFT.1))
}

/// Error: a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct FileError {
    /// Path of the file.
    pub path: PathBuf,
    /// Error of the system.
    #[source]
    pub error: io::Error,
}

impl FileError {
    /// Attaches the path to an I/O error.
    pub fn of(path: &Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_owned();
        move |error| FileError { path, error }
    }
}

/// Opens a file, which must be a regular one: reading a device or a pipe might never end.
///
/// # Errors If it cannot be opened or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Checked before opening: opening a pipe waits for a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
}

/// Reads a regular file.
///
/// # Errors If it cannot be read or is not a regular file.
pub fn read_regular(path: &Path) -> Result<Vec<u8>, FileError> {
    let read = open_regular(path).and_then(|mut file| {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        Ok(bytes)
    });
    read.map_err(FileError::of(path))
}

/// A file being written under its temporary name; dropping it removes it.
#[derive(Debug)]
pub struct Draft {
    file: BufWriter<File>,
    complete: Complete,
}

impl Draft {
    /// Starts a file, replacing any temporary file that a killed run left under the same name.
    ///
    /// # Errors If its directory cannot be written to.
    pub fn begin(path: &Path) -> Result<Draft, FileError> {
        let draft = draft_of(path);
        let file = File::create(&draft).map_err(FileError::of(path))?;
        let complete = Complete { path: path.to_owned(), draft: Some(draft), is_kept: false };
        Ok(Draft { file: BufWriter::with_capacity(1 << 16, file), complete })
    }

    /// BLAKE3 digest of the content so far, in hexadecimal.
    ///
    /// # Errors If it cannot be read back.
    pub fn digest(&mut self) -> Result<String, FileError> {
        let mut hasher = blake3::Hasher::new();
        self.file
            .flush()
            .and_then(|()| File::open(draft_of(self.path())))
            .and_then(|file| hasher.update_reader(file).map(drop))
            .map_err(FileError::of(self.path()))?;
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Ends the writing: syncs the content to disk, so that only the rename is left.
    ///
    /// # Errors If the disk does not accept it.
    pub fn complete(self) -> Result<Complete, FileError> {
        let Draft { file, complete } = self;
        let written = file.into_inner().map_err(|error| error.into_error());
        written.and_then(|file| file.sync_all()).map_err(FileError::of(&complete.path))?;
        Ok(complete)
    }

    /// Final path of the file.
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

/// Temporary name of a file: always the same, as only one process writes it.
fn draft_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{}{name}{}", DRAFT.0, DRAFT.1))
}

/// A complete file that still has its temporary name; dropping it removes it.
#[derive(Debug)]
pub struct Complete {
    path: PathBuf,
    draft: Option<PathBuf>,
    /// True if the file stays where it is when dropped.
    is_kept: bool,
}

impl Complete {
    /// A file that already exists under another name, where it stays unless it is published.
    pub fn kept(path: &Path, draft: PathBuf) -> Complete {
        Complete { path: path.to_owned(), draft: Some(draft), is_kept: true }
    }

    /// Renames it to its final name, replacing any file that had it.
    ///
    /// # Errors If the system refuses; the old file is still there then.
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
            // Ignore errors: the file is of no use, and if it stays, the next run removes it.
            let _ = fs::remove_file(draft);
        }
    }
}

/// Writes a whole file under its temporary name.
///
/// # Errors If the disk does not accept it.
pub fn written(path: &Path, content: &[u8]) -> Result<Complete, FileError> {
    let mut draft = Draft::begin(path)?;
    draft.write_all(content).map_err(FileError::of(path))?;
    draft.complete()
}

/// Tests that a directory is writable, without leaving a file.
///
/// # Errors If it is not.
pub fn probe(folder: &Path) -> Result<(), FileError> {
    let path = draft_of(&folder.join("probe"));
    let probed = File::create(&path).and_then(|_| fs::remove_file(&path));
    probed.map_err(FileError::of(folder))
}

/// Syncs a directory, so that renames in it are durable.
///
/// # Errors If the system cannot.
pub fn sync_folder(folder: &Path) -> Result<(), FileError> {
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(FileError::of(folder))?;
    Ok(())
}
