//! A scheduler of Batsim that is asked in Batsim's words: version 4 of its protocol, over ZeroMQ.
//!
//! Our lines become its messages and its answers ours, so that records, replays and failures are those of
//! all programs. It sees what a user asks for: processors, and the expected runtime as the walltime.
//!
//! Source: <https://batsim.readthedocs.io/en/v4.1.0/protocol.html>

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::Talk;
use super::zmtp::Request;
use kernel::time::TICKS_PER_UNIT;
use model::interval_set::IntervalSet;

/// The command of a scheduler; its address follows.
pub(super) const COMMAND: &str = "@batsim";

/// Time for which a scheduler may be on its way to its socket.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time between two attempts to connect.
const AGAIN: Duration = Duration::from_millis(50);

/// Time for which a scheduler may answer the last message.
const PARTING: Duration = Duration::from_millis(500);

/// The addresses of all conversations. A scheduler of Batsim schedules one cluster once.
static BUSY: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn busy() -> MutexGuard<'static, BTreeSet<String>> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line of ours.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    role: String,
    #[serde(default)]
    processors: Value,
    decide: Option<Question>,
}

#[derive(Deserialize)]
struct Question {
    now: i64,
    events: Vec<Event>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Event {
    Submit(Submitted),
    Finish { job: u64 },
    Correct {},
    Withdraw {},
    Runs {},
}

#[derive(Deserialize)]
struct Submitted {
    job: u64,
    submit: i64,
    processors: u32,
    user: u32,
    organization: u32,
    expected: Option<i64>,
}

/// An answer of the scheduler.
#[derive(Deserialize)]
struct Answer {
    now: f64,
    events: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    timestamp: f64,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: Value,
}

/// A job that waits or runs.
struct Job {
    processors: u32,
    expected: Option<i64>,
    /// Its processors, and the end that is expected.
    held: Option<(IntervalSet, Option<i64>)>,
}

/// The conversation with a scheduler.
pub(super) struct Batsim {
    socket: String,
    timeout: Duration,
    /// True if it is the conversation with this address.
    has_socket: bool,
    request: Option<Request>,
    now: i64,
    jobs: BTreeMap<u64, Job>,
    /// The job that holds each processor.
    holders: Vec<Option<u64>>,
    /// Events that it has not heard yet, and the time from which it hears them: it may take a while to
    /// decide.
    events: Vec<Value>,
    ready: i64,
    /// Jobs that start later, by time, in their order.
    starts: BTreeMap<i64, Vec<u64>>,
    /// Times at which it wants to be called.
    calls: BTreeSet<i64>,
}

fn seconds(ticks: i64) -> f64 {
    ticks as f64 / TICKS_PER_UNIT as f64
}

fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS_PER_UNIT as f64).round() as i64
}

fn name(job: u64) -> String {
    format!("w0!{job}")
}

impl Batsim {
    /// A scheduler that listens at an address.
    pub fn new(socket: &str, timeout: f64) -> Batsim {
        Batsim {
            socket: socket.to_owned(),
            timeout: Duration::from_secs_f64(timeout),
            has_socket: false,
            request: None,
            now: 0,
            jobs: BTreeMap::new(),
            holders: Vec::new(),
            events: Vec::new(),
            ready: 0,
            starts: BTreeMap::new(),
            calls: BTreeSet::new(),
        }
    }

    /// Connects and tells of the cluster.
    fn begin(&mut self, line: &Line, raw: &mut String) -> Result<(), String> {
        let Some(processors) = line.processors.as_u64().filter(|_| line.role == "scheduler") else {
            return Err("schedules a cluster, and nothing else".to_owned());
        };
        self.has_socket |= busy().insert(self.socket.clone());
        if !self.has_socket || !self.holders.is_empty() {
            let once = "is asked already, and it schedules one cluster once; give each cluster a socket \
                        of its own, and play one replication at a time with `--threads 1`";
            return Err(once.to_owned());
        }
        self.holders = vec![None; processors as usize];
        let resources = (0..processors).map(|id| {
            json!({ "id": id, "name": format!("p{id}"), "state": "idle", "properties": {},
                    "zone_properties": {} })
        });
        self.event(
            "SIMULATION_BEGINS",
            json!({
                "nb_resources": processors,
                "nb_compute_resources": processors,
                "nb_storage_resources": 0,
                "allow_compute_sharing": false,
                "allow_storage_sharing": false,
                "config": {
                    "redis-enabled": false,
                    "profiles-forwarded-on-submission": false,
                    "dynamic-jobs-enabled": false,
                    "dynamic-jobs-acknowledged": false,
                    "profile-reuse-enabled": false,
                    "forward-unknown-events": false,
                    "sched-config": "",
                },
                "compute_resources": resources.collect::<Vec<_>>(),
                "storage_resources": [],
                "workloads": { "w0": "gridpact" },
                "profiles": { "w0": {} },
            }),
        );
        let message = self.message();
        let until = Instant::now() + PATIENCE.min(self.timeout);
        loop {
            // One that parts from the run before may still take a connection.
            let said = Request::connect(&self.socket, self.timeout)
                .and_then(|mut request| Ok((request.ask(message.as_bytes())?, request)));
            match said {
                Ok((said, request)) => {
                    self.request = Some(request);
                    return self.heard(said, raw);
                }
                Err(error) if is_away(&error) && Instant::now() < until => thread::sleep(AGAIN),
                Err(error) => return Err(self.trouble(&error)),
            }
        }
    }

    /// Tells of events, and pushes the jobs that start now.
    fn decide(
        &mut self,
        question: Question,
        raw: &mut String,
        start: &mut Vec<u64>,
    ) -> Result<(), String> {
        self.now = question.now;
        for event in question.events {
            self.tell(event)?;
        }
        while self.calls.first().is_some_and(|&at| at <= self.now) {
            self.calls.pop_first();
            self.event("REQUESTED_CALL", json!({}));
        }
        if self.now >= self.ready && !self.events.is_empty() {
            let message = self.message();
            let said = self.request.as_mut().ok_or("does not listen")?.ask(message.as_bytes());
            match said {
                Ok(said) => self.heard(said, raw)?,
                Err(error) => {
                    let trouble = self.trouble(&error);
                    self.request = None;
                    return Err(trouble);
                }
            }
        }
        while let Some(due) = self.starts.first_entry().filter(|due| *due.key() <= self.now) {
            start.extend(due.remove());
        }
        Ok(())
    }

    /// The time at which it is asked next, if nothing happens before. Without jobs nobody calls it, as
    /// there may never be one again.
    fn wake(&self) -> Option<i64> {
        let busy = (!self.events.is_empty()).then_some(self.ready);
        let call = self.calls.first().filter(|_| !self.jobs.is_empty()).copied();
        [self.starts.keys().next().copied(), busy, call].into_iter().flatten().min()
    }

    fn event(&mut self, kind: &str, data: Value) {
        let timestamp = seconds(self.now);
        self.events.push(json!({ "timestamp": timestamp, "type": kind, "data": data }));
    }

    /// The message with all events that it has not heard.
    fn message(&mut self) -> String {
        let events = std::mem::take(&mut self.events);
        json!({ "now": seconds(self.now), "events": Value::Array(events) }).to_string()
    }

    /// Tells an event with the next message.
    fn tell(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Submit(Submitted { job, submit, processors, user, organization, expected }) => {
                self.jobs.insert(job, Job { processors, expected, held: None });
                let mut told = json!({
                    "id": name(job), "subtime": seconds(submit), "res": processors,
                    "profile": "hidden", "user": user, "organization": organization,
                });
                if let Some(expected) = expected {
                    told["walltime"] = seconds(expected).into();
                }
                self.event("JOB_SUBMITTED", json!({ "job_id": name(job), "job": told }));
            }
            Event::Finish { job } => {
                let held = self.jobs.remove(&job).and_then(|job| job.held);
                let (alloc, _) = held.ok_or("does not hold the job that ends")?;
                for processor in alloc.intervals().flatten() {
                    self.holders[processor as usize] = None;
                }
                self.event("JOB_COMPLETED", json!({
                    "job_id": name(job), "job_state": "COMPLETED_SUCCESSFULLY", "return_code": 0,
                    "alloc": alloc.to_string(),
                }));
            }
            // Batsim has no word for a runtime that is expected anew.
            Event::Correct {} => {}
            Event::Withdraw {} | Event::Runs {} => {
                let alone = "shares its cluster with a grid scheduler, of which Batsim knows nothing; \
                             leave `grid_scheduler` out";
                return Err(alone.to_owned());
            }
        }
        Ok(())
    }

    /// Takes an answer.
    fn heard(&mut self, said: Vec<u8>, raw: &mut String) -> Result<(), String> {
        *raw = String::from_utf8(said).map_err(|_| "gave an answer that is no text in UTF-8")?;
        let answer: Answer = serde_json::from_str(raw)
            .map_err(|error| format!("gave an answer that is no message of Batsim's: {error}"))?;
        self.ready = self.ready.max(ticks(answer.now));
        answer.events.iter().try_for_each(|said| self.take(said))
    }

    fn take(&mut self, Said { timestamp, kind, data }: &Said) -> Result<(), String> {
        let at = ticks(*timestamp).max(self.now);
        let remedy = match &**kind {
            "EXECUTE_JOB" => return self.execute(at, data),
            "CALL_ME_LATER" => match data["timestamp"].as_f64() {
                Some(time) if ticks(time) > self.now => {
                    self.calls.insert(ticks(time));
                    return Ok(());
                }
                _ => "it is called at a later time than now",
            },
            "NOTIFY" if data["type"] == "registration_finished" => return Ok(()),
            "REJECT_JOB" => "every job that fits on the cluster runs; leave it out of the workload",
            "KILL_JOB" => {
                "jobs end by themselves, or at their estimates with `kill_at_estimate = true`"
            }
            "REGISTER_JOB" | "REGISTER_PROFILE" | "CHANGE_JOB_STATE" => {
                "jobs come from the scenario alone; take a scheduler without dynamic jobs"
            }
            "SET_RESOURCE_STATE" | "QUERY" => {
                "processors have no power states and use no energy; take a scheduler without"
            }
            _ => "it is not known here",
        };
        Err(format!("says {kind} {data}: {remedy}"))
    }

    /// Starts a job on the processors that it is given.
    fn execute(&mut self, at: i64, data: &Value) -> Result<(), String> {
        let job = data["job_id"].as_str().unwrap_or_default();
        let number = job.strip_prefix("w0!").and_then(|number| number.parse().ok());
        let number = number.unwrap_or(u64::MAX);
        let Some(one) = self.jobs.get(&number).filter(|one| one.held.is_none()) else {
            return Err(format!("starts job {}, which does not wait", job.escape_debug()));
        };
        let alloc = data["alloc"].as_str().unwrap_or_default();
        let wrong = |why: String| {
            let alloc = alloc.escape_debug();
            Err(format!("gives job {job} the processors `{alloc}`: {why}"))
        };
        let alloc: IntervalSet = match alloc.parse() {
            Ok(alloc) => alloc,
            Err(error) => return wrong(format!("{error}")),
        };
        if alloc.len() != u64::from(one.processors) {
            return wrong(format!("it asks for {}", one.processors));
        }
        for processor in alloc.intervals().flatten() {
            match self.holders.get_mut(processor as usize) {
                None => return wrong(format!("there are {}", self.holders.len())),
                Some(&mut Some(other)) => {
                    let held = self.jobs.get(&other).and_then(|job| job.held.as_ref());
                    let is_over =
                        held.is_some_and(|held| held.1.is_some_and(|due| due <= self.now));
                    let over = if is_over {
                        ", beyond its walltime; Batsim ends jobs there, as `kill_at_estimate = true` does"
                    } else {
                        ""
                    };
                    return wrong(format!("{} holds {processor}{over}", name(other)));
                }
                Some(free) => *free = Some(number),
            }
        }
        let Some(one) = self.jobs.get_mut(&number) else { return Ok(()) };
        one.held = Some((alloc, one.expected.map(|expected| at.saturating_add(expected))));
        self.starts.entry(at).or_default().push(number);
        Ok(())
    }

    /// The reason why there is no answer.
    fn trouble(&self, error: &io::Error) -> String {
        match error.kind() {
            ErrorKind::TimedOut => {
                let seconds = self.timeout.as_secs_f64();
                format!("gave no answer within {seconds} s; `timeout` sets the limit")
            }
            ErrorKind::InvalidData => error.to_string(),
            _ if self.request.is_some() => format!("ended before it answered: {error}"),
            _ => format!(
                "does not listen there: {error}; start it first, for each replication anew, such as \
                 `pybatsim easyBackfill --socket-endpoint=tcp://*:28000`"
            ),
        }
    }
}

/// True if a scheduler is not there yet, or not any more.
fn is_away(error: &io::Error) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset, NotFound};
    let away = [BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset, NotFound];
    away.contains(&error.kind()) || error.kind() == ErrorKind::UnexpectedEof
}

impl Talk for Batsim {
    fn ask(&mut self, line: &str, answer: &mut String) -> Result<(), String> {
        let line: Line =
            serde_json::from_str(line).map_err(|error| format!("is asked: {error}"))?;
        let mut start = Vec::new();
        match line.decide {
            None => {
                self.begin(&line, answer)?;
                "{\"hello\":1}".clone_into(answer);
            }
            Some(question) => {
                self.decide(question, answer, &mut start)?;
                let wake = self.wake().map_or(String::new(), |wake| format!(",\"wake\":{wake}"));
                *answer = format!("{{\"start\":{}{wake}}}", super::list(start.into_iter()));
            }
        }
        Ok(())
    }
}

impl Drop for Batsim {
    fn drop(&mut self) {
        if let Some(mut request) = self.request.take() {
            self.event("NOTIFY", json!({ "type": "no_more_static_job_to_submit" }));
            self.event("SIMULATION_ENDS", json!({}));
            let message = self.message();
            // It is told, whether it answers or not.
            _ = request.set_limit(PARTING).and_then(|()| request.ask(message.as_bytes()));
        }
        if self.has_socket {
            busy().remove(&self.socket);
        }
    }
}
