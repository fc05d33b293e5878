//! When to look at the batches of one run, and whether it may stop.

use super::{Ended, Why, of_batches, single, times_too_wide};
use crate::kernel::time::{Span, TICKS_PER_UNIT};
use crate::scenario::plan::Plan;
use crate::scenario::plan::precision::{By, Metric, Precision};
use crate::sim::accounts::{Accounts, Counting};
use crate::sim::observer::{Finished, Observer};
use crate::state_of_fields;
use crate::stats::interval::Interval;
use crate::stats::sequential::{JOBS, Memory};

/// Watches the jobs whose figure is to be known, in the order in which they end.
///
/// When it [is due](Watch::is_due), which is asked after each instant, it [looks](Watch::look).
#[derive(Clone, Debug)]
pub struct Watch {
    precision: Precision,
    counting: Counting,
    memory: Memory,
    /// Jobs that count and have the figure.
    count: u64,
    /// Of them, when to look next.
    next: u64,
    looks: u32,
    ended: Option<Ended>,
}

state_of_fields!(Watch { memory, count, next, looks, ended });

impl Watch {
    /// Of a plan whose one run goes on until its batches are enough; `counting` says which jobs
    /// count.
    pub fn new(plan: &Plan, counting: Counting) -> Option<Watch> {
        let precision = plan.precision.clone().filter(|one| one.by == By::Batches)?;
        let next = precision.at_least;
        let memory = Memory::default();
        Some(Watch { precision, counting, memory, count: 0, next, looks: 0, ended: None })
    }

    /// Is it time to look?
    #[inline]
    pub fn is_due(&self) -> bool {
        self.count >= self.next && self.ended.is_none()
    }

    /// Looks at the accounts of the same jobs; true where the run is to stop.
    pub fn look(&mut self, accounts: &Accounts) -> bool {
        self.looks += 1;
        let recalled = self.memory.recall(self.count);
        let times = of_batches(&self.precision, accounts).map(|interval| {
            let figure = f64::midpoint(interval.low, interval.high);
            let by_groups = recalled.map_or(0.0, |recalled| recalled.half_width);
            let wider = interval.half_width().max(by_groups);
            times_too_wide(&self.precision, Interval::around(figure, wider))
        });
        // Where all values are alike there is nothing to be recalled.
        let at_least = match recalled {
            Some(recalled) => recalled.at_least,
            None => times.filter(|&times| times == 0.0).map(|_| 0),
        };
        let is_long = at_least.is_some_and(|at_least| self.count >= at_least);
        if is_long && times.is_some_and(|times| times <= 1.0) {
            self.ended = Some(Ended { why: Why::Precision, looks: self.looks });
        } else {
            let farthest = JOBS.next(self.count, None);
            let next = JOBS.next(self.count, times).max(at_least.unwrap_or(0));
            self.next = next.min(farthest);
        }
        tracing::info!(count = self.count, times, ?at_least, "looked at the precision");
        self.ended.is_some()
    }

    /// True when the run is to stop.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// How the run ended, after which so many jobs were submitted.
    pub fn ended(&self, submitted: u64) -> Ended {
        let is_most = submitted >= self.precision.at_most;
        let why = if is_most { Why::AtMost } else { Why::Drained };
        self.ended.unwrap_or(Ended { why, looks: self.looks })
    }

    fn value(&self, finished: &Finished<'_>) -> Option<f64> {
        let (flow, ran) = (finished.flow().ticks() as f64, finished.ran());
        match self.precision.metric {
            Metric::Flow => Some(flow / TICKS_PER_UNIT as f64),
            Metric::Wait => Some(finished.wait().as_units()),
            Metric::Slowdown => (ran > Span::ZERO).then(|| flow / ran.ticks() as f64),
            _ => {
                let bound = ran.max(self.counting.tau);
                (bound > Span::ZERO).then(|| (flow / bound.ticks() as f64).max(1.0))
            }
        }
    }
}

impl Observer for Watch {
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        let counts = self.counting.from <= job.submit && job.submit < self.counting.until;
        if !counts || single(&self.precision).is_some_and(|one| one != job.organization) {
            return;
        }
        if let Some(value) = self.value(&finished) {
            self.memory.add(value);
            self.count += 1;
        }
    }
}
