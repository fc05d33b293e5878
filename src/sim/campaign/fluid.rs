//! Tasks played as a fluid: shares of sites work for classes at constant rates between two plans.

use serde::{Deserialize, Serialize};

use super::{Campaign, Ran};
use kernel::order::InOrder as _;
use kernel::time::{Span, Time};
use policy::tasks::{Share, TaskPlanner};

/// Share of a class, of what it was when the plan was made, below which the rest counts as done.
const NOTHING: f64 = 1e-9;

/// Part of a site that works for a class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    site: u32,
    processors: f64,
    /// Tasks a tick.
    rate: f64,
}

/// A class that is worked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flow {
    class: u32,
    /// Tasks left when the plan was made.
    left: f64,
    end: Time,
    parts: Vec<Part>,
}

impl Flow {
    fn rate(&self) -> f64 {
        self.parts.iter().map(|part| part.rate).sum()
    }
}

/// All classes that are worked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Fluid {
    /// Time at which the plan was made.
    since: Time,
    flows: Vec<Flow>,
    /// Tasks left of the classes that were worked for, by class.
    left: Vec<(u32, f64)>,
}

impl Fluid {
    /// Time at which the next class is done.
    pub fn next(&self) -> Option<Time> {
        self.flows.iter().map(|flow| flow.end).min()
    }

    /// Tasks left of a class of so many.
    pub fn left(&self, class: u32, tasks: u64) -> f64 {
        let at = self.left.binary_search_by_key(&class, |&(class, _)| class);
        at.map_or(tasks as f64, |at| self.left[at].1)
    }
}

impl<P: TaskPlanner> Campaign<P> {
    /// Ends the classes that are done by now.
    pub(super) fn flowed(&mut self, now: Time) {
        let since = self.fluid.since;
        let (done, rest) =
            std::mem::take(&mut self.fluid.flows).into_iter().partition(|flow| flow.end <= now);
        self.fluid.flows = rest;
        let done: Vec<Flow> = done;
        for flow in done {
            let rate = flow.rate();
            for part in &flow.parts {
                let tasks = flow.left * part.rate / rate;
                self.flowed_to(flow.class, *part, tasks, since, now);
            }
            let of = flow.class;
            if let Ok(at) = self.fluid.left.binary_search_by_key(&of, |&(class, _)| class) {
                self.fluid.left.remove(at);
            }
            let tasks = self.work.classes[of as usize].tasks;
            let progress = &mut self.progress[of as usize];
            (progress.started, progress.done) = (tasks, tasks);
            self.complete(of, now);
        }
    }

    fn flowed_to(&mut self, class: u32, part: Part, tasks: f64, start: Time, finish: Time) {
        let ticks = (finish - start).ticks() as f64;
        let ran = Ran { class, site: part.site, processors: part.processors, tasks, start, finish };
        self.account(ran, (part.processors * ticks).round() as i128);
    }

    /// Ends the plan: what has been done until now is taken off.
    pub(super) fn recall_fluid(&mut self, now: Time) {
        let since = self.fluid.since;
        for flow in std::mem::take(&mut self.fluid.flows) {
            let ticks = (now - since).ticks() as f64;
            let done = (flow.rate() * ticks).min(flow.left * (1.0 - NOTHING));
            if now > since {
                for part in &flow.parts {
                    self.flowed_to(flow.class, *part, part.rate * ticks, since, now);
                }
            }
            let left = flow.left - done;
            match self.fluid.left.binary_search_by_key(&flow.class, |&(class, _)| class) {
                Ok(at) => self.fluid.left[at].1 = left,
                Err(at) => self.fluid.left.insert(at, (flow.class, left)),
            }
        }
    }

    /// Begins a plan of shares.
    pub(super) fn set_shares(&mut self, shares: &[Share], now: Time) {
        self.fluid.since = now;
        let mut shares: Vec<Share> =
            shares.iter().copied().filter(|share| share.processors > 0.0).collect();
        shares.order_by_key(|share| (share.class, share.site));
        for of in shares.chunk_by(|one, other| one.class == other.class) {
            let class = of[0].class;
            let times = self.work.times(class);
            let parts = of.iter().map(|share| {
                let rate = share.processors / times[share.site as usize].ticks() as f64;
                Part { site: share.site, processors: share.processors, rate }
            });
            let left = self.fluid.left(class, self.work.classes[class as usize].tasks);
            let mut flow = Flow { class, left, end: Time::NEVER, parts: parts.collect() };
            let ticks = left / flow.rate();
            // What is a billionth of a tick too long is a matter of rounding.
            let whole = (ticks * (1.0 - NOTHING)).ceil().max(1.0);
            flow.end = now.saturating_add(Span::from_ticks(whole as i64));
            let progress = &mut self.progress[class as usize];
            progress.start.get_or_insert(now);
            self.fluid.flows.push(flow);
        }
    }
}
