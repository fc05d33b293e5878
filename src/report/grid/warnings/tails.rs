//! Warnings about tails that a sample misses: a few jobs or sections weigh too much.
//!
//! A narrow interval is no comfort here: it is narrowest if the rare large jobs did not come.

use super::Judged;
use crate::words::warnings::named;
use findings::estimate::{Estimate, Method};
use stats::shown::{count, figure, percent};

/// Skewness of the sum of squared sizes beyond which a mean waiting time is not roughly normal.
const HEAVY: f64 = 0.25;
/// Threshold for the skewness of sections, in its standard deviations.
///
/// Sections without skewness exceed it in about one of five hundred cases.
const DEVIATIONS: f64 = 3.0;
/// Skewness of sections below which the skewness-adjusted interval is still good.
const HARMLESS: f64 = 1.5;

/// Warns if a few drawn jobs decide on the mean waiting time.
pub(super) fn sizes(all: &[Judged<'_>], remedy: &str, warnings: &mut Vec<String>) {
    let heavy: Vec<(&Judged<'_>, f64)> = (all.iter())
        .filter(|one| one.draws && one.account.sizes.skewness().is_some_and(|it| it > HEAVY))
        .filter_map(|one| Some((one, one.account.sizes.share()?)))
        .collect();
    let Some(&(most, share)) = heavy.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
    warnings.push(format!(
        "a few large jobs of {} dominate the waiting times, and intervals cannot know of larger \
         ones: one of {} jobs makes up {} of the sum of their squared sizes; {remedy}",
        named(heavy.iter().map(|(one, _)| &one.name)),
        count(most.account.sizes.number()),
        percent(share)
    ));
}

/// Warns if a few sections are far from the others.
pub(super) fn sections(all: &[Judged<'_>], remedy: &str, warnings: &mut Vec<String>) {
    let skewed: Vec<(&Judged<'_>, Estimate)> = (all.iter())
        .filter_map(|one| Some((one, one.precision.distributions[0].mean?)))
        .filter(|(_, estimate)| is_skewed(estimate))
        .collect();
    let skewness = |one: &(&Judged<'_>, Estimate)| one.1.skewness;
    let Some(most) = skewed.iter().max_by(|a, b| skewness(a).total_cmp(&skewness(b))) else {
        return;
    };
    let sections = match most.1.method {
        Method::Replications { .. } => "replications",
        _ => "batches",
    };
    warnings.push(format!(
        "the mean flow time of {} is skewed: a few {sections} are far above the others (skewness \
         {}), so its interval may be too narrow; {remedy}",
        named(skewed.iter().map(|(one, _)| &one.name)),
        figure(skewness(most))
    ));
}

fn is_skewed(estimate: &Estimate) -> bool {
    let number = estimate.method.sections() as f64;
    if number < 3.0 {
        return false;
    }
    let variance =
        6.0 * number * (number - 1.0) / ((number - 2.0) * (number + 1.0) * (number + 3.0));
    estimate.skewness > HARMLESS.max(DEVIATIONS * variance.sqrt())
}
