//! Writes jobs as a trace that other tools, and [`survey`](super::survey), can read.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::error::SwfError;
use super::header::Header;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::job::Job;

enum Out<W: Write> {
    Plain(BufWriter<W>),
    Gzip(Box<BufWriter<GzEncoder<W>>>),
}

impl<W: Write> Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Out::Plain(out) => out.write_all(bytes),
            Out::Gzip(out) => out.write_all(bytes),
        }
    }
}

/// A writer for the Standard Workload Format.
///
/// Fractions of seconds are written as decimals, to the tick. The group is the organization's
/// number counted from 1. Two things that SWF cannot express are lost: the source, and an estimate
/// of 0 with a runtime other than 0 (SWF readers take it for "none"). Everything else is read back
/// unchanged under [`Options::verbatim`](super::Options::verbatim).
pub struct SwfWriter<W: Write = File> {
    name: PathBuf,
    out: Out<W>,
    line: Vec<u8>,
}

impl SwfWriter {
    /// Creates a file and writes the header after `; Version: 2.2`. It is compressed if its name
    /// ends in `.gz`. [`Header::with`] sets `MaxJobs`, `MaxProcs`, `Note` and so on.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn create(file: &Path, header: &Header) -> Result<SwfWriter, SwfError> {
        let failed = |error| SwfError::Write { file: file.to_owned(), error };
        SwfWriter::new(file, File::create(file).map_err(failed)?, header)
    }
}

impl<W: Write> SwfWriter<W> {
    /// Writes to an open writer, such as memory. The content is that of
    /// [`create`](SwfWriter::create) for a file of this name.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn new(name: &Path, plain: W, header: &Header) -> Result<SwfWriter<W>, SwfError> {
        let gzip = name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
        let out = if gzip {
            Out::Gzip(Box::new(BufWriter::new(GzEncoder::new(plain, Compression::default()))))
        } else {
            Out::Plain(BufWriter::new(plain))
        };
        let mut writer = SwfWriter { name: name.to_owned(), out, line: Vec::with_capacity(128) };
        writer.header(header).map_err(|error| writer.failed(error))?;
        Ok(writer)
    }

    fn header(&mut self, header: &Header) -> io::Result<()> {
        self.out.write(b"; Version: 2.2\n")?;
        for (key, value) in header.entries().filter(|(key, _)| *key != "Version") {
            let indented = value.replace("\r\n", "\n").replace(['\n', '\r'], "\n;   ");
            self.out.write(format!("; {key}: {indented}\n").as_bytes())?;
        }
        Ok(())
    }

    /// Writes one job; `start` is its start time, if known.
    ///
    /// # Errors
    /// A file that cannot be written.
    #[inline]
    pub fn write(&mut self, job: &Job, start: Option<Time>) -> Result<(), SwfError> {
        self.row(job, start, Some(job.estimate), None)
    }

    /// Writes one job with its start time, its estimate and its partition, as far as they are known.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn row(
        &mut self,
        job: &Job,
        start: Option<Time>,
        estimate: Option<Span>,
        partition: Option<u32>,
    ) -> Result<(), SwfError> {
        self.line.clear();
        self.whole(job.number);
        self.seconds(job.submit.ticks());
        match start {
            Some(start) => self.seconds((start - job.submit).ticks()),
            None => self.text("-1"),
        }
        self.seconds(job.runtime.ticks());
        self.whole(job.processors.into());
        self.text("-1 -1");
        self.whole(job.processors.into());
        match estimate {
            Some(estimate) => self.seconds(estimate.ticks()),
            None => self.text("-1"),
        }
        self.text("-1");
        self.text(if start.is_some() { "1" } else { "-1" });
        match job.user {
            0 => self.text("-1"),
            user => self.whole(user.into()),
        }
        self.whole(u64::from(job.organization.0) + 1);
        self.text("-1 -1");
        match partition {
            None => self.text("-1"),
            Some(partition) => self.whole(partition.into()),
        }
        self.text("-1 -1");
        if let Some(last) = self.line.last_mut() {
            *last = b'\n';
        }
        self.out.write(&self.line).map_err(|error| self.failed(error))
    }

    /// Completes the trace and returns the underlying writer.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(self) -> Result<W, SwfError> {
        let SwfWriter { name, out, .. } = self;
        let done = match out {
            Out::Plain(out) => out.into_inner().map_err(io::IntoInnerError::into_error),
            Out::Gzip(out) => {
                out.into_inner().map_err(io::IntoInnerError::into_error).and_then(GzEncoder::finish)
            }
        };
        done.map_err(|error| SwfError::Write { file: name, error })
    }

    fn text(&mut self, text: &str) {
        self.line.extend_from_slice(text.as_bytes());
        self.line.push(b' ');
    }

    fn whole(&mut self, value: u64) {
        self.text(itoa::Buffer::new().format(value));
    }

    /// Writes ticks as seconds.
    fn seconds(&mut self, ticks: i64) {
        let (seconds, rest) = (ticks / TICKS_PER_UNIT, ticks % TICKS_PER_UNIT);
        if rest == 0 {
            self.text(itoa::Buffer::new().format(seconds));
        } else {
            self.text(&Span::from_ticks(ticks).to_string());
        }
    }

    fn failed(&self, error: io::Error) -> SwfError {
        SwfError::Write { file: self.name.clone(), error }
    }
}
