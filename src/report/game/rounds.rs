//! `rounds.csv` of a game: a line for every player in every round.
//!
//! `probabilities` are those of the player's actions when it decided, in their order and separated
//! by blanks; empty if they are not known. Lines are sorted by replication, round and player.

use std::io::{self, Write};

use super::{Frame, Round};
use crate::report::line::{comma_integer, integer, number, text};

/// Column names, in order.
pub const COLUMNS: [&str; 6] =
    ["replication", "round", "player", "action", "payoff", "probabilities"];

/// Writes the header line.
///
/// # Errors
/// If `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Writes the lines of one replication.
#[derive(Debug)]
pub struct RoundsCsv<'a, W> {
    out: W,
    frame: &'a Frame,
    line: Vec<u8>,
}

impl<'a, W: Write> RoundsCsv<'a, W> {
    /// A writer for the rounds of these players.
    pub fn new(out: W, frame: &'a Frame) -> RoundsCsv<'a, W> {
        RoundsCsv { out, frame, line: Vec::with_capacity(256) }
    }

    /// Writes the lines of a round.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, round: &Round<'_>) -> io::Result<()> {
        for (player, name) in self.frame.names.iter().enumerate() {
            let line = &mut self.line;
            line.clear();
            integer(line, u64::from(round.replication));
            comma_integer(line, round.round);
            text(line, name);
            text(line, &self.frame.actions[player][round.profile[player] as usize]);
            number(line, Some(round.payoffs[player]));
            line.push(b',');
            for (at, probability) in round.laws[player].iter().enumerate() {
                if at > 0 {
                    line.push(b' ');
                }
                write!(line, "{probability}")?;
            }
            line.push(b'\n');
            self.out.write_all(line)?;
        }
        Ok(())
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
