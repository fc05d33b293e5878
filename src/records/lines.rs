//! Lines of records on their way to a file, block by block.
//!
//! A writer of records collects them in a [`Block`]. A full block is formatted and written at once, and
//! perhaps on another thread: that is up to the [`Out`] that takes it. The lines and their order are
//! the same either way.

use std::fmt::Debug;
use std::io;
use std::mem;

use super::record::Record;
use super::text::Text;

/// Records of one file that are formatted together.
pub trait Block: Debug + Send + 'static {
    /// An empty block for more records of the file.
    fn fresh(&self) -> Self;
    /// True if it has no records.
    fn is_empty(&self) -> bool;
    /// True if it is worth writing.
    fn is_full(&self) -> bool;
    /// Its lines. A block that has them as records formats them into `room`.
    fn lines<'a>(&'a self, room: &'a mut Batch) -> &'a Batch;
    /// Removes the records but keeps the memory.
    fn clear(&mut self);
}

/// Destination of the lines of a file.
pub trait Out {
    /// Takes the lines of a block. It may exchange the block for one that it took before.
    ///
    /// # Errors
    /// If the lines, or those of an earlier block, cannot be written.
    fn take<B: Block>(&mut self, block: &mut B) -> io::Result<()>;

    /// Takes the first error of the blocks taken so far, if it is known by now.
    fn trouble(&mut self) -> Option<io::Error> {
        None
    }
}

/// Lines in memory.
impl Out for Vec<u8> {
    fn take<B: Block>(&mut self, block: &mut B) -> io::Result<()> {
        self.extend_from_slice(block.lines(&mut Batch::default()).text());
        Ok(())
    }
}

/// Formatted lines. A line may have line breaks within quotes, so the ends are kept.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    text: Text,
    /// End of each line in the text.
    ends: Vec<usize>,
}

impl Batch {
    /// Text at which a batch is full, in bytes.
    const FULL: usize = 1 << 15;

    /// Formats a line.
    #[inline]
    pub fn put<'a>(&mut self, line: &impl Record<'a>) {
        line.put(&mut self.text);
        self.ends.push(self.text.as_bytes().len());
    }

    /// Appends what is no record and is not to be cut.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.text.bytes(bytes);
        self.ends.push(self.text.as_bytes().len());
    }

    /// The text of all lines.
    pub fn text(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// End of each line in the text.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }
}

impl Block for Batch {
    fn fresh(&self) -> Batch {
        Batch::default()
    }
    fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    #[inline]
    fn is_full(&self) -> bool {
        self.text().len() >= Batch::FULL
    }
    fn lines<'a>(&'a self, _: &'a mut Batch) -> &'a Batch {
        self
    }
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

/// Writes records as they come, block by block.
///
/// An observer cannot fail in the middle of an instant, so the first error is kept and nothing is
/// written after it; the caller fetches it with [`trouble`](Lines::trouble).
#[derive(Debug)]
pub struct Lines<W, B = Batch> {
    out: W,
    /// Records that were not handed over yet.
    block: B,
    trouble: Option<io::Error>,
    /// True after the first error.
    has_failed: bool,
}

impl<W: Out> Lines<W> {
    /// A writer of lines that are formatted one by one.
    pub fn new(out: W) -> Lines<W> {
        Lines::of(out, Batch::default())
    }

    /// Writes a line.
    #[inline]
    pub(super) fn put<'a>(&mut self, line: &impl Record<'a>) {
        self.add(|lines| lines.put(line));
    }

    /// Writes what is no record.
    pub(super) fn put_bytes(&mut self, bytes: &[u8]) {
        self.add(|lines| lines.put_bytes(bytes));
    }
}

impl<W: Out, B: Block> Lines<W, B> {
    /// A writer of records that are formatted in blocks like this one, which is empty.
    pub fn of(out: W, block: B) -> Lines<W, B> {
        Lines { out, block, trouble: None, has_failed: false }
    }

    /// Adds records to the open block.
    #[inline]
    pub(super) fn add(&mut self, add: impl FnOnce(&mut B)) {
        add(&mut self.block);
        if self.block.is_full() {
            self.flush();
        }
    }

    /// Hands over the open block.
    #[inline(never)]
    pub fn flush(&mut self) {
        if !self.has_failed && !self.block.is_empty() {
            let taken = self.out.take(&mut self.block);
            self.fail(taken.err());
        }
        self.block.clear();
    }

    fn fail(&mut self, trouble: Option<io::Error>) {
        if trouble.is_some() {
            (self.trouble, self.has_failed) = (trouble, true);
        }
    }

    /// Takes the first error, if one is known by now. Nothing is handed over or waited for.
    pub fn trouble(&mut self) -> Option<io::Error> {
        if !self.has_failed {
            let trouble = self.out.trouble();
            self.fail(trouble);
        }
        mem::take(&mut self.trouble)
    }

    /// Destination of the lines, after all lines so far.
    pub fn out_mut(&mut self) -> &mut W {
        self.flush();
        &mut self.out
    }

    /// Gives back where the lines go, after all lines so far.
    pub fn into_inner(mut self) -> W {
        self.flush();
        self.out
    }
}
