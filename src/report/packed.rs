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

use crate::kernel::state::{Corrupt, State, put, take};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Whole {
    /// Its bytes as they are kept.
    pub length: u64,
    /// The BLAKE3 of its lines.
    pub digest: [u8; 32],
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
    /// [`load`](State::load).
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

    /// Nothing more comes: what is left is written. Gives the pages, all of them whole.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<(P, Vec<Whole>)> {
        self.end_page()?;
        Ok((self.pages, self.whole))
    }

    /// Where the pages are kept.
    pub fn pages(&mut self) -> &mut P {
        &mut self.pages
    }

    fn end_page(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.pages.end()?;
        let digest = *self.hasher.finalize().as_bytes();
        self.whole.push(Whole { length: self.length, digest });
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
        if length > 0 {
            let again = self.pages.again(page)?.take(length);
            match self.member {
                None => hasher.update_reader(again)?,
                Some(_) => hasher.update_reader(MultiGzDecoder::new(again))?,
            };
        }
        Ok(hasher)
    }

    /// Goes on where a saved state stopped.
    fn go_on(&mut self, digest: [u8; 32]) -> io::Result<()> {
        for page in 0..self.whole.len() {
            let Whole { length, digest } = self.whole[page];
            let hasher = self.hash(page as u64, length)?;
            check(page as u64, &hasher, digest)?;
        }
        let page = self.whole.len() as u64;
        self.hasher = self.hash(page, self.length)?;
        check(page, &self.hasher, digest)?;
        self.pages.go_on(page, self.length)
    }
}

/// A page must have the lines that were saved of it.
fn check(page: u64, found: &blake3::Hasher, saved: [u8; 32]) -> io::Result<()> {
    if *found.finalize().as_bytes() == saved {
        return Ok(());
    }
    let text = format!("the lines of file {} are not those that were written", page + 1);
    Err(io::Error::new(io::ErrorKind::InvalidData, text))
}

/// Pages are not part of the state, but what is known of them is: loading reads them again, finds
/// what was changed since, and cuts off what was written later.
impl<P: Pages> State for Packed<P> {
    fn save(&self, out: &mut Vec<u8>) {
        let digest = *self.hasher.finalize().as_bytes();
        put(&(&self.whole, self.lines, self.length, digest, self.block.len()), out);
        out.extend_from_slice(&self.block);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (digest, open): ([u8; 32], usize);
        (self.whole, self.lines, self.length, digest, open) = take(from)?;
        let short = || Corrupt::Content("the lines that were not written yet are cut".to_owned());
        let (block, rest) = from.split_at_checked(open).ok_or_else(short)?;
        self.block.clear();
        self.block.extend_from_slice(block);
        *from = rest;
        self.go_on(digest).map_err(|error| Corrupt::Content(error.to_string()))
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
