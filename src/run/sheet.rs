//! Buffers and files for the lines of one replication.
//!
//! A sheet is a file in the run's state folder, or several if records are rotated. It can be marked
//! between two lines. After an interruption it is reopened at the mark: the content before it is
//! checked, the content after it is cut.

use std::any::Any;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

use super::worker::Worker;
use crate::report::files::FileError;
use crate::report::lines::{Batch, Block, Lines, Out};
use crate::report::packed::name::{Name, PACKED};
use crate::report::packed::{Form, Mark, Packed, Pages, Whole};

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

/// A file of lines being written.
///
/// Blocks of records are formatted, packed and written on a thread of the sheet, if the run has one to
/// spare. As an [`io::Write`] it takes one line per write, which it writes at once.
#[derive(Debug)]
pub struct Sheet {
    pen: Worker<Pen>,
    /// Set once the thread could not write a block; nothing is written after it.
    has_failed: Arc<AtomicBool>,
    /// Blocks that come back from the thread, to be used again.
    spares: (Sender<Spare>, Receiver<Spare>),
}

/// A block of some kind of records.
type Spare = Box<dyn Any + Send>;

/// Formats and writes lines.
#[derive(Debug)]
struct Pen {
    packed: Packed<Paged>,
    /// Memory for the text of a block.
    room: Batch,
    /// The first error of the thread, until it is told.
    trouble: Option<io::Error>,
}

impl Pen {
    fn write(&mut self, block: &impl Block) -> io::Result<()> {
        self.packed.lines(block.lines(&mut self.room))
    }
}

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
    pub(super) fn begin(
        title: Title,
        header: Vec<u8>,
        has_thread: bool,
    ) -> Result<Sheet, FileError> {
        let mut sheet = Sheet::new(title, header, has_thread);
        let begun = sheet.packed().and_then(Packed::begin);
        begun.map_err(|error| sheet.wrong(error))?;
        Ok(sheet)
    }

    /// Reopens a sheet at a mark; `None` if the files do not match the mark.
    pub(super) fn reopen(
        title: Title,
        header: Vec<u8>,
        mark: &Mark,
        has_thread: bool,
    ) -> Result<Option<Sheet>, FileError> {
        let mut sheet = Sheet::new(title, header, has_thread);
        let is_same = sheet.packed().and_then(|packed| packed.go_on(mark.clone()));
        Ok(is_same.map_err(|error| sheet.wrong(error))?.then_some(sheet))
    }

    fn new(title: Title, header: Vec<u8>, has_thread: bool) -> Sheet {
        let form = title.form;
        let paged = Paged { title, page: 0, file: None, unsynced: 0 };
        let packed = Packed::new(paged, form, header);
        let pen = Pen { packed, room: Batch::default(), trouble: None };
        Sheet {
            pen: Worker::new(pen, has_thread),
            has_failed: Arc::default(),
            spares: mpsc::channel(),
        }
    }

    /// The writer, once all blocks were written.
    fn packed(&mut self) -> io::Result<&mut Packed<Paged>> {
        let pen = self.pen.here();
        match pen.trouble.take() {
            Some(error) => Err(error),
            None => Ok(&mut pen.packed),
        }
    }

    /// Completes the sheet.
    pub(super) fn finish(mut self) -> Result<Written, FileError> {
        let path = self.path();
        let finished = match self.packed() {
            Ok(_) => self.pen.into_inner().packed.finish(),
            Err(error) => Err(error),
        };
        let (Paged { title, .. }, pages, hasher) =
            finished.map_err(|error| FileError { path, error })?;
        Ok(Written { title, pages, hasher })
    }

    /// Path of the current page, once all blocks were written.
    pub(super) fn path(&mut self) -> PathBuf {
        let pages = self.pen.here().packed.pages();
        pages.title.path(pages.page)
    }

    /// Adds the file's path to an error.
    pub fn wrong(&mut self, error: io::Error) -> FileError {
        FileError { path: self.path(), error }
    }
}

impl Out for Sheet {
    fn take<B: Block>(&mut self, block: &mut B) -> io::Result<()> {
        if let Some(error) = self.trouble() {
            return Err(error);
        }
        if !self.pen.has_thread() {
            return self.pen.here().write(block);
        }
        let (give_back, spares) = &self.spares;
        let spare = spares.try_recv().ok().and_then(|spare| spare.downcast().ok());
        let spare = spare.unwrap_or_else(|| Box::new(block.fresh()));
        let (full, give_back) = (mem::replace(block, *spare), give_back.clone());
        let has_failed = Arc::clone(&self.has_failed);
        self.pen.later(move |pen| {
            if !has_failed.load(Ordering::Relaxed) {
                pen.trouble = pen.write(&full).err();
                has_failed.store(pen.trouble.is_some(), Ordering::Relaxed);
            }
            // The sheet may be gone by now.
            let _ = give_back.send(Box::new(full));
        });
        Ok(())
    }

    fn trouble(&mut self) -> Option<io::Error> {
        match self.has_failed.load(Ordering::Relaxed) {
            true => self.packed().err(),
            false => None,
        }
    }
}

impl Write for Sheet {
    #[inline]
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.packed()?.write(line)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Records that are being written.
pub trait OpenRecords {
    /// Reports the first write error, if one is known by now.
    ///
    /// # Errors
    /// If a line could not be written.
    fn check(&mut self) -> Result<(), FileError>;

    /// The position after all lines so far: everything before it is in the mark or in the files. With
    /// `safely`, the files are synced to disk.
    ///
    /// # Errors
    /// If a line could not be written.
    fn mark(&mut self, safely: bool) -> Result<Mark, FileError>;
}

impl OpenRecords for Sheet {
    fn check(&mut self) -> Result<(), FileError> {
        self.trouble().map_or(Ok(()), |error| Err(self.wrong(error)))
    }

    fn mark(&mut self, safely: bool) -> Result<Mark, FileError> {
        let marked = self.packed().and_then(|packed| {
            if safely {
                packed.pages().sync()?;
            }
            Ok(packed.mark())
        });
        marked.map_err(|error| self.wrong(error))
    }
}

impl<B: Block> OpenRecords for Lines<Sheet, B> {
    fn check(&mut self) -> Result<(), FileError> {
        self.trouble().map_or(Ok(()), |error| Err(self.out_mut().wrong(error)))
    }

    fn mark(&mut self, safely: bool) -> Result<Mark, FileError> {
        self.flush();
        self.check()?;
        self.out_mut().mark(safely)
    }
}

/// The records, for use in a list of several kinds.
pub(super) fn open<B: Block>(lines: &mut Lines<Sheet, B>) -> &mut dyn OpenRecords {
    lines
}

/// The sheet of a writer after its last line.
///
/// # Errors
/// Fails if a line could not be written.
pub(super) fn finished<B: Block>(mut lines: Lines<Sheet, B>) -> Result<Sheet, FileError> {
    lines.flush();
    lines.check()?;
    Ok(lines.into_inner())
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
    use std::ops::Range;
    use std::path::Path;

    use super::*;
    use crate::kernel::state::State as _;
    use crate::kernel::time::Time;
    use crate::model::job::Job;
    use crate::report::jobs::{JobsCsv, Names};
    use crate::sim::observer::Observer as _;

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

    fn header() -> Vec<u8> {
        b"line\n".to_vec()
    }

    /// Two forms with one page and two with several, in place and on a thread.
    fn ways() -> impl Iterator<Item = (Option<u64>, bool, bool)> {
        let forms = [(None, false), (None, true), (Some(2), false), (Some(2), true)];
        let ways = |(rotate, compress)| [false, true].map(|thread| (rotate, compress, thread));
        forms.into_iter().flat_map(ways)
    }

    fn write(sheet: &mut Sheet, lines: &[&str]) -> io::Result<()> {
        let mut batch = Batch::default();
        for line in lines {
            batch.put_bytes(format!("{line}{}\n", "-".repeat(70_000)).as_bytes());
            sheet.take(&mut batch)?;
            batch.clear();
        }
        Ok(())
    }

    #[test]
    fn a_sheet_goes_on_at_its_mark_and_refuses_what_is_not_the_same() {
        for (rotate, compress, thread) in ways() {
            let folder = tempfile::tempdir().unwrap();
            let title = || title(folder.path(), rotate, compress);
            let mut sheet = Sheet::begin(title(), header(), thread).unwrap();
            write(&mut sheet, &["one", "two", "three"]).unwrap();
            let mark = sheet.mark(true).unwrap();
            write(&mut sheet, &["lost", "lost", "lost"]).unwrap();
            drop(sheet);
            let reopen = || Sheet::reopen(title(), header(), &mark, thread).unwrap();
            let mut again = reopen().unwrap();
            write(&mut again, &["four"]).unwrap();
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
                assert!(reopen().is_none());
            }
            // No data may follow a complete page; the open page is cut.
            fs::write(&first, [&bytes[..], b"more\n"].concat()).unwrap();
            assert_eq!(reopen().is_some(), rotate.is_none());
            fs::remove_file(&first).unwrap();
            assert!(reopen().is_none());
        }
    }

    /// A block whose lines take long to format.
    #[derive(Debug)]
    struct Slow(Batch);

    impl Block for Slow {
        fn fresh(&self) -> Slow {
            Slow(Batch::default())
        }
        fn is_empty(&self) -> bool {
            self.0.is_empty()
        }
        fn is_full(&self) -> bool {
            true
        }
        fn lines<'a>(&'a self, _: &'a mut Batch) -> &'a Batch {
            std::thread::sleep(std::time::Duration::from_millis(5));
            &self.0
        }
        fn clear(&mut self) {
            self.0.clear();
        }
    }

    /// A block that makes a folder when it is formatted.
    #[derive(Debug)]
    struct Making(Batch, PathBuf);

    impl Block for Making {
        fn fresh(&self) -> Making {
            Making(Batch::default(), self.1.clone())
        }
        fn is_empty(&self) -> bool {
            self.0.is_empty()
        }
        fn is_full(&self) -> bool {
            true
        }
        fn lines<'a>(&'a self, _: &'a mut Batch) -> &'a Batch {
            fs::create_dir(&self.1).unwrap();
            &self.0
        }
        fn clear(&mut self) {
            self.0.clear();
        }
    }

    #[test]
    fn blocks_behind_an_error_are_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        fs::create_dir(&state).unwrap();
        let mut sheet = Sheet::begin(title(&state, Some(2), false), header(), true).unwrap();
        fs::remove_dir_all(&state).unwrap();
        let mut slow = Slow(Batch::default());
        // The third line begins a page, for which there is no folder.
        for line in ["one\n", "two\n", "three\n"] {
            slow.0.put_bytes(line.as_bytes());
        }
        sheet.take(&mut slow).unwrap();
        let mut late = Making(Batch::default(), state.clone());
        late.0.put_bytes(b"four\n");
        // It waits behind the slow block, unless the error is known already.
        let _ = sheet.take(&mut late);
        let _ = sheet.finish();
        assert!(!state.exists());
    }

    #[test]
    fn all_blocks_are_in_the_file_when_a_sheet_ends_or_is_dropped() {
        for (thread, is_dropped) in [(false, false), (true, false), (true, true)] {
            let folder = tempfile::tempdir().unwrap();
            let title = title(folder.path(), None, false);
            let path = title.path(0);
            let mut sheet = Sheet::begin(title, header(), thread).unwrap();
            let mut block = Slow(Batch::default());
            for _ in 0..9 {
                block.0.put_bytes(&[b'-'; 70_000]);
                sheet.take(&mut block).unwrap();
                block.clear();
            }
            if is_dropped {
                drop(sheet);
            } else {
                assert_eq!(sheet.finish().unwrap().pages[0].length, 630_005);
            }
            assert_eq!(fs::metadata(path).unwrap().len(), 630_005);
        }
    }

    #[test]
    fn the_first_error_is_told_with_its_file_and_nothing_is_written_after_it() {
        let check = |mut sheet: Sheet| sheet.check().err();
        let mark = |mut sheet: Sheet| sheet.mark(true).err();
        let next = |mut sheet: Sheet| {
            let error = write(&mut sheet, &["four"]).err()?;
            Some(sheet.wrong(error))
        };
        let finish = |sheet: Sheet| sheet.finish().err();
        let looks: [&dyn Fn(Sheet) -> Option<FileError>; 4] = [&check, &mark, &next, &finish];
        for (thread, look) in looks.map(|look| (true, look)).into_iter().chain([(false, looks[0])])
        {
            let folder = tempfile::tempdir().unwrap();
            let state = folder.path().join("state");
            fs::create_dir(&state).unwrap();
            let title = title(&state, Some(2), false);
            let mut sheet = Sheet::begin(title, header(), thread).unwrap();
            // The third line begins a page, for which there is no folder.
            fs::remove_dir_all(&state).unwrap();
            let error = match write(&mut sheet, &["one", "two", "three"]) {
                Err(error) => Some(sheet.wrong(error)),
                Ok(()) => {
                    // The folder comes too late.
                    sheet.pen.here();
                    fs::create_dir(&state).unwrap();
                    let error = look(sheet);
                    assert!(names(&state).is_empty());
                    error
                }
            };
            let error = error.unwrap();
            assert_eq!(error.path, state.join("jobs-r0003-000002.csv.r3"));
            assert_eq!(error.error.kind(), io::ErrorKind::NotFound);
        }
    }

    #[test]
    fn a_mark_has_all_jobs_that_ended_before_it() {
        let rejected = |csv: &mut JobsCsv<Sheet>, numbers: Range<u64>| {
            for number in numbers {
                csv.rejected(&Job { number, ..Job::default() }, Time::ZERO);
            }
        };
        for (rotate, compress, thread) in ways() {
            let folder = tempfile::tempdir().unwrap();
            let title = || title(folder.path(), rotate.map(|two| 100 * two), compress);
            let csv = |sheet| {
                let name = || vec!["a".to_owned()];
                let (organizations, workloads) = (name(), name());
                let names = Names { organizations, clusters: Vec::new(), workloads };
                JobsCsv::new(sheet, names, 3, false)
            };
            let mut whole = csv(Sheet::begin(title(), header(), thread).unwrap());
            rejected(&mut whole, 0..1500);
            let whole = finished(whole.lines).unwrap().finish().unwrap().pages;
            for at in [0, 1, 255, 256, 257, 700, 1024, 1500] {
                let mut begun = csv(Sheet::begin(title(), header(), thread).unwrap());
                rejected(&mut begun, 0..at);
                let mark = begun.lines.mark(false).unwrap();
                let mut saved = Vec::new();
                begun.save(&mut saved);
                rejected(&mut begun, at..at + 600);
                drop(begun);
                let again = Sheet::reopen(title(), header(), &mark, thread).unwrap();
                let mut rest = csv(again.unwrap());
                rest.load(&mut saved.as_slice()).unwrap();
                rejected(&mut rest, at..1500);
                assert_eq!(finished(rest.lines).unwrap().finish().unwrap().pages, whole);
            }
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
