//! `jobs.csv` of a coalition: a line for every job that counts.
//!
//! Times are since the beginning of the run's clock, which independent rounds begin anew. The
//! finish is when the last part of the job was done, here or elsewhere; in the last moment of a
//! continuing round it is the finish that was planned. What was promised is the latest finish, told
//! at the submission. Lines come as jobs end.

use std::io::{self, Write};

use super::lines::Lines;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::report::line::{comma_integer, span, text};
use crate::sim::pool::{Done, PoolObserver};

/// The columns, in order.
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

/// Writes the line of column names.
///
/// # Errors
/// When `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Writes the lines of one replication; an observer of its pool.
#[derive(Debug)]
pub struct PoolJobsCsv<W>(Lines<W>);

impl<W: Write> PoolJobsCsv<W> {
    /// A writer; `names` are those of the organizations.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> PoolJobsCsv<W> {
        PoolJobsCsv(Lines::new(out, names, replication))
    }

    /// What is written to, between two lines.
    ///
    /// # Errors
    /// When a line could not be written.
    pub fn out_mut(&mut self) -> io::Result<&mut W> {
        self.0.out_mut()
    }

    /// What was written to, or the first error of writing.
    ///
    /// # Errors
    /// When a line could not be written.
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

/// What was written before is not saved.
impl<W: Write> State for PoolJobsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.0.round, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.0.round = take(from)?;
        Ok(())
    }
}
