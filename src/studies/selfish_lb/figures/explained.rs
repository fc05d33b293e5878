//! The probabilities of Figure 3 beside the mean-field predictions.

use super::super::play::{Course, Setup, fixed_points};
use super::super::printed::RULE;
use super::{RATE, average, over};
use crate::row::Row;
use crate::verdict::{Measured, Printed};
use crate::{Bench, StudyError};
use sim::mean_field::FixedPoint;

/// Precision of the search for a fixed point.
const TOLERANCE: f64 = 0.002;

/// Learners whose final probabilities are to be explained.
pub(super) struct Case<'a> {
    pub(super) setup: &'a Setup,
    pub(super) courses: &'a [Course],
}

/// A class of equal clusters: its final probability, and the mean-field predictions.
pub(super) struct Class {
    live: Measured,
    /// Fixed point p = E[q | joined] for slow learning.
    slow: Printed,
    /// Fixed point at the learners' rate.
    at_rate: Printed,
}

impl Class {
    /// The simulation beside the predictions, which are ours and judged by the same rule.
    pub(super) fn rows(&self, claim: &'static str, place: &str, who: &str) -> [Row; 2] {
        let row = |what: &str, from: &Printed| {
            let Measured { value, half_width } = self.live;
            let note =
                format!("simulated {value:.3} ± {half_width:.3}, predicted {:.3}", from.value);
            (
                Row::new(claim, place, format!("{who}: {what}")).note(note),
                from.difference(&self.live),
            )
        };
        let (slow, off) =
            row("simulated p - mean-field p for slow learning, p = E[q | joined]", &self.slow);
        let slow = slow.shown(off);
        let (at_rate, off) =
            row("simulated p - mean-field p at the same learning rate", &self.at_rate);
        [slow, at_rate.found("0 if explained", off, self.at_rate.judge(&self.live))]
    }
}

/// The classes of each case, with their mean-field predictions.
pub(super) fn explained(bench: &Bench, cases: &[Case<'_>]) -> Result<Vec<Vec<Class>>, StudyError> {
    // Small grids give fewer responses per round, so they need more rounds.
    let rounds = |setup: &Setup| {
        let all: u64 = match setup.clusters {
            _ if setup.first != setup.size => 2000,
            2 => 2000,
            5 => 1000,
            10 => 500,
            _ => 150,
        };
        (all * u64::from(bench.effort.samples) / 1000).max(20)
    };
    let searched: Vec<(Setup, f64)> =
        cases.iter().flat_map(|case| [0.0, RATE].map(|rate| (case.setup.clone(), rate))).collect();
    let found = fixed_points(bench, &searched, rounds)?;
    let classes = |(case, found): (&Case<'_>, &[FixedPoint])| {
        let clusters = case.setup.clusters;
        let bounds = match found[0].probabilities.len() {
            1 => vec![(0, clusters)],
            _ => vec![(0, 1), (1, clusters)],
        };
        let class = |(number, (from, to)): (usize, (usize, usize))| {
            let [slow, at_rate] = [0, 1].map(|rate: usize| {
                let (found, desired) = (&found[rate], &found[rate].desired[number]);
                // A search that did not converge is no prediction.
                let sampling = match desired.error {
                    Some(error) if found.found => error.half_width(),
                    _ => f64::INFINITY,
                };
                let value = found.probabilities[number];
                Printed { value, unit: 2.0 * TOLERANCE, sampling, telling: RULE.telling }
            });
            Class { live: over(case.courses, from..to, settled_p), slow, at_rate }
        };
        bounds.into_iter().enumerate().map(class).collect()
    };
    Ok(cases.iter().zip(found.chunks_exact(2)).map(classes).collect())
}

/// Mean probability of a cluster after the first quarter.
fn settled_p(course: &Course, cluster: usize) -> f64 {
    let all = course.probabilities(cluster);
    average(&all[all.len() / 4..])
}
