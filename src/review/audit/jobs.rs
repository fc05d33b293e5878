//! Reads the lines of `jobs.csv` as facts. Columns that follow from others are recomputed.

use kernel::map::Map;
use std::borrow::Cow;

use super::{AuditError, Manifest};
use audit::{Check, JobFacts, Violation};
use kernel::time::{Time, Units};
use records::jobs::{Line, state};
use records::recorded::Row;
use sim::clairvoyance::Clairvoyance;

/// Indices by name.
pub(super) type Places = Map<String, usize>;

/// The names that lines refer to.
pub(super) struct Names {
    pub organizations: Places,
    pub clusters: Places,
    pub workloads: Places,
}

impl Names {
    pub fn of(manifest: &Manifest) -> Names {
        fn places<'a>(names: impl Iterator<Item = &'a String>) -> Places {
            names.cloned().zip(0..).collect()
        }
        Names {
            organizations: places(manifest.organizations.iter()),
            clusters: places(manifest.clusters.iter().map(|cluster| &cluster.name)),
            workloads: places(manifest.workloads.iter().map(|workload| &workload.name)),
        }
    }
}

/// The check of the columns that follow from others.
pub(super) fn check() -> Check {
    let means = "each column of jobs.csv that follows from others of its line is what follows";
    Check::new("derived columns", means)
}

/// Converts a line to facts.
pub(super) fn facts(row: &Row<'_>, line: &Line<'_>, known: &Names) -> Result<JobFacts, AuditError> {
    let cluster = (!line.cluster.is_empty())
        .then(|| place(row, "cluster", line.cluster, &known.clusters))
        .transpose()?;
    let workload = place(row, "workload_name", line.workload_name, &known.workloads)?;
    Ok(JobFacts {
        number: line.job_id,
        source: Some(workload as u32),
        replication: line.replication,
        organization: place(row, "organization", line.organization, &known.organizations)?,
        cluster,
        waits_in_grid: cluster.is_none() && line.final_state == state::WAITING,
        group: None,
        sent: line.sent_time.flatten(),
        submit: line.submission_time,
        arrival: Some(line.arrival),
        start: line.starting_time,
        finish: line.finish_time,
        start_order: line.start_order,
        runtime: line.runtime,
        requested: line.requested_time,
        expected: line.expected_time,
        expected_in_grid: None,
        processors: line.requested_number_of_resources,
        allocated: line.allocated_resources.clone().map(Cow::into_owned),
        user: line.user,
        success: line.final_state == state::COMPLETED,
    })
}

/// The index of a name in a column.
pub(super) fn place(
    row: &Row<'_>,
    column: &str,
    name: &str,
    names: &Places,
) -> Result<usize, AuditError> {
    let place = names.get(name).copied();
    place.ok_or_else(|| row.wrong(column, name, "a name that manifest.json has"))
}

/// Compares the derived columns with the values recomputed from the others. Impossible times are
/// reported by another check.
pub(super) fn derived(
    number: u64,
    line: &Line<'_>,
    job: &JobFacts,
    manifest: &Manifest,
    check: &mut Check,
) {
    check.looked_at += 1;
    let mut wrong = |column: &str, said: &str, follows: &str| {
        check.violated(|| {
            let [said, follows] =
                [said, follows].map(|text| if text.is_empty() { "empty" } else { text });
            let job_id = job.number;
            let text = format!("job {job_id} (line {number}): {column} is {said}, not {follows}");
            Violation::of_job(job, None, text)
        });
    };
    let since = |time: Option<Time>, from: Time| time.map(|time| i128::from((time - from).ticks()));
    let ran = job.start.and_then(|start| since(job.finish, start));
    let flow = since(job.finish, job.submit);
    let units = |ticks: Option<i128>| ticks.map_or(String::new(), |ticks| Units(ticks).to_string());
    for (column, said, follows) in [
        ("execution_time", line.execution_time, ran),
        ("waiting_time", line.waiting_time, since(job.start, job.submit)),
        ("turnaround_time", line.turnaround_time, flow),
    ] {
        if said != follows {
            wrong(column, &units(said), &units(follows));
        }
    }
    let stretch = ran.zip(flow).filter(|&(ran, _)| ran > 0);
    let stretch = stretch.map(|(ran, flow)| flow as f64 / ran as f64);
    if line.stretch != stretch {
        let text = |one: Option<f64>| one.map_or(String::new(), |one| one.to_string());
        wrong("stretch", &text(line.stretch), &text(stretch));
    }
    let final_state = line.final_state;
    let delays = manifest.grid.as_ref().is_some_and(|grid| grid.scheduler.delays())
        || manifest.coalition.as_ref().is_some_and(|coalition| coalition.cost.delay > 0.0);
    let ended = final_state == state::COMPLETED || final_state == state::KILLED;
    let follows = match (job.cluster, job.start, job.finish) {
        (None, ..) if job.waits_in_grid => state::WAITING,
        (None, ..) => state::REJECTED,
        (_, None, None) if final_state == state::UNDER_WAY && delays => final_state,
        (_, _, Some(_)) if ended => final_state,
        (_, _, Some(_)) => state::COMPLETED,
        (_, Some(_), None) => state::RUNNING,
        (_, None, None) => state::WAITING,
    };
    let yes = |is: bool| if is { "1" } else { "0" };
    let has = |is: bool| if is { "a value" } else { "" };
    let is_told = !job.is_rejected() && manifest.clairvoyance != Clairvoyance::None;
    let is_replication = job.replication < manifest.replications;
    for (column, said, follows) in [
        ("final_state", final_state, follows),
        ("success", yes(line.success), yes(final_state == state::COMPLETED)),
        ("profile", line.profile, "rigid"),
        ("consumed_energy", line.consumed_energy, ""),
        ("metadata", if is_tag(&line.metadata) { "a tag" } else { &line.metadata }, "a tag"),
        ("start_order", has(line.start_order.is_some()), has(job.start.is_some())),
        ("allocated_resources", has(job.allocated.is_some()), has(job.start.is_some())),
        ("expected_time", has(job.expected.is_some()), has(is_told)),
        ("replication", if is_replication { "one" } else { "too large" }, "one"),
    ] {
        if said != follows {
            wrong(column, said, follows);
        }
    }
}

/// True if a text has the form of an account, a partition and a label, or is empty.
fn is_tag(text: &str) -> bool {
    let is_pair = |pair: &str| {
        ["account=", "partition=", "label="]
            .iter()
            .any(|name| pair.strip_prefix(name).is_some_and(|value| !value.is_empty()))
    };
    text.is_empty() || text.split(';').all(is_pair)
}
