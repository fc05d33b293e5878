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

/// The warnings of several runs, those of a kind once: the first of them, and the runs that have one.
pub(crate) fn once<'a>(
    runs: impl Iterator<Item = &'a Vec<String>>,
) -> Vec<(&'a String, Vec<usize>)> {
    let mut told: Vec<(String, &String, Vec<usize>)> = Vec::new();
    for (run, warnings) in runs.enumerate() {
        for warning in warnings {
            let kind = kind_of(warning);
            match told.iter_mut().find(|(known, ..)| *known == kind) {
                Some((.., runs)) if runs.contains(&run) => {}
                Some((.., runs)) => runs.push(run),
                None => told.push((kind, warning, vec![run])),
            }
        }
    }
    told.into_iter().map(|(_, warning, runs)| (warning, runs)).collect()
}

/// A warning without its figures, and without their number: `flow times grow from # to #`.
fn kind_of(warning: &str) -> String {
    // "the first quarter" and "the first half" are figures in words.
    let words = ["quarter", "eighth", "half", "second", "last"];
    let is_figure =
        |word: &str| word.contains(|c: char| c.is_ascii_digit()) || words.contains(&word);
    let all = warning.split_whitespace();
    let kept = all.filter(|word| !is_figure(word.trim_matches(|c: char| c.is_ascii_punctuation())));
    kept.collect::<Vec<_>>().join(" ")
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
