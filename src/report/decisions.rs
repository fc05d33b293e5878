//! `decisions.csv`: the reason why each job waited, and how it came to start.
//!
//! A job gets a line whenever the reason for its wait changes, and one when it starts. Its last
//! line before a given time tells what held then, without a gap from submission to start; if
//! several lines have the same time, the last one holds.
//!
//! The reason has changed if the decision, the blocking job or the expected start is different. The
//! number of free processors is that at the time of the line.

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

/// Column names, in order.
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

/// Values of the `decision` column.
pub mod decision {
    /// The job could have used this cluster, but another one was less loaded.
    pub const CANDIDATE: &str = "candidate";
    /// The job was sent to this one of several clusters.
    pub const CHOSEN: &str = "chosen";
    /// It waits behind another job, because jobs start strictly in order.
    pub const AHEAD: &str = "ahead";
    /// It waits for processors.
    pub const PROCESSORS: &str = "processors";
    /// It waits because the free processors are reserved.
    pub const RESERVATION: &str = "reservation";
    /// It waits for a job that should have ended by now.
    pub const OVERDUE: &str = "overdue";
    /// It started, and no earlier job is still waiting on the cluster.
    pub const STARTED: &str = "started";
    /// It started before a job that came earlier (overtook it).
    pub const OVERTOOK: &str = "overtook";
}

/// Writes the header line.
///
/// # Errors
/// If `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

/// Name of a job in the file: its source and its number there.
type Name = (u32, u64);

/// The last line written for a waiting job, to detect changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    decision: u8,
    by: Option<Name>,
    start: Option<Time>,
}

/// Data kept for a job while it is in the system.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Known {
    arrival: u64,
    told: Option<Told>,
}

/// Writes the lines of one replication, as an [`Observer`].
///
/// An observer cannot fail in the middle of an instant, so the first error is kept and nothing is
/// written after it; the caller fetches it with [`trouble`](DecisionsCsv::trouble). The time for a
/// decision is proportional to the number of jobs waiting on its cluster; memory is proportional to
/// the number of jobs in the system.
#[derive(Debug)]
pub struct DecisionsCsv<W> {
    out: W,
    names: Names,
    replication: u32,
    arrivals: u64,
    /// Indexed by slot of the job.
    known: Vec<Known>,
    line: Vec<u8>,
    trouble: Option<io::Error>,
}

/// Fields of a line to be written.
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
    /// A writer for the lines of one replication.
    pub fn new(out: W, names: Names, replication: u32) -> DecisionsCsv<W> {
        let line = Vec::with_capacity(256);
        let known = Vec::new();
        DecisionsCsv { out, names, replication, arrivals: 0, known, line, trouble: None }
    }

    /// Takes the first write error, if there was one.
    pub fn trouble(&mut self) -> Option<io::Error> {
        self.trouble.take()
    }

    /// True if a write failed.
    pub fn is_troubled(&self) -> bool {
        self.trouble.is_some()
    }

    /// The underlying writer.
    pub fn out_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives back the underlying writer.
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

/// Translates a reason into the fields of a line.
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

/// The part of a line that makes it a change of the reason.
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
        // The earliest of the waiting jobs.
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

/// The underlying writer is not part of the state; the caller restores it.
impl<W: Write> State for DecisionsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.arrivals, &self.known), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.arrivals, self.known) = take(from)?;
        Ok(())
    }
}
