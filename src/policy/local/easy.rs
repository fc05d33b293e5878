//! EASY backfilling (Lifka 1995; Mualem and Feitelson 2001): a job may overtake if it does not
//! delay the first job in the queue.
//!
//! A decision: (1) start the first job in the queue as long as it fits. (2) For the first job that
//! remains, the *shadow* time is the earliest expected end at which enough processors will be free
//! for it, and the *extra* processors are those it leaves over at the shadow time, after all
//! releases up to then. (3) Visit each other waiting job once, in order: it starts if it fits now
//! and either is expected to end by the shadow time or fits into the extra processors.
//!
//! The order of (3) is by submission, or by expected runtime, shortest first ("shortest job
//! backfilled first"; with predictions and their correction this is EASY++ of Tsafrir, Etsion and
//! Feitelson 2007). The queue is in order of submission, unless `order` says another: then its head, which
//! has the reservation, and the candidates are in that order.
//!
//! Between two completions neither shadow nor extra grows, so a job that could not start cannot
//! start later: only new arrivals are tested. A completion or a corrected prediction costs a pass
//! over the queue, which skips what cannot start by the least that it requires (`queue`). With shortest
//! first every decision with new arrivals is such a pass.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ends::{End, Ends};
use super::queue::{Entry, Pass, Queue};
use super::ranked::{Job, Ranked};
use super::{LocalScheduler, Reason, Setup, reason};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::bounds::parameters;
use model::ids::JobId;
use model::jobs::Running;
use model::order::Order;
use model::view::{Blind, Expected, Submission};

parameters! {
    /// Parameters of EASY backfilling.
    #[serde(default)]
    pub struct Options {
        /// Order in which the jobs behind the first one are tried; `in_order` if left out.
        #[serde(skip_serializing_if = "Backfill::is_in_order")]
        backfill: Backfill = Backfill::default(),
        /// Order of the queue, whose first job has the reservation; `submit` if left out.
        #[serde(skip_serializing_if = "is_submit")]
        order: Order = Order::default(),
    }
}

fn is_submit(order: &Order) -> bool {
    *order == Order::Submit
}

/// Order in which the jobs behind the first one are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Backfill {
    /// In order of submission.
    #[default]
    InOrder,
    /// Shortest expected runtime first, ties by submission (Tsafrir, Etsion and Feitelson 2007).
    ShortestFirst,
}

impl Backfill {
    /// True for the order of submission.
    #[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
    pub fn is_in_order(&self) -> bool {
        *self == Backfill::InOrder
    }
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Easy {
    backfill: Backfill,
    queue: Queue<()>,
    /// Jobs submitted since the last decision.
    fresh: Vec<Entry<()>>,
    running: Ends,
    /// True if only submissions happened since `reserved` was computed.
    current: bool,
    reserved: Reserved,
    /// Scratch space for sorting the jobs that could start.
    hopeful: Vec<(Span, usize, Entry<()>)>,
    /// All waiting jobs, in place of the queue, if that is not in order of submission.
    ranked: Option<Ranked>,
}

/// Reservation of the first job in the queue.
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
    pub fn new(options: &Options, setup: &Setup) -> Easy {
        Easy {
            backfill: options.backfill,
            queue: Queue::new(),
            fresh: Vec::new(),
            running: Ends::default(),
            current: false,
            reserved: Reserved { shadow: Time::NEVER, extra: 0 },
            hopeful: Vec::new(),
            ranked: (!is_submit(&options.order)).then(|| Ranked::new(&options.order, setup)),
        }
    }

    /// Decides on a queue in another order than that of submission.
    fn decide_ranked(
        &mut self,
        ranked: &mut Ranked,
        now: Time,
        mut free: u32,
        start: &mut Vec<JobId>,
    ) {
        let first = start.len();
        let jobs = ranked.sorted(now);
        let fits = jobs.iter().take_while(|job| {
            let fits = job.processors() <= free;
            free -= if fits { job.processors() } else { 0 };
            fits
        });
        let fits = fits.count();
        for job in &jobs[..fits] {
            let at = now.saturating_add(job.expected());
            self.running.add(End { at, id: job.id(), processors: job.processors() });
            start.push(job.id());
        }
        if let Some(head) = jobs.get(fits) {
            let reserved = self.reserve(now, free, head.processors());
            let mut behind: Vec<&Job> = jobs[fits + 1..].iter().collect();
            if self.backfill == Backfill::ShortestFirst {
                // A stable sort: equal lengths keep the order of the queue.
                behind.sort_by_key(|job| job.expected());
            }
            let mut pass = Backfilling { now, free, reserved, running: &mut self.running, start };
            for job in behind {
                let (id, processors, expected) = (job.id(), job.processors(), job.expected());
                pass.starts(&Entry { key: (), id, processors, expected });
            }
            self.reserved = pass.reserved;
        }
        let started = &start[first..];
        jobs.retain(|job| !started.contains(&job.id()));
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

/// Finds the jobs that could start on their own, without starting any.
struct Hopeful<'a> {
    now: Time,
    free: u32,
    reserved: Reserved,
    found: &'a mut Vec<(Span, usize, Entry<()>)>,
}

impl Pass<()> for Hopeful<'_> {
    #[inline]
    fn hopes(&self, processors: u32, expected: Span) -> bool {
        processors <= self.free && self.reserved.admits(self.now, processors, expected)
    }

    #[inline]
    fn starts(&mut self, entry: &Entry<()>) -> bool {
        if self.hopes(entry.processors, entry.expected) {
            self.found.push((entry.expected, self.found.len(), *entry));
        }
        false
    }
}

/// Removes started jobs from the queue; the last of them comes first in the queue.
struct Leave<'a>(&'a mut Vec<(Span, usize, Entry<()>)>);

impl Pass<()> for Leave<'_> {
    fn hopes(&self, _: u32, _: Span) -> bool {
        !self.0.is_empty()
    }
    fn starts(&mut self, entry: &Entry<()>) -> bool {
        self.0.pop_if(|(.., started)| started.id == entry.id).is_some()
    }
}

/// A backfilling pass behind the first job in the queue.
struct Backfilling<'a> {
    now: Time,
    free: u32,
    reserved: Reserved,
    running: &'a mut Ends,
    start: &'a mut Vec<JobId>,
}

impl Pass<()> for Backfilling<'_> {
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
        if let Some(ranked) = &mut self.ranked {
            return ranked.submit(Submission { job: job.job, expected: Some(job.expected) });
        }
        let Expected { job, expected } = job;
        self.fresh.push(Entry { key: (), id: job.id, processors: job.processors, expected });
    }

    #[inline]
    fn finish(&mut self, job: Expected, started: Time, now: Time) {
        if let Some(ranked) = &mut self.ranked {
            ranked.ended(&job.job, started, now);
        }
        self.running.remove(started.saturating_add(job.expected), job.job.id);
        self.current = false;
    }

    fn runs(&mut self, job: Expected, started: Time) {
        let Blind { id, processors, .. } = job.job;
        let at = started.saturating_add(job.expected);
        self.running.add(End { at, id, processors });
        self.current = false;
    }

    fn corrected(&mut self, before: Expected, after: Expected, started: Time) {
        let Blind { id, processors, .. } = before.job;
        self.running.remove(started.saturating_add(before.expected), id);
        let at = started.saturating_add(after.expected);
        self.running.add(End { at, id, processors });
        self.current = false;
    }

    fn withdraw(&mut self, job: JobId) {
        if let Some(ranked) = &mut self.ranked {
            return ranked.withdraw(job);
        }
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
        if let Some(mut ranked) = self.ranked.take() {
            self.decide_ranked(&mut ranked, now, free, start);
            self.ranked = Some(ranked);
            return;
        }
        let sorts = self.backfill == Backfill::ShortestFirst && !self.fresh.is_empty();
        let is_void = !self.current || self.reserved.shadow <= now;
        if sorts || !self.queue.is_empty() && is_void {
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
                let mut pass =
                    Backfilling { now, free, reserved, running: &mut self.running, start };
                match self.backfill {
                    Backfill::InOrder => self.queue.sweep(&mut pass),
                    Backfill::ShortestFirst => {
                        let found = &mut self.hopeful;
                        self.queue.sweep(&mut Hopeful { now, free, reserved, found });
                        found.sort_unstable_by_key(|&(expected, place, _)| (expected, place));
                        found.retain(|(.., entry)| pass.starts(entry));
                        found.sort_unstable_by_key(|&(_, place, _)| Reverse(place));
                        self.queue.sweep(&mut Leave(found));
                    }
                }
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
            let mut pass = Backfilling { now, free, reserved, running: &mut self.running, start };
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
        let ranked = self.ranked.iter().flat_map(Ranked::iter);
        let ranked = ranked.map(|job| (job.id(), job.processors()));
        let queue = self.queue.iter().map(|entry| (entry.id, entry.processors));
        let mut waiting = ranked.chain(queue);
        let Some((first, needs)) = waiting.next() else { return };
        let Reserved { shadow, extra } = self.reserved;
        let mut released = free;
        let after = self.running.from(now).find(|end| {
            released += end.processors;
            released >= needs
        });
        let after = after.map(|end| end.id);
        tell(first, Reason::Processors { start: Some(shadow), after });
        let holder = Some(reason::Reserved { job: first, due: shadow });
        for (id, processors) in waiting {
            let reason = if processors > free {
                Reason::Processors { start: None, after: None }
            } else {
                Reason::Reservation { holder, start: None, extra: Some(extra) }
            };
            tell(id, reason);
        }
    }
}

impl State for Easy {
    fn save(&self, out: &mut Vec<u8>) {
        self.queue.save(out);
        put(&(&self.fresh, &self.running, self.current, self.reserved), out);
        self.ranked.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.queue.load(from)?;
        (self.fresh, self.running, self.current, self.reserved) = take(from)?;
        self.ranked.load(from)
    }
}
