//! Opens regular files for sequential reading, in lines of bounded length that all end with LF.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Opens a file. Pipes and devices are rejected, since they may block or never end; a folder is
/// left to the caller's reader to report.
///
/// # Errors
/// A file that cannot be opened, or is neither a regular file nor a folder.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = path.metadata()?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        let wrong = "this is a pipe, a socket or a device; give a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, wrong));
    }
    File::open(path)
}

/// Longest line of a list, in bytes.
const LONGEST: usize = 1 << 20;

/// A reader that fails at the first line that is too long, and gives LF for CR LF and for CR alone,
/// since readers of CSV count lines by LF.
pub(super) struct Lines<R> {
    from: R,
    /// Length of the last line so far.
    length: usize,
    /// True after CR, whose LF is left out.
    is_after_cr: bool,
    /// True inside a line.
    is_open: bool,
}

/// Returns the line on which the record that was read last begins. The record's own position may be
/// lines above it, of blanks and comments.
pub(super) fn line<R: Read>(reader: &csv::Reader<Lines<R>>, record: &csv::ByteRecord) -> u64 {
    let within = record.as_slice().iter().filter(|&&byte| byte == b'\n').count();
    reader.position().line().saturating_sub(1 + within as u64)
}

/// Skips the blank lines that are next, a buffer at a time, and returns their number.
pub(super) fn skip_blank(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut lines = 0;
    loop {
        let next = reader.fill_buf()?;
        let blank = next.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        // Blanks that begin a line are left to it, if it is there.
        let end = match memchr::memrchr(b'\n', &next[..blank]) {
            _ if blank == next.len() => blank,
            last => last.map_or(0, |last| last + 1),
        };
        if end == 0 {
            return Ok(lines);
        }
        lines += memchr::memchr_iter(b'\n', &next[..end]).count() as u64;
        reader.consume(end);
    }
}

impl<R: Read> Lines<R> {
    pub(super) fn of(from: R) -> Lines<R> {
        Lines { from, length: 0, is_after_cr: false, is_open: false }
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let got = self.from.read(into)?;
            let mut kept = 0;
            for at in 0..got {
                let byte = into[at];
                let is_after_cr = std::mem::replace(&mut self.is_after_cr, byte == b'\r');
                if byte == b'\n' && is_after_cr {
                    continue;
                }
                into[kept] = if byte == b'\r' { b'\n' } else { byte };
                self.length = if into[kept] == b'\n' { 0 } else { self.length + 1 };
                kept += 1;
                if self.length >= LONGEST {
                    let wrong = "a line is longer than 1 MB; this is no list or log of jobs";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, wrong));
                }
            }
            if got == 0 && std::mem::take(&mut self.is_open) && !into.is_empty() {
                into[0] = b'\n';
                return Ok(1);
            }
            // Nothing but the rest of a line's end is not the end of the file.
            if kept > 0 || got == 0 {
                self.is_open = into[..kept].last().map_or(self.is_open, |&byte| byte != b'\n');
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Before, a gigabyte of blank lines was read line by line; the reader here counts the steps.
    #[test]
    fn blank_lines_are_skipped_by_the_buffer() {
        struct Steps<R>(R, u64);
        impl<R: BufRead> Read for Steps<R> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                self.0.read(into)
            }
        }
        impl<R: BufRead> BufRead for Steps<R> {
            fn fill_buf(&mut self) -> io::Result<&[u8]> {
                self.1 += 1;
                self.0.fill_buf()
            }
            fn consume(&mut self, bytes: usize) {
                self.0.consume(bytes);
            }
        }
        let text = " \t\n".repeat(1 << 18) + "a\n";
        let mut steps = Steps(io::BufReader::with_capacity(1 << 12, text.as_bytes()), 0);
        assert_eq!(skip_blank(&mut steps).unwrap(), 1 << 18);
        assert!(steps.1 <= (3 << 18 >> 12) + 2, "{} steps", steps.1);
        let mut rest = String::new();
        steps.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "a\n");
    }

    #[test]
    fn long_lines_are_refused_and_long_files_are_not() {
        let mut read = Vec::new();
        let lines = "12345678\n".repeat(1 << 18);
        Lines::of(lines.as_bytes()).read_to_end(&mut read).unwrap();
        assert_eq!(read, lines.as_bytes());
        assert!(Lines::of(io::repeat(0)).read_to_end(&mut Vec::new()).is_err());
        let just = [vec![b'x'; LONGEST - 1], b"\n".to_vec()].concat().repeat(3);
        assert_eq!(Lines::of(&just[..]).read_to_end(&mut Vec::new()).unwrap(), 3 * LONGEST);
    }

    /// Each byte of a chain is read alone, so that a read may give nothing but the rest of a line's end.
    #[test]
    fn every_line_ends_with_lf() {
        let mut read = String::new();
        let bytes: Vec<&[u8]> = b"a\r\nb\rc\n\r\n\r\rd\re".chunks(1).collect();
        let none: Box<dyn Read> = Box::new(io::empty());
        let one_by_one = bytes.into_iter().fold(none, |all, byte| Box::new(all.chain(byte)));
        Lines::of(one_by_one).read_to_string(&mut read).unwrap();
        assert_eq!(read, "a\nb\nc\n\n\n\nd\ne\n");
    }
}
