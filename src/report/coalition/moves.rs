//! `moves.csv`: a line for every transfer of load from one organization to another.
//!
//! With this file every balancing can be checked. The loads are those of the sender and the
//! receiver before the first move of the balancing, and that of the receiver after the last. The
//! promise is the time by which the work is done at the latest. Times count from the start of the
//! run's clock, which restarts with every independent round. The moves of a balancing are listed in
//! the order in which they were made.

use std::io::{self, Write};

use super::lines::Lines;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::report::line::{comma_integer, span, text};
use crate::sim::pool::{Balanced, PoolObserver};

/// Column names, in order.
pub const COLUMNS: [&str; 11] = [
    "replication",
    "round",
    "balancing",
    "time",
    "sender",
    "receiver",
    "amount",
    "promised",
    "sender_load",
    "receiver_load",
    "receiver_load_after",
];

/// Writes the header line.
///
/// # Errors
/// If `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Writes the lines of one replication, as an observer of its pool.
#[derive(Debug)]
pub struct MovesCsv<W> {
    lines: Lines<W>,
    /// Number of balancings so far in this replication.
    balancings: u64,
}

impl<W: Write> MovesCsv<W> {
    /// A writer for one replication; `names` are the organizations' names.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> MovesCsv<W> {
        MovesCsv { lines: Lines::new(out, names, replication), balancings: 0 }
    }

    /// The underlying writer, for use between two lines.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn out_mut(&mut self) -> io::Result<&mut W> {
        self.lines.out_mut()
    }

    /// Gives back the underlying writer, or the first write error.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn finish(self) -> io::Result<W> {
        self.lines.finish()
    }
}

impl<W: Write> PoolObserver for MovesCsv<W> {
    fn sees_balancings(&self) -> bool {
        true
    }

    fn began(&mut self, round: u64, _: Time) {
        self.lines.round = round;
    }

    fn balanced(&mut self, balanced: Balanced<'_>) {
        for one in balanced.moves {
            let (from, to) = (one.from as usize, one.to as usize);
            self.lines.write(|line, names| {
                comma_integer(line, self.balancings);
                span(line, Some(balanced.now - Time::ZERO));
                for place in [from, to] {
                    text(line, &names[balanced.who[place] as usize]);
                }
                span(line, Some(one.amount));
                span(line, Some(one.promised - Time::ZERO));
                for place in [from, to] {
                    span(line, Some(balanced.members[place].load()));
                }
                span(line, Some(balanced.after[to]));
            });
        }
        self.balancings += 1;
    }
}

/// Lines already written are not part of the state.
impl<W: Write> State for MovesCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.lines.round, self.balancings), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.lines.round, self.balancings) = take(from)?;
        Ok(())
    }
}
