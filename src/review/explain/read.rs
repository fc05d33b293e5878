//! Jobs and decisions that are kept of `jobs.csv` and `decisions.csv`.

use kernel::time::{Span, Time};
use model::speed::Speed;
use records::decisions::{self, Decision};
use records::jobs;
use report::grid::entry::ClusterEntry;

/// A job of `jobs.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number in its workload.
    pub number: u64,
    /// The workload it comes from.
    pub workload: String,
    /// The replication.
    pub replication: u32,
    /// The organization that owns it.
    pub organization: String,
    /// The cluster on which it waited and ran; empty if it was rejected, or never left the grid.
    pub cluster: String,
    /// Processors it needs.
    pub processors: u32,
    /// Submission time.
    pub submit: Time,
    /// Start time, if it started.
    pub start: Option<Time>,
    /// Finish time, if it finished.
    pub finish: Option<Time>,
    /// Execution time that its cluster's scheduler expected.
    pub expected: Option<Span>,
    /// Index among all submissions.
    pub arrival: u64,
    /// Final state, in Batsim's words.
    pub state: String,
    /// True if it waited in the grid for a cluster.
    pub is_held: bool,
    /// Time at which it got its cluster, if it was held and did.
    pub sent: Option<Time>,
}

impl Job {
    pub(super) fn of(line: &jobs::Line<'_>) -> Job {
        Job {
            number: line.job_id,
            workload: line.workload_name.to_owned(),
            replication: line.replication,
            organization: line.organization.to_owned(),
            cluster: line.cluster.to_owned(),
            processors: line.requested_number_of_resources,
            submit: line.submission_time,
            start: line.starting_time,
            finish: line.finish_time,
            expected: line.expected_time,
            arrival: line.arrival,
            state: line.final_state.to_owned(),
            is_held: line.sent_time.is_some() && line.final_state != jobs::state::REJECTED,
            sent: line.sent_time.flatten(),
        }
    }

    /// The same job, with the time that it was expected to take on its cluster.
    pub(super) fn at_speed_of(self, cluster: &ClusterEntry) -> Job {
        let speed = cluster.speed.and_then(Speed::new).unwrap_or_default();
        Job { expected: self.expected.map(|expected| speed.runs(expected)), ..self }
    }

    /// True if it waits at a time, after everything that happened then.
    pub fn waits(&self, at: Time) -> bool {
        self.submit <= at && self.start.is_none_or(|start| at < start)
    }

    /// True if it waits in the grid at a time, after everything that happened then.
    pub fn is_in_grid(&self, at: Time) -> bool {
        self.is_held && self.waits(at) && self.sent.is_none_or(|sent| at < sent)
    }

    /// True if it runs at a time, after everything that happened then.
    pub fn runs(&self, at: Time) -> bool {
        self.start.is_some_and(|start| start <= at) && self.finish.is_none_or(|end| at < end)
    }

    /// Expected end, once it has started.
    pub fn expected_end(&self) -> Option<Time> {
        Some(self.start?.saturating_add(self.expected?))
    }

    pub(super) fn name(&self) -> Name {
        (self.workload.clone(), self.number)
    }
}

/// Workload and number, unique within a replication.
pub(super) type Name = (String, u64);

/// A line of `decisions.csv`, without the job's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedDecision {
    /// Time of the decision.
    pub time: Time,
    /// The cluster.
    pub cluster: String,
    /// The decision.
    pub told: Decision,
    /// Workload and number of the job that blocks it, if any.
    pub by: Option<(String, u64)>,
    /// The time at which the blocking job is due.
    pub due: Option<Time>,
    /// Expected start of the job.
    pub expected_start: Option<Time>,
    /// Free processors.
    pub free: Option<u32>,
    /// Processors that may be used beyond the blocking job's start.
    pub extra: Option<u32>,
    /// Processors requested by running and waiting jobs.
    pub demand: Option<u64>,
}

impl RecordedDecision {
    /// The workload of the job that blocks it.
    pub(super) fn by_workload(&self) -> Option<&str> {
        self.by.as_ref().map(|(workload, _)| &**workload)
    }

    /// The number of the job that blocks it.
    pub(super) fn by_job(&self) -> Option<u64> {
        self.by.as_ref().map(|&(_, number)| number)
    }

    /// The job's name and the line.
    pub(super) fn of(line: &decisions::Line<'_>) -> (Name, RecordedDecision) {
        let name = (line.workload_name.to_owned(), line.job_id);
        let line = RecordedDecision {
            time: line.time,
            cluster: line.cluster.to_owned(),
            told: line.decision,
            by: line.by_job.map(|number| (line.by_workload.to_owned(), number)),
            due: line.due,
            expected_start: line.expected_start,
            free: line.free,
            extra: line.extra,
            demand: line.demand,
        };
        (name, line)
    }
}
