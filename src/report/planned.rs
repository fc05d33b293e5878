//! Description of what a scenario would run, as tables for other programs.

use super::json::{ClusterEntry, WorkloadEntry};
use super::table::{Cell, Column, Table};
use findings::target::Width;
use scenario::plan::{Plan, Until, WorkloadKind};

/// Names of the tables.
pub const NAMES: [&str; 5] = ["run", "organizations", "clusters", "workloads", "imports"];

/// The tables, in the order of their names.
pub fn tables(plan: &Plan) -> [Table; 5] {
    [run(plan), organizations(plan), clusters(plan), workloads(plan), imports(plan)]
}

/// The run in one row.
///
/// `until_...` is missing for other stopping conditions, and columns about rounds or precision are
/// missing if there are none. With a target precision, replications and jobs are maxima.
fn run(plan: &Plan) -> Table {
    let columns = [
        Column::text("name"),
        Column::figure("seed"),
        Column::figure("replications"),
        Column::figure("until_time"),
        Column::figure("until_jobs"),
        Column::figure("until_rounds"),
        Column::text("rounds"),
        Column::figure("period"),
        Column::figure("window_from"),
        Column::figure("window_until"),
        Column::text("balancer"),
        Column::figure("organizations"),
        Column::figure("clusters"),
        Column::figure("processors"),
        Column::figure("workloads"),
        Column::figure("jobs"),
        Column::text("precision_of"),
        Column::figure("relative_half_width"),
        Column::figure("half_width"),
        Column::figure("at_least"),
        Column::figure("at_most"),
        Column::text("scenario_digest"),
    ];
    let mut table = Table::new("run", columns);
    let (mut until_time, mut until_jobs, mut until_rounds) = (None, None, None);
    match plan.until {
        Until::Drained => {}
        Until::Time(time) => until_time = Some(time.as_units()),
        Until::Jobs(jobs) => until_jobs = Some(jobs),
        Until::Rounds(rounds) => until_rounds = Some(rounds),
    }
    let precision = plan.precision.as_ref();
    let (relative, absolute) = match precision.map(|one| one.width) {
        None => (None, None),
        Some(Width::Relative(share)) => (Some(share), None),
        Some(Width::Absolute(amount)) => (None, Some(amount)),
    };
    let coalition = plan.coalition();
    let processors = plan.processors();
    table.row([
        (&*plan.name).into(),
        plan.seed.into(),
        plan.replications.into(),
        until_time.into(),
        until_jobs.into(),
        until_rounds.into(),
        coalition.map(|one| one.rounds.name()).into(),
        coalition.map(|one| one.period.as_units()).into(),
        coalition.map(|one| one.window.start.as_units()).into(),
        coalition.map(|one| one.window.end.as_units()).into(),
        coalition.map(|one| one.balancer.name()).into(),
        plan.organizations.len().into(),
        plan.clusters.len().into(),
        processors.into(),
        plan.workloads.len().into(),
        plan.jobs().into(),
        precision
            .map(|one| one.metrics.iter().map(|one| one.name).collect::<Vec<_>>().join(" "))
            .into(),
        relative.into(),
        absolute.into(),
        precision.map(|one| one.at_least).into(),
        precision.map(|one| one.at_most).into(),
        (&*plan.digest).into(),
    ]);
    table
}

fn organizations(plan: &Plan) -> Table {
    let columns = [
        Column::text("organization"),
        Column::figure("clusters"),
        Column::figure("processors"),
        Column::figure("may_use_clusters"),
        Column::figure("may_use_processors"),
        Column::text("learner"),
        Column::figure("first_round"),
        Column::figure("last_round"),
    ];
    let mut table = Table::new("organizations", columns);
    let mut own = vec![(0_u64, 0_u64); plan.organizations.len()];
    for cluster in &plan.clusters {
        let (clusters, processors) = &mut own[cluster.owner.index()];
        *clusters += 1;
        *processors += u64::from(cluster.processors());
    }
    for (index, organization) in plan.organizations.iter().enumerate() {
        let (clusters, processors) = own[index];
        let seat = plan.coalition().map(|coalition| &coalition.seats[index]);
        let used = organization.uses.iter().map(|id| plan.clusters[id.index()].processors());
        table.row([
            (&*organization.name).into(),
            clusters.into(),
            processors.into(),
            organization.uses.len().into(),
            used.map(u64::from).sum::<u64>().into(),
            seat.map(|seat| seat.learner.name()).into(),
            seat.map(|seat| seat.first).into(),
            seat.and_then(|seat| seat.last).into(),
        ]);
    }
    table
}

fn clusters(plan: &Plan) -> Table {
    let columns = [
        Column::text("cluster"),
        Column::text("owner"),
        Column::text("kind"),
        Column::figure("processors"),
        Column::text("scheduler"),
        Column::figure("kill_at_estimate"),
    ];
    let mut table = Table::new("clusters", columns);
    for cluster in &plan.clusters {
        let entry = ClusterEntry::new(plan, cluster);
        let kind = if entry.scheduler.is_some() { "space_shared" } else { "time_shared" };
        table.row([
            entry.name.into(),
            entry.owner.into(),
            kind.into(),
            entry.processors.into(),
            entry.scheduler.into(),
            entry.kill_at_estimate.into(),
        ]);
    }
    table
}

fn workloads(plan: &Plan) -> Table {
    let columns = [
        Column::text("workload"),
        Column::text("kind"),
        Column::figure("jobs"),
        Column::figure("lines").note("lines: of the trace that are neither blank nor comments"),
        Column::text("owners"),
        Column::text("file"),
        Column::figure("offered_load")
            .note("offered_load: processors x run time a job over machine x gap, in the long run"),
        Column::figure("gap_factor").note("gap_factor: what gaps were multiplied by for that"),
        Column::text("acknowledge"),
        Column::text("digest"),
    ];
    let mut table = Table::new("workloads", columns);
    for workload in &plan.workloads {
        let entry = WorkloadEntry::new(workload);
        let (lines, file) = match &workload.kind {
            WorkloadKind::Swf { survey, .. } => {
                (survey.ledger.read.into(), survey.file.display().to_string().into())
            }
            _ => (Cell::Missing, Cell::Missing),
        };
        table.row([
            entry.name.into(),
            entry.kind.into(),
            entry.jobs.into(),
            lines,
            entry.owners.into(),
            file,
            entry.offered_load.into(),
            entry.gap_factor.into(),
            entry.acknowledge.into(),
            entry.digest.into(),
        ]);
    }
    table
}

/// Effect of each import rule on each trace.
fn imports(plan: &Plan) -> Table {
    let columns = [
        Column::text("workload"),
        Column::text("rule"),
        Column::figure("jobs"),
        Column::prose("effect"),
        Column::figure("dropped"),
        Column::figure("first_line"),
    ];
    let mut table = Table::new("imports", columns);
    for workload in &plan.workloads {
        let WorkloadKind::Swf { survey, .. } = &workload.kind else { continue };
        for row in survey.ledger.rows() {
            table.row([
                (&*workload.name).into(),
                row.rule.into(),
                row.count.into(),
                (&*row.effect).into(),
                (row.kind == workload::swf::Kind::Dropped).into(),
                row.first_line.into(),
            ]);
        }
    }
    table
}
