//! Lines on their way into files: plain or packed, into one file or into many.
//!
//! A [`Packed`] takes whole lines and cuts them into pages of a stated number of lines, where that
//! is wanted, and each page into blocks. A packed block is a gzip member of its own, made when the
//! block is full, so that what has to be remembered between two lines is how much was written and
//! the lines of the open block: a page can be gone on with at any line, and what is written depends
//! on the lines alone, never on when somebody looked. Members one behind the other are one gzip
//! file to whoever reads it.

mod member;
pub mod name;

use std::io::{self, Read, Write};

use flate2::read::MultiGzDecoder;

use serde::{Deserialize, Serialize};

use super::recorded::is_damage;
use member::Member;

/// Bytes that fill a block; it ends with the line that takes it there. Larger ones pack no better:
/// the packer looks back half as far.
pub const BLOCK: usize = 1 << 16;

/// How lines are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The lines of a page; none for a single page.
    pub rotate: Option<u64>,
    /// Whether blocks are packed.
    pub compress: bool,
}

/// Where pages are kept; they are numbered from 0.
pub trait Pages {
    /// What a page is read again from.
    type Again: Read;

    /// Begins a page, in the place of any that has its number. The one before is whole and stays.
    ///
    /// # Errors
    /// When it cannot be made.
    fn begin(&mut self, page: u64) -> io::Result<()>;

    /// Adds to the page that was begun last.
    ///
    /// # Errors
    /// When it cannot be written.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Nothing is added to the page any more.
    ///
    /// # Errors
    /// When it cannot be written.
    fn end(&mut self) -> io::Result<()>;

    /// Reads a page from its beginning.
    ///
    /// # Errors
    /// When it is not there.
    fn again(&mut self, page: u64) -> io::Result<Self::Again>;

    /// Goes on with a page behind its first `length` bytes; what follows them, and pages that
    /// follow it, are forgotten.
    ///
    /// # Errors
    /// When it cannot be cut.
    fn go_on(&mut self, page: u64, length: u64) -> io::Result<()>;
}

/// A page to which nothing is added any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    /// Its bytes as they are kept.
    pub length: u64,
    /// The BLAKE3 of its lines.
    pub digest: [u8; 32],
}

/// A place between two lines, and all that it takes to go on from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The pages before the open one.
    pub whole: Vec<Whole>,
    /// The open page, as far as it was handed on.
    pub open: Whole,
    /// Its lines, without the header.
    lines: u64,
    /// The lines that were not handed on.
    block: Vec<u8>,
}

/// Takes lines.
///
/// It is an [`io::Write`] of which every write is a line: `write_all` of a line with its newline.
/// Flushing does nothing, so that it cannot move where blocks end.
#[derive(Debug)]
pub struct Packed<P> {
    pages: P,
    form: Form,
    /// What every page begins with.
    header: Vec<u8>,
    member: Option<Member>,
    /// Pages that are whole.
    whole: Vec<Whole>,
    /// Lines of the open page, without its header.
    lines: u64,
    /// Bytes of the open page that were handed on.
    length: u64,
    /// Over the lines of the open page that were handed on.
    hasher: blake3::Hasher,
    /// Those that were not.
    block: Vec<u8>,
}

impl<P: Pages> Packed<P> {
    /// Lines of which none came yet, in `pages`. Nothing is made before [`begin`](Packed::begin) or
    /// [`go_on`](Packed::go_on).
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
            block: Vec::with_capacity(BLOCK + 1024),
        }
    }

    /// Begins the first page.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn begin(&mut self) -> io::Result<()> {
        self.pages.begin(self.whole.len() as u64)?;
        (self.lines, self.length) = (0, 0);
        self.hasher.reset();
        self.block.extend_from_slice(&self.header);
        Ok(())
    }

    /// Takes a line with its newline.
    ///
    /// # Errors
    /// When a block that it fills cannot be written.
    pub fn line(&mut self, line: &[u8]) -> io::Result<()> {
        if self.form.rotate == Some(self.lines) {
            self.end_page()?;
            self.begin()?;
        }
        self.block.extend_from_slice(line);
        self.lines += 1;
        if self.block.len() >= BLOCK { self.end_block() } else { Ok(()) }
    }

    /// Nothing more comes: what is left is written. Gives the pages, all of them whole, and the
    /// lines of the last one, hashed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<(P, Vec<Whole>, blake3::Hasher)> {
        self.end_page()?;
        Ok((self.pages, self.whole, self.hasher))
    }

    /// The place where it is. Lines of the open block are in the mark, all others in the pages.
    pub fn mark(&self) -> Mark {
        Mark {
            whole: self.whole.clone(),
            open: self.open(),
            lines: self.lines,
            block: self.block.clone(),
        }
    }

    /// Goes on at a mark: what was written later is cut off. False where the pages are not what was
    /// marked; it is of no use then.
    ///
    /// # Errors
    /// When the pages cannot be read or cut.
    pub fn go_on(&mut self, mark: Mark) -> io::Result<bool> {
        for (page, &whole) in mark.whole.iter().chain([&mark.open]).enumerate() {
            match self.hash(page as u64, whole.length) {
                Ok(hasher) if *hasher.finalize().as_bytes() == whole.digest => self.hasher = hasher,
                Ok(_) => return Ok(false),
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

    /// Where the pages are kept.
    pub fn pages(&mut self) -> &mut P {
        &mut self.pages
    }

    /// The open page, as far as it was handed on.
    fn open(&self) -> Whole {
        Whole { length: self.length, digest: *self.hasher.finalize().as_bytes() }
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
        self.pages.write(bytes)?;
        self.length += bytes.len() as u64;
        self.block.clear();
        Ok(())
    }

    /// The lines of so many bytes of a page, hashed.
    fn hash(&mut self, page: u64, length: u64) -> io::Result<blake3::Hasher> {
        let mut hasher = blake3::Hasher::new();
        let again = self.pages.again(page)?.take(length);
        // No member at all is not gzip.
        if length > 0 {
            match self.member {
                None => hasher.update_reader(again)?,
                Some(_) => hasher.update_reader(MultiGzDecoder::new(again))?,
            };
        }
        Ok(hasher)
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
