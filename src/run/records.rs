//! The files that a run leaves: records that grow while it runs, and what is written at its end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::folder;
use crate::report::files::{self, Complete, Draft, FileError};
use crate::report::json;

/// A file to which replications add lines, in the order of their numbers whenever they run.
#[derive(Debug)]
pub(super) struct Records {
    draft: Draft,
    parts: u32,
}

/// Where the lines of a replication go: the first writes into the file itself, the others into
/// nameless ones that are appended in order.
#[derive(Debug)]
pub(super) struct Sheets {
    path: PathBuf,
    first: File,
}

impl Records {
    /// A file with its header.
    pub(super) fn begin(
        path: &Path,
        header: impl FnOnce(&mut Draft) -> io::Result<()>,
    ) -> Result<Records, FileError> {
        let mut draft = Draft::begin(path)?;
        header(&mut draft).and_then(|()| draft.flush()).map_err(FileError::of(path))?;
        Ok(Records { draft, parts: 0 })
    }

    /// Where replications write.
    pub(super) fn sheets(&self) -> Result<Sheets, FileError> {
        Ok(Sheets { path: self.draft.path().to_owned(), first: self.draft.handle()? })
    }

    /// Adds the lines of the next replication.
    pub(super) fn append(&mut self, mut part: File) -> Result<(), FileError> {
        // The first wrote behind the header already.
        if self.parts > 0 {
            let copied = part.rewind().and_then(|()| io::copy(&mut part, &mut self.draft));
            copied.map_err(FileError::of(self.draft.path()))?;
        }
        self.parts += 1;
        Ok(())
    }
}

impl Sheets {
    /// The file that it is about.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where a replication writes.
    pub(super) fn of(&self, replication: u32) -> Result<File, FileError> {
        if replication == 0 {
            self.first.try_clone().map_err(FileError::of(&self.path))
        } else {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            tempfile::tempfile_in(folder).map_err(FileError::of(folder))
        }
    }
}

/// The files of a run on their way into its folder.
pub(super) struct Leavings<'a> {
    folder: &'a Path,
    digests: BTreeMap<String, String>,
    complete: Vec<Complete>,
}

impl<'a> Leavings<'a> {
    /// None yet.
    pub(super) fn new(folder: &'a Path) -> Leavings<'a> {
        Leavings { folder, digests: BTreeMap::new(), complete: Vec::new() }
    }

    /// Adds records, where there are any.
    pub(super) fn records(&mut self, records: Option<Records>) -> Result<(), FileError> {
        let Some(Records { mut draft, .. }) = records else { return Ok(()) };
        let name = draft.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.digests.insert(name, draft.digest()?);
        self.complete.push(draft.complete()?);
        Ok(())
    }

    /// Adds a whole file.
    pub(super) fn write(&mut self, name: &str, content: &[u8]) -> Result<(), FileError> {
        self.digests.insert(name.to_owned(), blake3::hash(content).to_hex().to_string());
        self.complete.push(files::written(&self.folder.join(name), content)?);
        Ok(())
    }

    /// Gives all of them their names, instead of those of an earlier run.
    pub(super) fn publish<M: Serialize>(
        mut self,
        timing: &impl Serialize,
        manifest: impl FnOnce(BTreeMap<String, String>) -> M,
    ) -> Result<(), FileError> {
        let folder = self.folder;
        let mut write = |name: &str, content: Vec<u8>| -> Result<(), FileError> {
            self.complete.push(files::written(&folder.join(name), &content)?);
            Ok(())
        };
        write("timing.json", json::pretty(timing))?;
        write(folder::MANIFEST, json::pretty(&manifest(self.digests)))?;
        // All is on the disk; only now do the files of an earlier run go.
        folder::clear(folder)?;
        for file in self.complete {
            file.publish()?;
        }
        files::sync_folder(folder)?;
        tracing::info!(folder = %folder.display(), "results written");
        Ok(())
    }
}
