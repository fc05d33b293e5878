//! `jobs.csv`: a line for every job, with Batsim's columns and more for an audit.
//!
//! Lines are written as jobs end (rejected jobs as they arrive, unfinished ones last), a block of jobs
//! at a time. So the file grows with the run, and only jobs in the system and those of a block are kept
//! in memory. Times are exact decimals in units.

mod block;

use std::borrow::Cow;
use std::sync::Arc;

use super::lines::{Lines, Out};
use super::record::record;
use block::Ended;
pub use block::Jobs;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::ids::{ClusterId, JobId};
use model::interval_set::IntervalSet;
use model::job::Job;
use sim::observer::{Finished, Observer, Sent, Started, Submitted, Unfinished};
use sim::pool::PoolObserver;
use workload::jobs::Tags;

record! {
    /// A line of the file. The first seventeen columns are Batsim's.
    Line<'a>;
    job_id: u64, "Its number in its trace or list; drawn jobs are counted from 1.";
    workload_name: &'a str, "The workload it comes from: an organization, `grid` for the grid-wide one, `jobs` for `[[job]]`.";
    profile: &'a str, "Always `rigid`.";
    submission_time: Time, "When it was submitted.";
    requested_number_of_resources: u32, "Processors that it needs.";
    requested_time: Span, "The user's estimate of its runtime, at unit speed.";
    success: bool, "1 if it ran to its end, else 0.";
    final_state: &'a str, "How it ended: `COMPLETED_SUCCESSFULLY`, `COMPLETED_WALLTIME_REACHED`, `REJECTED`, `RUNNING` or `WAITING`.";
    starting_time: Option<Time>, "When it started.";
    execution_time: Option<i128>, "From its start to its end.";
    finish_time: Option<Time>, "When it ended.";
    waiting_time: Option<i128>, "The wait: from its submission to its start.";
    turnaround_time: Option<i128>, "The flow: from its submission to its end.";
    stretch: Option<f64>, "The slowdown, flow / execution time; empty if it ran for no time.";
    allocated_resources: Option<Cow<'a, IntervalSet>>, "Processors that it ran on, by number from 0 within its cluster: `0-3 7`.";
    consumed_energy: &'a str, "Always empty.";
    metadata: Cow<'a, str>, "Account, partition and label of a job whose list has them, as in `account=physics;partition=cpu;label=4211_3`; of a trace, its partition.";
    replication: u32, "Replication, from 0.";
    organization: &'a str, "The organization that owns it.";
    cluster: &'a str, "The cluster it was sent to; empty if it was rejected.";
    user: u32, "Number of its user; 0 where nobody said.";
    runtime: Span, "How long it runs at unit speed if nobody kills it.";
    expected_time: Option<Span>, "How long schedulers expected it to run when it was submitted, at unit speed.";
    arrival: u64, "Its place among the arrivals of the replication, from 0.";
    start_order: Option<u64>, "Its place among the starts on its cluster, from 0.";
    + sent_time: Option<Time>, "When it got its cluster; only where jobs wait in the grid.";
}

/// Batsim's words for how a job ended, and two more for jobs that did not end.
pub mod state {
    /// It ran to its end.
    pub const COMPLETED: &str = "COMPLETED_SUCCESSFULLY";
    /// It was killed at its estimate.
    pub const KILLED: &str = "COMPLETED_WALLTIME_REACHED";
    /// No cluster it may use is large enough.
    pub const REJECTED: &str = "REJECTED";
    /// It was still running at the end of the run.
    pub const RUNNING: &str = "RUNNING";
    /// It was still waiting at the end of the run.
    pub const WAITING: &str = "WAITING";
    /// It was still under way to its cluster at the end of the run.
    pub const UNDER_WAY: &str = "UNDER_WAY";
}

/// Names that lines refer to.
#[derive(Clone, Debug)]
pub struct Names {
    /// Indexed by organization number.
    pub organizations: Vec<String>,
    /// Names and processors, indexed by cluster number.
    pub clusters: Vec<(String, u32)>,
    /// Indexed by source number.
    pub workloads: Vec<String>,
    /// Accounts, partitions and labels of jobs, indexed by source number; empty if there are none.
    pub tags: Vec<Option<Arc<Tags>>>,
}

/// Data kept for a job while it is in the system.
#[derive(Clone, Debug, Default)]
struct Known {
    arrival: u64,
    start_order: u64,
    /// Time at which it got its cluster; never while it waits in the grid, or if it never did.
    sent: Time,
    processors: IntervalSet,
}

impl Known {
    /// Time at which it got its cluster: its submission, if it never waited in the grid.
    fn sent_or(&self, submit: Time) -> Time {
        if self.sent == Time::NEVER { submit } else { self.sent }
    }
}

/// Writes the lines, as an [`Observer`].
#[derive(Debug)]
pub struct JobsCsv<W> {
    /// Destination of the lines.
    pub lines: Lines<W, Jobs>,
    arrivals: u64,
    starts: Vec<u64>,
    /// True if jobs wait in the grid.
    holds: bool,
    /// Named free processors of each cluster.
    free: Vec<IntervalSet>,
    /// Number of free processors of each cluster.
    idle: Vec<u64>,
    /// Jobs whose start was reported before the end of the job whose processors they take.
    ///
    /// Each is a cluster number, a job and its processors. These ends are reported at the same
    /// instant.
    early: Vec<(u32, JobId, u32)>,
    /// Indexed by slot of the job.
    known: Vec<Known>,
}

impl<W: Out> JobsCsv<W> {
    /// A writer for the lines of one replication; `holds` if jobs wait in the grid.
    pub fn new(out: W, names: Names, replication: u32, holds: bool) -> JobsCsv<W> {
        let clusters = names.clusters.iter();
        JobsCsv {
            free: clusters.clone().map(|&(_, count)| IntervalSet::full(count)).collect(),
            idle: clusters.map(|&(_, count)| count.into()).collect(),
            early: Vec::new(),
            starts: vec![0; names.clusters.len()],
            holds,
            arrivals: 0,
            known: Vec::new(),
            lines: Lines::of(out, Jobs::new(Arc::new(names), replication)),
        }
    }

    fn known(&mut self, id: JobId) -> &mut Known {
        if self.known.len() <= id.index() {
            self.known.resize_with(id.index() + 1, Known::default);
        }
        &mut self.known[id.index()]
    }

    /// Assigns the lowest free processors to a job.
    fn name_processors(&mut self, cluster: ClusterId, id: JobId, count: u32) {
        let processors = &mut self.known[id.index()].processors;
        self.free[cluster.index()].take_lowest_into(count, processors);
        self.idle[cluster.index()] -= u64::from(count);
    }

    /// Assigns processors to jobs that wait for them, in the order of their starts.
    #[cold]
    fn name_early(&mut self, cluster: ClusterId) {
        while let Some(place) = self.early.iter().position(|&(at, ..)| at == cluster.0) {
            let (_, id, count) = self.early[place];
            if self.idle[cluster.index()] < u64::from(count) {
                return;
            }
            self.early.remove(place);
            self.name_processors(cluster, id, count);
        }
    }
}

impl<W: Out> Observer for JobsCsv<W> {
    fn submitted(&mut self, Submitted { id, .. }: Submitted<'_>) {
        let arrival = self.arrivals;
        self.arrivals += 1;
        let known = self.known(id);
        (known.arrival, known.sent) = (arrival, Time::NEVER);
    }

    fn rejected(&mut self, job: &Job, _: Time) {
        let arrival = self.arrivals;
        self.arrivals += 1;
        let ended = Ended {
            job: *job,
            cluster: None,
            expected: None,
            state: state::REJECTED,
            start: None,
            finish: None,
            arrival,
            start_order: None,
            sent: self.holds.then_some(None),
        };
        self.lines.add(|jobs| jobs.push(ended, &mut IntervalSet::new()));
    }

    fn sent(&mut self, sent: Sent<'_>) {
        self.known(sent.id).sent = sent.now;
    }

    fn started(&mut self, Started { id, job, cluster, .. }: Started<'_>) {
        let order = self.starts[cluster.index()];
        self.starts[cluster.index()] += 1;
        self.known(id).start_order = order;
        let is_early = self.idle[cluster.index()] < u64::from(job.processors);
        if is_early || self.early.iter().any(|&(at, ..)| at == cluster.0) {
            self.early.push((cluster.0, id, job.processors));
        } else {
            self.name_processors(cluster, id, job.processors);
        }
    }

    fn finished(&mut self, finished: Finished<'_>) {
        let (cluster, id) = (finished.cluster, finished.id);
        let processors = &self.known[id.index()].processors;
        let given = self.free[cluster.index()].insert_all(processors);
        given.expect("a job gives back what it took");
        self.idle[cluster.index()] += u64::from(finished.job.processors);
        if !self.early.is_empty() {
            self.name_early(cluster);
        }
        let known = &mut self.known[id.index()];
        let ended = Ended {
            job: *finished.job,
            cluster: Some(cluster),
            expected: finished.expected,
            state: if finished.killed { state::KILLED } else { state::COMPLETED },
            start: Some(finished.start),
            finish: Some(finished.finish),
            arrival: known.arrival,
            start_order: Some(known.start_order),
            sent: self.holds.then(|| Some(known.sent_or(finished.job.submit))),
        };
        self.lines.add(|jobs| jobs.push(ended, &mut known.processors));
    }

    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        let mut known = std::mem::take(self.known(unfinished.id));
        let runs = unfinished.start.is_some();
        let ended = Ended {
            job: *unfinished.job,
            cluster: unfinished.cluster,
            expected: unfinished.expected,
            state: match runs {
                true => state::RUNNING,
                false if unfinished.is_under_way => state::UNDER_WAY,
                false => state::WAITING,
            },
            start: unfinished.start,
            finish: None,
            arrival: known.arrival,
            start_order: runs.then_some(known.start_order),
            sent: self
                .holds
                .then(|| unfinished.cluster.map(|_| known.sent_or(unfinished.job.submit))),
        };
        self.lines.add(|jobs| jobs.push(ended, &mut known.processors));
    }

    fn ended(&mut self, _: Time) {
        self.lines.flush();
    }
}

/// A pool's jobs have [lines of their own](crate::coalition::jobs).
impl<W: Out> PoolObserver for JobsCsv<W> {}

/// Lines already written are not part of the state.
impl<W: Out> State for JobsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        let known: Vec<_> = (self.known.iter())
            .map(|known| {
                let Known { arrival, start_order, sent, processors } = known;
                (arrival, start_order, sent, processors)
            })
            .collect();
        put(&(self.arrivals, &self.starts, &self.free, &self.early, known), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let known: Vec<(u64, u64, Time, IntervalSet)>;
        (self.arrivals, self.starts, self.free, self.early, known) = take(from)?;
        let known = known.into_iter();
        self.known = known
            .map(|(arrival, start_order, sent, processors)| Known {
                arrival,
                start_order,
                sent,
                processors,
            })
            .collect();
        self.idle = self.free.iter().map(IntervalSet::len).collect();
        Ok(())
    }
}
