//! What a first run of a replication finds: where its warm-up ends, and when its last job comes.

use super::accounts::Counting;
use super::observer::{Finished, Observer};
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time};
use crate::model::entry::Entry;
use crate::model::ids::JobId;
use crate::model::job::Job;
use crate::state_of_fields;
use crate::stats::mser::Series;

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
    /// What counts, when jobs that came no later than the last one that MSER-5 cuts do not; true
    /// where that is doubtful, because no steady state was found.
    pub fn without_warm_up(&self, counting: Counting) -> (Counting, bool) {
        let cut = self.flows.cut();
        let first = cut.after.map_or(Time::ZERO, |last| Time::from_ticks(last + 1));
        (Counting { from: counting.from.max(first), ..counting }, cut.is_doubtful)
    }

    /// What counts, when jobs that came within so long before the last one do not.
    pub fn without_cool_down(&self, counting: Counting, cool_down: Span) -> Counting {
        Counting { until: counting.until.min(self.last_submit - cool_down), ..counting }
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
