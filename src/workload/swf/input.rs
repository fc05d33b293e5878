//! Lines of a plain or gzip trace, without allocation per line and with bounded length.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::GzDecoder;

use super::ahead::ReadAhead;
use super::error::SwfError;
use crate::{opened, packing};

/// Longest line, in bytes; a longer one is malformed and is not kept in memory.
pub(super) const LONGEST: usize = 1 << 16;

/// Size of the buffer, at least twice the longest line, so it holds a line or a part too long.
const BUFFER: usize = 1 << 18;

/// Location of a trace, which can be opened repeatedly.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// Path of the file, or the name of the bytes in messages.
    pub name: PathBuf,
    /// The content, if it is in memory.
    bytes: Option<Arc<[u8]>>,
}

/// Used for large reads only, so the dynamic call costs nothing.
type Reader = Box<dyn BufRead + Send>;

impl Trace {
    pub fn file(file: &Path) -> Trace {
        Trace { name: file.to_owned(), bytes: None }
    }

    pub fn bytes(name: &Path, bytes: Arc<[u8]>) -> Trace {
        Trace { name: name.to_owned(), bytes: Some(bytes) }
    }

    fn open(&self) -> io::Result<Reader> {
        Ok(match &self.bytes {
            None => Box::new(BufReader::with_capacity(1 << 16, opened::open(&self.name)?)),
            Some(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        })
    }
}

/// The members of a gzip file in sequence, up to its end or to zero padding. Tapes and some file
/// systems pad files; `gzip` ignores it too.
struct Members(Option<GzDecoder<Reader>>);

impl Read for Members {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let got = member.read(into)?;
            if got > 0 || into.is_empty() {
                return Ok(got);
            }
            let Some(mut rest) = self.0.take().map(GzDecoder::into_inner) else { break };
            loop {
                let next = rest.fill_buf()?;
                if next.is_empty() {
                    return Ok(0);
                }
                let zeros = next.iter().take_while(|&&byte| byte == 0).count();
                if zeros == 0 {
                    break;
                }
                rest.consume(zeros);
            }
            self.0 = Some(GzDecoder::new(rest));
        }
        Ok(0)
    }
}

enum Bytes {
    Plain(Reader),
    Gzip(Box<Members>),
    /// Unpacked on another thread.
    Ahead(ReadAhead),
}

impl Bytes {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let got = match self {
                Bytes::Plain(plain) => plain.read(into),
                Bytes::Gzip(decoder) => decoder.read(into),
                Bytes::Ahead(ahead) => ahead.read(into),
            };
            match got {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                got => return got,
            }
        }
    }
}

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Line number, from 1.
    pub number: u64,
    /// Bytes without the newline; `None` if longer than [`LONGEST`].
    pub text: Option<&'a [u8]>,
}

/// Bytes that can be read from the start of every line, for reading by words. Those behind the end of
/// the input have any value.
pub(super) const AHEAD: usize = 152;

/// The lines of a trace.
pub(super) struct Input {
    name: PathBuf,
    bytes: Bytes,
    buffer: Box<[u8]>,
    /// Range of the bytes read but not yet delivered: `buffer[start..end]`.
    start: usize,
    end: usize,
    ended: bool,
    line: u64,
}

impl Input {
    /// Opens a trace; gzip is recognized by its first bytes, not by its name. With `ahead`, gzip is
    /// unpacked on another thread.
    pub fn open(trace: &Trace, ahead: bool) -> Result<Input, SwfError> {
        let name = trace.name.clone();
        let failed = |error| SwfError::Open { file: trace.name.clone(), error };
        let mut plain = trace.open().map_err(failed)?;
        let first = plain.fill_buf().map_err(failed)?;
        let gzip = packing::gzip(first, &name).map_err(failed)?;
        let bytes = if gzip {
            let decoder = Members(Some(GzDecoder::new(plain)));
            if ahead {
                Bytes::Ahead(ReadAhead::start(decoder).map_err(failed)?)
            } else {
                Bytes::Gzip(Box::new(decoder))
            }
        } else {
            Bytes::Plain(plain)
        };
        let buffer = vec![0; BUFFER + AHEAD].into_boxed_slice();
        Ok(Input { name, bytes, buffer, start: 0, end: 0, ended: false, line: 0 })
    }

    /// Returns the file's path, or the name of the bytes.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Returns the next line, or `None` at the end. The last line needs no newline.
    #[inline]
    pub fn next(&mut self) -> Result<Option<Line<'_>>, SwfError> {
        let range = match memchr::memchr(b'\n', &self.buffer[self.start..self.end]) {
            Some(length) => self.take(length),
            None => match self.next_slowly() {
                Ok(Some(range)) => range,
                Ok(None) => return Ok(None),
                Err(error) => return Err(self.broke_off(error)),
            },
        };
        self.line += 1;
        let text = (range.len() <= LONGEST).then(|| &self.buffer[range]);
        Ok(Some(Line { number: self.line, text }))
    }

    /// Reads the next line by `read`, which returns its length and what it says, or `None` for a line
    /// that it does not understand. Returns the line's number too. `None` also if the line is not
    /// whole in the buffer; [`next`](Self::next) returns the same line then.
    #[inline(always)]
    pub fn next_by<T>(
        &mut self,
        read: impl FnOnce(&[u8; AHEAD]) -> Option<(usize, T)>,
    ) -> Option<(u64, T)> {
        let (length, found) = read(self.buffer[self.start..].first_chunk()?)?;
        if self.start + length >= self.end {
            return None;
        }
        self.take(length);
        self.line += 1;
        Some((self.line, found))
    }

    /// Reads the remaining gzip data and reports any damage. An invalid line may be due to damage
    /// that only the final checksum reveals. Nothing can be read afterwards.
    #[cold]
    pub fn damage(&mut self) -> Option<SwfError> {
        if let Bytes::Plain(_) = self.bytes {
            return None;
        }
        loop {
            match self.bytes.read(&mut self.buffer[..BUFFER]) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    let (file, line) = (self.name.clone(), self.line - 1);
                    return Some(SwfError::Gzip { file, line, error });
                }
            }
        }
    }

    /// Skips the blank lines that are next, as far as they are in the buffer.
    pub fn skip_blank(&mut self) {
        let rest = &self.buffer[self.start..self.end];
        let blank = rest.iter().position(|byte| !b"\n\r\t ".contains(byte)).unwrap_or(rest.len());
        if let Some(last) = memchr::memrchr(b'\n', &rest[..blank]) {
            self.line += memchr::memchr_iter(b'\n', &rest[..=last]).count() as u64;
            self.start += last + 1;
        }
    }

    /// Returns the first `length` bytes and skips the newline after them.
    #[inline]
    fn take(&mut self, length: usize) -> Range<usize> {
        let range = self.start..self.start + length;
        self.start = range.end + 1;
        range
    }

    #[cold]
    fn next_slowly(&mut self) -> io::Result<Option<Range<usize>>> {
        let mut searched = self.end - self.start;
        loop {
            if self.ended {
                let rest = self.start..self.end;
                self.start = self.end;
                self.buffer[self.end] = b'\n';
                return Ok((!rest.is_empty()).then_some(rest));
            }
            if searched > LONGEST {
                return self.skip_long_line().map(Some);
            }
            self.fill()?;
            let new = &self.buffer[self.start + searched..self.end];
            if let Some(at) = memchr::memchr(b'\n', new) {
                return Ok(Some(self.take(searched + at)));
            }
            searched = self.end - self.start;
        }
    }

    /// Drops bytes up to the next newline; the returned range only signals "too long".
    fn skip_long_line(&mut self) -> io::Result<Range<usize>> {
        loop {
            self.start = self.end;
            self.fill()?;
            if self.ended {
                return Ok(0..LONGEST + 1);
            }
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[self.start..self.end]) {
                self.start += at + 1;
                return Ok(0..LONGEST + 1);
            }
        }
    }

    /// Moves the remaining bytes to the front and reads more behind them.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let got = self.bytes.read(&mut self.buffer[self.end..BUFFER])?;
        self.end += got;
        self.ended = got == 0;
        Ok(())
    }

    fn broke_off(&self, error: io::Error) -> SwfError {
        let (file, line) = (self.name.clone(), self.line);
        match self.bytes {
            Bytes::Plain(_) => SwfError::Read { file, line, error },
            Bytes::Gzip(_) | Bytes::Ahead(_) => SwfError::Gzip { file, line, error },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    /// Before, a gigabyte of blank lines took 21 s, a step for each of them.
    #[test]
    fn blank_lines_are_skipped_by_the_buffer() {
        let lines = 1 << 22;
        let trace = Trace::bytes(Path::new("t"), vec![b'\n'; lines].into());
        let mut input = Input::open(&trace, false).unwrap();
        let mut steps = 0;
        while input.next().unwrap().is_some() {
            input.skip_blank();
            steps += 1;
        }
        assert_eq!(input.line, lines as u64);
        assert!(steps <= lines / BUFFER + 2, "{steps} steps");
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// Returns the lines of a file with these bytes ("<long>" if too long) and the final error. It
    /// checks that they are the same unpacked on another thread or from memory.
    fn lines(bytes: &[u8]) -> (Vec<String>, Option<String>) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let memory = Trace::bytes(file.path(), bytes.into());
        let file = Trace::file(file.path());
        let [here, ahead] = [false, true].map(|ahead| lines_of(&file, ahead));
        assert_eq!(here, ahead);
        assert_eq!(here, lines_of(&memory, false));
        here
    }

    fn lines_of(trace: &Trace, ahead: bool) -> (Vec<String>, Option<String>) {
        let mut input = Input::open(trace, ahead).unwrap();
        let mut seen = Vec::new();
        loop {
            match input.next() {
                Ok(Some(Line { number, text })) => {
                    assert_eq!(number, seen.len() as u64 + 1);
                    let text = text.map_or("<long>".into(), String::from_utf8_lossy);
                    seen.push(text.into_owned());
                }
                Ok(None) => return (seen, None),
                Err(error) => return (seen, Some(error.to_string())),
            }
        }
    }

    #[track_caller]
    fn check(content: &[u8], expected: &[&str]) {
        for bytes in [content.to_vec(), gzip(content)] {
            assert_eq!(lines(&bytes), (expected.iter().map(ToString::to_string).collect(), None));
        }
    }

    #[test]
    fn lines_end_at_newlines_and_the_last_needs_none() {
        check(b"", &[]);
        check(b"\n", &[""]);
        check(b"a\nb", &["a", "b"]);
        check(b"a\r\n\nb\n", &["a\r", "", "b"]);
        check(b"\xff\n", &["\u{fffd}"]);
    }

    #[test]
    fn a_line_is_bounded_and_the_next_one_is_whole() {
        for length in [LONGEST - 1, LONGEST, LONGEST + 1, BUFFER - 1, BUFFER, 3 * BUFFER + 7] {
            let long = "x".repeat(length);
            let said = if length <= LONGEST { long.as_str() } else { "<long>" };
            check(format!("a\n{long}\nb").as_bytes(), &["a", said, "b"]);
            check(long.as_bytes(), &[said]);
        }
    }

    #[test]
    fn many_lines_cross_the_ends_of_the_buffer() {
        let expected: Vec<String> = (0..100_000_u64).map(|n| format!("{n} {}", n * n)).collect();
        let content = expected.join("\n");
        assert_eq!(lines(content.as_bytes()), (expected.clone(), None));
        assert_eq!(lines(&gzip(content.as_bytes())), (expected, None));
    }

    #[test]
    fn members_of_a_gzip_file_follow_each_other() {
        let both = [gzip(b"a\nb"), gzip(b"c\nd\n")].concat();
        assert_eq!(lines(&both), (vec!["a".into(), "bc".into(), "d".into()], None));
    }

    #[test]
    fn zeros_behind_gzip_data_are_padding() {
        for zeros in [1, 511, 1 << 17] {
            let padded = [gzip(b"a\nb\n"), vec![0; zeros]].concat();
            assert_eq!(lines(&padded), (vec!["a".into(), "b".into()], None));
            let more = [padded.clone(), gzip(b"c\n")].concat();
            assert_eq!(lines(&more).0, ["a", "b", "c"]);
            let (_, error) = lines(&[&padded[..], b"garbage"].concat());
            assert!(error.unwrap().contains("gzip"));
        }
    }

    #[test]
    fn cut_or_damaged_gzip_names_file_and_line() {
        let mut whole = Vec::new();
        for number in 0..20_000_u32 {
            writeln!(whole, "{}", number.wrapping_mul(2_654_435_761)).unwrap();
        }
        let whole = gzip(&whole);
        let (seen, error) = lines(&whole[..whole.len() / 2]);
        let error = error.unwrap();
        assert!(!seen.is_empty());
        assert!(error.contains(&format!("after line {} ", seen.len())), "{error}");
        assert!(error.contains("gzip data is cut short or damaged"), "{error}");
        let (_, error) = lines(&[&whole[..], b"garbage behind it"].concat());
        assert!(error.unwrap().contains("gzip"));
        let (_, error) = lines(b"\x1f\x8bnonsense that only begins like gzip");
        assert!(error.unwrap().contains("after line 0"));
    }
}
