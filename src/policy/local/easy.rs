//! EASY backfilling (Lifka 1995; Mualem and Feitelson 2001): a job may overtake if it does not
//! delay the first of the queue.
//!
//! A pass: (1) the first of the queue starts as long as it fits. (2) For the first that remains,
//! the *shadow* is the earliest expected end at which enough processors will be free for it, and
//! *extra* is what it leaves over at the shadow, with everything released up to then. (3) Each
//! other waiting job is looked at once, in order: it starts if it fits now and either is expected
//! to end by the shadow or fits into the extra processors.
//!
//! Between two completions neither shadow nor extra grows, so a job that could not start cannot
//! start later: only new arrivals are tested. A completion costs a pass over the queue, in which
//! blocks of 64 jobs are skipped by their least needs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ends::{End, Ends};
use super::queue::{Entry, Pass, Queue};
use super::{LocalScheduler, Reason, Setup, reason};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::ids::JobId;
use crate::model::jobs::Running;
use crate::model::view::{Expected, Submission};

/// Parameters of EASY backfilling: none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Easy {
    queue: Queue<()>,
    /// Submitted since the last decision.
    fresh: Vec<Entry<()>>,
    running: Ends,
    /// Nothing but submissions happened since `reserved` was found.
    current: bool,
    reserved: Reserved,
}

/// What is kept for the first of the queue.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Reserved {
    shadow: Time,
    extra: u32,
}

impl Reserved {
    fn admits(&self, now: Time, processors: u32, expected: Span) -> bool {
        processors <= self.extra || now.saturating_add(expected) <= self.shadow
    }
}

impl Easy {
    /// An empty queue.
    pub fn new(_: &Options, _: &Setup) -> Easy {
        Easy {
            queue: Queue::new(),
            fresh: Vec::new(),
            running: Ends::default(),
            current: false,
            reserved: Reserved { shadow: Time::NEVER, extra: 0 },
        }
    }

    fn reserve(&self, now: Time, free: u32, needed: u32) -> Reserved {
        let mut shadow = None;
        let mut released = free;
        for end in self.running.from(now) {
            if shadow.is_some_and(|shadow| end.at > shadow) {
                break;
            }
            released += end.processors;
            if shadow.is_none() && released >= needed {
                shadow = Some(end.at);
            }
        }
        let shadow = shadow.expect("a job is no larger than its cluster");
        Reserved { shadow, extra: released - needed }
    }
}

/// A pass of backfilling behind the first of the queue.
struct Backfill<'a> {
    now: Time,
    free: u32,
    reserved: Reserved,
    running: &'a mut Ends,
    start: &'a mut Vec<JobId>,
}

impl Pass<()> for Backfill<'_> {
    #[inline]
    fn hopes(&self, processors: u32, expected: Span) -> bool {
        processors <= self.free && self.reserved.admits(self.now, processors, expected)
    }

    #[inline]
    fn starts(&mut self, entry: &Entry<()>) -> bool {
        if !self.hopes(entry.processors, entry.expected) {
            return false;
        }
        let at = self.now.saturating_add(entry.expected);
        self.free -= entry.processors;
        if at > self.reserved.shadow {
            self.reserved.extra -= entry.processors;
        }
        self.running.add(End { at, id: entry.id, processors: entry.processors });
        self.start.push(entry.id);
        true
    }
}

impl LocalScheduler for Easy {
    type Sees = Expected;

    #[inline]
    fn submit(&mut self, job: Expected, _: Time) {
        let Expected { job, expected } = job;
        self.fresh.push(Entry { key: (), id: job.id, processors: job.processors, expected });
    }

    #[inline]
    fn finish(&mut self, job: Expected, started: Time, _: Time) {
        self.running.remove(started.saturating_add(job.expected), job.job.id);
        self.current = false;
    }

    fn withdraw(&mut self, job: JobId) {
        self.fresh.retain(|entry| entry.id != job);
        self.queue.remove(job);
        self.current = false;
    }

    fn decide(
        &mut self,
        now: Time,
        mut free: u32,
        _: Running<'_, Expected>,
        start: &mut Vec<JobId>,
    ) {
        if !self.queue.is_empty() && (!self.current || self.reserved.shadow <= now) {
            self.fresh.drain(..).for_each(|entry| self.queue.push(entry));
            while let Some(first) = self.queue.first().filter(|first| first.processors <= free) {
                let (id, processors) = (first.id, first.processors);
                let at = now.saturating_add(first.expected);
                self.queue.pop_first();
                free -= processors;
                self.running.add(End { at, id, processors });
                start.push(id);
            }
            if let Some(first) = self.queue.first() {
                let reserved = self.reserve(now, free, first.processors);
                let mut pass = Backfill { now, free, reserved, running: &mut self.running, start };
                self.queue.sweep(&mut pass);
                self.reserved = pass.reserved;
            }
            self.current = true;
            return;
        }
        self.current = true;
        for entry in 0..self.fresh.len() {
            let entry = self.fresh[entry];
            if self.queue.is_empty() {
                if entry.processors <= free {
                    let at = now.saturating_add(entry.expected);
                    free -= entry.processors;
                    self.running.add(End { at, id: entry.id, processors: entry.processors });
                    start.push(entry.id);
                } else {
                    self.reserved = self.reserve(now, free, entry.processors);
                    self.queue.push(entry);
                }
                continue;
            }
            let reserved = self.reserved;
            let mut pass = Backfill { now, free, reserved, running: &mut self.running, start };
            let starts = pass.starts(&entry);
            (free, self.reserved) = (pass.free, pass.reserved);
            if !starts {
                self.queue.push(entry);
            }
        }
        self.fresh.clear();
    }

    fn reasons(
        &self,
        now: Time,
        free: u32,
        _: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        let mut waiting = self.queue.iter();
        let Some(first) = waiting.next() else { return };
        let Reserved { shadow, extra } = self.reserved;
        let mut released = free;
        let after = self.running.from(now).find(|end| {
            released += end.processors;
            released >= first.processors
        });
        let after = after.map(|end| end.id);
        tell(first.id, Reason::Processors { start: Some(shadow), after });
        let holder = Some(reason::Reserved { job: first.id, due: shadow });
        for entry in waiting {
            let reason = if entry.processors > free {
                Reason::Processors { start: None, after: None }
            } else {
                Reason::Reservation { holder, start: None, extra: Some(extra) }
            };
            tell(entry.id, reason);
        }
    }
}

impl State for Easy {
    fn save(&self, out: &mut Vec<u8>) {
        self.queue.save(out);
        put(&(&self.fresh, &self.running, self.current, self.reserved), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.queue.load(from)?;
        (self.fresh, self.running, self.current, self.reserved) = take(from)?;
        Ok(())
    }
}
