//! Reads the lines of `jobs.csv` as facts. Columns that follow from others are recomputed.

use std::collections::BTreeMap;

use super::table::Row;
use super::{AuditError, Manifest};
use crate::audit::{Check, JobFacts, Violation};
use crate::kernel::time::{Span, Time};
use crate::report::jobs::state;
use crate::sim::clairvoyance::Clairvoyance;

/// Indices by name.
pub(super) type Places = BTreeMap<String, usize>;

/// The names that lines refer to.
pub(super) struct Known {
    pub organizations: Places,
    pub clusters: Places,
    pub workloads: Places,
}

impl Known {
    pub fn of(manifest: &Manifest) -> Known {
        fn places<'a>(names: impl Iterator<Item = &'a String>) -> Places {
            names.cloned().zip(0..).collect()
        }
        Known {
            organizations: places(manifest.organizations.iter()),
            clusters: places(manifest.clusters.iter().map(|cluster| &cluster.name)),
            workloads: places(manifest.workloads.iter().map(|workload| &workload.name)),
        }
    }
}

/// The check of the columns that follow from others.
pub(super) fn check() -> Check {
    Check {
        name: "derived columns",
        means: "each column of jobs.csv that follows from others of its line is what follows",
        looked_at: 0,
        count: 0,
        violations: Vec::new(),
        notes: Vec::new(),
    }
}

/// Converts a line to facts.
pub(super) fn facts(row: &Row<'_>, known: &Known) -> Result<JobFacts, AuditError> {
    let cluster = match row.text("cluster")? {
        "" => None,
        name => Some(row.known("cluster", name, &known.clusters)?),
    };
    let allocated = match row.text("allocated_resources")? {
        "" => None,
        text => {
            Some(text.parse().map_err(|_| row.wrong("allocated_resources", text, "processors"))?)
        }
    };
    let workload = row.known("workload_name", row.text("workload_name")?, &known.workloads)?;
    let organization = row.text("organization")?;
    Ok(JobFacts {
        number: row.number("job_id")?,
        source: Some(workload as u32),
        replication: row.number("replication")?,
        organization: row.known("organization", organization, &known.organizations)?,
        cluster,
        submit: Time::ZERO + row.span("submission_time")?,
        arrival: Some(row.number("arrival")?),
        start: row.optional_time("starting_time")?,
        finish: row.optional_time("finish_time")?,
        start_order: row.optional("start_order", |row, column| row.number(column))?,
        runtime: row.span("runtime")?,
        requested: row.span("requested_time")?,
        expected: row.optional("expected_time", |row, column| row.span(column))?,
        processors: row.number("requested_number_of_resources")?,
        allocated,
        user: row.number("user")?,
        success: row.text("final_state")? == state::COMPLETED,
    })
}

/// Compares the derived columns with the values recomputed from the others. Impossible times are
/// reported by another check.
pub(super) fn derived(
    row: &Row<'_>,
    job: &JobFacts,
    manifest: &Manifest,
    check: &mut Check,
) -> Result<(), AuditError> {
    check.looked_at += 1;
    let mut wrong = |column: &str, said: &str, follows: &str| {
        check.count += 1;
        if check.violations.len() < super::TOLD {
            let empty =
                |text: &str| if text.is_empty() { "empty".to_owned() } else { text.to_owned() };
            check.violations.push(Violation {
                replication: job.replication,
                round: None,
                cluster: None,
                jobs: vec![job.number],
                time: None,
                text: format!(
                    "job {} (line {}): {column} is {}, not {}",
                    job.number,
                    row.row.line,
                    empty(said),
                    empty(follows)
                ),
            });
        }
    };
    let since = |time: Option<Time>, from: Time| time.map(|time| time - from);
    let spans = [
        ("execution_time", job.start.and_then(|start| since(job.finish, start))),
        ("waiting_time", since(job.start, job.submit)),
        ("turnaround_time", since(job.finish, job.submit)),
    ];
    for (column, follows) in spans {
        let said = row.text(column)?;
        if row.optional_sum(column)? != follows.map(|span| i128::from(span.ticks())) {
            wrong(column, said, &follows.map_or(String::new(), |span| span.to_string()));
        }
    }
    let [ran, flow] = [spans[0].1, spans[2].1];
    let stretch = ran.zip(flow).filter(|&(ran, _)| ran > Span::ZERO);
    let stretch = stretch.map(|(ran, flow)| flow.ticks() as f64 / ran.ticks() as f64);
    let said: Option<f64> = row.optional("stretch", |row, column| row.number(column))?;
    if said != stretch {
        let follows = stretch.map_or(String::new(), |stretch| stretch.to_string());
        wrong("stretch", row.text("stretch")?, &follows);
    }
    let final_state = row.text("final_state")?;
    let ended = final_state == state::COMPLETED || final_state == state::KILLED;
    let follows = match (job.cluster, job.start, job.finish) {
        (None, ..) => state::REJECTED,
        (_, _, Some(_)) if ended => final_state,
        (_, _, Some(_)) => state::COMPLETED,
        (_, Some(_), None) => state::RUNNING,
        (_, None, None) => state::WAITING,
    };
    let yes = |is: bool| if is { "1" } else { "0" };
    let has = |is: bool| if is { "a value" } else { "" };
    let said = |column: &str| Ok::<_, AuditError>(has(!row.text(column)?.is_empty()));
    let is_told = job.cluster.is_some() && manifest.clairvoyance != Clairvoyance::None;
    let is_replication = job.replication < manifest.replications;
    for (column, said, follows) in [
        ("final_state", final_state, follows),
        ("success", row.text("success")?, yes(final_state == state::COMPLETED)),
        ("profile", row.text("profile")?, "rigid"),
        ("consumed_energy", row.text("consumed_energy")?, ""),
        ("metadata", row.text("metadata")?, ""),
        ("start_order", said("start_order")?, has(job.start.is_some())),
        ("allocated_resources", said("allocated_resources")?, has(job.start.is_some())),
        ("expected_time", said("expected_time")?, has(is_told)),
        ("replication", if is_replication { "one" } else { "too large" }, "one"),
    ] {
        if said != follows {
            wrong(column, said, follows);
        }
    }
    Ok(())
}
