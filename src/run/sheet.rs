//! Lines of a replication on their way into a result file.
//!
//! A sheet is a file in the run's state. It can be marked between two lines; after an interruption
//! it is opened at the mark again: what stands there is checked, what came later is cut.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::report::files::FileError;

/// A file of lines that is being written.
#[derive(Debug)]
pub(crate) struct Sheet {
    path: PathBuf,
    out: BufWriter<File>,
    hasher: blake3::Hasher,
    length: u64,
}

/// A place in a sheet, and the digest of all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    length: u64,
    digest: [u8; 32],
}

/// A sheet that is written to its end.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) path: PathBuf,
    pub(super) length: u64,
    /// Over all of it.
    pub(super) hasher: blake3::Hasher,
}

impl Sheet {
    /// An empty one, whatever was there before.
    pub(super) fn begin(path: &Path) -> Result<Sheet, FileError> {
        let file = File::create(path).map_err(FileError::of(path))?;
        Ok(Sheet::new(path, file, blake3::Hasher::new(), 0))
    }

    fn new(path: &Path, file: File, hasher: blake3::Hasher, length: u64) -> Sheet {
        let out = BufWriter::with_capacity(1 << 16, file);
        Sheet { path: path.to_owned(), out, hasher, length }
    }

    /// One as it was at a mark; `None` where the file is not what was marked.
    pub(super) fn reopen(path: &Path, mark: &Mark) -> io::Result<Option<Sheet>> {
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut hasher = blake3::Hasher::new();
        let mut kept = (&mut file).take(mark.length);
        hasher.update_reader(&mut kept)?;
        if kept.limit() > 0 || *hasher.finalize().as_bytes() != mark.digest {
            return Ok(None);
        }
        file.set_len(mark.length)?;
        file.seek(SeekFrom::Start(mark.length))?;
        Ok(Some(Sheet::new(path, file, hasher, mark.length)))
    }

    /// The place where it is. All before it is in the file, if not on the disk.
    pub(super) fn mark(&mut self) -> Result<Mark, FileError> {
        self.out.flush().map_err(FileError::of(&self.path))?;
        Ok(Mark { length: self.length, digest: *self.hasher.finalize().as_bytes() })
    }

    /// The same, and all before it is on the disk.
    pub(super) fn sync(&mut self) -> Result<Mark, FileError> {
        let mark = self.mark()?;
        self.out.get_ref().sync_data().map_err(FileError::of(&self.path))?;
        Ok(mark)
    }

    /// Nothing more is written.
    pub(super) fn finish(mut self) -> Result<Written, FileError> {
        self.out.flush().map_err(FileError::of(&self.path))?;
        Ok(Written { path: self.path, length: self.length, hasher: self.hasher })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for Sheet {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_goes_on_at_its_mark_and_refuses_what_is_not_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let mut sheet = Sheet::begin(&path).unwrap();
        sheet.write_all(b"one\ntwo\n").unwrap();
        let mark = sheet.sync().unwrap();
        sheet.write_all(b"lost\n").unwrap();
        drop(sheet);
        let mut again = Sheet::reopen(&path, &mark).unwrap().unwrap();
        again.write_all(b"three\n").unwrap();
        let written = again.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
        assert_eq!(written.hasher.finalize(), blake3::hash(b"one\ntwo\nthree\n"));

        std::fs::write(&path, b"one\ntwi\n").unwrap();
        assert!(Sheet::reopen(&path, &mark).unwrap().is_none());
        std::fs::write(&path, b"one\n").unwrap();
        assert!(Sheet::reopen(&path, &mark).unwrap().is_none());
        std::fs::remove_file(&path).unwrap();
        assert!(Sheet::reopen(&path, &mark).unwrap().is_none());
    }
}
