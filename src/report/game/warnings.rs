//! Warnings for readers of a game's figures.

use crate::words::warnings::{FEWEST_SECTIONS, few_batches};
use findings::estimate::Method;
use findings::game::played::Played;
use findings::measure::Metric;

/// The warnings, in sentences.
pub fn of(played: &Played) -> Vec<String> {
    let estimates = || played.units().filter_map(|unit| unit.interval(Metric::Payoff));
    // If nothing varies, few sections are as good as many.
    let mut varying = estimates().filter(|one| one.interval.half_width() > 0.0);
    let Some(estimate) = varying.next() else { return Vec::new() };
    match estimate.method {
        Method::Replications { sections } if sections < FEWEST_SECTIONS => vec![format!(
            "the sample is small ({}), so the intervals are only rough; increase \
             `run.replications`",
            estimate.method
        )],
        Method::Replications { .. } => Vec::new(),
        _ => few_batches(Some(estimate)).into_iter().collect(),
    }
}
