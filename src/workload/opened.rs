//! Opens regular files for sequential reading, with lines of bounded length.

use std::fs::File;
use std::io::{self, Read};
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

/// A reader that fails at the first line that is too long.
pub(super) struct Lines<R> {
    from: R,
    /// Length of the last line so far.
    length: usize,
}

impl<R: Read> Lines<R> {
    pub(super) fn of(from: R) -> Lines<R> {
        Lines { from, length: 0 }
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let got = self.from.read(into)?;
        for piece in into[..got].split_inclusive(|&byte| byte == b'\n') {
            self.length += piece.len();
            if self.length > LONGEST {
                let wrong = "a line is longer than 1 MB; this is no list or log of jobs";
                return Err(io::Error::new(io::ErrorKind::InvalidData, wrong));
            }
            if piece.ends_with(b"\n") {
                self.length = 0;
            }
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
