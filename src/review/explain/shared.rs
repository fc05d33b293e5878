//! Explains the finish time of a job of a coalition.
//!
//! Replays the queue of its organization from the recorded jobs and moves. The replay must
//! reproduce every finish promised at submission; if one differs, because jobs that do not count
//! were not recorded, the queue is left out.

use std::cmp::Ordering;
use std::path::Path;

use super::words::{self, listed, long, when};
use super::{ExplainError, Near, WhichJob, has, question};
use kernel::order::InOrder as _;
use kernel::time::{Span, Time};
use records::coalition::{jobs, moves};
use records::record::Record as _;
use records::recorded::Rows;
use report::coalition::entry::CoalitionEntry;
use report::files::Manifest;
use report::table::Table;
use sim::pool::{Balances, Queue};
use stats::shown;

/// Most entries that are described from each list.
const SHOWN: (&str, usize) = ("  ", 8);

/// A job of a coalition's `jobs.csv`.
#[derive(Clone, Debug)]
pub struct SharedJob {
    /// The replication.
    pub replication: u32,
    /// The round.
    pub round: u64,
    /// The organization that owns it.
    pub organization: String,
    /// Its number within the organization.
    pub number: u64,
    /// Submission time.
    pub submit: Time,
    /// Its work, as the runtime on a dedicated cluster.
    pub load: Span,
    /// Time at which its last part finished.
    pub finish: Time,
    /// Latest finish, promised at submission.
    pub promised: Time,
    /// Counterfactual finish, had its organization stayed out.
    pub alone: Time,
}

/// A job of a coalition with its history.
#[derive(Debug)]
pub struct Replayed {
    /// The job.
    pub job: SharedJob,
    /// Work ahead of it at submission.
    pub in_front: Span,
    /// The queue at submission, if it could be replayed.
    pub queued: Option<Queued>,
    /// Balancings in which its organization sent or received work before the job finished.
    pub balancings: Vec<Balancing>,
}

/// The queue at a job's submission.
#[derive(Debug)]
pub struct Queued {
    /// Own jobs ahead, each with its planned finish.
    pub own: Vec<(u64, Time)>,
    /// Work ahead up to the end of the last foreign work.
    pub foreign: Span,
}

/// A balancing that involved the organization.
#[derive(Debug)]
pub struct Balancing {
    /// Its number in the replication.
    pub number: u64,
    /// Its time.
    pub time: Time,
    /// The transfers, each with its partner and amount.
    pub sent: Vec<Sent>,
    /// Planned finish of the job before and after it, if known.
    pub planned: Option<[Time; 2]>,
}

/// A transfer of work.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The other organization.
    pub with: String,
    /// True for work received.
    pub is_received: bool,
    /// Amount of work.
    pub amount: Span,
    /// Latest finish of that work.
    pub promised: Time,
}

/// A line of `moves.csv` that involves the organization.
struct Move {
    balancing: u64,
    time: Time,
    sent: Sent,
}

/// Explains the job of a coalition.
///
/// # Errors
/// Fails if files are missing or are not what a run writes, or if no job or more than one job
/// matches.
pub fn why_shared(
    folder: &Path,
    manifest: &Manifest,
    coalition: &CoalitionEntry,
    which: &WhichJob,
) -> Result<Replayed, ExplainError> {
    for kind in ["jobs", "moves"] {
        if !has(manifest, kind) {
            return Err(question(
                format!("the run wrote no {kind}.csv"),
                "set `output.jobs = true` and `output.moves = true` and run again",
            ));
        }
    }
    if which.workload.is_some() {
        let help = "say `--organization` instead";
        return Err(question("in a coalition every organization has its own jobs", help));
    }
    which.check(manifest)?;
    let job = find(folder, which, coalition)?;
    let (own, moves) = around(folder, &job, coalition.continuing)?;
    let mut replayed = Replayed {
        in_front: (job.promised - job.load) - job.submit,
        queued: None,
        balancings: Vec::new(),
        job,
    };
    let job = &replayed.job;
    let served = serve(job, &own, &moves, coalition);
    let (queued, planned) =
        served.map_or((None, Vec::new()), |(queued, planned)| (Some(queued), planned));
    replayed.queued = queued;
    let mut number = None;
    for one in &moves {
        if one.time < job.submit || one.time >= job.finish {
            continue;
        }
        if number != Some(one.balancing) {
            let planned = planned.iter().find(|(balancing, _)| *balancing == one.balancing);
            replayed.balancings.push(Balancing {
                number: one.balancing,
                time: one.time,
                sent: Vec::new(),
                planned: planned.map(|&(_, planned)| planned),
            });
            number = Some(one.balancing);
        }
        if let Some(balancing) = replayed.balancings.last_mut() {
            balancing.sent.push(one.sent.clone());
        }
    }
    Ok(replayed)
}

impl SharedJob {
    fn of(line: &jobs::Line<'_>) -> SharedJob {
        SharedJob {
            replication: line.replication,
            round: line.round,
            organization: line.organization.to_owned(),
            number: line.job_id,
            submit: line.submission_time,
            load: line.load,
            finish: line.finish_time,
            promised: line.promised,
            alone: line.finish_alone,
        }
    }
}

/// Finds the job in question.
fn find(
    folder: &Path,
    which: &WhichJob,
    coalition: &CoalitionEntry,
) -> Result<SharedJob, ExplainError> {
    let mut rows = Rows::found(folder, "jobs")?;
    let mut near = Near::new(which.number);
    while let Some(row) = rows.read()? {
        let line = jobs::Line::read(&row)?;
        if which.organization.as_ref().is_none_or(|name| name == line.organization)
            && which.replication.is_none_or(|one| one == line.replication)
            && which.round.is_none_or(|one| one == line.round)
        {
            near.add(line.job_id, || SharedJob::of(&line));
        }
    }
    let none =
        || format!("no job is there at all; rounds are 0 to {}", coalition.rounds.max(1) - 1);
    near.only(none, |found| {
        let SharedJob { organization, replication, round, .. } = &found[found.len().min(2) - 1];
        format!(
            "say which one is meant, such as `--organization '{organization}' --replication {replication} \
             --round {round}`"
        )
    })
}

/// The organization's jobs by submission and its moves in order: of the job's round, or of all
/// rounds up to it if rounds continue.
fn around(
    folder: &Path,
    job: &SharedJob,
    continuing: bool,
) -> Result<(Vec<SharedJob>, Vec<Move>), ExplainError> {
    let is_there = |replication: u32, round: u64| {
        let is_round = if continuing { round <= job.round } else { round == job.round };
        is_round && replication == job.replication
    };
    let mut own = Vec::new();
    let mut rows = Rows::found(folder, "jobs")?;
    while let Some(row) = rows.read()? {
        let line = jobs::Line::read(&row)?;
        if line.organization == job.organization && is_there(line.replication, line.round) {
            own.push(SharedJob::of(&line));
        }
    }
    own.order_by_key(|one| (one.submit, one.number));
    let mut sent = Vec::new();
    let mut rows = Rows::found(folder, "moves")?;
    while let Some(row) = rows.read()? {
        let line = moves::Line::read(&row)?;
        let moves::Line { sender, receiver, balancing, time, amount, promised, .. } = line;
        let is_received = receiver == job.organization;
        let is_own = is_received || sender == job.organization;
        if is_own && is_there(line.replication, line.round) {
            let with = if is_received { sender } else { receiver }.to_owned();
            sent.push(Move { balancing, time, sent: Sent { with, is_received, amount, promised } });
        }
    }
    Ok((own, sent))
}

type Planned = Vec<(u64, [Time; 2])>;

/// Replays the queue; none if a promise is not reproduced.
fn serve(
    job: &SharedJob,
    own: &[SharedJob],
    moves: &[Move],
    coalition: &CoalitionEntry,
) -> Option<(Queued, Planned)> {
    let mut queue = Queue::default();
    let (mut queued, mut planned) = (None, Vec::new());
    let mut own = own.iter().peekable();
    let mut rest = moves;
    loop {
        let next = rest.first().map(|one| one.time);
        let comes_first = |one: &&SharedJob| {
            next.is_none_or(|next| match coalition.balances {
                Balances::AfterSubmission => one.submit <= next,
                Balances::BeforeSubmission => one.submit < next,
            })
        };
        if let Some(one) = own.next_if(|one| comes_first(one)) {
            queue.serve(one.submit, |_| {});
            if one.number == job.number && one.submit == job.submit {
                queued = Some(Queued { own: ends(&queue), foreign: queue.bound(one.submit) });
            }
            let end = queue.submit(one.number, one.submit, one.load, one.alone, true)?;
            if end != one.promised {
                return None;
            }
            continue;
        }
        let Some(first) = rest.first() else { break };
        let now = first.time;
        let count = rest.iter().take_while(|one| one.balancing == first.balancing).count();
        let (these, others) = rest.split_at(count);
        rest = others;
        queue.serve(now, |_| {});
        let before = planned_of(&queue, job.number);
        let sent = these.iter().filter(|one| !one.sent.is_received);
        let amount: Span = sent.clone().map(|one| one.sent.amount).fold(Span::ZERO, |a, b| a + b);
        let mut after = None;
        if let Some(back) = sent.map(|one| one.sent.promised).max() {
            queue.send(now, amount, back, coalition.sends, |done| {
                if done.job.number == job.number {
                    after = Some(done.finish);
                }
            });
        }
        for one in these.iter().filter(|one| one.sent.is_received) {
            queue.receive(now, one.sent.amount)?;
        }
        if let Some(before) = before {
            let after = after.or_else(|| planned_of(&queue, job.number));
            planned.push((first.balancing, [before, after.unwrap_or(before)]));
        }
    }
    queued.map(|queued| (queued, planned))
}

/// Own jobs in the queue with their planned finish.
fn ends(queue: &Queue) -> Vec<(u64, Time)> {
    let mut ends = Vec::new();
    queue.clone().close(|done| ends.push((done.job.number, done.finish)));
    ends
}

fn planned_of(queue: &Queue, number: u64) -> Option<Time> {
    ends(queue).into_iter().find(|&(job, _)| job == number).map(|(_, finish)| finish)
}

impl Replayed {
    /// The explanation in words.
    pub fn text(&self) -> String {
        let job = &self.job;
        let (end, alone) = (when(job.finish), when(job.alone));
        let other = match job.alone.cmp(&job.finish) {
            Ordering::Greater => format!(", {} later", long(job.alone - job.finish)),
            Ordering::Less => format!(", {} earlier", long(job.finish - job.alone)),
            Ordering::Equal => " too".to_owned(),
        };
        format!(
            "Job {} of `{}` came at {} in round {}, with {} of work.\n\
             It was promised to end by {}, and ended at {end}, {} after it came.\n\
             Had its organization stayed out, it would have ended at {alone}{other}.\n{}{}",
            job.number,
            job.organization,
            when(job.submit),
            shown::count(job.round),
            long(job.load),
            when(job.promised),
            long(job.finish - job.submit),
            self.queue(),
            self.moves(),
        )
    }

    fn queue(&self) -> String {
        if self.in_front == Span::ZERO {
            return "\nNothing was in front of it.\n".to_owned();
        }
        let mut out = format!("\n{} of work was in front of it.\n", long(self.in_front));
        let Some(queued) = &self.queued else {
            return out
                + "What of it was whose cannot be told: only jobs within `coalition.window` were \
                   written.\n";
        };
        if queued.foreign > Span::ZERO {
            let foreign = long(queued.foreign);
            out += &format!("The last foreign work in it was planned to end after {foreign}.\n");
        }
        out += &match queued.own.len() {
            0 => "No own job was in it.\n".to_owned(),
            1 => "1 own job was in it:\n".to_owned(),
            count => words::jobs(count, "", "of its organization were in it:\n"),
        };
        let own =
            |&(number, end): &(u64, Time)| format!("job {number}, planned to end at {}", when(end));
        out + &listed(SHOWN, "in_front", &queued.own, own)
    }

    fn moves(&self) -> String {
        let organization = &self.job.organization;
        let (count, end) = match self.balancings.len() {
            0 => ("No balancing".to_owned(), "."),
            1 => ("1 balancing".to_owned(), ":"),
            count => (format!("{} balancings", shown::count(count as u64)), ":"),
        };
        let balancings = listed(SHOWN, "balancings", &self.balancings, |one| {
            let all: Vec<String> = one.sent.iter().map(Sent::text).collect();
            let effect = match one.planned.map(|ends| ends.map(when)) {
                Some([before, after]) if before != after => {
                    format!("; the job's planned end moved from {before} to {after}")
                }
                Some(_) => "; the job's planned end stayed".to_owned(),
                None => String::new(),
            };
            format!("at {}: {}{effect}", when(one.time), all.join(", "))
        });
        format!("\n{count} moved work of or to `{organization}` before its end{end}\n{balancings}")
    }

    /// All tables; the balancings come last.
    pub fn tables(&self) -> Vec<Table> {
        let own = self.queued.iter().flat_map(|queued| queued.own.iter().copied());
        let sent =
            self.balancings.iter().flat_map(|one| one.sent.iter().map(move |sent| (one, sent)));
        vec![
            Table::of("job", [&self.job])
                .figure("replication", |job| job.replication)
                .figure("round", |job| job.round)
                .text("organization", |job| &*job.organization)
                .figure("job_id", |job| job.number)
                .figure("submission_time", |job| job.submit)
                .figure("load", |job| job.load)
                .figure("in_front", |_| self.in_front)
                .figure("promised", |job| job.promised)
                .figure("finish_time", |job| job.finish)
                .figure("finish_alone", |job| job.alone)
                .table(),
            Table::of("in_front", own)
                .figure("job_id", |(number, _)| number)
                .figure("planned_finish", |(_, end)| end)
                .table(),
            Table::of("balancings", sent)
                .figure("balancing", |(one, _)| one.number)
                .figure("time", |(one, _)| one.time)
                .text("direction", |(_, sent)| sent.verb())
                .text("with", |(_, sent)| &*sent.with)
                .figure("amount", |(_, sent)| sent.amount)
                .figure("promised", |(_, sent)| sent.promised)
                .figure("planned_before", |(one, _)| Some(one.planned?[0]))
                .figure("planned_after", |(one, _)| Some(one.planned?[1]))
                .table(),
        ]
    }
}

impl Sent {
    fn verb(&self) -> &'static str {
        if self.is_received { "received" } else { "sent" }
    }

    fn text(&self) -> String {
        let (verb, with) = (self.verb(), if self.is_received { "from" } else { "to" });
        let (amount, promised) = (long(self.amount), when(self.promised));
        format!("{verb} {amount} {with} `{}` (done by {promised})", self.with)
    }
}
