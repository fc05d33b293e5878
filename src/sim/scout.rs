//! First (pilot) runs: record flow times to find the end of the warm-up, and the last submission.

use super::accounts::Counting;
use super::observer::{Finished, Observer, Submitted};
use kernel::state_of_fields;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::entry::Entry;
use model::job::Job;
use stats::mser::{Cut, Series};

/// Sources of the warm-up detection methods.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "mser_5",
    "White, Cobb and Spratt, A comparison of five steady-state truncation heuristics for \
     simulation, WSC 2000",
)];

/// Records the flow times of the whole grid, in order of finish, and the last submission.
#[derive(Clone, Debug, Default)]
pub struct Scout {
    /// Flow times, if kept.
    flows: Option<Series>,
    last_submit: Time,
}

state_of_fields!(Scout { flows, last_submit });

impl Scout {
    /// Creates a scout that keeps flow times, or only the last submission.
    pub fn new(keeps_flows: bool) -> Scout {
        Scout { flows: keeps_flows.then(Series::default), last_submit: Time::ZERO }
    }

    /// The flow times, if kept.
    pub fn flows(&self) -> Option<&Series> {
        self.flows.as_ref()
    }

    /// Returns the flow times, if kept.
    pub fn into_flows(self) -> Option<Series> {
        self.flows
    }

    /// Time of the last submission.
    pub fn last_submit(&self) -> Time {
        self.last_submit
    }
}

/// The counted window without jobs submitted up to the last one that is cut.
pub fn without_warm_up(cut: Cut, counting: Counting) -> Counting {
    let first = cut.after.map_or(Time::ZERO, |last| Time::from_ticks(last + 1));
    Counting { from: counting.from.max(first), ..counting }
}

/// The counted window without jobs submitted within `cool_down` of the last one; empty if the
/// warm-up lasts until then.
pub fn without_cool_down(last_submit: Time, cool_down: Span, counting: Counting) -> Counting {
    let until = counting.until.min(last_submit - cool_down);
    Counting { until: until.max(counting.from), ..counting }
}

impl Observer for Scout {
    fn submitted(&mut self, Submitted { now, .. }: Submitted<'_>) {
        self.last_submit = now;
    }
    fn rejected(&mut self, _: &Job, now: Time) {
        self.last_submit = now;
    }
    fn finished(&mut self, finished: Finished<'_>) {
        if let Some(flows) = &mut self.flows {
            let flow = finished.flow().ticks() as f64 / TICKS_PER_UNIT as f64;
            flows.add(flow, finished.job.submit.ticks());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cool_down_longer_than_the_run_leaves_an_empty_window() {
        let last = Time::from_ticks(300);
        let from = Time::from_ticks(100);
        let window = |cool_down| {
            let counting = Counting { from, ..Counting::default() };
            let left = without_cool_down(last, Span::from_ticks(cool_down), counting);
            (left.from.ticks(), left.until.ticks())
        };
        assert_eq!([window(50), window(250), window(5000)], [(100, 250), (100, 100), (100, 100)]);
    }
}
