//! `moves.csv`: a line for every move of load from one organization to another.
//!
//! With it, what balancings did can be checked from the files: the loads are those of the sender
//! and the receiver before any move of the balancing, and of the receiver after all of them; what
//! is promised is when the work is done at the latest. Times are since the beginning of the run's
//! clock, which independent rounds begin anew. Moves of one balancing are in the order in which
//! they were made.

use std::io::{self, Write};

use super::lines::Lines;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::report::line::{comma_integer, span, text};
use crate::sim::pool::{Balanced, PoolObserver};

/// The columns, in order.
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

/// Writes the line of column names.
///
/// # Errors
/// When `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Writes the lines of one replication; an observer of its pool.
#[derive(Debug)]
pub struct MovesCsv<W> {
    lines: Lines<W>,
    /// Of the replication.
    balancings: u64,
}

impl<W: Write> MovesCsv<W> {
    /// A writer; `names` are those of the organizations.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> MovesCsv<W> {
        MovesCsv { lines: Lines::new(out, names, replication), balancings: 0 }
    }

    /// What is written to, between two lines.
    ///
    /// # Errors
    /// When a line could not be written.
    pub fn out_mut(&mut self) -> io::Result<&mut W> {
        self.lines.out_mut()
    }

    /// What was written to, or the first error of writing.
    ///
    /// # Errors
    /// When a line could not be written.
    pub fn finish(self) -> io::Result<W> {
        self.lines.finish()
    }
}

impl<W: Write> PoolObserver for MovesCsv<W> {
    const BALANCINGS: bool = true;

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

/// What was written before is not saved.
impl<W: Write> State for MovesCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.lines.round, self.balancings), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.lines.round, self.balancings) = take(from)?;
        Ok(())
    }
}
