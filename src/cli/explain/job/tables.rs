//! Explanation of a grid job's waiting time, as tables.

use report::table::{Column, Table};
use review::explain::WhyJob;

use super::super::words::cell;

/// All tables; the stages of the wait come last.
pub(crate) fn tables(why: &WhyJob) -> Vec<Table> {
    vec![job(why), candidates(why), ahead(why), freed(why), overtakers(why), stages(why)]
}

fn job(why: &WhyJob) -> Table {
    let columns = [
        Column::figure("job_id"),
        Column::text("workload_name"),
        Column::figure("replication"),
        Column::text("organization"),
        Column::text("cluster"),
        Column::text("scheduler"),
        Column::figure("processors"),
        Column::figure("cluster_processors"),
        Column::text("final_state"),
        Column::figure("submission_time"),
        Column::figure("starting_time"),
        Column::figure("finish_time"),
        Column::figure("waiting_time"),
        Column::figure("free_at_submission"),
        Column::figure("running_at_submission"),
        Column::figure("ahead_at_submission"),
        Column::figure("overtakers"),
        Column::figure("decisions_recorded"),
    ];
    let mut table = Table::new("job", columns);
    let job = &why.job;
    let cluster = (!job.cluster.is_empty()).then_some(&*job.cluster);
    table.row([
        job.number.into(),
        (&*job.workload).into(),
        job.replication.into(),
        (&*job.organization).into(),
        cluster.into(),
        why.scheduler.as_deref().into(),
        job.processors.into(),
        cluster.map(|_| why.processors).into(),
        (&*job.state).into(),
        cell(Some(job.submit)),
        cell(job.start),
        cell(job.finish),
        job.start.map(|start| (start - job.submit).as_units()).into(),
        why.free.into(),
        why.running.into(),
        why.ahead.len().into(),
        why.overtakers.len().into(),
        why.recorded.into(),
    ]);
    table
}

fn candidates(why: &WhyJob) -> Table {
    let columns = [
        Column::text("cluster"),
        Column::figure("processors"),
        Column::figure("demand"),
        Column::figure("chosen"),
    ];
    let mut table = Table::new("candidates", columns);
    for one in &why.candidates {
        let name = (&*one.cluster).into();
        table.row([name, one.processors.into(), one.demand.into(), one.chosen.into()]);
    }
    table
}

fn ahead(why: &WhyJob) -> Table {
    let columns = [
        Column::text("workload_name"),
        Column::figure("job_id"),
        Column::figure("processors"),
        Column::figure("submission_time"),
        Column::text("reason"),
        Column::text("by_workload"),
        Column::figure("by_job"),
        Column::figure("expected_start"),
        Column::figure("starting_time"),
    ];
    let mut table = Table::new("ahead", columns);
    for one in &why.ahead {
        let (job, line) = (&one.job, one.line.as_ref());
        let by = line.and_then(|line| line.by.as_ref());
        table.row([
            (&*job.workload).into(),
            job.number.into(),
            job.processors.into(),
            cell(Some(job.submit)),
            line.map(|line| line.told.word()).into(),
            by.map(|(workload, _)| &**workload).into(),
            by.map(|&(_, number)| number).into(),
            cell(line.and_then(|line| line.expected_start)),
            cell(job.start),
        ]);
    }
    table
}

fn freed(why: &WhyJob) -> Table {
    let columns = [
        Column::text("workload_name"),
        Column::figure("job_id"),
        Column::figure("processors"),
        Column::figure("finish_time"),
        Column::figure("expected_end"),
    ];
    let mut table = Table::new("freed", columns);
    for one in &why.freed {
        let job = &one.job;
        table.row([
            (&*job.workload).into(),
            job.number.into(),
            job.processors.into(),
            cell(job.finish),
            cell(job.expected_end()),
        ]);
    }
    table
}

fn overtakers(why: &WhyJob) -> Table {
    let columns = [
        Column::text("workload_name"),
        Column::figure("job_id"),
        Column::figure("processors"),
        Column::figure("starting_time"),
        Column::figure("expected_start_before"),
        Column::figure("expected_start_after"),
        Column::figure("delayed"),
    ];
    let mut table = Table::new("overtakers", columns);
    for one in &why.overtakers {
        let job = &one.job;
        table.row([
            (&*job.workload).into(),
            job.number.into(),
            job.processors.into(),
            cell(job.start),
            cell(one.expected_before),
            cell(one.expected_after),
            one.delayed().into(),
        ]);
    }
    table
}

fn stages(why: &WhyJob) -> Table {
    let columns = [
        Column::figure("from"),
        Column::figure("until"),
        Column::text("reason"),
        Column::text("by_workload"),
        Column::figure("by_job"),
        Column::figure("due"),
        Column::figure("expected_start"),
        Column::figure("free"),
        Column::figure("extra"),
    ];
    let mut table = Table::new("stages", columns);
    for stage in &why.stages {
        let line = &stage.line;
        let by = line.by.as_ref();
        table.row([
            cell(Some(line.time)),
            cell(stage.until),
            line.told.word().into(),
            by.map(|(workload, _)| &**workload).into(),
            by.map(|&(_, number)| number).into(),
            cell(line.due),
            cell(line.expected_start),
            line.free.into(),
            line.extra.into(),
        ]);
    }
    table
}
