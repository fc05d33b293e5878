//! `summary.json` of a grid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{controlled, organizations, trace_waits};
use crate::table::Table;
use findings::grid::results::Results;
use game::fairness::jain;
use kernel::time::Time;
use scenario::plan::{Plan, WorkloadKind};
use sim::accounts::Account;
use stats::distribution::Distribution;
use workload::swf::{Ledger, Routes, Survey};

/// A grid's part of `summary.json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Summary<'a> {
    /// Definitions of terms, for readers who have only this file.
    definitions: Definitions,
    /// Contents of `organizations.csv`.
    organizations: Table,
    fairness: Fairness,
    /// Means of the whole grid with the luck of the drawn jobs taken out, if there are enough
    /// replications.
    #[serde(skip_serializing_if = "Option::is_none")]
    controlled: Option<controlled::OfGrid>,
    loads: Vec<LoadFigures<'a>>,
    /// The end of each replication, and the jobs of it that counted.
    windows: Vec<Window>,
    imports: Vec<Import<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Definitions {
    units: &'static str,
    flow: &'static str,
    bounded_slowdown: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_wait: Option<&'static str>,
    makespan: &'static str,
    utilization: &'static str,
    counted: String,
    quantiles: &'static str,
    intervals: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LoadFigures<'a> {
    /// Organizations that may use each other's clusters, directly or by way of others; or those of them that
    /// may use no more than one of them may.
    organizations: Vec<&'a str>,
    /// Load of the jobs that came.
    load: Option<f64>,
    /// Long-run load of the models that the jobs are drawn from, if known.
    expected: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Fairness {
    /// Jain's index of mean flow times over the organizations whose jobs ended.
    jain_of_mean_flow: Option<f64>,
    /// The same of mean bounded slowdowns.
    jain_of_mean_bounded_slowdown: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Window {
    /// The replication, from 0.
    replication: u32,
    /// When it ended.
    end: f64,
    /// Jobs submitted from then on count.
    counted_from: f64,
    /// Jobs submitted before then count; `null` up to the end.
    counted_until: Option<f64>,
    /// Jobs submitted before the counted ones.
    left_out_before: u64,
    /// Jobs submitted after them.
    left_out_after: u64,
}

/// A partition of a trace and its cluster.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PartitionEntry {
    /// Number of the partition.
    pub partition: i32,
    /// Name of its cluster.
    pub cluster: String,
    /// Number of its jobs.
    pub jobs: u64,
}

fn partitions(plan: &Plan, survey: &Survey, routes: &Routes) -> Vec<PartitionEntry> {
    let entries = routes.iter().map(|(partition, cluster)| PartitionEntry {
        partition,
        cluster: plan.clusters[cluster.index()].name.clone(),
        jobs: survey.partitions.get(&partition).map_or(0, |share| share.jobs),
    });
    entries.collect()
}

#[derive(Debug, Serialize, JsonSchema)]
struct Import<'a> {
    /// Workload that the trace was read for.
    workload: &'a str,
    /// BLAKE3 of the jobs taken from it.
    digest: String,
    /// Jobs taken, left out and changed, by rule.
    ledger: &'a Ledger,
    /// Partitions that are bound to clusters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    partitions: Vec<PartitionEntry>,
}

/// Jain's index of a distribution's mean, over the organizations whose jobs ended.
pub(crate) fn jain_of(accounts: &[Account], of: impl Fn(&Account) -> &Distribution) -> Option<f64> {
    jain(accounts.iter().filter_map(|account| of(account).mean()))
}

/// Describes in words which jobs count.
fn counted(plan: &Plan) -> String {
    let (from, until) = plan.window();
    let mut parts = Vec::new();
    if plan.found.warm_up {
        parts.push(match plan.scouted() {
            1 => "after the warm-up that MSER-5 found".to_owned(),
            several => {
                format!("after the warm-up that MSER-5 found in the mean of {several} replications")
            }
        });
    } else if from > Time::ZERO {
        parts.push(format!("from {from} on"));
    }
    if let Some(cool_down) = plan.found.cool_down {
        parts.push(format!("until {cool_down} before the last submission of each replication"));
    } else if let Some(until) = until {
        parts.push(format!("until before {until}"));
    }
    match &parts[..] {
        [] => "all jobs".to_owned(),
        parts => format!("jobs submitted {}", parts.join(", ")),
    }
}

/// A grid's part of `summary.json`.
pub(super) fn summary<'a>(plan: &'a Plan, results: &'a Results) -> Summary<'a> {
    let accounts = results.accounts.organizations();
    Summary {
        definitions: Definitions {
            units: "spans in the scenario's time unit (seconds in traces); areas in processors \
                    times that unit; sums are exact decimals",
            flow: "finish - submit; wait: start - submit; slowdown: flow / runtime",
            bounded_slowdown: format!(
                "max(flow, b) / b with b = max(runtime, tau), tau = {}",
                plan.tau()
            ),
            recorded_wait: results.trace_waits.is_any().then_some(trace_waits::DEFINITION),
            makespan: "online: latest finish - first submit of the jobs that count, one value a \
                       replication",
            utilization: "processor time in use / all processor time of the owned clusters, from \
                          the end of the warm-up (or the first submission) to the end of each \
                          replication (or the beginning of the cool-down)",
            counted: counted(plan),
            quantiles: "of all jobs that count, of all replications; within 0.1% up to 64 \
                        organizations, within 10% up to 4096, beyond only for the whole grid",
            intervals: format!(
                "of confidence {}, over sections: replications, or batches of equally many jobs of a \
                 single one; by Student's t, from 4 sections on corrected for skewness (Willink), \
                 within what the measure can be; null where there are too few, or where \
                 replications are all alike; of quantiles up to 64 organizations, with a high end \
                 of null where the sample does not tell it",
                plan.counting.level
            ),
        },
        organizations: organizations::table(plan, results),
        fairness: Fairness {
            jain_of_mean_flow: jain_of(accounts, |account| &account.flow),
            jain_of_mean_bounded_slowdown: jain_of(accounts, |account| &account.bounded_slowdown),
        },
        controlled: controlled::figures(results),
        loads: (results.loads.parts().iter())
            .map(|part| LoadFigures {
                organizations: (part.organizations.iter())
                    .map(|&index| &*plan.organizations[index].name)
                    .collect(),
                load: part.load(),
                expected: part.expected(),
            })
            .collect(),
        windows: (results.replications.iter())
            .map(|replication| {
                let window = replication.window;
                let until = (window.until != Time::NEVER).then(|| window.until.as_units());
                Window {
                    replication: replication.number,
                    end: replication.end.as_units(),
                    counted_from: window.from.as_units(),
                    counted_until: until,
                    left_out_before: replication.uncounted.before,
                    left_out_after: replication.uncounted.after,
                }
            })
            .collect(),
        imports: (plan.workloads.iter())
            .filter_map(|workload| {
                let partitions = match &workload.kind {
                    WorkloadKind::Swf { survey, routes, .. } => partitions(plan, survey, routes),
                    _ => Vec::new(),
                };
                Some(Import {
                    workload: &workload.name,
                    digest: workload.digest()?,
                    ledger: workload.kind.imported()?.1,
                    partitions,
                })
            })
            .collect(),
    }
}
