//! Warnings that several worlds have.

use findings::estimate::Estimate;
use findings::growing::Grows;
use stats::shown::{count, figure};

/// With fewer sections an interval is itself uncertain.
///
/// The relative standard deviation of its width is 1 / sqrt(2 (sections - 1)), 24% with ten.
pub const FEWEST_SECTIONS: u64 = 10;
/// Maximum number of organizations that a warning names.
pub(crate) const NAMED: usize = 5;

/// Warns about too few batches of rounds, in a single replication.
pub(crate) fn few_batches(estimate: Option<Estimate>) -> Option<String> {
    let method = estimate?.method;
    (method.sections() < FEWEST_SECTIONS).then(|| {
        format!(
            "the sample is small ({method}), so the intervals are only rough; play more rounds, or \
             increase `run.replications`"
        )
    })
}

/// The first of some names, and the number of the others.
pub(crate) fn named<'a>(names: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let mut text: Vec<&str> = Vec::new();
    let mut names = names;
    text.extend(names.by_ref().take(NAMED).map(String::as_str));
    let text = text.join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

/// Describes the growth rate of a queue and what it means.
pub(crate) fn without_limit(grows: &Grows) -> String {
    let rate = grows.rate;
    let every =
        if rate < 1.0 { format!(" (one job every {})", figure(1.0 / rate)) } else { String::new() };
    let some = if grows.replications < grows.of {
        format!(", in {} of {} replications", count(grows.replications), count(grows.of))
    } else {
        String::new()
    };
    let jobs = if figure(rate) == "1.000" { "job" } else { "jobs" };
    format!(
        "by {} {jobs} per unit of time{every}{some}: means have no limit, and depend on the length \
         of the run",
        figure(rate)
    )
}
