//! `summary.json` of a grid.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alone::AloneFigures;
use super::controlled;
use super::trace_waits::{self, WaitFigures};
use crate::files::interval::IntervalFigures;
use findings::grid::precision::OfDistribution;
use findings::grid::results::{Holding, Results};
use game::fairness::jain;
use kernel::time::{Time, Units};
use scenario::plan::{Plan, WorkloadKind};
use sim::accounts::Account;
use stats::distribution::{Distribution, QUANTILES};
use stats::interval::Interval;
use workload::swf::{Ledger, Routes, Survey};

/// A grid's part of `summary.json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Summary<'a> {
    /// Definitions of terms, for readers who have only this file.
    definitions: Definitions,
    organizations: Vec<Figures<'a>>,
    grid: Figures<'a>,
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
struct Figures<'a> {
    organization: &'a str,
    submitted: u64,
    rejected: u64,
    started: u64,
    finished: u64,
    killed: u64,
    area: String,
    work_for_others: String,
    work_by_others: String,
    utilization: Option<f64>,
    utilization_interval: Option<IntervalFigures>,
    flow: DistributionFigures,
    wait: DistributionFigures,
    /// Waiting times that the trace records of the same jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_wait: Option<WaitFigures>,
    slowdown: DistributionFigures,
    bounded_slowdown: DistributionFigures,
    /// Distribution over the replications.
    makespan: DistributionFigures,
    /// Its figures alone, if that was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    alone: Option<AloneFigures>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DistributionFigures {
    count: u64,
    /// Exact sum as a decimal.
    sum: String,
    mean: Option<f64>,
    min: Option<f64>,
    #[serde(flatten)]
    quantiles: BTreeMap<&'static str, f64>,
    max: Option<f64>,
    /// Confidence interval of the mean.
    interval: Option<IntervalFigures>,
    quantile_intervals: BTreeMap<&'static str, Ends>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Ends {
    low: f64,
    /// Upper end; `None` if the sample does not bound it.
    high: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LoadFigures<'a> {
    organizations: Vec<&'a str>,
    /// Load of the jobs that came.
    load: Option<f64>,
    /// Long-run load of the models that the jobs are drawn from, if known.
    expected: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Fairness {
    /// Jain's index over the organizations whose jobs ended.
    jain_of_mean_flow: Option<f64>,
    jain_of_mean_bounded_slowdown: Option<f64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Window {
    replication: u32,
    end: f64,
    counted_from: f64,
    counted_until: Option<f64>,
    left_out_before: u64,
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
    workload: &'a str,
    digest: &'a str,
    ledger: &'a Ledger,
    /// Partitions that are bound to clusters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    partitions: Vec<PartitionEntry>,
}

impl DistributionFigures {
    fn new(distribution: &Distribution, precision: &OfDistribution) -> DistributionFigures {
        let quantiles = QUANTILES.into_iter();
        let intervals = QUANTILES.iter().zip(precision.quantiles);
        let correlation = precision.dependence.map(|dependence| dependence.correlation);
        DistributionFigures {
            count: distribution.count(),
            sum: Units(distribution.sum()).to_string(),
            mean: distribution.mean(),
            min: distribution.least(),
            quantiles: quantiles
                .filter_map(|(name, quantile)| Some((name, distribution.quantile(quantile)?)))
                .collect(),
            max: distribution.largest(),
            interval: IntervalFigures::new(precision.mean, correlation),
            quantile_intervals: intervals
                .filter_map(|((name, _), interval)| {
                    interval.map(|Interval { low, high }| {
                        (*name, Ends { low, high: Some(high).filter(|high| high.is_finite()) })
                    })
                })
                .collect(),
        }
    }
}

impl<'a> Figures<'a> {
    /// The figures of an organization; the index after the last is the whole grid.
    fn new(
        organization: &'a str,
        index: usize,
        account: &Account,
        holding: &Holding,
        results: &Results,
    ) -> Figures<'a> {
        let (jobs, utilization) = (account.jobs, holding.utilization);
        let precision = &results.precision(index, account);
        let [flow, wait, slowdown, bounded_slowdown] = &precision.distributions;
        let of_makespan = OfDistribution { mean: precision.makespan, ..OfDistribution::default() };
        Figures {
            organization,
            submitted: jobs.submitted,
            rejected: jobs.rejected,
            started: jobs.started,
            finished: jobs.finished,
            killed: jobs.killed,
            area: Units(account.areas.own).to_string(),
            work_for_others: Units(account.areas.for_others).to_string(),
            work_by_others: Units(account.areas.by_others).to_string(),
            utilization,
            utilization_interval: IntervalFigures::new(precision.utilization, None)
                .filter(|_| utilization.is_some()),
            flow: DistributionFigures::new(&account.flow, flow),
            wait: DistributionFigures::new(&account.wait, wait),
            recorded_wait: results.trace_waits.of(index).map(WaitFigures::new),
            slowdown: DistributionFigures::new(&account.slowdown, slowdown),
            bounded_slowdown: DistributionFigures::new(&account.bounded_slowdown, bounded_slowdown),
            makespan: DistributionFigures::new(&results.makespans[index], &of_makespan),
            alone: AloneFigures::new(results, index),
        }
    }
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
    let grid = results.accounts.grid();
    let holdings = results.holdings();
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
        organizations: (plan.organizations.iter().zip(accounts).enumerate())
            .map(|(index, (organization, account))| {
                Figures::new(&organization.name, index, account, &holdings[index], results)
            })
            .collect(),
        grid: Figures::new("*", accounts.len(), &grid, &holdings[accounts.len()], results),
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
            .filter_map(|workload| match &workload.kind {
                WorkloadKind::Swf { survey, routes, .. } => Some(Import {
                    workload: &workload.name,
                    digest: &survey.digest,
                    ledger: &survey.ledger,
                    partitions: partitions(plan, survey, routes),
                }),
                _ => None,
            })
            .collect(),
    }
}
