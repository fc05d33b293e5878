//! `jobs.csv`: a line for every job, with Batsim's columns and more for an audit.
//!
//! Lines are written as jobs end (rejected jobs as they arrive, unfinished ones last), so the file
//! grows with the run and only jobs in the system are kept in memory. Times are exact decimals in
//! units.

use std::io::{self, Write};

use super::line::{comma_integer, integer, span, text};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::ids::{ClusterId, JobId};
use crate::model::interval_set::IntervalSet;
use crate::model::job::Job;
use crate::sim::observer::{Finished, Observer, Started, Unfinished};

/// Column names, in order. The first seventeen are Batsim's.
pub const COLUMNS: [&str; 25] = [
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "allocated_resources",
    "consumed_energy",
    "metadata",
    "replication",
    "organization",
    "cluster",
    "user",
    "runtime",
    "expected_time",
    "arrival",
    "start_order",
];

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
    processors: IntervalSet,
}

/// Writes the lines, as an [`Observer`].
///
/// An observer cannot fail in the middle of an instant, so the first error is kept and nothing is
/// written after it; the caller fetches it with [`trouble`](JobsCsv::trouble).
#[derive(Debug)]
pub struct JobsCsv<W> {
    out: W,
    names: Names,
    replication: u32,
    arrivals: u64,
    starts: Vec<u64>,
    /// Named free processors of each cluster.
    free: Vec<IntervalSet>,
    /// Jobs whose start was reported before the end of the job whose processors they take.
    ///
    /// Each is a cluster number, a job and its processors. These ends are reported at the same
    /// instant.
    early: Vec<(u32, JobId, u32)>,
    /// Indexed by slot of the job.
    known: Vec<Known>,
    line: Vec<u8>,
    lines: u64,
    trouble: Option<io::Error>,
}

/// Writes the header line.
///
/// # Errors
/// If `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))
}

impl<W: Write> JobsCsv<W> {
    /// A writer for the lines of one replication.
    pub fn new(out: W, names: Names, replication: u32) -> JobsCsv<W> {
        let free = names.clusters.iter().map(|&(_, processors)| IntervalSet::full(processors));
        JobsCsv {
            out,
            free: free.collect(),
            early: Vec::new(),
            starts: vec![0; names.clusters.len()],
            names,
            replication,
            arrivals: 0,
            known: Vec::new(),
            line: Vec::with_capacity(256),
            lines: 0,
            trouble: None,
        }
    }

    /// Takes the first write error, if there was one.
    pub fn trouble(&mut self) -> Option<io::Error> {
        self.trouble.take()
    }

    /// True if a write failed.
    pub fn is_troubled(&self) -> bool {
        self.trouble.is_some()
    }

    /// The underlying writer, for use between two lines.
    pub fn out_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives back the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn known(&mut self, id: JobId) -> &mut Known {
        if self.known.len() <= id.index() {
            self.known.resize_with(id.index() + 1, Known::default);
        }
        &mut self.known[id.index()]
    }

    /// Assigns the lowest free processors to a job.
    fn name_processors(&mut self, cluster: ClusterId, id: JobId, count: u32) {
        let mut processors = std::mem::take(&mut self.known(id).processors);
        self.free[cluster.index()].take_lowest_into(count, &mut processors);
        self.known(id).processors = processors;
    }

    /// Assigns processors to jobs that wait for them, in the order of their starts.
    #[cold]
    fn name_early(&mut self, cluster: ClusterId) {
        while let Some(place) = self.early.iter().position(|&(at, ..)| at == cluster.0) {
            let (_, id, count) = self.early[place];
            if self.free[cluster.index()].len() < u64::from(count) {
                return;
            }
            self.early.remove(place);
            self.name_processors(cluster, id, count);
        }
    }

    fn write(&mut self, record: &Record<'_>) {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        record.fields(&self.names, self.replication, &mut line);
        line.push(b'\n');
        if self.trouble.is_none() {
            self.trouble = self.out.write_all(&line).err();
        }
        self.lines += 1;
        self.line = line;
    }
}

/// Fields of a line to be written.
struct Record<'a> {
    job: &'a Job,
    cluster: Option<ClusterId>,
    expected: Option<Span>,
    state: &'static str,
    start: Option<Time>,
    finish: Option<Time>,
    arrival: u64,
    start_order: Option<u64>,
    processors: Option<&'a IntervalSet>,
}

impl Record<'_> {
    fn fields(&self, names: &Names, replication: u32, line: &mut Vec<u8>) {
        let job = self.job;
        let ran = self.start.zip(self.finish).map(|(start, finish)| finish - start);
        let flow = self.finish.map(|finish| finish - job.submit);
        integer(line, job.number);
        text(line, &names.workloads[job.source as usize]);
        text(line, "rigid");
        span(line, Some(job.submit - Time::ZERO));
        comma_integer(line, u64::from(job.processors));
        span(line, Some(job.estimate));
        comma_integer(line, u64::from(self.state == state::COMPLETED));
        text(line, self.state);
        span(line, self.start.map(|start| start - Time::ZERO));
        span(line, ran);
        span(line, self.finish.map(|finish| finish - Time::ZERO));
        span(line, self.start.map(|start| start - job.submit));
        span(line, flow);
        line.push(b',');
        if let (Some(flow), Some(ran)) = (flow, ran.filter(|&ran| ran > Span::ZERO)) {
            let stretch = flow.ticks() as f64 / ran.ticks() as f64;
            let _ = write!(line, "{stretch}");
        }
        line.push(b',');
        if let Some(processors) = self.processors {
            let _ = write!(line, "{processors}");
        }
        line.extend_from_slice(b",,");
        comma_integer(line, u64::from(replication));
        text(line, &names.organizations[job.organization.index()]);
        text(line, self.cluster.map_or("", |cluster| &*names.clusters[cluster.index()].0));
        comma_integer(line, u64::from(job.user));
        span(line, Some(job.runtime));
        span(line, self.expected);
        comma_integer(line, self.arrival);
        match self.start_order {
            Some(order) => comma_integer(line, order),
            None => line.push(b','),
        }
    }
}

impl<W: Write> Observer for JobsCsv<W> {
    fn submitted(&mut self, id: JobId, _: &Job, _: Time) {
        let arrival = self.arrivals;
        self.arrivals += 1;
        self.known(id).arrival = arrival;
    }

    fn rejected(&mut self, job: &Job, _: Time) {
        let arrival = self.arrivals;
        self.arrivals += 1;
        self.write(&Record {
            job,
            cluster: None,
            expected: None,
            state: state::REJECTED,
            start: None,
            finish: None,
            arrival,
            start_order: None,
            processors: None,
        });
    }

    fn started(&mut self, Started { id, job, cluster, .. }: Started<'_>) {
        let order = self.starts[cluster.index()];
        self.starts[cluster.index()] += 1;
        self.known(id).start_order = order;
        let is_early = self.free[cluster.index()].len() < u64::from(job.processors);
        if is_early || self.early.iter().any(|&(at, ..)| at == cluster.0) {
            self.early.push((cluster.0, id, job.processors));
        } else {
            self.name_processors(cluster, id, job.processors);
        }
    }

    fn finished(&mut self, finished: Finished<'_>) {
        let mut known = std::mem::take(self.known(finished.id));
        self.free[finished.cluster.index()]
            .insert_all(&known.processors)
            .expect("a job gives back what it took");
        if !self.early.is_empty() {
            self.name_early(finished.cluster);
        }
        self.write(&Record {
            job: finished.job,
            cluster: Some(finished.cluster),
            expected: finished.expected,
            state: if finished.killed { state::KILLED } else { state::COMPLETED },
            start: Some(finished.start),
            finish: Some(finished.finish),
            arrival: known.arrival,
            start_order: Some(known.start_order),
            processors: Some(&known.processors),
        });
        known.processors.clear();
        *self.known(finished.id) = known;
    }

    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        let known = std::mem::take(self.known(unfinished.id));
        let runs = unfinished.start.is_some();
        self.write(&Record {
            job: unfinished.job,
            cluster: Some(unfinished.cluster),
            expected: unfinished.expected,
            state: if runs { state::RUNNING } else { state::WAITING },
            start: unfinished.start,
            finish: None,
            arrival: known.arrival,
            start_order: runs.then_some(known.start_order),
            processors: runs.then_some(&known.processors),
        });
    }

    fn ended(&mut self, _: Time) {
        if self.trouble.is_none() {
            self.trouble = self.out.flush().err();
        }
    }
}

/// Lines already written are not part of the state; on resume the caller cuts the file to `lines`.
impl<W: Write> State for JobsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        let known: Vec<_> = (self.known.iter())
            .map(|known| (known.arrival, known.start_order, &known.processors))
            .collect();
        put(&(self.arrivals, &self.starts, &self.free, &self.early, known, self.lines), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let known: Vec<(u64, u64, IntervalSet)>;
        (self.arrivals, self.starts, self.free, self.early, known, self.lines) = take(from)?;
        let known = known.into_iter();
        self.known = known
            .map(|(arrival, start_order, processors)| Known { arrival, start_order, processors })
            .collect();
        Ok(())
    }
}
