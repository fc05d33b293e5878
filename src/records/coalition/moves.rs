//! `moves.csv`: a line for every transfer of load from one organization to another.
//!
//! With this file every balancing can be checked. The loads are those of the sender and the
//! receiver before the first move of the balancing, and that of the receiver after the last. The
//! promise is the time by which the work is done at the latest. Times count from the start of the
//! run's clock, which restarts with every independent round. The moves of a balancing are listed in
//! the order in which they were made.

use crate::lines::{Lines, Out};
use crate::record::record;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use sim::observer::Observer;
use sim::pool::{Balanced, PoolObserver};

record! {
    /// A line of the file.
    Line<'a>;
    replication: u32, "Replication, from 0.";
    round: u64, "Round, from 0.";
    balancing: u64, "Number of the balancing in its replication, from 0.";
    time: Time, "When it was.";
    sender: &'a str, "The organization whose work is moved.";
    receiver: &'a str, "The organization whose cluster does it.";
    amount: Span, "Amount of work.";
    promised: Time, "When it is done at the latest.";
    sender_load: Span, "Work that the sender had before the balancing.";
    receiver_load: Span, "Work that the receiver had before the balancing.";
    receiver_load_after: Span, "Work that the receiver has after the balancing.";
}

/// Writes the lines of one replication, as an observer of its pool.
#[derive(Debug)]
pub struct MovesCsv<W> {
    /// Destination of the lines.
    pub lines: Lines<W>,
    names: Vec<String>,
    replication: u32,
    round: u64,
    /// Number of balancings so far in this replication.
    balancings: u64,
}

impl<W: Out> MovesCsv<W> {
    /// A writer for one replication; `names` are the organizations' names.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> MovesCsv<W> {
        MovesCsv { lines: Lines::new(out), names, replication, round: 0, balancings: 0 }
    }
}

/// A federation moves no load.
impl<W: Out> Observer for MovesCsv<W> {}

impl<W: Out> PoolObserver for MovesCsv<W> {
    fn sees_balancings(&self) -> bool {
        true
    }

    fn began(&mut self, round: u64, _: Time) {
        self.round = round;
    }

    fn balanced(&mut self, balanced: Balanced<'_>) {
        for one in balanced.moves {
            let (from, to) = (one.from as usize, one.to as usize);
            let name = |place: usize| &*self.names[balanced.who[place] as usize];
            self.lines.put(&Line {
                replication: self.replication,
                round: self.round,
                balancing: self.balancings,
                time: balanced.now,
                sender: name(from),
                receiver: name(to),
                amount: one.amount,
                promised: one.promised,
                sender_load: balanced.members[from].load(),
                receiver_load: balanced.members[to].load(),
                receiver_load_after: balanced.after[to],
            });
        }
        self.balancings += 1;
    }
}

/// Lines already written are not part of the state.
impl<W: Out> State for MovesCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.round, self.balancings), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.round, self.balancings) = take(from)?;
        Ok(())
    }
}
