//! Running and waiting jobs at a given time, in words and as tables.

use std::fmt::Write as _;

use kernel::time::Time;
use report::table::{Column, Table};
use review::explain::{OnCluster, RunningJob, WaitingJob};
use stats::shown;

use super::words::{self, UNRECORDED, cell, jobs, named, processors, reason, when};

/// Maximum number of jobs named in each list.
const SHOWN: usize = 10;

pub(super) fn text(time: Time, clusters: &[OnCluster]) -> String {
    let mut out = format!("At {}, after all events of that time:\n", when(time));
    for one in clusters {
        if one.cluster.is_empty() {
            let scheduler = one.scheduler.as_deref().unwrap_or_default();
            let _ = match one.waiting.len() {
                0 => writeln!(out, "\nno job waits in the grid for `{scheduler}`"),
                1 => writeln!(out, "\n1 job waits in the grid for `{scheduler}`"),
                count => writeln!(
                    out,
                    "\n{} wait in the grid for `{scheduler}`, in order of submission",
                    jobs(count)
                ),
            };
            one.waiting.iter().take(SHOWN).for_each(|one| waiting(&mut out, one));
            more(&mut out, one.waiting.len(), "waiting");
            continue;
        }
        let are = if one.free == 1 { "is" } else { "are" };
        let _ = writeln!(
            out,
            "\n`{}` ({}): {} of {} {are} free",
            one.cluster,
            words::scheduler(one.scheduler.as_deref()),
            shown::count(one.free.into()),
            processors(one.processors)
        );
        let _ = match one.running.len() {
            0 => writeln!(out, "  no job is running"),
            1 => writeln!(out, "  1 job is running"),
            count => writeln!(out, "  {} are running", jobs(count)),
        };
        one.running.iter().take(SHOWN).for_each(|one| running(&mut out, time, one));
        more(&mut out, one.running.len(), "running");
        let _ = match one.waiting.len() {
            0 => writeln!(out, "  no job is waiting"),
            1 => writeln!(out, "  1 job is waiting"),
            count => writeln!(out, "  {} are waiting, in order of submission", jobs(count)),
        };
        one.waiting.iter().take(SHOWN).for_each(|one| waiting(&mut out, one));
        more(&mut out, one.waiting.len(), "waiting");
    }
    if clusters.iter().any(|one| !one.recorded && !one.waiting.is_empty()) {
        let _ = writeln!(out, "\n{UNRECORDED}");
    }
    out
}

fn running(out: &mut String, time: Time, RunningJob { job, expected_end }: &RunningJob) {
    let expected = match *expected_end {
        Some(end) if end <= time => format!(", should have finished at {}", when(end)),
        Some(end) => format!(", expected to finish at {}", when(end)),
        None => String::new(),
    };
    let _ = writeln!(
        out,
        "    {} ({}) since {}{expected}",
        named(&job.workload, job.number, ""),
        processors(job.processors),
        job.start.map(when).unwrap_or_default()
    );
}

fn waiting(out: &mut String, WaitingJob { job, line }: &WaitingJob) {
    let told = line.as_ref().map(|line| {
        let reason = reason(line, job.processors, &job.workload);
        match line.time == job.submit {
            true => format!(", {reason}"),
            false => format!(", from {} on {reason}", when(line.time)),
        }
    });
    let _ = writeln!(
        out,
        "    {} ({}) since {}{}",
        named(&job.workload, job.number, ""),
        processors(job.processors),
        when(job.submit),
        told.unwrap_or_default()
    );
}

fn more(out: &mut String, all: usize, table: &str) {
    if all > SHOWN {
        let left = shown::count((all - SHOWN) as u64);
        let _ = writeln!(out, "    and {left} more (`--table {table}`)");
    }
}

/// All tables; the waiting jobs come last.
pub(super) fn tables(time: Time, clusters: &[OnCluster]) -> Vec<Table> {
    vec![cluster_rows(time, clusters), running_rows(clusters), waiting_rows(clusters)]
}

fn cluster_rows(time: Time, clusters: &[OnCluster]) -> Table {
    let columns = [
        Column::figure("time"),
        Column::text("cluster"),
        Column::text("scheduler"),
        Column::figure("processors"),
        Column::figure("free"),
        Column::figure("running"),
        Column::figure("waiting"),
        Column::figure("decisions_recorded"),
    ];
    let mut table = Table::new("clusters", columns);
    for one in clusters {
        table.row([
            cell(Some(time)),
            (&*one.cluster).into(),
            one.scheduler.as_deref().into(),
            one.processors.into(),
            one.free.into(),
            one.running.len().into(),
            one.waiting.len().into(),
            one.recorded.into(),
        ]);
    }
    table
}

fn running_rows(clusters: &[OnCluster]) -> Table {
    let columns = [
        Column::text("cluster"),
        Column::text("workload_name"),
        Column::figure("job_id"),
        Column::text("organization"),
        Column::figure("processors"),
        Column::figure("starting_time"),
        Column::figure("expected_end"),
    ];
    let mut table = Table::new("running", columns);
    for one in clusters {
        for RunningJob { job, expected_end } in &one.running {
            table.row([
                (&*one.cluster).into(),
                (&*job.workload).into(),
                job.number.into(),
                (&*job.organization).into(),
                job.processors.into(),
                cell(job.start),
                cell(*expected_end),
            ]);
        }
    }
    table
}

fn waiting_rows(clusters: &[OnCluster]) -> Table {
    let columns = [
        Column::text("cluster"),
        Column::text("workload_name"),
        Column::figure("job_id"),
        Column::text("organization"),
        Column::figure("processors"),
        Column::figure("submission_time"),
        Column::text("reason"),
        Column::figure("since"),
        Column::text("by_workload"),
        Column::figure("by_job"),
        Column::figure("due"),
        Column::figure("expected_start"),
        Column::figure("extra"),
    ];
    let mut table = Table::new("waiting", columns);
    for one in clusters {
        for WaitingJob { job, line } in &one.waiting {
            let line = line.as_ref();
            let by = line.and_then(|line| line.by.as_ref());
            table.row([
                (&*one.cluster).into(),
                (&*job.workload).into(),
                job.number.into(),
                (&*job.organization).into(),
                job.processors.into(),
                cell(Some(job.submit)),
                line.map(|line| line.told.word()).into(),
                cell(line.map(|line| line.time)),
                by.map(|(workload, _)| &**workload).into(),
                by.map(|&(_, number)| number).into(),
                cell(line.and_then(|line| line.due)),
                cell(line.and_then(|line| line.expected_start)),
                line.and_then(|line| line.extra).into(),
            ]);
        }
    }
    table
}
