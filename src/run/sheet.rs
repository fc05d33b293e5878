//! Buffers and files for the lines of one replication.
//!
//! A sheet is a file in the run's state folder, or several if records are rotated. It can be marked
//! between two lines. After an interruption it is reopened at the mark: the content before it is
//! checked, the content after it is cut.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::report::files::FileError;
use crate::report::packed::name::{Name, PACKED};
use crate::report::packed::{Form, Mark, Packed, Pages, Whole};
use crate::report::record::Lines;

/// Identifies a sheet: kind of records, replication and folder.
#[derive(Clone, Debug)]
pub(super) struct Title {
    /// Folder of the files while they are written.
    pub(super) state: PathBuf,
    /// File name among the results if it were a single plain file, such as `jobs.csv`.
    pub(super) single: &'static str,
    /// The replication.
    pub(super) replication: u32,
    /// The output format.
    pub(super) form: Form,
}

impl Title {
    /// Name of a page's content among the results.
    pub(super) fn name(&self, page: u64) -> String {
        let kind = self.single.strip_suffix(".csv");
        match kind.filter(|_| self.form.rotate.is_some()) {
            Some(kind) => Name::page(kind, self.replication, page).to_string(),
            None => self.single.to_owned(),
        }
    }

    /// File name of a page among the results.
    pub(super) fn file(&self, page: u64) -> String {
        format!("{}{}", self.name(page), if self.form.compress { PACKED } else { "" })
    }

    /// Path of a page while it is written.
    pub(super) fn path(&self, page: u64) -> PathBuf {
        self.state.join(format!("{}.r{}", self.file(page), self.replication))
    }
}

/// A file of lines being written; every write is one line.
#[derive(Debug)]
pub struct Sheet(Packed<Paged>);

/// A completed sheet.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) title: Title,
    /// Its pages; at least one.
    pub(super) pages: Vec<Whole>,
    /// Digest of the last page's lines.
    pub(super) hasher: blake3::Hasher,
}

impl Sheet {
    /// Creates an empty sheet, replacing any earlier one. Each page begins with the header.
    pub(super) fn begin(title: Title, header: Vec<u8>) -> Result<Sheet, FileError> {
        let mut sheet = Sheet::new(title, header);
        let begun = sheet.0.begin();
        begun.map_err(|error| sheet.wrong(error))?;
        Ok(sheet)
    }

    /// Reopens a sheet at a mark; `None` if the files do not match the mark.
    pub(super) fn reopen(
        title: Title,
        header: Vec<u8>,
        mark: &Mark,
    ) -> Result<Option<Sheet>, FileError> {
        let mut sheet = Sheet::new(title, header);
        let is_same = sheet.0.go_on(mark.clone());
        Ok(is_same.map_err(|error| sheet.wrong(error))?.then_some(sheet))
    }

    fn new(title: Title, header: Vec<u8>) -> Sheet {
        let form = title.form;
        Sheet(Packed::new(Paged { title, page: 0, file: None, unsynced: 0 }, form, header))
    }

    /// The current position: everything before it is in the mark or in the files. With `safely`,
    /// the files are synced to disk.
    pub(super) fn mark(&mut self, safely: bool) -> Result<Mark, FileError> {
        if safely {
            let synced = self.0.pages().sync();
            synced.map_err(|error| self.wrong(error))?;
        }
        Ok(self.0.mark())
    }

    /// Completes the sheet.
    pub(super) fn finish(mut self) -> Result<Written, FileError> {
        let path = self.path();
        let (Paged { title, .. }, pages, hasher) =
            self.0.finish().map_err(|error| FileError { path, error })?;
        Ok(Written { title, pages, hasher })
    }

    /// Path of the current page.
    pub(super) fn path(&mut self) -> PathBuf {
        let pages = self.0.pages();
        pages.title.path(pages.page)
    }

    /// Adds the file's path to an error.
    pub fn wrong(&mut self, error: io::Error) -> FileError {
        FileError { path: self.path(), error }
    }
}

/// The sheet of a writer between two lines.
///
/// # Errors
/// Fails if a line could not be written.
pub(super) fn written(lines: &mut Lines<Sheet>) -> Result<&mut Sheet, FileError> {
    match lines.trouble() {
        Some(error) => Err(lines.out_mut().wrong(error)),
        None => Ok(lines.out_mut()),
    }
}

/// The sheet of a writer after its last line.
///
/// # Errors
/// Fails if a line could not be written.
pub(super) fn finished(mut lines: Lines<Sheet>) -> Result<Sheet, FileError> {
    written(&mut lines)?;
    Ok(lines.into_inner())
}

impl Write for Sheet {
    #[inline]
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write(line)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The files of a sheet.
#[derive(Debug)]
struct Paged {
    title: Title,
    /// Index of the open page.
    page: u64,
    file: Option<File>,
    /// First page that may not be synced to disk.
    unsynced: u64,
}

impl Paged {
    /// Syncs everything written to disk.
    fn sync(&mut self) -> io::Result<()> {
        for page in self.unsynced..self.page {
            File::open(self.title.path(page))?.sync_all()?;
        }
        self.unsynced = self.page;
        self.file.as_ref().map_or(Ok(()), File::sync_all)
    }
}

impl Pages for Paged {
    type Again = File;

    fn begin(&mut self, page: u64) -> io::Result<()> {
        self.page = page;
        self.file = Some(File::create(self.title.path(page))?);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes))
    }

    fn end(&mut self) -> io::Result<()> {
        self.file = None;
        Ok(())
    }

    fn again(&mut self, page: u64) -> io::Result<File> {
        File::open(self.title.path(page))
    }

    fn go_on(&mut self, page: u64, length: u64) -> io::Result<()> {
        let mut file = File::options().write(true).open(self.title.path(page))?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        (self.page, self.file) = (page, Some(file));
        // Pages that begin later overwrite old ones, but there may be fewer of them.
        for later in (page + 1..).take_while(|_| self.title.form.rotate.is_some()) {
            match fs::remove_file(self.title.path(later)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                removed => removed?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn title(state: &Path, rotate: Option<u64>, compress: bool) -> Title {
        let form = Form { rotate, compress };
        Title { state: state.to_owned(), single: "jobs.csv", replication: 3, form }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_sheet_goes_on_at_its_mark_and_refuses_what_is_not_the_same() {
        for (rotate, compress) in [(None, false), (None, true), (Some(2), false), (Some(2), true)] {
            let folder = tempfile::tempdir().unwrap();
            let title = || title(folder.path(), rotate, compress);
            let write = |sheet: &mut Sheet, lines: &[&str]| {
                for line in lines {
                    sheet
                        .write_all(&format!("{line}{}\n", "-".repeat(70_000)).into_bytes())
                        .unwrap();
                }
            };
            let header = || b"line\n".to_vec();
            let mut sheet = Sheet::begin(title(), header()).unwrap();
            write(&mut sheet, &["one", "two", "three"]);
            let mark = sheet.mark(true).unwrap();
            write(&mut sheet, &["lost", "lost", "lost"]);
            drop(sheet);
            let mut again = Sheet::reopen(title(), header(), &mark).unwrap().unwrap();
            write(&mut again, &["four"]);
            let written = again.finish().unwrap();
            let pages = rotate.map_or(1, |_| 2);
            assert_eq!(written.pages.len(), pages);
            assert_eq!(names(folder.path()).len(), pages);

            let first = folder.path().join(&names(folder.path())[0]);
            let bytes = fs::read(&first).unwrap();
            let mut flipped = bytes.clone();
            flipped[bytes.len() / 3] ^= 1;
            for other in [&flipped[..], &bytes[..bytes.len() / 3]] {
                fs::write(&first, other).unwrap();
                assert!(Sheet::reopen(title(), header(), &mark).unwrap().is_none());
            }
            // No data may follow a complete page; the open page is cut.
            fs::write(&first, [&bytes[..], b"more\n"].concat()).unwrap();
            let again = Sheet::reopen(title(), header(), &mark).unwrap();
            assert_eq!(again.is_some(), rotate.is_none());
            drop(again);
            fs::remove_file(&first).unwrap();
            assert!(Sheet::reopen(title(), header(), &mark).unwrap().is_none());
        }
    }

    #[test]
    fn files_say_whose_lines_they_hold() {
        let state = Path::new("state");
        let shown = |title: Title| title.path(1).display().to_string();
        assert_eq!(shown(title(state, None, false)), "state/jobs.csv.r3");
        assert_eq!(shown(title(state, Some(9), true)), "state/jobs-r0003-000002.csv.gz.r3");
    }
}
