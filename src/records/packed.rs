//! Writes record lines to files, plain or compressed, in one file or rotated pages.
//!
//! A [`Packed`] takes whole lines, cuts them into pages of a fixed number of lines if rotation is
//! on, and cuts each page into blocks. A compressed block is a gzip member of its own, made when
//! the block is full. So the state between two lines is just the number of bytes written and the
//! lines of the open block: writing can resume at any line, and the output depends on the lines
//! alone, never on when a state was taken. Concatenated members are a single gzip file for any
//! reader.

mod member;
pub mod name;
pub mod unpacked;

use std::io::{self, Read, Write};
use std::mem;

use flate2::read::MultiGzDecoder;

use serde::{Deserialize, Serialize, Serializer};

use super::lines::Batch;
use super::recorded::is_damage;
pub use member::Member;

/// Size at which a block is full, in bytes; it ends with the line that reaches this size.
///
/// Larger blocks compress no better: the packer looks back half as far.
pub const BLOCK: usize = 1 << 16;

/// Form in which lines are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Lines per page; `None` for a single page.
    pub rotate: Option<u64>,
    /// True if blocks are compressed.
    pub compress: bool,
}

/// Storage of the pages, which are numbered from 0.
pub trait Pages {
    /// Reader of a stored page.
    type Again: Read;

    /// Starts a page, replacing any page with its number; the page before is complete and stays.
    ///
    /// # Errors If it cannot be created.
    fn begin(&mut self, page: u64) -> io::Result<()>;

    /// Appends to the page that was started last.
    ///
    /// # Errors If it cannot be written.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Completes the page: nothing is appended any more.
    ///
    /// # Errors If it cannot be written.
    fn end(&mut self) -> io::Result<()>;

    /// Opens a page for reading from its start.
    ///
    /// # Errors If it does not exist.
    fn again(&mut self, page: u64) -> io::Result<Self::Again>;

    /// Resumes a page after its first `length` bytes, or starts it again if there are none.
    ///
    /// The rest of the page and all later pages are discarded.
    ///
    /// # Errors If it cannot be truncated.
    fn go_on(&mut self, page: u64, length: u64) -> io::Result<()>;
}

/// Length and digests of a page, or of the written part of the open page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    /// Stored size in bytes.
    pub length: u64,
    /// BLAKE3 digest of its lines.
    pub digest: [u8; 32],
    /// BLAKE3 digest of its stored bytes; equal to `digest` if the page is not compressed.
    pub kept: [u8; 32],
}

/// Position between two lines, with all the state needed to resume from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The complete pages before the open one.
    pub whole: Vec<Whole>,
    /// The written part of the open page.
    pub open: Whole,
    /// Number of lines in the open page, without the header.
    lines: u64,
    /// Lines of the open block, which have not been written yet.
    #[serde(serialize_with = "at_once")]
    block: Vec<u8>,
}

/// Serializes bytes in one piece; postcard stores them as it does a sequence of single ones.
fn at_once<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

/// Line writer with rotation and compression.
///
/// As an [`io::Write`] it takes one line per write, including the newline: use `write_all`.
/// Flushing does nothing, so that it cannot change where blocks end.
#[derive(Debug)]
pub struct Packed<P> {
    pages: P,
    form: Form,
    /// Header that every page starts with.
    header: Vec<u8>,
    member: Option<Member>,
    /// The complete pages.
    whole: Vec<Whole>,
    /// Number of lines in the open page, without its header.
    lines: u64,
    /// Bytes of the open page that have been written.
    length: u64,
    /// Hash of the lines of the open page that have been written.
    hasher: blake3::Hasher,
    /// Hash of its stored bytes, if compressed.
    kept: blake3::Hasher,
    /// Lines of the open block, which have not been written yet.
    block: Vec<u8>,
}

impl<P: Pages> Packed<P> {
    /// A writer without lines, on top of `pages`.
    ///
    /// Call [`begin`](Packed::begin) or [`go_on`](Packed::go_on) first; nothing is created before.
    pub fn new(pages: P, form: Form, header: Vec<u8>) -> Packed<P> {
        Packed {
            pages,
            form,
            header,
            member: form.compress.then(Member::default),
            whole: Vec::new(),
            lines: 0,
            length: 0,
            hasher: blake3::Hasher::new(),
            kept: blake3::Hasher::new(),
            block: Vec::with_capacity(BLOCK + 1024),
        }
    }

    /// Starts the first page.
    ///
    /// # Errors If it cannot be created.
    pub fn begin(&mut self) -> io::Result<()> {
        self.pages.begin(self.whole.len() as u64)?;
        (self.lines, self.length) = (0, 0);
        self.hasher.reset();
        self.kept.reset();
        self.block.extend_from_slice(&self.header);
        Ok(())
    }

    /// Appends a line, which includes its newline.
    ///
    /// # Errors If it fills a block that cannot be written.
    pub fn line(&mut self, line: &[u8]) -> io::Result<()> {
        self.put(line, &[line.len()])
    }

    /// Appends lines, as [`line`](Packed::line) would one by one.
    ///
    /// # Errors If they fill a block that cannot be written.
    pub fn lines(&mut self, lines: &Batch) -> io::Result<()> {
        self.put(lines.text(), lines.ends())
    }

    /// Appends lines, each of which ends at one of the places in the text.
    fn put(&mut self, text: &[u8], mut ends: &[usize]) -> io::Result<()> {
        let mut begin = 0;
        while !ends.is_empty() {
            if self.form.rotate == Some(self.lines) {
                self.end_page()?;
                self.begin()?;
            }
            // Up to the line that fills the block, or the last one of the page.
            let room = BLOCK.saturating_sub(self.block.len());
            let filling = ends.partition_point(|&end| end - begin < room) + 1;
            let page = self.form.rotate.map_or(u64::MAX, |most| most - self.lines);
            let count = filling.min(ends.len()).min(usize::try_from(page).unwrap_or(usize::MAX));
            let end = ends[count - 1];
            self.block.extend_from_slice(&text[begin..end]);
            self.lines += count as u64;
            if self.block.len() >= BLOCK {
                self.end_block()?;
            }
            (begin, ends) = (end, &ends[count..]);
        }
        Ok(())
    }

    /// Takes all lines, if they fit in one block of the only page.
    pub fn take_only_block(&mut self) -> Option<Vec<u8>> {
        let is_only = self.whole.is_empty() && self.length == 0 && self.form.rotate.is_none();
        is_only.then(|| mem::take(&mut self.block))
    }

    /// Writes what is left and completes the last page.
    ///
    /// Returns the storage, all pages, and the hasher of the last page's lines.
    ///
    /// # Errors If it cannot be written.
    pub fn finish(mut self) -> io::Result<(P, Vec<Whole>, blake3::Hasher)> {
        self.end_page()?;
        Ok((self.pages, self.whole, self.hasher))
    }

    /// The lines of the open block, which no page has yet.
    pub fn block(&self) -> &[u8] {
        &self.block
    }

    /// The current position; lines of the open block are in the mark, all others in the pages.
    pub fn mark(&self) -> Mark {
        Mark {
            whole: self.whole.clone(),
            open: self.open(),
            lines: self.lines,
            block: self.block.clone(),
        }
    }

    /// Resumes at a mark: everything written later is cut off.
    ///
    /// Returns false if the pages differ from what was marked; the writer is unusable then.
    ///
    /// # Errors If the pages cannot be read or truncated.
    pub fn go_on(&mut self, mark: Mark) -> io::Result<bool> {
        let open = mark.whole.len();
        for (page, whole) in mark.whole.iter().chain([&mark.open]).enumerate() {
            match self.is_as_marked(page as u64, whole, page < open) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                Err(error) if is_damage(&error) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        self.pages.go_on(mark.whole.len() as u64, mark.open.length)?;
        Mark {
            whole: self.whole,
            open: Whole { length: self.length, .. },
            lines: self.lines,
            block: self.block,
        } = mark;
        Ok(true)
    }

    /// The storage of the pages.
    pub fn pages(&mut self) -> &mut P {
        &mut self.pages
    }

    /// The written part of the open page.
    fn open(&self) -> Whole {
        let digest = *self.hasher.finalize().as_bytes();
        let kept = self.member.as_ref().map_or(digest, |_| *self.kept.finalize().as_bytes());
        Whole { length: self.length, digest, kept }
    }

    fn end_page(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.pages.end()?;
        self.whole.push(self.open());
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        self.hasher.update(&self.block);
        let bytes = match &mut self.member {
            None => &self.block,
            Some(member) => member.pack(&self.block),
        };
        if self.form.compress {
            self.kept.update(bytes);
        }
        self.pages.write(bytes)?;
        self.length += bytes.len() as u64;
        self.block.clear();
        Ok(())
    }

    /// Reads a page up to its marked length and compares both digests with the mark.
    ///
    /// A complete page must not be longer. The hashers are left ready to resume.
    fn is_as_marked(&mut self, page: u64, marked: &Whole, is_whole: bool) -> io::Result<bool> {
        self.hasher.reset();
        self.kept.reset();
        if marked.length == 0 && !is_whole {
            return Ok(Whole { length: 0, ..self.open() } == *marked);
        }
        let mut again = self.pages.again(page)?;
        let mut read = Hashed { of: (&mut again).take(marked.length), hasher: &mut self.kept };
        // An empty file is not valid gzip.
        if self.form.compress && marked.length > 0 {
            self.hasher.update_reader(MultiGzDecoder::new(&mut read))?;
            io::copy(&mut read, &mut io::sink())?;
        } else {
            self.hasher.update_reader(read.of)?;
        }
        let found = Whole { length: marked.length, ..self.open() };
        let ends = !is_whole || again.read(&mut [0])? == 0;
        Ok(ends && found == *marked)
    }
}

/// A reader that hashes what is read.
struct Hashed<'a, R> {
    of: R,
    hasher: &'a mut blake3::Hasher,
}

impl<R: Read> Read for Hashed<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.of.read(into)?;
        self.hasher.update(&into[..read]);
        Ok(read)
    }
}

impl<P: Pages> Write for Packed<P> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.line(line)?;
        Ok(line.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
