//! Figures 3 to 5: learners over 1000 rounds, drawn, and judged by the statements in the text.
//!
//! The paper does not give the learning rate; we use 0.1, and show other rates for comparison.
//! Figures are means over repetitions with different seeds, with Student's t intervals over
//! repetitions. The paper draws a single repetition, and means hide its peaks, so the first
//! repetition is also reported by itself.
//!
//! The probabilities of Figure 3 are explained by the [mean field] of the ratio rule, in the limit
//! of slow learning and at the learning rate.
//!
//! [mean field]: sim::mean_field

mod drawing;
mod explained;
mod levels;
mod probabilities;

use std::ops::Range;

pub(super) use levels::{figure_4, figure_5};
pub(super) use probabilities::{figure_3a, figure_3b, repetitions};

use super::play::Course;
use crate::Bench;
use crate::sample::mean;
use crate::verdict::Measured;

/// Assumed learning rate.
const RATE: f64 = 0.1;

/// Rounds of a run as drawn in the paper.
const WHOLE: u64 = 1000;

/// Number of rounds and repetitions.
struct Watch {
    rounds: u64,
    seeds: u64,
}

impl Watch {
    fn of(bench: &Bench) -> Watch {
        match bench.effort.quick {
            true => Watch { rounds: u64::from(bench.effort.samples * 10).min(400), seeds: 3 },
            false => Watch { rounds: WHOLE, seeds: 10 },
        }
    }
}

/// The last quarter of a run, which no longer depends on its start.
fn last(values: &[f64]) -> &[f64] {
    &values[values.len() - values.len().div_ceil(4)..]
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean over some clusters of a figure of their runs, with an interval over repetitions.
fn over(
    courses: &[Course],
    clusters: Range<usize>,
    of: impl Fn(&Course, usize) -> f64,
) -> Measured {
    mean(courses.iter().map(|course| {
        let each: Vec<f64> = clusters.clone().map(|cluster| of(course, cluster)).collect();
        average(&each)
    }))
}

/// Quantiles of the values at `shares`.
fn quantiles<const N: usize>(mut values: Vec<f64>, shares: [f64; N]) -> [f64; N] {
    values.sort_unstable_by(f64::total_cmp);
    shares.map(|share| values[((values.len() - 1) as f64 * share).round() as usize])
}
