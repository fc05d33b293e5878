//! `rounds.csv`: a line for every organization in every round in which it was there.
//!
//! Flows, work sent and received are exact decimals in units, sums over the round; what is called
//! probability and level is where the organization stood before the round, its state what its
//! learner told after it. Lines are in the order of replication, round, organization.

use std::io::{self, Write};

use super::RoundRow;
use crate::kernel::time::{Span, sum_as_units};
use crate::report::line::{comma_integer, integer, number, sum, text};

/// The columns, in order.
pub const COLUMNS: [&str; 14] = [
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
    "sent",
    "received",
    "local_load",
    "state",
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
    period: Span,
    line: Vec<u8>,
}

impl<W: Write> RoundsCsv<W> {
    /// A writer; `names` are those of the organizations, `period` is the length of a round.
    pub fn new(out: W, names: Vec<String>, period: Span) -> RoundsCsv<W> {
        RoundsCsv { out, names, period, line: Vec::with_capacity(256) }
    }

    /// Writes a line, unless the organization was not there.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, row: &RoundRow<'_>) -> io::Result<()> {
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
        sum(line, turn.sent);
        sum(line, turn.received);
        number(line, Some(sum_as_units(turn.brought) / self.period.as_units()));
        text(line, row.state);
        line.push(b'\n');
        self.out.write_all(line)
    }

    /// Gives back what is written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}
