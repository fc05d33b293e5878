//! `jobs.csv` of a coalition: a line for every job that counts.
//!
//! Times count from the start of the run's clock, which restarts with every independent round. The
//! finish time is when the last part of the job was done, here or elsewhere; a job that is still
//! present at the end of a continuing round is listed with its planned finish. The promise is the
//! latest finish, as told at submission. Lines are written in the order in which jobs end.

use std::io::{self, Write};

use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::report::record::{Lines, record};
use crate::sim::pool::{Done, PoolObserver};

record! {
    /// A line of the file.
    Line<'a>;
    replication: u32, "Replication, from 0.";
    round: u64, "Round, from 0.";
    organization: &'a str, "The organization that owns it.";
    job_id: u64, "Its number within the organization.";
    submission_time: Time, "When it was submitted.";
    load: Span, "Its work, as the runtime on a dedicated cluster.";
    finish_time: Time, "When its last part was done.";
    turnaround_time: Span, "From its submission to its finish.";
    promised: Time, "Latest finish, promised at its submission.";
    finish_alone: Time, "Counterfactual finish, had its organization stayed out of the round.";
}

/// Writes the lines of one replication, as an observer of its pool.
#[derive(Debug)]
pub struct PoolJobsCsv<W> {
    lines: Lines<W>,
    names: Vec<String>,
    replication: u32,
    round: u64,
}

impl<W: Write> PoolJobsCsv<W> {
    /// A writer for one replication; `names` are the organizations' names.
    pub fn new(out: W, names: Vec<String>, replication: u32) -> PoolJobsCsv<W> {
        PoolJobsCsv { lines: Lines::new(out), names, replication, round: 0 }
    }

    /// The underlying writer, for use between two lines.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn out_mut(&mut self) -> io::Result<&mut W> {
        self.lines.trouble().map_or(Ok(self.lines.out_mut()), Err)
    }

    /// Gives back the underlying writer, or the first write error.
    ///
    /// # Errors
    /// If a line could not be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.lines.trouble().map_or(Ok(self.lines.into_inner()), Err)
    }
}

impl<W: Write> PoolObserver for PoolJobsCsv<W> {
    fn began(&mut self, round: u64, _: Time) {
        self.round = round;
    }

    fn finished(&mut self, cluster: u32, done: &Done) {
        let job = &done.job;
        if !job.counts {
            return;
        }
        self.lines.put(&Line {
            replication: self.replication,
            round: self.round,
            organization: &self.names[cluster as usize],
            job_id: job.number,
            submission_time: job.submit,
            load: job.size,
            finish_time: done.finish,
            turnaround_time: done.flow(),
            promised: job.promise,
            finish_alone: job.alone,
        });
    }
}

/// Lines already written are not part of the state.
impl<W: Write> State for PoolJobsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.round, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.round = take(from)?;
        Ok(())
    }
}
