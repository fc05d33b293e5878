//! Writing result files: each whole or not at all.
//!
//! A file is written under a temporary name in its own directory, synced, and renamed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

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
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Draft {
    /// Begins a file.
    ///
    /// # Errors
    /// When its directory cannot be written to.
    pub fn begin(path: &Path) -> Result<Draft, FileError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(DRAFT.0).suffix(DRAFT.1);
        // Readable as any other file of the user, not only by its owner as temporary files are: the
        // system takes off what the user's mask says.
        #[cfg(unix)]
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        builder.permissions(readable);
        let file = builder.tempfile_in(folder).map_err(FileError::of(path))?;
        Ok(Draft { path: path.to_owned(), file: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Another handle on the file, which writes where this one stopped; what was written to this
    /// one must be flushed.
    ///
    /// # Errors
    /// When the system has no more handles.
    pub fn handle(&self) -> Result<File, FileError> {
        self.file.get_ref().as_file().try_clone().map_err(FileError::of(&self.path))
    }

    /// The BLAKE3 of what was written so far, in hexadecimal.
    ///
    /// # Errors
    /// When it cannot be read back.
    pub fn digest(&mut self) -> Result<String, FileError> {
        let mut hasher = blake3::Hasher::new();
        self.file
            .flush()
            .and_then(|()| File::open(self.file.get_ref().path()))
            .and_then(|file| hasher.update_reader(file).map(drop))
            .map_err(FileError::of(&self.path))?;
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Nothing more is written: all of it is on the disk, and only its name is still to come.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn complete(self) -> Result<Complete, FileError> {
        let Draft { path, file } = self;
        let written = file.into_inner().map_err(|error| error.into_error());
        let file = written.map_err(FileError::of(&path))?;
        file.as_file().sync_all().map_err(FileError::of(&path))?;
        Ok(Complete { path, file })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
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

/// A file that is written and waits for its name; dropped, it never has one.
#[derive(Debug)]
pub struct Complete {
    path: PathBuf,
    file: NamedTempFile,
}

impl Complete {
    /// Gives it its name, instead of whatever had it before.
    ///
    /// # Errors
    /// When the system refuses; what was there before is still there then.
    pub fn publish(self) -> Result<(), FileError> {
        let persisted = self.file.persist(&self.path);
        persisted.map(drop).map_err(|error| FileError::of(&self.path)(error.error))
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

/// Syncs a directory, so that what was renamed into it stays.
///
/// # Errors
/// When the system cannot.
pub fn sync_folder(folder: &Path) -> Result<(), FileError> {
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(FileError::of(folder))?;
    Ok(())
}
