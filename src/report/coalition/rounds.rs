//! `rounds.csv`: a line for every organization in every round in which it was present.
//!
//! Flow times and the work sent and received are exact decimals in units, summed over the round.
//! `probability` and `level` are the learner's values before the round, `next_probability` and
//! `next_level` those after it. The local load is the work of the organization's own jobs that
//! count, divided by the length of the window. Lines are sorted by replication, round and
//! organization.

use std::io::{self, Write};

use super::RoundRow;
use crate::kernel::time::{Span, sum_as_units};
use crate::report::line::{comma_integer, integer, number, sum, text};

/// Column names, in order.
pub const COLUMNS: [&str; 16] = [
    "replication",
    "round",
    "organization",
    "joined",
    "probability",
    "level",
    "jobs",
    "flow",
    "flow_alone",
    "score",
    "balancings",
    "sent",
    "received",
    "local_load",
    "next_probability",
    "next_level",
];

/// Writes the header line.
///
/// # Errors
/// If `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Writes the lines of one replication.
#[derive(Debug)]
pub struct RoundsCsv<W> {
    out: W,
    names: Vec<String>,
    window: Span,
    line: Vec<u8>,
}

impl<W: Write> RoundsCsv<W> {
    /// A writer; `names` are the organizations' names, `window` is the length of the measurement
    /// window.
    pub fn new(out: W, names: Vec<String>, window: Span) -> RoundsCsv<W> {
        RoundsCsv { out, names, window, line: Vec::with_capacity(256) }
    }

    /// Writes a line, unless the organization was absent.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, row: &RoundRow) -> io::Result<()> {
        let turn = &row.turn;
        if !turn.present {
            return Ok(());
        }
        let line = &mut self.line;
        line.clear();
        integer(line, u64::from(row.replication));
        comma_integer(line, row.round);
        text(line, &self.names[row.organization]);
        comma_integer(line, u64::from(turn.act.is_in()));
        number(line, row.stance.probability);
        number(line, row.stance.level);
        comma_integer(line, turn.jobs);
        sum(line, turn.flow);
        sum(line, turn.alone);
        number(line, Some(turn.score()));
        comma_integer(line, turn.balancings);
        sum(line, turn.sent);
        sum(line, turn.received);
        number(line, Some(sum_as_units(turn.brought) / self.window.as_units()));
        number(line, row.next.probability);
        number(line, row.next.level);
        line.push(b'\n');
        self.out.write_all(line)
    }

    /// The underlying writer, for use between two lines.
    pub fn out_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives back the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }
}
