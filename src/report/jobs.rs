//! `jobs.csv`: a line for every job, with Batsim's columns and more for an audit.
//!
//! Lines are written as jobs end (rejected jobs as they arrive, unfinished ones last), so the file
//! grows with the run and only jobs in the system are kept in memory. Times are exact decimals in
//! units.

use std::borrow::Cow;
use std::io::Write;

use super::record::{Lines, record};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::ids::{ClusterId, JobId};
use crate::model::interval_set::IntervalSet;
use crate::model::job::Job;
use crate::sim::observer::{Finished, Observer, Sent, Started, Submitted, Unfinished};

record! {
    /// A line of the file. The first seventeen columns are Batsim's.
    Line<'a>;
    job_id: u64, "Number in its workload.";
    workload_name: &'a str, "The workload it comes from.";
    profile: &'a str, "`rigid`.";
    submission_time: Time, "When it was submitted.";
    requested_number_of_resources: u32, "Processors.";
    requested_time: Span, "The user's estimate of its runtime, at unit speed.";
    success: bool, "True if it ran to its end.";
    final_state: &'a str, "One of the words in [`state`].";
    starting_time: Option<Time>, "When it started.";
    execution_time: Option<i128>, "From its start to its end, in ticks.";
    finish_time: Option<Time>, "When it ended.";
    waiting_time: Option<i128>, "From its submission to its start, in ticks.";
    turnaround_time: Option<i128>, "From its submission to its end, in ticks.";
    stretch: Option<f64>, "Turnaround by execution time.";
    allocated_resources: Option<Cow<'a, IntervalSet>>, "Processors that it held, by their numbers.";
    consumed_energy: &'a str, "Empty.";
    metadata: &'a str, "Empty.";
    replication: u32, "Replication, from 0.";
    organization: &'a str, "The organization that owns it.";
    cluster: &'a str, "The cluster it was sent to; empty if it was rejected.";
    user: u32, "Number of its user.";
    runtime: Span, "How long it runs at unit speed if nobody kills it.";
    expected_time: Option<Span>, "Its runtime as its scheduler expected it, at unit speed.";
    arrival: u64, "Rank among the submissions of the replication.";
    start_order: Option<u64>, "Rank among the starts on its cluster.";
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
}

/// Data kept for a job while it is in the system.
#[derive(Clone, Debug, Default)]
struct Known {
    arrival: u64,
    start_order: u64,
    /// When it got its cluster; never while it waits in the grid, or if it never did.
    sent: Time,
    processors: IntervalSet,
}

impl Known {
    /// When it got its cluster: at its submission, if it never waited in the grid.
    fn sent_or(&self, submit: Time) -> Time {
        if self.sent == Time::NEVER { submit } else { self.sent }
    }
}

/// Writes the lines, as an [`Observer`].
#[derive(Debug)]
pub struct JobsCsv<W> {
    /// Where the lines go.
    pub lines: Lines<W>,
    names: Names,
    replication: u32,
    arrivals: u64,
    starts: Vec<u64>,
    /// True if jobs wait in the grid.
    holds: bool,
    /// Named free processors of each cluster.
    free: Vec<IntervalSet>,
    /// How many these are.
    idle: Vec<u64>,
    /// Jobs whose start was reported before the end of the job whose processors they take.
    ///
    /// Each is a cluster number, a job and its processors. These ends are reported at the same
    /// instant.
    early: Vec<(u32, JobId, u32)>,
    /// Indexed by slot of the job.
    known: Vec<Known>,
}

impl<W: Write> JobsCsv<W> {
    /// A writer for the lines of one replication; `holds` if jobs wait in the grid.
    pub fn new(out: W, names: Names, replication: u32, holds: bool) -> JobsCsv<W> {
        let clusters = names.clusters.iter();
        JobsCsv {
            lines: Lines::new(out),
            free: clusters.clone().map(|&(_, count)| IntervalSet::full(count)).collect(),
            idle: clusters.map(|&(_, count)| count.into()).collect(),
            early: Vec::new(),
            starts: vec![0; names.clusters.len()],
            holds,
            names,
            replication,
            arrivals: 0,
            known: Vec::new(),
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

    fn write(&mut self, ended: &Ended<'_>) {
        self.lines.put(&ended.line(&self.names, self.replication));
    }
}

/// A job whose line is to be written.
struct Ended<'a> {
    job: &'a Job,
    cluster: Option<ClusterId>,
    expected: Option<Span>,
    state: &'static str,
    start: Option<Time>,
    finish: Option<Time>,
    arrival: u64,
    start_order: Option<u64>,
    processors: Option<&'a IntervalSet>,
    sent: Option<Option<Time>>,
}

impl<'a> Ended<'a> {
    #[inline]
    fn line(&self, names: &'a Names, replication: u32) -> Line<'a> {
        let &Ended { job, start, finish, .. } = self;
        let ticks = |from: Time, until: Time| (until - from).ticks();
        let ran = start.zip(finish).map(|(start, finish)| ticks(start, finish));
        let flow = finish.map(|finish| ticks(job.submit, finish));
        let stretch = flow.zip(ran.filter(|&ran| ran > 0));
        Line {
            job_id: job.number,
            workload_name: &names.workloads[job.source as usize],
            profile: "rigid",
            submission_time: job.submit,
            requested_number_of_resources: job.processors,
            requested_time: job.estimate,
            success: self.state == state::COMPLETED,
            final_state: self.state,
            starting_time: start,
            execution_time: ran.map(i128::from),
            finish_time: finish,
            waiting_time: start.map(|start| ticks(job.submit, start).into()),
            turnaround_time: flow.map(i128::from),
            stretch: stretch.map(|(flow, ran)| flow as f64 / ran as f64),
            allocated_resources: self.processors.map(Cow::Borrowed),
            consumed_energy: "",
            metadata: "",
            replication,
            organization: &names.organizations[job.organization.index()],
            cluster: self.cluster.map_or("", |cluster| &names.clusters[cluster.index()].0),
            user: job.user,
            runtime: job.runtime,
            expected_time: self.expected,
            arrival: self.arrival,
            start_order: self.start_order,
            sent_time: self.sent,
        }
    }
}

impl<W: Write> Observer for JobsCsv<W> {
    fn submitted(&mut self, Submitted { id, .. }: Submitted<'_>) {
        let arrival = self.arrivals;
        self.arrivals += 1;
        let known = self.known(id);
        (known.arrival, known.sent) = (arrival, Time::NEVER);
    }

    fn rejected(&mut self, job: &Job, _: Time) {
        let arrival = self.arrivals;
        self.arrivals += 1;
        self.write(&Ended {
            job,
            cluster: None,
            expected: None,
            state: state::REJECTED,
            start: None,
            finish: None,
            arrival,
            start_order: None,
            processors: None,
            sent: self.holds.then_some(None),
        });
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
        let known = &self.known[id.index()];
        let ended = Ended {
            job: finished.job,
            cluster: Some(cluster),
            expected: finished.expected,
            state: if finished.killed { state::KILLED } else { state::COMPLETED },
            start: Some(finished.start),
            finish: Some(finished.finish),
            arrival: known.arrival,
            start_order: Some(known.start_order),
            processors: Some(&known.processors),
            sent: self.holds.then(|| Some(known.sent_or(finished.job.submit))),
        };
        self.lines.put(&ended.line(&self.names, self.replication));
        self.known[id.index()].processors.clear();
    }

    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        let known = std::mem::take(self.known(unfinished.id));
        let runs = unfinished.start.is_some();
        self.write(&Ended {
            job: unfinished.job,
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
            processors: runs.then_some(&known.processors),
            sent: self
                .holds
                .then(|| unfinished.cluster.map(|_| known.sent_or(unfinished.job.submit))),
        });
    }

    fn ended(&mut self, _: Time) {
        self.lines.flush();
    }
}

/// Lines already written are not part of the state.
impl<W: Write> State for JobsCsv<W> {
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
