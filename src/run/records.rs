//! The files of a run: records that grow while it runs, and the files written at its end.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::claim::{Claim, PARTS};
use super::error::RunError;
use super::folder;
use super::sheet::{Content, Sheet, Title, Written};
use super::world::{Kind, Sheets};
use records::files::{self, Complete, Draft, FileError};
use records::packed::{Form, Mark, Member};
use records::recorded;
use scenario::plan::Plan;

/// The open record files of a run: one sheet for each replication and kind of record that is
/// wanted.
#[derive(Debug)]
pub(super) struct Desk {
    results: PathBuf,
    state: PathBuf,
    form: Form,
    kinds: Vec<Option<Kind>>,
    /// True if each sheet may have a thread.
    has_spare_thread: bool,
    published: Published,
}

/// Byte range of each replication in each published file of records. Rotated files are left out,
/// since each holds one replication only.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Published(BTreeMap<String, Vec<[u64; 2]>>);

/// Positions in the sheets.
pub(super) type Marks = Vec<Option<Mark>>;

/// The output format of a plan's records.
pub(super) fn form(plan: &Plan) -> Form {
    Form { rotate: plan.output.rotate, compress: plan.output.compress }
}

impl Desk {
    /// Opens the records in a results folder.
    pub(super) fn new(
        claim: &Claim,
        form: Form,
        kinds: Vec<Option<Kind>>,
        has_spare_thread: bool,
    ) -> Desk {
        let state = claim.state().to_owned();
        let published = files::read_regular(&state.join(PARTS)).ok();
        let published = published.and_then(|text| serde_json::from_slice(&text).ok());
        let published = published.unwrap_or_default();
        let results = claim.folder().to_owned();
        Desk { results, state, form, kinds, has_spare_thread, published }
    }

    fn title(&self, single: &'static str, replication: u32) -> Title {
        // Histogram logs are short, and their readers support no other format.
        let form = if single.ends_with(".csv") { self.form } else { Form::default() };
        Title { state: self.state.clone(), single, replication, form }
    }

    /// Header of a page; in a file shared by replications, only the first one writes it.
    fn header(title: &Title, write: fn(&mut Vec<u8>) -> io::Result<()>) -> Vec<u8> {
        let mut header = Vec::new();
        if title.replication == 0 || title.form.rotate.is_some() {
            write(&mut header).expect("memory takes it");
        }
        header
    }

    /// Creates empty sheets.
    pub(super) fn begin(&self, replication: u32) -> Result<Sheets, FileError> {
        let begin = |kind: &Option<Kind>| {
            let Some((single, write)) = *kind else { return Ok(None) };
            let title = self.title(single, replication);
            let header = Desk::header(&title, write);
            Sheet::begin(title, header, self.has_spare_thread).map(Some)
        };
        self.kinds.iter().map(begin).collect()
    }

    /// Reopens the sheets at their marks; `None` if a file no longer matches its mark.
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
            let sheet = match (*kind, mark) {
                (None, None) => None,
                (Some((single, write)), Some(mark)) => {
                    let title = self.title(single, replication);
                    let header = Desk::header(&title, write);
                    let has_thread = self.has_spare_thread;
                    let again = || Sheet::reopen(title.clone(), header.clone(), mark, has_thread);
                    let sheet = match again()? {
                        None if self.copy_back(&title, mark)? => again()?,
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

    /// Copies the published lines of a replication back out of the results, which stay; false if
    /// there are none.
    fn copy_back(&self, title: &Title, mark: &Mark) -> Result<bool, FileError> {
        let mut is_back = false;
        for page in 0..=mark.whole.len() as u64 {
            let (from, to) = (self.results.join(title.file(page)), title.path(page));
            let range = match title.form.rotate {
                Some(_) => Some([0, u64::MAX]),
                None => (self.published.0.get(&title.file(page)))
                    .and_then(|ranges| ranges.get(title.replication as usize).copied()),
            };
            let (Some([start, end]), false) = (range, to.exists()) else { continue };
            let Ok(mut file) = File::open(&from) else { return Ok(false) };
            file.seek(SeekFrom::Start(start)).map_err(FileError::of(&from))?;
            let mut out = Draft::begin(&to)?;
            let mut lines = file.take(end.saturating_sub(start));
            io::copy(&mut lines, &mut out).map_err(FileError::of(&to))?;
            out.complete()?.publish()?;
            is_back = true;
        }
        Ok(is_back)
    }

    /// Creates the collection of all replications' lines.
    pub(super) fn gather(&self) -> Gathered {
        let kinds = self.kinds.iter().flatten();
        Gathered(kinds.map(|_| Gather::default()).collect())
    }
}

/// The lines of all replications, in order of their number, whenever they ran.
#[derive(Debug, Default)]
pub(super) struct Gathered(Vec<Gather>);

/// The lines of one kind.
#[derive(Debug, Default)]
struct Gather {
    /// The first replication's sheet, to which the others are appended.
    all: Option<All>,
    /// Pages that stay separate files.
    pages: Vec<Page>,
}

/// A file with all replications.
#[derive(Debug)]
struct All {
    title: Title,
    file: File,
    hasher: blake3::Hasher,
    packer: Option<Member>,
    ranges: Vec<[u64; 2]>,
}

/// A file with one replication.
#[derive(Debug)]
struct Page {
    path: PathBuf,
    /// File name among the results, and the name of its unpacked content there.
    names: [String; 2],
    digest: [u8; 32],
}

impl Gathered {
    /// Appends the lines of the next replication.
    pub(super) fn add(&mut self, sheets: Sheets) -> Result<(), FileError> {
        for (gather, sheet) in self.0.iter_mut().zip(sheets.into_iter().flatten()) {
            gather.add(sheet.finish()?)?;
        }
        Ok(())
    }
}

impl Gather {
    fn add(&mut self, Written { title, content }: Written) -> Result<(), FileError> {
        let (pages, hasher) = match content {
            Content::Pages(pages, hasher) => (pages, hasher),
            Content::Lines(lines) => {
                let all = match self.all.take() {
                    Some(all) => all,
                    None => All::begin(title)?,
                };
                return self.all.insert(all).add_lines(&lines);
            }
        };
        for (page, number) in pages.iter().zip(0..) {
            has_length(&title.path(number), page.length)?;
        }
        if title.form.rotate.is_some() {
            self.pages.extend(pages.iter().zip(0..).map(|(page, number)| Page {
                path: title.path(number),
                names: [title.file(number), title.name(number)],
                digest: page.digest,
            }));
            return Ok(());
        }
        let (path, length) = (title.path(0), pages[0].length);
        match &mut self.all {
            None => {
                let file = OpenOptions::new().append(true).open(&path);
                let file = file.map_err(FileError::of(&path))?;
                let all = self.all.insert(All::new(title, file, *hasher));
                all.count(length);
                Ok(())
            }
            Some(all) => all.add_file(&path, length),
        }
    }
}

/// Rejects a sheet to which another program appended data.
fn has_length(path: &Path, length: u64) -> Result<(), FileError> {
    let found = fs::metadata(path).map_err(FileError::of(path))?.len();
    if found == length {
        return Ok(());
    }
    let what = format!(
        "the run wrote {length} bytes, and there are {found}: another program changed it; remove \
         it and type `gridpact resume` with the results folder"
    );
    Err(FileError::of(path)(io::Error::other(what)))
}

impl All {
    /// An empty file.
    fn begin(title: Title) -> Result<All, FileError> {
        let path = title.path(0);
        let file = File::create(&path).map_err(FileError::of(&path))?;
        Ok(All::new(title, file, blake3::Hasher::new()))
    }

    fn new(title: Title, file: File, hasher: blake3::Hasher) -> All {
        let packer = title.form.compress.then(Member::default);
        All { title, file, hasher, packer, ranges: Vec::new() }
    }

    /// Appends the lines of a replication.
    fn add_lines(&mut self, lines: &[u8]) -> Result<(), FileError> {
        self.hasher.update(lines);
        let stored = match &mut self.packer {
            Some(packer) if !lines.is_empty() => packer.pack(lines),
            _ => lines,
        };
        let length = stored.len() as u64;
        self.file.write_all(stored).map_err(FileError::of(&self.title.path(0)))?;
        self.count(length);
        Ok(())
    }

    /// Appends the file of a replication.
    fn add_file(&mut self, path: &Path, length: u64) -> Result<(), FileError> {
        let mut lines = File::open(path).map_err(FileError::of(path))?;
        let mut chunk = vec![0; 1 << 16];
        loop {
            let read = lines.read(&mut chunk).map_err(FileError::of(path))?;
            if read == 0 {
                break;
            }
            let written = self.file.write_all(&chunk[..read]);
            written.map_err(FileError::of(&self.title.path(0)))?;
        }
        if length > 0 {
            // Digest of the lines as they are, not as they are packed.
            let hashed =
                recorded::open(path).and_then(|lines| self.hasher.update_reader(lines).map(drop));
            hashed.map_err(FileError::of(path))?;
        }
        self.count(length);
        Ok(())
    }

    /// Counts the next replication, stored in so many bytes.
    fn count(&mut self, length: u64) {
        let start = self.ranges.last().map_or(0, |range| range[1]);
        self.ranges.push([start, start + length]);
    }
}

/// The files of a run before they are published in its folder.
pub(super) struct Leavings<'a> {
    claim: &'a Claim,
    digests: BTreeMap<String, String>,
    complete: Vec<Complete>,
    published: Published,
}

impl<'a> Leavings<'a> {
    /// Starts without files.
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
        let results = self.claim.folder();
        for Gather { all, pages } in records.0 {
            for Page { path, names: [file, name], digest } in pages {
                let synced = File::open(&path).and_then(|file| file.sync_all());
                synced.map_err(FileError::of(&path))?;
                self.digests.insert(name, blake3::Hash::from(digest).to_hex().to_string());
                self.published.0.entry(file.clone()).or_default();
                self.complete.push(Complete::kept(&results.join(file), path));
            }
            let Some(All { title, file, hasher, ranges, .. }) = all else { continue };
            let path = title.path(0);
            file.sync_all().map_err(FileError::of(&path))?;
            self.digests.insert(title.name(0), hasher.finalize().to_hex().to_string());
            self.complete.push(Complete::kept(&results.join(title.file(0)), path));
            self.published.0.insert(title.file(0), ranges);
        }
        Ok(())
    }

    /// Adds a complete file.
    pub(super) fn write(&mut self, name: &str, content: &[u8]) -> Result<(), FileError> {
        self.digests.insert(name.to_owned(), blake3::hash(content).to_hex().to_string());
        self.complete.push(files::written(&self.claim.folder().join(name), content)?);
        self.published.0.entry(name.to_owned()).or_default();
        Ok(())
    }

    /// Publishes all files, replacing those of an earlier run. The file of this name, if there is one, is
    /// written when all others but the manifest are in place.
    pub(super) fn publish<M: Serialize>(
        mut self,
        timing: &impl Serialize,
        manifest: impl FnOnce(BTreeMap<String, String>) -> M,
        last: Option<(&str, impl FnOnce(&M) -> Result<(), RunError>)>,
    ) -> Result<(), RunError> {
        if let Some((name, _)) = last {
            self.published.0.entry(name.to_owned()).or_default();
        }
        let folder = self.claim.folder();
        let mut write = |name: &str, content: Vec<u8>| -> Result<(), FileError> {
            self.complete.push(files::written(&folder.join(name), &content)?);
            Ok(())
        };
        write(folder::TIMING, scenario::json::pretty(timing))?;
        let manifest = manifest(self.digests);
        write(folder::MANIFEST, scenario::json::pretty(&manifest))?;
        let parts = self.claim.state().join(PARTS);
        files::written(&parts, &scenario::json::pretty(&self.published))?.publish()?;
        files::sync_folder(self.claim.state())?;
        // Everything is on disk; only now remove the files of an earlier run.
        folder::clear(folder)?;
        let named = self.complete.pop();
        for file in self.complete {
            file.publish()?;
        }
        if let Some((_, write)) = last {
            write(&manifest)?;
        }
        // A power cut must not leave the manifest without the others: not every file system keeps
        // renames in order.
        files::sync_folder(folder)?;
        named.map_or(Ok(()), files::Complete::publish)?;
        files::sync_folder(folder)?;
        tracing::info!(folder = %folder.display(), "results written");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replications that fit in a block, and others with a file of their own.
    #[test]
    fn the_lines_of_all_replications_come_in_order_from_memory_and_from_files() {
        let sizes = [&[3, 90_000, 0, 8, 200_000, 5][..], &[90_000, 3], &[0, 0], &[0, 4]];
        for (sizes, compress) in sizes.into_iter().flat_map(|one| [(one, false), (one, true)]) {
            let folder = tempfile::tempdir().unwrap();
            let (mut gather, mut all) = (Gather::default(), Vec::new());
            for (&size, replication) in sizes.iter().zip(0..) {
                let state = folder.path().to_owned();
                let form = Form { rotate: None, compress };
                let title = Title { state, single: "jobs.csv", replication, form };
                let header = if replication == 0 { b"header\n".to_vec() } else { Vec::new() };
                all.extend_from_slice(&header);
                let mut sheet = Sheet::begin(title, header, false).unwrap();
                for line in 0..size / 10 {
                    let line = format!("{line:9}\n");
                    all.extend_from_slice(line.as_bytes());
                    sheet.write_all(line.as_bytes()).unwrap();
                }
                gather.add(sheet.finish().unwrap()).unwrap();
            }
            let gathered = gather.all.unwrap();
            assert_eq!(gathered.hasher.finalize(), blake3::hash(&all));
            let path = gathered.title.path(0);
            let mut found = Vec::new();
            recorded::open(&path).unwrap().read_to_end(&mut found).unwrap();
            assert_eq!(found, all);
            let mut ends = gathered.ranges.iter().map(|range| range[1]);
            assert_eq!(ends.clone().count(), sizes.len());
            assert_eq!(ends.next_back(), Some(fs::metadata(&path).unwrap().len()));
            assert!(gathered.ranges.windows(2).all(|two| two[0][1] == two[1][0]));
        }
    }
}
