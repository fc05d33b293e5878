//! `jobs.csv` of a coalition: a line for every job that counts.
//!
//! Times count from the start of the run's clock, which restarts with every independent round. The
//! finish time is when the last part of the job was done, here or elsewhere; a job that is still
//! present at the end of a continuing round is listed with its planned finish. The promise is the
//! latest finish, as told at submission. Lines are written in the order in which jobs end.

use std::io::{self, Write};

use super::lines::Lines;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::report::line::{comma_integer, span, text};
use crate::sim::pool::{Done, PoolObserver};

/// Column names, in order.
pub const COLUMNS: [&str; 10] = [
    "replication",
    "round",
    "organization",
    "job_id",
    "submission_time",
    "load",
    "finish_time",
    "turnaround_time",
    "promised",
    "finish_alone",
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
pub struct PoolJobsCsv<W>(Lines<W>);

impl<W: Write> PoolJobsCsv<W> {
    /// A writer for one replication; `names` are the organizations' names.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> PoolJobsCsv<W> {
        PoolJobsCsv(Lines::new(out, names, replication))
    }

    /// The underlying writer, for use between two lines.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn out_mut(&mut self) -> io::Result<&mut W> {
        self.0.out_mut()
    }

    /// Gives back the underlying writer, or the first write error.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

impl<W: Write> PoolObserver for PoolJobsCsv<W> {
    fn began(&mut self, round: u64, _: Time) {
        self.0.round = round;
    }

    fn finished(&mut self, cluster: u32, done: &Done) {
        let job = &done.job;
        if !job.counts {
            return;
        }
        self.0.write(|line, names| {
            text(line, &names[cluster as usize]);
            comma_integer(line, job.number);
            span(line, Some(job.submit - Time::ZERO));
            span(line, Some(job.size));
            span(line, Some(done.finish - Time::ZERO));
            span(line, Some(done.flow()));
            span(line, Some(job.promise - Time::ZERO));
            span(line, Some(job.alone - Time::ZERO));
        });
    }
}

/// Lines already written are not part of the state.
impl<W: Write> State for PoolJobsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.0.round, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.0.round = take(from)?;
        Ok(())
    }
}
