//! A scheduler in another process, in any language.
//!
//! It is told of submissions and ends with the next question, and asked whenever something has happened
//! on the cluster while a job waits, or when it asked to be. It knows nothing that `sees` does not show.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::{LocalScheduler, Setup};
use crate::peer::{Command, Greeting, Peer, Sees, TIMEOUT};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::bounds::parameters;
use model::ids::JobId;
use model::invalid::Invalid;
use model::jobs::Running;
use model::view::{Blind, Submission};

parameters! {
    /// Parameters of a scheduler in another process.
    #[serde(default)]
    pub struct Options {
        /// The program and its arguments; it runs in the folder of the scenario.
        command: Command = Command::default(),
        /// Seconds that it may take for an answer.
        timeout: f64 as TIMEOUT = 60.0,
        /// The part of a job that it sees.
        sees: Sees = Sees::default(),
    }
    where has_program
}

impl Options {
    fn has_program(&self) -> Result<(), Invalid> {
        self.command.check()
    }
}

/// The scheduler. A decision costs what the process takes, and some ten microseconds.
#[derive(Clone, Debug)]
pub struct Process {
    peer: Peer,
    name: String,
    processors: u32,
    streams: Streams,
    sees: Sees,
    /// Jobs told so far.
    count: u64,
    /// Numbers of the jobs that wait or run here.
    numbers: BTreeMap<JobId, u64>,
    waiting: BTreeMap<u64, (JobId, u32)>,
    /// Events since the last question, as the elements of a list in JSON.
    events: String,
    wake: Option<Time>,
}

/// An answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    #[serde(default)]
    start: Vec<u64>,
    #[serde(default)]
    wake: Option<i64>,
}

impl Process {
    /// A process that is started at its first question.
    pub fn new(options: &Options, setup: &Setup) -> Process {
        Process {
            peer: Peer::new(&options.command, options.timeout),
            name: format!("cluster/{}", setup.name),
            processors: setup.processors,
            streams: *setup.streams,
            sees: options.sees,
            count: 0,
            numbers: BTreeMap::new(),
            waiting: BTreeMap::new(),
            events: String::new(),
            wake: None,
        }
    }

    fn event(&mut self, event: std::fmt::Arguments<'_>) {
        let comma = if self.events.is_empty() { "" } else { "," };
        write!(self.events, "{comma}{event}").expect("text grows");
    }

    /// Gives a job a number, and tells of it.
    fn tell(&mut self, event: &str, job: &Submission, more: &str) -> u64 {
        let number = self.count;
        self.count += 1;
        let Blind { id, submit, processors, user, organization } = job.job;
        self.numbers.insert(id, number);
        let (submit, organization) = (submit.ticks(), organization.0);
        let expected = self.sees.expected(job.expected);
        self.event(format_args!(
            "{{\"{event}\":{{\"job\":{number},\"submit\":{submit},\"processors\":{processors},\
             \"user\":{user},\"organization\":{organization}{expected}{more}}}}}"
        ));
        number
    }

    /// Asks for a decision; `None` after a failure.
    fn ask(&mut self, now: Time, free: u32) -> Option<Decision> {
        if !self.peer.has_met() {
            let sees = self.sees.word();
            let more = format!(",\"processors\":{},\"sees\":\"{sees}\"", self.processors);
            self.peer.hello::<Greeting>("scheduler", &self.name, &self.streams, &more)?;
        }
        let events = std::mem::take(&mut self.events);
        let inside = format!("\"now\":{},\"free\":{free},\"events\":[{events}]", now.ticks());
        self.peer.ask("decide", &inside)
    }
}

impl LocalScheduler for Process {
    type Sees = Submission;

    fn submit(&mut self, job: Submission, _: Time) {
        let number = self.tell("submit", &job, "");
        self.waiting.insert(number, (job.job.id, job.job.processors));
    }

    fn finish(&mut self, job: Submission, _: Time, _: Time) {
        let number = self.numbers.remove(&job.job.id).expect("a job that ends was told of");
        self.event(format_args!("{{\"finish\":{{\"job\":{number}}}}}"));
    }

    fn runs(&mut self, job: Submission, started: Time) {
        self.tell("runs", &job, &format!(",\"started\":{}", started.ticks()));
    }

    fn corrected(&mut self, _: Submission, after: Submission, _: Time) {
        if self.sees == Sees::Expected {
            let number = self.numbers[&after.job.id];
            let expected = after.expected.unwrap_or(Span::ZERO).ticks();
            self.event(format_args!(
                "{{\"correct\":{{\"job\":{number},\"expected\":{expected}}}}}"
            ));
        }
    }

    fn withdraw(&mut self, job: JobId) {
        let number = self.numbers.remove(&job).expect("a job that waits was told of");
        self.waiting.remove(&number);
        self.event(format_args!("{{\"withdraw\":{{\"job\":{number}}}}}"));
    }

    fn decide(
        &mut self,
        now: Time,
        mut free: u32,
        _: Running<'_, Submission>,
        start: &mut Vec<JobId>,
    ) {
        let is_due = self.wake.is_some_and(|wake| wake <= now);
        if self.waiting.is_empty() && !is_due {
            return;
        }
        self.wake = None;
        let Some(decision) = self.ask(now, free) else { return };
        for number in decision.start {
            let Some(&(id, processors)) = self.waiting.get(&number) else {
                return self.peer.refuse(format!("starts job {number}, which does not wait"));
            };
            if processors > free {
                return self.peer.refuse(format!(
                    "starts job {number}, which needs {processors} processors, and {free} are free"
                ));
            }
            free -= processors;
            self.waiting.remove(&number);
            start.push(id);
        }
        if decision.wake.is_some_and(|wake| wake <= now.ticks()) {
            return self.peer.refuse("asks to be woken at a time that has come already".to_owned());
        }
        self.wake = decision.wake.map(|wake| Time::from_ticks(wake.min(i64::MAX - 1)));
    }

    fn wake(&self) -> Option<Time> {
        self.wake
    }
}

impl State for Process {
    fn save(&self, out: &mut Vec<u8>) {
        self.peer.save(out);
        put(&(self.count, &self.numbers, &self.waiting, &self.events, self.wake), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.peer.load(from)?;
        (self.count, self.numbers, self.waiting, self.events, self.wake) = take(from)?;
        Ok(())
    }
}
