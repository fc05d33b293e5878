//! Private temporary files.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A private temporary file, unlinked while open where the system allows it, otherwise removed when
/// dropped.
#[derive(Debug)]
pub struct Scratch {
    /// The file, open for reading and writing.
    pub file: File,
    /// The path that it has or had.
    pub path: PathBuf,
}

impl Scratch {
    /// Creates an empty file whose name tells what it is for.
    ///
    /// # Errors
    /// The path that cannot be created, and why.
    pub fn new(purpose: &str) -> Result<Scratch, (PathBuf, io::Error)> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("gridpact-{purpose}-{}-{number}.tmp", std::process::id());
            let path = std::env::temp_dir().join(name);
            match File::options().read(true).write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err((path, error)),
                Ok(file) => {
                    if cfg!(unix)
                        && let Err(error) = fs::remove_file(&path)
                    {
                        return Err((path, error));
                    }
                    return Ok(Scratch { file, path });
                }
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}
