//! `rounds.csv`: a line for every organization in every round in which it was there.
//!
//! Flows, work sent and received are exact decimals in units, sums over the round. Probability and
//! level say where the organization stood before the round, `next_probability` and `next_level`
//! where its learner stands after it. The local load is the work of its own jobs that count, by the
//! length of the window. Lines are in the order of replication, round, organization.

use std::io::{self, Write};

use super::RoundRow;
use crate::kernel::time::{Span, sum_as_units};
use crate::report::line::{comma_integer, integer, number, sum, text};

/// The columns, in order.
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

/// Writes the line of column names.
///
/// # Errors
/// When `out` does.
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
    /// A writer; `names` are those of the organizations, `window` is the length of
    /// the part of a round that counts.
    pub fn new(out: W, names: Vec<String>, window: Span) -> RoundsCsv<W> {
        RoundsCsv { out, names, window, line: Vec::with_capacity(256) }
    }

    /// Writes a line, unless the organization was not there.
    ///
    /// # Errors
    /// When the file cannot be written.
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

    /// What is written to, between two lines.
    pub fn out_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives back what is written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}
