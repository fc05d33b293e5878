//! Lines of a plain or gzip trace, without an allocation a line and with a bound on their length.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;

use super::ahead::ReadAhead;
use super::error::SwfError;

/// The longest line, in bytes; a longer one is malformed and is not kept in memory.
pub(super) const LONGEST: usize = 1 << 16;

/// At least twice the longest line, so that a full buffer always holds a line or a part too long.
const BUFFER: usize = 1 << 18;

const GZIP: &[u8] = &[0x1f, 0x8b];

/// Where a trace is; it can be opened again and again.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The file, or what messages call the bytes.
    pub name: PathBuf,
    /// What is in it, where it is in memory.
    bytes: Option<Arc<[u8]>>,
}

/// Large reads only: a call through a pointer costs nothing.
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
            None => Box::new(BufReader::with_capacity(1 << 16, File::open(&self.name)?)),
            Some(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        })
    }
}

enum Bytes {
    Plain(Reader),
    Gzip(Box<MultiGzDecoder<Reader>>),
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
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes without the newline; `None` where it is longer than [`LONGEST`].
    pub text: Option<&'a [u8]>,
    /// The line, the newline behind it and whatever follows, for reading by words.
    pub ahead: &'a [u8; AHEAD],
}

/// Bytes that can be read from the beginning of every line.
pub(super) const AHEAD: usize = 152;

/// The lines of a trace.
pub(super) struct Input {
    name: PathBuf,
    bytes: Bytes,
    buffer: Box<[u8]>,
    /// What was read and not yet handed out: `buffer[start..end]`.
    start: usize,
    end: usize,
    ended: bool,
    line: u64,
}

impl Input {
    /// Opens a trace; whether it is gzip is seen from its first bytes, not from its name. With
    /// `ahead`, gzip is unpacked on another thread.
    pub fn open(trace: &Trace, ahead: bool) -> Result<Input, SwfError> {
        let name = trace.name.clone();
        let failed = |error| SwfError::Open { file: trace.name.clone(), error };
        let mut plain = trace.open().map_err(failed)?;
        let gzip = plain.fill_buf().map_err(failed)?.starts_with(GZIP);
        let bytes = if gzip {
            let decoder = MultiGzDecoder::new(plain);
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

    /// The file's path, or what the bytes are called.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The next line, or `None` at the end. The last one needs no newline.
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
        let (ahead, _) =
            self.buffer[range.start..].split_first_chunk().expect("room behind the end");
        let text = (range.len() <= LONGEST).then(|| &self.buffer[range]);
        Ok(Some(Line { number: self.line, text, ahead }))
    }

    /// Hands out the first `length` bytes and passes the newline behind them.
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

    /// Drops bytes up to the next newline; the range returned says only "too long".
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

    /// Moves what is left to the front and reads more behind it.
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

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    /// The lines of a file of these bytes, "<long>" for one too long, and the error at the end;
    /// they are the same whether it is unpacked on another thread or not, and from memory.
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
                Ok(Some(Line { number, text, .. })) => {
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
