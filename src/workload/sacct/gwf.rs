//! A line of the Grid Workloads Format, the text format of the Grid Workloads Archive: 29 fields, of
//! which the first eleven are those of the Standard Workload Format, and names follow. -1 is unknown.
//! Tabs, blanks or commas stand between them.
//!
//! Source: Iosup and others (2008), "The Grid Workloads Archive", section 3.

use super::record::{Fault, Record};
use super::rules::Owner;

/// Fields up to the last one that is read; the rest is often left out.
const FIELDS: usize = 18;
const NUMBER: &str = "a number of seconds";

/// Parses a line; `None` for a blank line and a comment. Times are rounded to whole seconds.
pub(super) fn record(line: &str, owner: Owner) -> Result<Option<Record<'_>>, Fault> {
    let line = line.trim();
    let is_head = line.get(..5).is_some_and(|name| name.eq_ignore_ascii_case("JobID"));
    if line.is_empty() || line.starts_with(['#', ';']) || is_head {
        return Ok(None);
    }
    // Names may have blanks where tabs or commas separate.
    let sign = ['\t', ','].into_iter().find(|&sign| line.matches(sign).count() >= FIELDS - 1);
    let fields: Vec<&str> = match sign {
        Some(sign) => line.split(sign).map(|text| text.trim().trim_matches('"')).collect(),
        None => line.split_whitespace().collect(),
    };
    // Two lines joined in one have twice as many.
    if !(FIELDS..2 * FIELDS).contains(&fields.len()) {
        return Err(Fault::Fields { found: fields.len() });
    }
    let seconds = |at: usize, name: &'static str| seconds(fields[at], name);
    let name = |at: usize| if fields[at] == "-1" { "" } else { fields[at] };
    let submit = seconds(1, "SubmitTime")?.filter(|&submit| submit >= 0);
    let wait = seconds(2, "WaitTime")?.filter(|&wait| wait >= 0);
    let elapsed = seconds(3, "RunTime")?.filter(|&long| long >= 0);
    let whole = |at, name| -> Result<Option<u32>, Fault> {
        let found = seconds(at, name)?.filter(|&number| number > 0);
        found.map(|number| u32::try_from(number).map_err(|_| wrong(name, fields[at]))).transpose()
    };
    let processors = whole(4, "NProcs")?.or(whole(7, "ReqNProcs")?);
    let status = seconds(10, "Status")?;
    Ok(Some(Record {
        id: fields[0],
        is_step: false,
        is_array: false,
        is_component: false,
        is_running: false,
        is_waiting: false,
        is_completed: status == Some(1),
        has_known_state: true,
        submit,
        start: submit.zip(elapsed).map(|(submit, _)| submit.saturating_add(wait.unwrap_or(0))),
        has_unknown_wait: wait.is_none(),
        elapsed: elapsed.unwrap_or(0),
        limit: seconds(8, "ReqTime")?.filter(|&limit| limit > 0),
        has_partition_limit: false,
        processors,
        is_rounded: false,
        owner: match owner {
            Owner::Account | Owner::Group => name(12),
            Owner::Partition => name(14),
            Owner::User => name(11),
            Owner::Cluster => name(16),
        },
        account: name(12),
        partition: name(14),
        nodes: "",
        is_local: false,
        end: None,
        cluster: "",
        user: name(11),
    }))
}

/// Parses a number of at most 10^12, rounded; `None` if it is unknown.
fn seconds(text: &str, column: &'static str) -> Result<Option<i64>, Fault> {
    if text == "-1" || text.is_empty() {
        return Ok(None);
    }
    let number = text.parse::<f64>().ok().filter(|number| number.abs() <= 1e12);
    number.map(|number| Some(number.round() as i64)).ok_or_else(|| wrong(column, text))
}

fn wrong(column: &'static str, found: &str) -> Fault {
    Fault::Value { column, found: found.to_owned(), expected: NUMBER }
}
