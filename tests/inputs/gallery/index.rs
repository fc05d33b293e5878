//! `scenarios/README.md`: the gallery's index, made of the scenarios' headers and plans.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use gridpact::scenario::plan::{ClusterKind, Plan, WorkloadKind};

use crate::gallery::Shown;

const OPENING: &str = "\
<!-- Made of the headers of the files below by `GRIDPACT_BLESS=1 cargo test --test inputs gallery`. -->

# Gallery

Each scenario answers a question. A test runs and audits all of them, compares their results with
those of the last version byte by byte, and every figure below with the run's. To run one:

```text
cargo run --release -- run scenarios/ten-jobs.toml
```

Where the traces come from, and whom to acknowledge, stands in [traces](traces/README.md). Games
without a grid, which `gridpact game` plays, are in [games](games), and sweeps, which `gridpact sweep`
runs, in [studies](studies); each opens with its question too.
";

/// The whole file.
pub fn render(gallery: &BTreeMap<String, Shown>) -> String {
    let mut out = OPENING.to_owned();
    let _ = writeln!(out, "\n| question | scenario |\n|---|---|");
    for (file, shown) in gallery {
        let _ = writeln!(out, "| {} | [{file}]({file}.toml) |", shown.header.question);
    }
    for (file, shown) in gallery {
        let (header, plan) = (&shown.header, &shown.plan);
        let _ = writeln!(out, "\n## [{}]({file}.toml)\n", plan.name);
        let _ = writeln!(out, "*{}* {}\n", header.question, plain(&header.expectation));
        match plan.coalition() {
            None => {
                let _ = writeln!(out, "- schedulers: {}", schedulers(plan));
            }
            Some(coalition) => {
                let learners = coalition.seats.iter().map(|seat| seat.learner.name());
                let learners = joined(learners.map(|name| format!("`{name}`")).collect());
                let _ = writeln!(out, "- {}; learners: {learners}", plan.pooling(coalition));
            }
        }
        let _ = writeln!(out, "- jobs: {}", workloads(plan));
    }
    out
}

/// Signs that Markdown would take for its own.
fn plain(text: &str) -> String {
    text.replace('*', "\\*").replace('_', "\\_").replace('<', "\\<")
}

fn joined(parts: BTreeSet<String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

fn schedulers(plan: &Plan) -> String {
    let names = plan.clusters.iter().map(|cluster| match &cluster.kind {
        ClusterKind::SpaceShared { scheduler: Some(scheduler), .. } => {
            format!("`{}`", scheduler.name())
        }
        ClusterKind::SpaceShared { scheduler: None, .. } => {
            let planner = plan.planned.as_ref().map(|planned| planned.planner.name());
            let name = plan.grid_scheduler.as_ref().map(|scheduler| scheduler.name()).or(planner);
            format!("`{}` over all clusters", name.unwrap_or(""))
        }
        ClusterKind::TimeShared { .. } | ClusterKind::Own { .. } => "none (time-shared)".to_owned(),
    });
    joined(names.collect())
}

fn workloads(plan: &Plan) -> String {
    let names = plan.workloads.iter().map(|workload| match &workload.kind {
        WorkloadKind::Swf { survey, .. } => {
            let file = survey.file.file_name().unwrap().to_str().unwrap();
            format!("`swf` ([{}](traces/{file}))", file.trim_end_matches(".swf.gz"))
        }
        WorkloadKind::List(_) => "listed".to_owned(),
        WorkloadKind::Drawn(drawn, _) => format!("`{}`", drawn.name()),
        WorkloadKind::Shared { source, owners, .. } => {
            format!("`{}`, owners by `{}`", source.name(), owners.name())
        }
    });
    joined(names.collect())
}
