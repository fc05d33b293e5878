//! Buffers and files for the lines of one replication.
//!
//! A sheet is a file in the run's state folder, or several if records are rotated. If all lines fit in
//! one block, it stays in memory: many short replications need no files. It can be marked between two
//! lines. After an interruption it is reopened at the mark: the content before it is checked, the
//! content after it is cut.

use std::any::Any;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

use super::worker::Worker;
use records::files::FileError;
use records::lines::{Batch, Block, Lines, Out};
use records::packed::name::{Name, PACKED};
use records::packed::{Form, Mark, Packed, Pages, Whole};

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
    pub(super) content: Content,
}

/// Content of a completed sheet.
#[derive(Debug)]
pub(super) enum Content {
    /// Its lines, which fit in one block and are in no file.
    Lines(Vec<u8>),
    /// Its pages, at least one, and a hasher of the last one's lines.
    Pages(Vec<Whole>, Box<blake3::Hasher>),
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
        let finished = self.packed().map(|_| ()).and_then(|()| {
            let mut packed = self.pen.into_inner().packed;
            let title = packed.pages().title.clone();
            let content = match packed.take_only_block() {
                Some(lines) => Content::Lines(lines),
                None => {
                    let (_, pages, hasher) = packed.finish()?;
                    Content::Pages(pages, Box::new(hasher))
                }
            };
            Ok(Written { title, content })
        });
        finished.map_err(|error| FileError { path, error })
    }

    /// All lines of a sheet that is one plain file.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub(super) fn text(&mut self) -> Result<Vec<u8>, FileError> {
        let length = self.mark(false)?.open.length;
        let path = self.path();
        let mut text = Vec::new();
        if length > 0 {
            let file = File::open(&path).map_err(FileError::of(&path))?;
            file.take(length).read_to_end(&mut text).map_err(FileError::of(&path))?;
        }
        let block = self.packed().map(|packed| text.extend_from_slice(packed.block()));
        block.map_err(FileError::of(&path))?;
        Ok(text)
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
///
/// A single page has no file before its first block is written. Until then all lines are in a mark.
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

    fn create(&self) -> io::Result<File> {
        File::create(self.title.path(self.page))
    }
}

impl Pages for Paged {
    type Again = File;

    fn begin(&mut self, page: u64) -> io::Result<()> {
        self.page = page;
        self.file = self.title.form.rotate.map(|_| self.create()).transpose()?;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self.create()?,
        };
        self.file.insert(file).write_all(bytes)
    }

    fn end(&mut self) -> io::Result<()> {
        self.file = None;
        Ok(())
    }

    fn again(&mut self, page: u64) -> io::Result<File> {
        File::open(self.title.path(page))
    }

    fn go_on(&mut self, page: u64, length: u64) -> io::Result<()> {
        if length == 0 {
            self.begin(page)?;
        } else {
            let mut file = File::options().write(true).open(self.title.path(page))?;
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            (self.page, self.file) = (page, Some(file));
        }
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
mod tests;
