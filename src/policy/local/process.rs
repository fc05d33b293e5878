//! A scheduler in another process, in any language.
//!
//! It is told of submissions and ends with the next question, and asked whenever something has happened
//! on the cluster while a job waits, or when it asked to be. It knows nothing that `sees` does not show.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::Deserialize;

use super::{LocalScheduler, Setup};
use crate::peer::{Command, Sees, TIMEOUT, Turns};
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

/// The scheduler, with options of a kind. A decision costs what the process takes, and some ten
/// microseconds.
#[derive(Clone, Debug)]
pub struct Process<O = Options> {
    turns: Turns,
    name: String,
    processors: u32,
    /// Numbers of the jobs that wait or run here.
    numbers: BTreeMap<JobId, u64>,
    waiting: BTreeMap<u64, (JobId, u32)>,
    /// True if it hears of all events at once, whether a job waits or not.
    hears_all: bool,
    options: PhantomData<O>,
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
        Process::asked(
            Turns::new(&options.command, options.timeout, options.sees, setup.streams),
            setup,
            false,
        )
    }
}

impl<O> Process<O> {
    pub(super) fn asked(turns: Turns, setup: &Setup<'_>, hears_all: bool) -> Process<O> {
        Process {
            turns,
            name: format!("cluster/{}", setup.name),
            processors: setup.processors,
            numbers: BTreeMap::new(),
            waiting: BTreeMap::new(),
            hears_all,
            options: PhantomData,
        }
    }

    /// Gives a job a number, and tells of it.
    fn tell(&mut self, event: &str, job: &Submission, more: &str) -> u64 {
        let number = self.turns.number();
        let Blind { id, submit, processors, user, organization } = job.job;
        self.numbers.insert(id, number);
        let (submit, organization) = (submit.ticks(), organization.0);
        let expected = self.turns.sees.expected(job.expected);
        self.turns.event(format_args!(
            "{{\"{event}\":{{\"job\":{number},\"submit\":{submit},\"processors\":{processors},\
             \"user\":{user},\"organization\":{organization}{expected}{more}}}}}"
        ));
        number
    }
}

impl<O> LocalScheduler for Process<O> {
    type Sees = Submission;

    fn submit(&mut self, job: Submission, _: Time) {
        let number = self.tell("submit", &job, "");
        self.waiting.insert(number, (job.job.id, job.job.processors));
    }

    fn finish(&mut self, job: Submission, _: Time, _: Time) {
        let number = self.numbers.remove(&job.job.id).expect("a job that ends was told of");
        self.turns.event(format_args!("{{\"finish\":{{\"job\":{number}}}}}"));
    }

    fn runs(&mut self, job: Submission, started: Time) {
        self.tell("runs", &job, &format!(",\"started\":{}", started.ticks()));
    }

    fn corrected(&mut self, _: Submission, after: Submission, _: Time) {
        if self.turns.sees == Sees::Expected {
            let number = self.numbers[&after.job.id];
            let expected = after.expected.unwrap_or(Span::ZERO).ticks();
            self.turns.event(format_args!(
                "{{\"correct\":{{\"job\":{number},\"expected\":{expected}}}}}"
            ));
        }
    }

    fn withdraw(&mut self, job: JobId) {
        let number = self.numbers.remove(&job).expect("a job that waits was told of");
        self.waiting.remove(&number);
        self.turns.event(format_args!("{{\"withdraw\":{{\"job\":{number}}}}}"));
    }

    fn decide(
        &mut self,
        now: Time,
        mut free: u32,
        _: Running<'_, Submission>,
        start: &mut Vec<JobId>,
    ) {
        let has_something =
            if self.hears_all { self.turns.has_events() } else { !self.waiting.is_empty() };
        if !self.turns.is_due(now, has_something) {
            return;
        }
        let words = ["scheduler", &*self.name, "decide"];
        let first = || format!(",\"processors\":{}", self.processors);
        let told = format!("\"free\":{free}");
        let decision: Option<Decision> = self.turns.ask(words, first, now, [&told, ""]);
        let Some(decision) = decision else { return };
        for number in decision.start {
            let Some(&(id, processors)) = self.waiting.get(&number) else {
                return self.turns.refuse(format!("starts job {number}, which does not wait"));
            };
            if processors > free {
                return self.turns.refuse(format!(
                    "starts job {number}, which needs {processors} processors, and {free} are free"
                ));
            }
            free -= processors;
            self.waiting.remove(&number);
            start.push(id);
        }
        self.turns.wakes(now, decision.wake);
    }

    fn wake(&self) -> Option<Time> {
        self.turns.wake()
    }
}

impl<O> State for Process<O> {
    fn save(&self, out: &mut Vec<u8>) {
        self.turns.save(out);
        put(&(&self.numbers, &self.waiting), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.turns.load(from)?;
        (self.numbers, self.waiting) = take(from)?;
        Ok(())
    }
}
