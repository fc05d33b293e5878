//! `jobs.csv` of a coalition: a line for every job that counts.
//!
//! Its columns up to `cluster` are those of a grid's [file](crate::jobs) that a divisible job has.
//!
//! Times count from the start of the run's clock, which restarts with every independent round. The
//! finish time is when the last part of the job was done, here or elsewhere; a job that is still
//! present at the end of a continuing round is listed with its planned finish. The promise is the
//! latest finish, as told at submission. Lines are written in the order in which jobs end.

use crate::jobs::state::COMPLETED;
use crate::lines::{Lines, Out};
use crate::record::record;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use sim::observer::Observer;
use sim::pool::{Done, PoolObserver};

record! {
    /// A line of the file.
    Line<'a>;
    job_id: u64, "Its number within the organization.";
    workload_name: &'a str, "The workload it comes from.";
    profile: &'a str, "Always `divisible`.";
    submission_time: Time, "When it was submitted.";
    requested_number_of_resources: u32, "Processors of its organization's cluster.";
    requested_time: Span, "Its work, as the runtime on that cluster alone.";
    success: bool, "Always 1.";
    final_state: &'a str, "Always `COMPLETED_SUCCESSFULLY`.";
    finish_time: Time, "When its last part was done, here or elsewhere.";
    turnaround_time: Span, "From its submission to its finish: its flow time.";
    replication: u32, "Replication, from 0.";
    organization: &'a str, "The organization that owns it.";
    cluster: &'a str, "The cluster of that organization.";
    round: u64, "Round, from 0.";
    load: Span, "Its work on its own cluster.";
    promised: Time, "When it was to be done at the latest, as told at its submission.";
    finish_alone: Time, "When it would have been done had its organization stayed out of the round.";
}

/// Owners of jobs, as written in their lines.
#[derive(Clone, Debug)]
pub struct Owner {
    /// Name of the organization.
    pub organization: String,
    /// Name of its cluster.
    pub cluster: String,
    /// Processors of this cluster.
    pub processors: u32,
    /// Name of the workload that brings its jobs; empty without any.
    pub workload: String,
}

/// Writes the lines of one replication, as an observer of its pool.
#[derive(Debug)]
pub struct PoolJobsCsv<W> {
    /// Destination of the lines.
    pub lines: Lines<W>,
    owners: Vec<Owner>,
    replication: u32,
    round: u64,
}

impl<W: Out> PoolJobsCsv<W> {
    /// A writer for one replication; `owners` are the organizations, in their order.
    pub fn new(out: W, owners: Vec<Owner>, replication: u32) -> PoolJobsCsv<W> {
        PoolJobsCsv { lines: Lines::new(out), owners, replication, round: 0 }
    }
}

/// A federation's jobs are those of a grid.
impl<W: Out> Observer for PoolJobsCsv<W> {}

impl<W: Out> PoolObserver for PoolJobsCsv<W> {
    fn began(&mut self, round: u64, _: Time) {
        self.round = round;
    }

    fn finished(&mut self, cluster: u32, done: &Done) {
        let job = &done.job;
        if !job.counts {
            return;
        }
        let owner = &self.owners[cluster as usize];
        self.lines.put(&Line {
            job_id: job.number,
            workload_name: &owner.workload,
            profile: "divisible",
            submission_time: job.submit,
            requested_number_of_resources: owner.processors,
            requested_time: job.size,
            success: true,
            final_state: COMPLETED,
            finish_time: done.finish,
            turnaround_time: done.flow(),
            replication: self.replication,
            organization: &owner.organization,
            cluster: &owner.cluster,
            round: self.round,
            load: job.size,
            promised: job.promise,
            finish_alone: job.alone,
        });
    }
}

/// Lines already written are not part of the state.
impl<W: Out> State for PoolJobsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.round, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.round = take(from)?;
        Ok(())
    }
}
