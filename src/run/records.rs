//! The files that a run leaves: records that grow while it runs, and what is written at its end.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::{self, Claim};
use super::sheet::{Mark, Sheet, Written};
use crate::report::files::{self, Complete, FileError};
use crate::report::json;

/// Writes the first line of a file of records.
pub(super) type Header = fn(&mut Sheet) -> io::Result<()>;

/// Where the replications of a run write their lines: a sheet for each kind of record that is
/// wanted.
#[derive(Debug)]
pub(super) struct Desk {
    results: PathBuf,
    state: PathBuf,
    kinds: Vec<Option<(&'static str, Header)>>,
    published: Published,
}

/// By name of a published file of records, from where to where the lines of each replication are.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Published(BTreeMap<String, Vec<[u64; 2]>>);

/// The sheets of a replication, by kind; `None` for what is not wanted.
pub(super) type Sheets = Vec<Option<Sheet>>;

/// Their marks.
pub(super) type Marks = Vec<Option<Mark>>;

impl Desk {
    /// In a results folder.
    pub(super) fn new(claim: &Claim, kinds: Vec<Option<(&'static str, Header)>>) -> Desk {
        let state = claim.state().to_owned();
        let published = fs::read(state.join(PARTS)).ok();
        let published = published.and_then(|text| serde_json::from_slice(&text).ok());
        let published = published.unwrap_or_default();
        Desk { results: claim.folder().to_owned(), state, kinds, published }
    }

    /// Where the sheets are.
    pub(super) fn folder(&self) -> &Path {
        &self.state
    }

    fn path(&self, name: &str, replication: u32) -> PathBuf {
        self.state.join(format!("{name}.r{replication}"))
    }

    /// Empty sheets; the first replication's begin with the header of the file.
    pub(super) fn begin(&self, replication: u32) -> Result<Sheets, FileError> {
        let begin = |kind: &Option<(&str, Header)>| {
            let Some((name, header)) = kind else { return Ok(None) };
            let path = self.path(name, replication);
            let mut sheet = Sheet::begin(&path)?;
            if replication == 0 {
                header(&mut sheet).map_err(FileError::of(&path))?;
            }
            Ok(Some(sheet))
        };
        self.kinds.iter().map(begin).collect()
    }

    /// The sheets as they were marked; `None` where one of them is not what was marked any more.
    pub(super) fn reopen(
        &self,
        replication: u32,
        marks: &Marks,
    ) -> Result<Option<Sheets>, FileError> {
        if marks.len() != self.kinds.len() {
            return Ok(None);
        }
        let mut sheets = Vec::new();
        for (kind, mark) in self.kinds.iter().zip(marks) {
            let sheet = match (kind, mark) {
                (None, None) => None,
                (Some((name, _)), Some(mark)) => {
                    let path = self.path(name, replication);
                    let again = |_| Sheet::reopen(&path, mark).map_err(FileError::of(&path));
                    let sheet = match again(())? {
                        None if self.copy_back(name, replication, &path)? => again(())?,
                        sheet => sheet,
                    };
                    if sheet.is_none() {
                        return Ok(None);
                    }
                    sheet
                }
                _ => return Ok(None),
            };
            sheets.push(sheet);
        }
        Ok(Some(sheets))
    }

    /// Takes the lines of a replication out of a file that was published; false where there is no
    /// such file.
    fn copy_back(&self, name: &str, replication: u32, to: &Path) -> Result<bool, FileError> {
        let ranges = self.published.0.get(name);
        let range = ranges.and_then(|ranges| ranges.get(replication as usize));
        let from = self.results.join(name);
        let (Some(&[start, end]), Ok(mut file)) = (range, File::open(&from)) else {
            return Ok(false);
        };
        file.seek(SeekFrom::Start(start)).map_err(FileError::of(&from))?;
        let mut out = File::create(to).map_err(FileError::of(to))?;
        let mut lines = file.take(end.saturating_sub(start));
        io::copy(&mut lines, &mut out).map_err(FileError::of(to))?;
        Ok(true)
    }

    /// Where the lines of all replications will come together.
    pub(super) fn gather(&self) -> Gathered {
        let kinds = self.kinds.iter().flatten();
        let gather = |&(name, _): &(&'static str, Header)| Gather {
            name,
            to: self.results.join(name),
            all: None,
            ranges: Vec::new(),
        };
        Gathered(kinds.map(gather).collect())
    }
}

/// What says where the lines of each replication are in the published files.
const PARTS: &str = "parts.json";

/// The lines of all replications, in the order of their numbers whenever they ran.
#[derive(Debug, Default)]
pub(super) struct Gathered(Vec<Gather>);

#[derive(Debug)]
struct Gather {
    name: &'static str,
    to: PathBuf,
    /// The sheet of the first replication, to which the others are added.
    all: Option<(PathBuf, File, blake3::Hasher)>,
    ranges: Vec<[u64; 2]>,
}

impl Gathered {
    /// Adds the lines of the next replication.
    pub(super) fn add(&mut self, sheets: Sheets) -> Result<(), FileError> {
        for (gather, sheet) in self.0.iter_mut().zip(sheets.into_iter().flatten()) {
            gather.add(sheet.finish()?)?;
        }
        Ok(())
    }
}

impl Gather {
    fn add(&mut self, part: Written) -> Result<(), FileError> {
        let start = self.ranges.last().map_or(0, |range| range[1]);
        self.ranges.push([start, start + part.length]);
        match &mut self.all {
            None => {
                let file = OpenOptions::new().append(true).open(&part.path);
                let file = file.map_err(FileError::of(&part.path))?;
                self.all = Some((part.path, file, part.hasher));
            }
            Some((path, file, hasher)) => {
                let mut lines = File::open(&part.path).map_err(FileError::of(&part.path))?;
                let mut chunk = vec![0; 1 << 16];
                loop {
                    let read = lines.read(&mut chunk).map_err(FileError::of(&part.path))?;
                    if read == 0 {
                        break;
                    }
                    hasher.update(&chunk[..read]);
                    file.write_all(&chunk[..read]).map_err(FileError::of(path))?;
                }
            }
        }
        Ok(())
    }
}

/// The files of a run on their way into its folder.
pub(super) struct Leavings<'a> {
    claim: &'a Claim,
    digests: BTreeMap<String, String>,
    complete: Vec<Complete>,
    published: Published,
}

impl<'a> Leavings<'a> {
    /// None yet.
    pub(super) fn new(claim: &'a Claim) -> Leavings<'a> {
        Leavings {
            claim,
            digests: BTreeMap::new(),
            complete: Vec::new(),
            published: Published::default(),
        }
    }

    /// Adds the records.
    pub(super) fn records(&mut self, records: Gathered) -> Result<(), FileError> {
        for Gather { name, to, all, ranges } in records.0 {
            let Some((path, file, hasher)) = all else { continue };
            file.sync_all().map_err(FileError::of(&path))?;
            self.digests.insert(name.to_owned(), hasher.finalize().to_hex().to_string());
            self.complete.push(Complete::kept(&to, path));
            self.published.0.insert(name.to_owned(), ranges);
        }
        Ok(())
    }

    /// Adds a whole file.
    pub(super) fn write(&mut self, name: &str, content: &[u8]) -> Result<(), FileError> {
        self.digests.insert(name.to_owned(), blake3::hash(content).to_hex().to_string());
        self.complete.push(files::written(&self.claim.folder().join(name), content)?);
        Ok(())
    }

    /// Gives all of them their names, instead of those of an earlier run.
    pub(super) fn publish<M: Serialize>(
        mut self,
        timing: &impl Serialize,
        manifest: impl FnOnce(BTreeMap<String, String>) -> M,
    ) -> Result<(), FileError> {
        let folder = self.claim.folder();
        let mut write = |name: &str, content: Vec<u8>| -> Result<(), FileError> {
            self.complete.push(files::written(&folder.join(name), &content)?);
            Ok(())
        };
        write("timing.json", json::pretty(timing))?;
        write(folder::MANIFEST, json::pretty(&manifest(self.digests)))?;
        let parts = self.claim.state().join(PARTS);
        files::written(&parts, &json::pretty(&self.published))?.publish()?;
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
