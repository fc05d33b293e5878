//! `decisions.csv`: the reason why each job waited, and how it came to start.
//!
//! A job gets a line whenever the reason for its wait changes, and one when it starts. Its last
//! line before a given time tells what held then, without a gap from submission to start; if
//! several lines have the same time, the last one holds.
//!
//! The reason has changed if the decision, the blocking job or the expected start is different. The
//! number of free processors is that at the time of the line.

use serde::{Deserialize, Serialize};

use super::field::Field;
use super::jobs::Names;
use super::lines::{Lines, Out};
use super::record::record;
use super::text::Text;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Time;
use model::ids::{ClusterId, JobId};
use model::job::Job;
use policy::local::Reason;
use sim::observer::{Chosen, Decided, Observer, Submitted};

record! {
    /// A line of the file.
    Line<'a>;
    replication: u32, "Replication, from 0.";
    time: Time, "When it was decided.";
    cluster: &'a str, "The cluster.";
    workload_name: &'a str, "The workload of the job.";
    job_id: u64, "Number of the job in its workload.";
    decision: Decision, "What was decided: `ahead`, `processors`, `reservation`, `overdue`, `started`, `overtook`, `chosen` or `candidate`.";
    by_workload: &'a str, "Workload of the job that holds it or was overtaken; empty if none.";
    by_job: Option<u64>, "Number of that job.";
    due: Option<Time>, "`reservation`: when that job is to start; `overdue`: when it should have ended.";
    expected_start: Option<Time>, "When the job itself was expected to start, where that was promised or can be told.";
    needs: u32, "Processors that it needs.";
    free: Option<u32>, "Processors that the decision left free.";
    extra: Option<u32>, "`reservation` under EASY: processors left over at `due`, for whoever holds them longer.";
    demand: Option<u64>, "`chosen` and `candidate`: processors that running and waiting jobs asked for there.";
}

/// A decision about a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// The job could have used this cluster, but another one was less loaded.
    #[default]
    Candidate,
    /// The job was sent to this one of several clusters.
    Chosen,
    /// It waits behind another job, because jobs start strictly in order.
    Ahead,
    /// It waits for processors.
    Processors,
    /// It waits because the free processors are reserved.
    Reservation,
    /// It waits for a job that should have ended by now.
    Overdue,
    /// It started, and no earlier job is still waiting on the cluster.
    Started,
    /// It started before a job that came earlier (overtook it).
    Overtook,
}

const WORDS: [(Decision, &str); 8] = [
    (Decision::Candidate, "candidate"),
    (Decision::Chosen, "chosen"),
    (Decision::Ahead, "ahead"),
    (Decision::Processors, "processors"),
    (Decision::Reservation, "reservation"),
    (Decision::Overdue, "overdue"),
    (Decision::Started, "started"),
    (Decision::Overtook, "overtook"),
];

impl Decision {
    /// Its word in the file.
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(one, _)| *one == self).expect("every one has a word").1
    }

    /// True if it says why the job waits.
    pub fn is_reason(self) -> bool {
        use Decision::{Ahead, Overdue, Processors, Reservation};
        matches!(self, Ahead | Processors | Reservation | Overdue)
    }
}

impl Field<'_> for Decision {
    const FORM: &'static str = "a decision";
    fn put(&self, line: &mut Text) {
        self.word().put(line);
    }
    fn parse(text: &str) -> Option<Decision> {
        WORDS.iter().find(|(_, word)| *word == text).map(|&(decision, _)| decision)
    }
}

/// Name of a job in the file: its source and its number there.
type Name = (u32, u64);

/// The last line written for a waiting job, to detect changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    decision: Decision,
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
/// The time for a decision is proportional to the number of jobs waiting on its cluster; memory is
/// proportional to the number of jobs in the system.
#[derive(Debug)]
pub struct DecisionsCsv<W> {
    /// Destination of the lines.
    pub lines: Lines<W>,
    names: Names,
    replication: u32,
    arrivals: u64,
    /// Indexed by slot of the job.
    known: Vec<Known>,
}

/// A decision to be written.
#[derive(Clone, Copy, Default)]
struct Content {
    decision: Decision,
    by: Option<Name>,
    due: Option<Time>,
    start: Option<Time>,
    needs: u32,
    free: Option<u32>,
    extra: Option<u32>,
    demand: Option<u64>,
}

impl<W: Out> DecisionsCsv<W> {
    /// A writer for the lines of one replication.
    pub fn new(out: W, names: Names, replication: u32) -> DecisionsCsv<W> {
        let (lines, known) = (Lines::new(out), Vec::new());
        DecisionsCsv { lines, names, replication, arrivals: 0, known }
    }

    fn write(&mut self, now: Time, cluster: ClusterId, (source, number): Name, content: Content) {
        let workload = |source: u32| &*self.names.workloads[source as usize];
        let known = |time: Option<Time>| time.filter(|&time| time != Time::NEVER);
        let line = Line {
            replication: self.replication,
            time: now,
            cluster: &self.names.clusters[cluster.index()].0,
            workload_name: workload(source),
            job_id: number,
            decision: content.decision,
            by_workload: content.by.map_or("", |(source, _)| workload(source)),
            by_job: content.by.map(|(_, number)| number),
            due: known(content.due),
            expected_start: known(content.start),
            needs: content.needs,
            free: content.free,
            extra: content.extra,
            demand: content.demand,
        };
        self.lines.put(&line);
    }
}

fn name(job: &Job) -> Name {
    (job.source, job.number)
}

/// Translates a reason into the fields of a line.
fn content_of(reason: Reason, decided: &Decided<'_>) -> Content {
    let named = |id: JobId| name(&decided.jobs.get(id).job);
    match reason {
        Reason::Ahead { job } => {
            Content { decision: Decision::Ahead, by: Some(named(job)), ..Content::default() }
        }
        Reason::Processors { start, after } => {
            let by = after.map(named);
            Content { decision: Decision::Processors, by, start, ..Content::default() }
        }
        Reason::Reservation { holder, start, extra } => Content {
            decision: Decision::Reservation,
            by: holder.map(|holder| named(holder.job)),
            due: holder.map(|holder| holder.due),
            start,
            extra,
            ..Content::default()
        },
        Reason::Overdue { job, due } => {
            let by = Some(named(job));
            Content { decision: Decision::Overdue, by, due: Some(due), ..Content::default() }
        }
    }
}

/// The part of a line that makes it a change of the reason.
fn told(content: &Content) -> Told {
    Told { decision: content.decision, by: content.by, start: content.start }
}

impl<W: Out> Observer for DecisionsCsv<W> {
    fn submitted(&mut self, Submitted { id, .. }: Submitted<'_>) {
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
            let decision = if is_it { Decision::Chosen } else { Decision::Candidate };
            let (needs, demand) = (chosen.job.processors, Some(demand));
            let line = Content { decision, needs, demand, ..Content::default() };
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
            let decision = if by.is_some() { Decision::Overtook } else { Decision::Started };
            let job = &decided.jobs.get(id).job;
            let line = Content { decision, by, needs: job.processors, free, ..Content::default() };
            self.write(now, cluster, name(job), line);
        }
        for &(id, reason) in decided.waiting {
            let content = content_of(reason, &decided);
            let told = Some(told(&content));
            let known = &mut self.known[id.index()];
            if known.told != told {
                known.told = told;
                let job = &decided.jobs.get(id).job;
                self.write(
                    now,
                    cluster,
                    name(job),
                    Content { needs: job.processors, free, ..content },
                );
            }
        }
    }

    fn ended(&mut self, _: Time) {
        self.lines.flush();
    }
}

/// The underlying writer is not part of the state; the caller restores it.
impl<W: Out> State for DecisionsCsv<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.arrivals, &self.known), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.arrivals, self.known) = take(from)?;
        Ok(())
    }
}
