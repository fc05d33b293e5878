//! Description of what a scenario would run, as tables for other programs.

use super::entry::ClusterEntry;
use crate::table::{Column, Table, columns};
use crate::workload::entry::WorkloadEntry;
use findings::target::Width;
use scenario::plan::{Organization, Plan, Seat, Until};
use workload::ledger::Row as Rule;
use workload::swf::Survey;

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
    let precision = plan.precision.as_ref();
    let width = precision.map(|one| one.width);
    let coalition = plan.coalition();
    let columns = columns![|plan: &&Plan|
        Column::text("name") => &*plan.name,
        Column::figure("seed") => plan.seed,
        Column::count("replications") => plan.replications,
        Column::figure("until_time") => match plan.until {
            Until::Time(time) => Some(time.as_units()),
            _ => None,
        },
        Column::figure("until_jobs") => match plan.until {
            Until::Jobs(jobs) => Some(jobs),
            _ => None,
        },
        Column::figure("until_rounds") => match plan.until {
            Until::Rounds(rounds) => Some(rounds),
            _ => None,
        },
        Column::text("rounds") => coalition.map(|one| one.rounds.name()),
        Column::figure("period") => coalition.map(|one| one.period.as_units()),
        Column::figure("window_from") => coalition.map(|one| one.window.start.as_units()),
        Column::figure("window_until") => coalition.map(|one| one.window.end.as_units()),
        Column::text("balancer") => coalition.and_then(|one| Some(one.balancer.as_ref()?.name())),
        Column::figure("organizations") => plan.organizations.len(),
        Column::count("clusters") => plan.clusters.len(),
        Column::count("processors") => plan.processors(),
        Column::figure("workloads") => plan.workloads.len(),
        Column::figure("jobs") => plan.jobs(),
        Column::text("precision_of") => precision.map(|one| {
            one.metrics.iter().map(|one| one.name).collect::<Vec<_>>().join(" ")
        }),
        Column::figure("relative_half_width") => match width {
            Some(Width::Relative(share)) => Some(share),
            _ => None,
        },
        Column::figure("half_width") => match width {
            Some(Width::Absolute(amount)) => Some(amount),
            _ => None,
        },
        Column::figure("at_least") => precision.map(|one| one.at_least),
        Column::figure("at_most") => precision.map(|one| one.at_most),
        Column::text("scenario_digest") => &*plan.digest,
    ];
    Table::by_columns("run", [plan], columns)
}

fn organizations(plan: &Plan) -> Table {
    let mut own = vec![(0_u64, 0_u64); plan.organizations.len()];
    for cluster in &plan.clusters {
        let (clusters, processors) = &mut own[cluster.owner.index()];
        *clusters += 1;
        *processors += u64::from(cluster.processors());
    }
    let rows = plan.organizations.iter().enumerate().map(|(index, organization)| {
        (organization, own[index], plan.coalition().map(|coalition| &coalition.seats[index]))
    });
    let processors = |organization: &Organization| {
        let used = organization.uses.iter().map(|id| plan.clusters[id.index()].processors());
        used.map(u64::from).sum::<u64>()
    };
    let columns = columns![|(organization, own, seat): &(&Organization, (u64, u64), Option<&Seat>)|
        Column::text("organization") => &*organization.name,
        Column::count("clusters") => own.0,
        Column::count("processors") => own.1,
        Column::figure("may_use_clusters") => organization.uses.len(),
        Column::figure("may_use_processors") => processors(organization),
        Column::text("learner") => seat.map(|seat| seat.learner.name()),
        Column::figure("first_round") => seat.map(|seat| seat.first),
        Column::figure("last_round") => seat.and_then(|seat| seat.last),
    ];
    Table::by_columns("organizations", rows, columns)
}

fn clusters(plan: &Plan) -> Table {
    let columns = columns![|cluster: &ClusterEntry|
        Column::text("cluster") => &*cluster.name,
        Column::text("owner") => &*cluster.owner,
        Column::text("kind")
            => if cluster.scheduler.is_some() { "space_shared" } else { "time_shared" },
        Column::count("processors") => cluster.processors,
        Column::text("scheduler") => cluster.scheduler.clone(),
        Column::figure("kill_at_estimate") => cluster.kill_at_estimate,
    ];
    Table::by_columns(
        "clusters",
        plan.clusters.iter().map(|one| ClusterEntry::new(plan, one)),
        columns,
    )
}

fn workloads(plan: &Plan) -> Table {
    let rows = plan.workloads.iter().map(|one| (WorkloadEntry::new(one), one.kind.survey()));
    let columns = columns![|(workload, survey): &(WorkloadEntry, Option<&Survey>)|
        Column::text("workload") => &*workload.name,
        Column::text("kind") => &*workload.kind,
        Column::figure("jobs") => workload.jobs,
        Column::figure("lines").note("lines: of the trace that are neither blank nor comments")
            => survey.map(|survey| survey.ledger.read),
        Column::text("owners") => workload.owners.clone(),
        Column::text("file") => survey.map(|survey| survey.file.display().to_string()),
        Column::figure("offered_load")
            .note("offered_load: processors x run time a job over machine x gap, in the long run")
            => workload.offered_load,
        Column::figure("gap_factor").note("gap_factor: what gaps were multiplied by for that")
            => workload.gap_factor,
        Column::text("acknowledge") => workload.acknowledge.clone(),
        Column::text("digest") => workload.digest.clone(),
    ];
    Table::by_columns("workloads", rows, columns)
}

/// Effect of each import rule on each trace.
fn imports(plan: &Plan) -> Table {
    let rows = plan.workloads.iter().flat_map(|workload| {
        let rules = workload.kind.imported().into_iter().flat_map(|(_, ledger)| ledger.rows());
        rules.map(|rule| (&*workload.name, rule))
    });
    let columns = columns![|(workload, rule): &(&str, &Rule)|
        Column::text("workload") => *workload,
        Column::text("rule") => rule.rule,
        Column::figure("jobs") => rule.count,
        Column::prose("effect") => &*rule.effect,
        Column::figure("dropped") => rule.kind == workload::swf::Kind::Dropped,
        Column::figure("first_line") => rule.first_line,
        Column::figure("lost").note("lost: processor-seconds of dropped jobs, as far as lines tell")
            => rule.lost.map(|lost| lost.work),
    ];
    Table::by_columns("imports", rows, columns)
}
