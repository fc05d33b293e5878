//! A line writer for observers of a pool.

use std::io::{self, Write};

use crate::report::line::{comma_integer, integer};

/// Writes the lines of one replication.
///
/// An observer cannot fail in the middle of a round, so the first error is kept and nothing is
/// written after it; [`finish`](Lines::finish) returns it.
#[derive(Debug)]
pub struct Lines<W> {
    out: W,
    /// Names of the organizations.
    pub names: Vec<String>,
    replication: u32,
    /// The current round.
    pub round: u64,
    line: Vec<u8>,
    trouble: Option<io::Error>,
}

impl<W: Write> Lines<W> {
    /// A writer without any lines; `names` are the organizations' names.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> Lines<W> {
        let line = Vec::with_capacity(256);
        Lines { out, names, replication, round: 0, line, trouble: None }
    }

    /// Writes a line: replication, round, and the fields that `add` appends.
    pub fn write(&mut self, add: impl FnOnce(&mut Vec<u8>, &[String])) {
        if self.trouble.is_some() {
            return;
        }
        self.line.clear();
        integer(&mut self.line, u64::from(self.replication));
        comma_integer(&mut self.line, self.round);
        add(&mut self.line, &self.names);
        self.line.push(b'\n');
        self.trouble = self.out.write_all(&self.line).err();
    }

    /// The underlying writer, for use between two lines.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn out_mut(&mut self) -> io::Result<&mut W> {
        self.trouble.take().map_or(Ok(&mut self.out), Err)
    }

    /// Gives back the underlying writer, or the first write error.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn finish(self) -> io::Result<W> {
        self.trouble.map_or(Ok(self.out), Err)
    }
}
