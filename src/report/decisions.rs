//! `decisions.csv`: why each job waited, and how it came to start.
//!
//! A line for a job whenever the reason for which it waits changes, and one when it starts. So of
//! several lines of a job the last one before a time says what held then; from its submission to
//! its start there is no gap. Of lines of one instant the last holds.
//!
//! What counts as a change is the decision, the job that holds it, and when it is expected to
//! start; the processors that are free are those of the moment in which the line was written.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::jobs::Names;
use super::line::{comma_integer, integer, span, text};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::model::ids::{ClusterId, JobId};
use crate::model::job::Job;
use crate::policy::local::Reason;
use crate::sim::observer::{Chosen, Decided, Observer};

/// The columns, in order.
pub const COLUMNS: [&str; 14] = [
    "replication",
    "time",
    "cluster",
    "workload_name",
    "job_id",
    "decision",
    "by_workload",
    "by_job",
    "due",
    "expected_start",
    "needs",
    "free",
    "extra",
    "demand",
];

/// What a line is about.
pub mod decision {
    /// The job may use this cluster, which was not the least loaded.
    pub const CANDIDATE: &str = "candidate";
    /// The job was sent to this one of several clusters.
    pub const CHOSEN: &str = "chosen";
    /// It waits behind another: jobs start strictly in an order.
    pub const AHEAD: &str = "ahead";
    /// It waits for processors.
    pub const PROCESSORS: &str = "processors";
    /// It waits since the processors that are free are reserved.
    pub const RESERVATION: &str = "reservation";
    /// It waits for a job that should have ended.
    pub const OVERDUE: &str = "overdue";
    /// It started; no job that came earlier still waits on the cluster.
    pub const STARTED: &str = "started";
    /// It started before one that came earlier.
    pub const OVERTOOK: &str = "overtook";
}

/// Writes the line of column names.
///
/// # Errors
/// When `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// A job as lines name it: its source and its number there.
type Name = (u32, u64);

/// What was last written of a job that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    decision: u8,
    by: Option<Name>,
    start: Option<Time>,
}

/// What is remembered of a job while it is alive.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Known {
    arrival: u64,
    told: Option<Told>,
}

/// Writes the lines of one replication; an [`Observer`].
///
/// Writing cannot be refused in the middle of an instant, so the first error is kept and nothing is
/// written after it; whoever runs the grid asks for it with [`trouble`](DecisionsCsv::trouble).
/// A decision costs time in proportion to the jobs that wait on its cluster; what is kept follows
/// the jobs that are alive.
#[derive(Debug)]
pub struct DecisionsCsv<W> {
    out: W,
    names: Names,
    replication: u32,
    arrivals: u64,
    /// By slot.
    known: Vec<Known>,
    line: Vec<u8>,
    trouble: Option<io::Error>,
}

/// A line to be.
#[derive(Clone, Copy, Default)]
struct Line {
    decision: &'static str,
    by: Option<Name>,
    due: Option<Time>,
    start: Option<Time>,
    needs: u32,
    free: Option<u32>,
    extra: Option<u32>,
    demand: Option<u64>,
}

impl<W: Write> DecisionsCsv<W> {
    /// A writer of the lines of one replication.
    pub fn new(out: W, names: Names, replication: u32) -> DecisionsCsv<W> {
        let line = Vec::with_capacity(256);
        let known = Vec::new();
        DecisionsCsv { out, names, replication, arrivals: 0, known, line, trouble: None }
    }

    /// The first error of writing, if there was one.
    pub fn trouble(&mut self) -> Option<io::Error> {
        self.trouble.take()
    }

    /// Was there an error of writing?
    pub fn is_troubled(&self) -> bool {
        self.trouble.is_some()
    }

    /// What is written to.
    pub fn out_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives back what is written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn write(&mut self, now: Time, cluster: ClusterId, (source, number): Name, content: Line) {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        let time = |line: &mut Vec<u8>, time: Option<Time>| {
            span(line, time.filter(|&time| time != Time::NEVER).map(|time| time - Time::ZERO));
        };
        let count = |line: &mut Vec<u8>, count: Option<u64>| match count {
            Some(count) => comma_integer(line, count),
            None => line.push(b','),
        };
        integer(&mut line, self.replication.into());
        time(&mut line, Some(now));
        text(&mut line, &self.names.clusters[cluster.index()].0);
        text(&mut line, &self.names.workloads[source as usize]);
        comma_integer(&mut line, number);
        text(&mut line, content.decision);
        let workload = content.by.map(|(source, _)| &*self.names.workloads[source as usize]);
        text(&mut line, workload.unwrap_or_default());
        count(&mut line, content.by.map(|(_, number)| number));
        time(&mut line, content.due);
        time(&mut line, content.start);
        comma_integer(&mut line, content.needs.into());
        count(&mut line, content.free.map(u64::from));
        count(&mut line, content.extra.map(u64::from));
        count(&mut line, content.demand);
        line.push(b'\n');
        if self.trouble.is_none() {
            self.trouble = self.out.write_all(&line).err();
        }
        self.line = line;
    }
}

fn name(job: &Job) -> Name {
    (job.source, job.number)
}

/// What a reason says, under the word for it.
fn line_of(reason: Reason, decided: &Decided<'_>) -> Line {
    let named = |id: JobId| name(&decided.jobs.get(id).job);
    match reason {
        Reason::Ahead { job } => {
            Line { decision: decision::AHEAD, by: Some(named(job)), ..Line::default() }
        }
        Reason::Processors { start, after } => {
            let by = after.map(named);
            Line { decision: decision::PROCESSORS, by, start, ..Line::default() }
        }
        Reason::Reservation { holder, start, extra } => Line {
            decision: decision::RESERVATION,
            by: holder.map(|holder| named(holder.job)),
            due: holder.map(|holder| holder.due),
            start,
            extra,
            ..Line::default()
        },
        Reason::Overdue { job, due } => {
            let by = Some(named(job));
            Line { decision: decision::OVERDUE, by, due: Some(due), ..Line::default() }
        }
    }
}

/// What a change of is a change of the reason.
fn told(reason: Reason, line: &Line) -> Told {
    let decision = match reason {
        Reason::Ahead { .. } => 0,
        Reason::Processors { .. } => 1,
        Reason::Reservation { .. } => 2,
        Reason::Overdue { .. } => 3,
    };
    Told { decision, by: line.by, start: line.start }
}

impl<W: Write> Observer for DecisionsCsv<W> {
    fn submitted(&mut self, id: JobId, _: &Job, _: Time) {
        if self.known.len() <= id.index() {
            self.known.resize_with(id.index() + 1, Known::default);
        }
        self.known[id.index()] = Known { arrival: self.arrivals, told: None };
        self.arrivals += 1;
    }

    fn asks_why(&self) -> bool {
        true
    }

    fn chosen(&mut self, chosen: Chosen<'_>) {
        for &(cluster, demand) in chosen.demands {
            let is_it = cluster == chosen.cluster;
            let decision = if is_it { decision::CHOSEN } else { decision::CANDIDATE };
            let (needs, demand) = (chosen.job.processors, Some(demand));
            let line = Line { decision, needs, demand, ..Line::default() };
            self.write(chosen.now, cluster, name(chosen.job), line);
        }
    }

    fn decided(&mut self, decided: Decided<'_>) {
        let Decided { cluster, now, free, .. } = decided;
        // Of those who wait, who came first.
        let waiting = decided.waiting.iter();
        let first = waiting.map(|&(id, _)| (self.known[id.index()].arrival, id)).min();
        for &id in decided.started {
            let arrival = self.known[id.index()].arrival;
            let overtaken = first.filter(|&(earlier, _)| earlier < arrival);
            let by = overtaken.map(|(_, id)| name(&decided.jobs.get(id).job));
            let decision = if by.is_some() { decision::OVERTOOK } else { decision::STARTED };
            let job = &decided.jobs.get(id).job;
            let line = Line { decision, by, needs: job.processors, free, ..Line::default() };
            self.write(now, cluster, name(job), line);
        }
        for &(id, reason) in decided.waiting {
            let line = line_of(reason, &decided);
            let told = Some(told(reason, &line));
            let known = &mut self.known[id.index()];
            if known.told != told {
                known.told = told;
                let job = &decided.jobs.get(id).job;
                self.write(now, cluster, name(job), Line { needs: job.processors, free, ..line });
            }
        }
    }

    fn ended(&mut self, _: Time) {
        if self.trouble.is_none() {
            self.trouble = self.out.flush().err();
        }
    }
}

/// Where the lines go is not saved; whoever goes on with them sees to it.
impl<W: Write> State for DecisionsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.arrivals, &self.known), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.arrivals, self.known) = take(from)?;
        Ok(())
    }
}
