//! Lines that an observer of a pool writes while it watches.

use std::io::{self, Write};

use crate::report::line::{comma_integer, integer};

/// Where lines of one replication go.
///
/// Writing cannot be refused in the middle of a round, so the first error is kept and nothing is
/// written after it; [`finish`](Lines::finish) gives it.
#[derive(Debug)]
pub struct Lines<W> {
    out: W,
    /// The names of the organizations.
    pub names: Vec<String>,
    replication: u32,
    /// The round that is played.
    pub round: u64,
    line: Vec<u8>,
    trouble: Option<io::Error>,
}

impl<W: Write> Lines<W> {
    /// No lines yet; `names` are those of the organizations.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> Lines<W> {
        let line = Vec::with_capacity(256);
        Lines { out, names, replication, round: 0, line, trouble: None }
    }

    /// Writes a line: the replication, the round, and what is added.
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

    /// What is written to, between two lines.
    ///
    /// # Errors
    /// When a line could not be written.
    pub fn out_mut(&mut self) -> io::Result<&mut W> {
        self.trouble.take().map_or(Ok(&mut self.out), Err)
    }

    /// What was written to, or the first error of writing.
    ///
    /// # Errors
    /// When a line could not be written.
    pub fn finish(self) -> io::Result<W> {
        self.trouble.map_or(Ok(self.out), Err)
    }
}
