//! Results of rounds, of coalitions and games alike: sums in bins, curves, batches and convergence.
//!
//! A world folds every replication into a course of its own, whose memory does not grow with the
//! rounds, and adds the courses up.

pub mod batched;
pub mod binned;
pub mod curves;
pub mod mean;
pub mod settled;
pub mod sum;
pub mod unit;

use crate::estimate::Method;
use crate::membership;
use crate::sample::{Figure, Sample};
use stats::interval::{Interval, Level};

/// The rounds of a single replication in up to 31 batches, in their order.
#[derive(Clone, Debug)]
pub struct InBatches {
    /// Score, flow time and flow time alone, with a batch in place of a replication.
    pub sample: Sample,
    /// Number of rounds in each; the last one may have more than the others.
    pub rounds: Vec<u64>,
}

impl InBatches {
    /// Gives a figure of a unit without an interval the one by its batches, if they tell it.
    pub(crate) fn fill(&self, unit: usize, figure: &mut Figure, level: Level) {
        let found = || {
            let values = self.sample.series(unit, figure.measure)?;
            let sums = values.into_iter().filter(|one| one[1] > 0.0);
            let sums = sums.map(|[value, weight]| [value * weight, weight]);
            let half = membership::Figure::in_order(level, sums, 1).interval?.half_width();
            Some(Interval::around(figure.mean?, half).within(figure.measure.range()))
        };
        if figure.interval.is_some() {
            return;
        }
        figure.interval = found();
        if figure.interval.is_some() {
            let (sections, rounds) = (self.rounds.len() as u64, self.rounds[0]);
            (figure.method, figure.n) = (Some(Method::RoundMeans { sections, rounds }), sections);
        }
    }
}
