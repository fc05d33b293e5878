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
        let file = tempfile::Builder::new()
            .prefix(DRAFT.0)
            .suffix(DRAFT.1)
            .tempfile_in(folder)
            .map_err(FileError::of(path))?;
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

    /// Makes it whole: synced, and under its name.
    ///
    /// # Errors
    /// When that fails; nothing is left under the name then but what was there before.
    pub fn finish(self) -> Result<(), FileError> {
        let Draft { path, file } = self;
        let written = file.into_inner().map_err(|error| error.into_error());
        let file = written.map_err(FileError::of(&path))?;
        file.as_file().sync_all().map_err(FileError::of(&path))?;
        // Readable as any other file of the user, not only by its owner as temporary files are.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let permissions = std::fs::Permissions::from_mode(0o644);
            file.as_file().set_permissions(permissions).map_err(FileError::of(&path))?;
        }
        file.persist(&path).map_err(|error| error.error).map_err(FileError::of(&path))?;
        Ok(())
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

/// Writes a whole file.
///
/// # Errors
/// When that fails; nothing is left under the name then but what was there before.
pub fn write(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let mut draft = Draft::begin(path)?;
    draft.write_all(content).map_err(FileError::of(path))?;
    draft.finish()
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
