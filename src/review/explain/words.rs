//! Phrases for jobs, times and reasons.

use super::read::RecordedDecision;
use kernel::time::{Span, Time};
use records::decisions::Decision;
use stats::shown;

/// Hint for a run that did not record its decisions.
pub(super) const UNRECORDED: &str = "The run did not record its decisions, so reasons and \
    reservations are unknown; `output.decisions = true` records them.";

/// A point in time as a person reads it.
pub(super) fn when(time: Time) -> String {
    shown::exact(&time.to_string())
}

/// A duration as a person reads it.
pub(super) fn long(span: Span) -> String {
    shown::exact(&span.to_string())
}

/// A number of processors.
pub(super) fn processors(number: u32) -> String {
    shown::counted(number.into(), "processor", "processors")
}

/// A job, with its workload unless that is `home`, the one talked about.
pub(super) fn named(workload: &str, number: u64, home: &str) -> String {
    if workload == home { format!("job {number}") } else { format!("job {number} of `{workload}`") }
}

/// `1 job is waiting`, `2 jobs are waiting`: a number of jobs, and one of two endings.
pub(super) fn jobs(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no job {one}"),
        1 => format!("1 job {one}"),
        _ => format!("{} jobs {many}", shown::count(number as u64)),
    }
}

/// The first lines of a list, each after an indent, and how many more a table has.
pub(super) fn listed<T>(
    (indent, most): (&str, usize),
    table: &str,
    all: &[T],
    line: impl Fn(&T) -> String,
) -> String {
    let lines = all.iter().take(most).map(|one| format!("{indent}{}\n", line(one)));
    let mut lines: String = lines.collect();
    if all.len() > most {
        let left = shown::count((all.len() - most) as u64);
        lines += &format!("{indent}and {left} more (`--table {table}`)\n");
    }
    lines
}

/// Reason for the wait of a job that needs `needs` processors.
pub(super) fn reason(line: &RecordedDecision, needs: u32, home: &str) -> String {
    let by = line.by.as_ref().map(|(workload, number)| named(workload, *number, home));
    let expected = line.expected_start.map(when);
    match (line.told, by) {
        (Decision::Ahead, Some(by)) => format!("behind {by} in the order"),
        (Decision::Processors, by) => {
            let enough = match line.free {
                Some(1) => format!("1 of {needs} was free"),
                Some(free) => format!("{free} of {needs} were free"),
                None => format!("it needs {needs}"),
            };
            let start = match (expected, by) {
                (Some(at), Some(by)) => {
                    format!("; to start at {at}, when {by} was expected to end")
                }
                (Some(at), None) => format!("; to start at {at}"),
                (None, Some(by)) => format!("; {by} ran"),
                (None, None) => String::new(),
            };
            format!("for processors: {enough}{start}")
        }
        (Decision::Reservation, by) => {
            let free = match line.free {
                Some(1) => "1 was free, but ".to_owned(),
                Some(free) => format!("{free} were free, but "),
                None => String::new(),
            };
            let holder = match (by, line.due) {
                (Some(by), Some(due)) => {
                    format!("starting it would have delayed {by}, due at {}", when(due))
                }
                _ => "its own reservation is later, and is not looked at before a job ends".into(),
            };
            let extra = line.extra.map(|extra| format!(" (which left {extra} over)"));
            let own = expected.map(|at| format!("; to start at {at}"));
            format!("{free}{holder}{}{}", extra.unwrap_or_default(), own.unwrap_or_default())
        }
        (_, by) => {
            let due = line.due.map_or("before".to_owned(), |due| format!("at {}", when(due)));
            let by = by.unwrap_or_else(|| "a job".to_owned());
            format!("for {by}, which should have ended {due}: no reservation held")
        }
    }
}

/// Name of a cluster's scheduler in words.
pub(super) fn scheduler(name: Option<&str>) -> &str {
    match name {
        Some("fcfs") => "first come, first served",
        Some("easy") => "EASY backfilling",
        Some("conservative") => "conservative backfilling",
        Some("list") => "list scheduling",
        Some(other) => other,
        None => "one job at a time",
    }
}
