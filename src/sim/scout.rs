//! What a first run of a replication finds: where its warm-up ends, and when its last job comes.

use super::accounts::Counting;
use super::observer::{Finished, Observer};
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time};
use crate::model::entry::Entry;
use crate::model::ids::JobId;
use crate::model::job::Job;
use crate::state_of_fields;
use crate::stats::mser::{Doubt, Series};

/// Where the ways to find a warm-up come from.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "mser_5",
    "White, Cobb and Spratt, A comparison of five steady-state truncation heuristics for \
     simulation, WSC 2000",
)];

/// Watches the flow times of the whole grid, in the order in which jobs end.
#[derive(Clone, Debug, Default)]
pub struct Scout {
    flows: Series,
    last_submit: Time,
}

state_of_fields!(Scout { flows, last_submit });

impl Scout {
    /// What counts, when jobs that came no later than the last one that MSER-5 cuts do not; and
    /// why that may be wrong, where it may.
    pub fn without_warm_up(&self, counting: Counting) -> (Counting, Option<Doubt>) {
        let cut = self.flows.cut();
        let first = cut.after.map_or(Time::ZERO, |last| Time::from_ticks(last + 1));
        (Counting { from: counting.from.max(first), ..counting }, cut.doubt)
    }

    /// What counts, when jobs that came within so long before the last one do not: nothing, where
    /// the warm-up lasts until then.
    pub fn without_cool_down(&self, counting: Counting, cool_down: Span) -> Counting {
        let until = counting.until.min(self.last_submit - cool_down);
        Counting { until: until.max(counting.from), ..counting }
    }
}

impl Observer for Scout {
    fn submitted(&mut self, _: JobId, _: &Job, now: Time) {
        self.last_submit = now;
    }
    fn rejected(&mut self, _: &Job, now: Time) {
        self.last_submit = now;
    }
    fn finished(&mut self, finished: Finished<'_>) {
        let flow = finished.flow().ticks() as f64 / TICKS_PER_UNIT as f64;
        self.flows.add(flow, finished.job.submit.ticks());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cool_down_longer_than_the_run_leaves_an_empty_window() {
        let scout = Scout { last_submit: Time::from_ticks(300), ..Scout::default() };
        let from = Time::from_ticks(100);
        let window = |cool_down| {
            let counting = Counting { from, ..Counting::default() };
            let left = scout.without_cool_down(counting, Span::from_ticks(cool_down));
            (left.from.ticks(), left.until.ticks())
        };
        assert_eq!([window(50), window(250), window(5000)], [(100, 250), (100, 100), (100, 100)]);
    }
}
