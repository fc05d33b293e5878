//! `gridpact check`.

use std::fmt::Write as _;

use clap::Args;
use gridpact::report::summary;
use gridpact::scenario::plan::{ClusterKind, Plan, Until, WorkloadKind};

use super::{Failure, load, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: load::Scenario,
    /// Print nothing but errors and warnings.
    #[arg(short, long)]
    quiet: bool,
}

/// Lines shown of each list.
const SHOWN: usize = 20;

pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let plan = arguments.scenario.load(false)?;
    if !arguments.quiet {
        print(&describe(&plan))?;
    }
    Ok(())
}

fn describe(plan: &Plan) -> String {
    let mut out = String::new();
    let until = match plan.until {
        Until::Drained => "until all jobs have ended".to_owned(),
        Until::Time(time) => format!("until time {time}"),
        Until::Jobs(jobs) => format!("until {jobs} jobs were submitted and have ended"),
    };
    let _ = writeln!(out, "{}: this scenario is right", plan.name);
    let _ = writeln!(
        out,
        "seed {}, {}, {until}",
        plan.seed,
        counted(plan.replications as usize, "replication")
    );
    let _ = writeln!(out, "\n{}", counted(plan.organizations.len(), "organization"));
    some(&mut out, plan.organizations.iter().map(|organization| organization.name.clone()));
    let _ = writeln!(out, "\n{}", counted(plan.clusters.len(), "cluster"));
    some(
        &mut out,
        plan.clusters.iter().map(|cluster| {
            let owner = &plan.organizations[cluster.owner.index()].name;
            let what = match &cluster.kind {
                ClusterKind::TimeShared => "time-shared".to_owned(),
                ClusterKind::SpaceShared { processors, scheduler, kill_at_estimate } => format!(
                    "{processors} processors under {}{}",
                    scheduler.name(),
                    if *kill_at_estimate { ", killing at the estimate" } else { "" }
                ),
            };
            format!("{} of {owner}: {what}", cluster.name)
        }),
    );
    let _ = writeln!(out, "\n{}", counted(plan.workloads.len(), "workload"));
    some(
        &mut out,
        plan.workloads.iter().map(|workload| {
            let jobs = workload
                .jobs()
                .map_or("jobs without end".to_owned(), |jobs| counted(jobs as usize, "job"));
            let what = match &workload.kind {
                WorkloadKind::Swf { survey, .. } => survey.file.display().to_string(),
                WorkloadKind::List(_) => "explicit jobs".to_owned(),
                WorkloadKind::Synthetic(..) => "drawn jobs".to_owned(),
            };
            format!("{}: {jobs}, {what}", workload.name)
        }),
    );
    summary::imports(&mut out, plan);
    out
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn some(out: &mut String, mut lines: impl ExactSizeIterator<Item = String>) {
    let all = lines.len();
    for line in lines.by_ref().take(SHOWN) {
        let _ = writeln!(out, "  {line}");
    }
    if all > SHOWN {
        let _ = writeln!(out, "  and {} more", all - SHOWN);
    }
}
