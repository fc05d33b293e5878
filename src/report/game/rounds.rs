//! `rounds.csv` of a game: a line for every player in every round.
//!
//! Probabilities are those of the player's actions, in their order and with blanks between, when it
//! decided; nothing where they are not known. Lines are in the order of replication, round, player.

use std::io::{self, Write};

use super::{Frame, Round};
use crate::report::line::{comma_integer, integer, number, text};

/// The columns, in order.
pub const COLUMNS: [&str; 6] =
    ["replication", "round", "player", "action", "payoff", "probabilities"];

/// Writes the line of column names.
///
/// # Errors
/// When `out` does.
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
    /// A writer of the rounds of these players.
    pub fn new(out: W, frame: &'a Frame) -> RoundsCsv<'a, W> {
        RoundsCsv { out, frame, line: Vec::with_capacity(256) }
    }

    /// Writes the lines of a round.
    ///
    /// # Errors
    /// When the file cannot be written.
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

    /// Gives back what is written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}
