//! `manifest.json`, `summary.json` and `timing.json`.
//!
//! The manifest says what ran: enough to audit it, and to know the scenario and the traces again.
//! The summary says what came out. Timing is the only one that may differ between two runs of the
//! same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::coalition::Learned;
use super::coalition::entry::CoalitionEntry;
use super::enough::Known;
use super::organizations::decimal;
use super::precision::{Estimate, OfDistribution, Precision};
use super::results::{self, Results};
use super::warnings;
use crate::game::fairness::jain;
use crate::kernel::time::Time;
use crate::scenario::drawn::Drawn;
use crate::scenario::plan::{ClusterKind, Coalition, Plan, Until, WorkloadKind};
use crate::sim::accounts::Account;
use crate::sim::clairvoyance::Clairvoyance;
use crate::sim::phase::PhaseOrder;
use crate::stats::distribution::{Distribution, QUANTILES};
use crate::stats::interval::{Interval, LEVEL};
use crate::workload::swf::Ledger;

/// What ran.
#[derive(Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of gridpact.
    pub gridpact: String,
    /// What the scenario is called.
    pub name: String,
    /// BLAKE3 of the scenario with its defaults and the content of the files that it names, but for
    /// the seed.
    pub scenario_digest: String,
    /// The master seed.
    pub seed: u64,
    /// How many replications ran.
    pub replications: u32,
    /// `drained` (also where a number of jobs ended the run), or the time at which each replication
    /// was stopped, in ticks.
    pub until: Stop,
    /// How well the figure is known that the run was for, where it was for precision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Known>,
    /// What schedulers expected of a job's length.
    pub clairvoyance: Clairvoyance,
    /// How the events of one instant were taken.
    pub phase_order: PhaseOrder,
    /// Of each replication, which jobs counted.
    pub counted: Vec<Counted>,
    /// The organizations.
    pub organizations: Vec<String>,
    /// The clusters.
    pub clusters: Vec<ClusterEntry>,
    /// Where the jobs came from.
    pub workloads: Vec<WorkloadEntry>,
    /// How rounds were played, where they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coalition: Option<CoalitionEntry>,
    /// BLAKE3 of the other result files, by name.
    pub files: BTreeMap<String, String>,
}

/// Which jobs of a replication counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// Those submitted from this tick on.
    pub from: Time,
    /// Those submitted before this tick; none: all.
    pub until: Option<Time>,
}

impl Counted {
    /// Of a window.
    fn new(window: &results::Window) -> Counted {
        let until = (window.until != Time::NEVER).then_some(window.until);
        Counted { from: window.from, until }
    }

    /// True for a job that was submitted at this time.
    pub fn counts(&self, submit: Time) -> bool {
        self.from <= submit && self.until.is_none_or(|until| submit < until)
    }
}

/// When replications ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// When all jobs had ended.
    Drained,
    /// At this tick.
    Time(Time),
}

/// A cluster in the manifest.
#[derive(Debug, Serialize, Deserialize)]
pub struct ClusterEntry {
    /// Its name.
    pub name: String,
    /// The name of its owner.
    pub owner: String,
    /// Its processors.
    pub processors: u32,
    /// Its scheduler's name; none for a time-shared cluster.
    pub scheduler: Option<String>,
    /// The order of a list scheduler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<crate::policy::local::list::Order>,
    /// Whether jobs were killed at their estimate.
    pub kill_at_estimate: bool,
}

/// A workload in the manifest.
#[derive(Debug, Serialize, Deserialize)]
pub struct WorkloadEntry {
    /// What it is called.
    pub name: String,
    /// What it is: `swf`, `jobs`, `synthetic` or `lublin_feitelson`.
    pub kind: String,
    /// How the owners of its jobs were drawn, if they were: `zipf` or `uniform`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owners: Option<String>,
    /// Jobs in it, where that is known.
    pub jobs: Option<u64>,
    /// What share of its machine's processor time a model's jobs ask for in the long run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_load: Option<f64>,
    /// What the model's gaps are multiplied by for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_factor: Option<f64>,
    /// BLAKE3 of the canonical jobs, where they are given.
    pub digest: Option<String>,
    /// Whom the trace asks to acknowledge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledge: Option<String>,
}

impl Manifest {
    /// Of a plan that ran; `files` are the digests of what was written.
    pub fn new(plan: &Plan, results: &Results, files: BTreeMap<String, String>) -> Manifest {
        let windows = results.replications.iter().map(|replication| &replication.window);
        let counted = windows.map(Counted::new).collect();
        let precision = results.known.clone();
        let replications = results.replications.len() as u32;
        let manifest = Manifest::of(plan, files);
        // One run may be stopped at a time that was not known beforehand.
        let until = match precision.as_ref().filter(|known| known.is_stopped()) {
            Some(_) => {
                let end = results.replications.iter().map(|replication| replication.end).max();
                Stop::Time(end.unwrap_or_default())
            }
            None => manifest.until,
        };
        Manifest { replications, until, precision, counted, ..manifest }
    }

    /// The same of the plan of a coalition.
    pub fn of_rounds(
        plan: &Plan,
        coalition: &Coalition,
        learned: &Learned,
        files: BTreeMap<String, String>,
    ) -> Manifest {
        let coalition = Some(CoalitionEntry::new(plan, coalition, learned.frame.rounds));
        let precision = learned.known.clone();
        let replications = learned.replications;
        Manifest { replications, precision, coalition, ..Manifest::of(plan, files) }
    }

    fn of(plan: &Plan, files: BTreeMap<String, String>) -> Manifest {
        Manifest {
            gridpact: env!("CARGO_PKG_VERSION").to_owned(),
            name: plan.name.clone(),
            scenario_digest: plan.digest.clone(),
            seed: plan.seed,
            replications: plan.replications,
            until: match plan.until {
                Until::Time(time) => Stop::Time(time),
                Until::Drained | Until::Jobs(_) | Until::Rounds(_) => Stop::Drained,
            },
            precision: None,
            clairvoyance: plan.settings.clairvoyance,
            phase_order: plan.settings.phase_order,
            counted: Vec::new(),
            organizations: plan.organizations.iter().map(|one| one.name.clone()).collect(),
            clusters: plan
                .clusters
                .iter()
                .map(|cluster| ClusterEntry::new(plan, cluster))
                .collect(),
            workloads: plan.workloads.iter().map(WorkloadEntry::new).collect(),
            coalition: None,
            files,
        }
    }
}

impl ClusterEntry {
    /// Of a cluster of a plan.
    pub(super) fn new(plan: &Plan, cluster: &crate::scenario::plan::Cluster) -> ClusterEntry {
        use crate::policy::local::LocalOptions;
        let (scheduler, order, kill_at_estimate) = match &cluster.kind {
            ClusterKind::TimeShared { .. } => (None, None, false),
            ClusterKind::SpaceShared { scheduler, kill_at_estimate, .. } => {
                let order = match scheduler {
                    LocalOptions::List(options) => Some(options.order),
                    _ => None,
                };
                (Some(scheduler.name().to_owned()), order, *kill_at_estimate)
            }
        };
        ClusterEntry {
            name: cluster.name.clone(),
            owner: plan.organizations[cluster.owner.index()].name.clone(),
            processors: cluster.processors(),
            scheduler,
            order,
            kill_at_estimate,
        }
    }
}

impl WorkloadEntry {
    /// Of a workload of a plan.
    pub(super) fn new(workload: &crate::scenario::plan::Workload) -> WorkloadEntry {
        let acknowledge = match &workload.kind {
            WorkloadKind::Swf { survey, .. } => survey.header.acknowledge().map(str::to_owned),
            _ => None,
        };
        let owners = match &workload.kind {
            WorkloadKind::Shared { owners, .. } => Some(owners.name().to_owned()),
            _ => None,
        };
        let calibrated = match workload.kind.drawn() {
            Some(Drawn::LublinFeitelson(model)) => Some(model),
            _ => None,
        };
        WorkloadEntry {
            name: workload.name.clone(),
            kind: workload.kind.name().to_owned(),
            owners,
            jobs: workload.jobs(),
            offered_load: calibrated.map(|model| model.offered_load()),
            gap_factor: calibrated.map(|model| model.gap_factor()),
            digest: workload.digest(),
            acknowledge,
        }
    }
}

/// What came out.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    name: &'a str,
    seed: u64,
    /// What the words below mean, for who reads the file alone.
    definitions: Definitions,
    organizations: Vec<Figures<'a>>,
    grid: Figures<'a>,
    fairness: Fairness,
    /// How well the figure is known that the run was for, where it was for precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<&'a Known>,
    warnings: Vec<String>,
    loads: Vec<LoadFigures<'a>>,
    replications: Vec<ReplicationFigures<'a>>,
    imports: Vec<Import<'a>>,
}

#[derive(Debug, Serialize)]
struct Definitions {
    units: &'static str,
    flow: &'static str,
    bounded_slowdown: String,
    makespan: &'static str,
    utilization: &'static str,
    counted: String,
    quantiles: &'static str,
    intervals: &'static str,
}

#[derive(Debug, Serialize)]
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
    slowdown: DistributionFigures,
    bounded_slowdown: DistributionFigures,
    /// Over the replications.
    makespan: DistributionFigures,
}

#[derive(Debug, Serialize)]
struct DistributionFigures {
    count: u64,
    /// Exact, as a decimal.
    sum: String,
    mean: Option<f64>,
    min: Option<f64>,
    #[serde(flatten)]
    quantiles: BTreeMap<&'static str, f64>,
    max: Option<f64>,
    /// Of the mean.
    interval: Option<IntervalFigures>,
    quantile_intervals: BTreeMap<&'static str, Ends>,
}

/// A 95% interval.
#[derive(Debug, Serialize)]
pub(super) struct IntervalFigures {
    low: f64,
    high: f64,
    level: f64,
    method: &'static str,
    sections: u64,
    /// Jobs in each section, where they are as many in all.
    jobs: Option<u64>,
    /// Of neighbouring batches.
    correlation: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Ends {
    low: f64,
    high: f64,
}

#[derive(Debug, Serialize)]
struct LoadFigures<'a> {
    organizations: Vec<&'a str>,
    /// Of the jobs that came.
    load: Option<f64>,
    /// In the long run, where it is known of what the jobs are drawn from.
    expected: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Fairness {
    /// Jain's index over the organizations whose jobs ended.
    jain_of_mean_flow: Option<f64>,
    jain_of_mean_bounded_slowdown: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ReplicationFigures<'a> {
    replication: u32,
    end: f64,
    counted_from: f64,
    counted_until: Option<f64>,
    left_out_before: u64,
    left_out_after: u64,
    #[serde(flatten)]
    grid: OfReplication,
    organizations: Vec<OfOrganization<'a>>,
}

#[derive(Debug, Serialize)]
struct OfOrganization<'a> {
    organization: &'a str,
    #[serde(flatten)]
    figures: OfReplication,
}

#[derive(Debug, Serialize)]
struct OfReplication {
    finished: u64,
    mean_flow: Option<f64>,
    mean_wait: Option<f64>,
    mean_slowdown: Option<f64>,
    mean_bounded_slowdown: Option<f64>,
    makespan: Option<f64>,
    utilization: Option<f64>,
}

impl OfReplication {
    fn new(figures: &results::Figures) -> OfReplication {
        OfReplication {
            finished: figures.finished,
            mean_flow: figures.flow,
            mean_wait: figures.wait,
            mean_slowdown: figures.slowdown,
            mean_bounded_slowdown: figures.bounded_slowdown,
            makespan: figures.makespan.map(|makespan| makespan.as_units()),
            utilization: figures.utilization,
        }
    }
}

impl IntervalFigures {
    /// Of an estimate, where there is one.
    pub(super) fn new(
        estimate: Option<Estimate>,
        correlation: Option<f64>,
    ) -> Option<IntervalFigures> {
        let Estimate { interval: Interval { low, high }, method } = estimate?;
        Some(IntervalFigures {
            low,
            high,
            level: LEVEL,
            method: method.name(),
            sections: method.sections(),
            jobs: method.jobs(),
            correlation,
        })
    }
}

#[derive(Debug, Serialize)]
struct Import<'a> {
    workload: &'a str,
    digest: &'a str,
    ledger: &'a Ledger,
}

impl DistributionFigures {
    fn new(distribution: &Distribution, precision: &OfDistribution) -> DistributionFigures {
        let quantiles = QUANTILES.into_iter();
        let intervals = QUANTILES.iter().zip(precision.quantiles);
        let correlation = precision.dependence.map(|dependence| dependence.correlation);
        DistributionFigures {
            count: distribution.count(),
            sum: decimal(distribution.sum()),
            mean: distribution.mean(),
            min: distribution.least(),
            quantiles: quantiles
                .filter_map(|(name, quantile)| Some((name, distribution.quantile(quantile)?)))
                .collect(),
            max: distribution.largest(),
            interval: IntervalFigures::new(precision.mean, correlation),
            quantile_intervals: intervals
                .filter_map(|((name, _), interval)| {
                    interval.map(|Interval { low, high }| (*name, Ends { low, high }))
                })
                .collect(),
        }
    }
}

impl<'a> Figures<'a> {
    fn new(
        organization: &'a str,
        account: &Account,
        makespan: &Distribution,
        utilization: Option<f64>,
        precision: &Precision,
    ) -> Figures<'a> {
        let jobs = account.jobs;
        let [flow, wait, slowdown, bounded_slowdown] = &precision.distributions;
        let of_makespan = OfDistribution { mean: precision.makespan, ..OfDistribution::default() };
        Figures {
            organization,
            submitted: jobs.submitted,
            rejected: jobs.rejected,
            started: jobs.started,
            finished: jobs.finished,
            killed: jobs.killed,
            area: decimal(account.areas.own),
            work_for_others: decimal(account.areas.for_others),
            work_by_others: decimal(account.areas.by_others),
            utilization,
            utilization_interval: IntervalFigures::new(precision.utilization, None)
                .filter(|_| utilization.is_some()),
            flow: DistributionFigures::new(&account.flow, flow),
            wait: DistributionFigures::new(&account.wait, wait),
            slowdown: DistributionFigures::new(&account.slowdown, slowdown),
            bounded_slowdown: DistributionFigures::new(&account.bounded_slowdown, bounded_slowdown),
            makespan: DistributionFigures::new(makespan, &of_makespan),
        }
    }
}

/// Jain's index over the organizations whose jobs ended, of the mean of a distribution.
pub fn jain_of(accounts: &[Account], of: impl Fn(&Account) -> &Distribution) -> Option<f64> {
    jain(accounts.iter().filter_map(|account| of(account).mean()))
}

/// Which jobs count, in words.
fn counted(plan: &Plan) -> String {
    let (from, until) = plan.window();
    let mut parts = Vec::new();
    if plan.found.warm_up {
        parts.push("after the warm-up that MSER-5 found in each replication".to_owned());
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

/// `summary.json`.
pub fn summary(plan: &Plan, results: &Results) -> Vec<u8> {
    let accounts = results.accounts.organizations();
    let grid = results.accounts.grid();
    let holdings = results.holdings(plan);
    let summary = Summary {
        name: &plan.name,
        seed: plan.seed,
        definitions: Definitions {
            units: "spans in the scenario's time unit (seconds in traces); areas in processors \
                    times that unit; sums are exact decimals",
            flow: "finish - submit; wait: start - submit; slowdown: flow / runtime",
            bounded_slowdown: format!(
                "max(flow, b) / b with b = max(runtime, tau), tau = {}",
                plan.tau()
            ),
            makespan: "online: latest finish - first submit of the jobs that count, one value a \
                       replication",
            utilization: "processor time in use / all processor time of the owned clusters, from \
                          the first submission to the end of each replication",
            counted: counted(plan),
            quantiles: "of all jobs that count, of all replications; within 0.1% up to 64 \
                        organizations, within 10% up to 4096, beyond only for the whole grid",
            intervals: "of confidence 95%, by Student's t over sections: replications, or batches \
                        of equally many jobs of a single one; null where there are too few, or \
                        where replications are all alike; of quantiles up to 64 organizations",
        },
        organizations: (plan.organizations.iter().zip(accounts).enumerate())
            .map(|(index, (organization, account))| {
                let utilization = holdings[index].utilization;
                let makespans = &results.makespans[index];
                let precision = results.precision(index, account);
                Figures::new(&organization.name, account, makespans, utilization, &precision)
            })
            .collect(),
        grid: Figures::new(
            "*",
            &grid,
            &results.makespans[accounts.len()],
            holdings[accounts.len()].utilization,
            &results.precision(accounts.len(), &grid),
        ),
        fairness: Fairness {
            jain_of_mean_flow: jain_of(accounts, |account| &account.flow),
            jain_of_mean_bounded_slowdown: jain_of(accounts, |account| &account.bounded_slowdown),
        },
        precision: results.known.as_ref(),
        warnings: warnings::of(plan, results),
        loads: (results.loads.parts().iter())
            .map(|part| LoadFigures {
                organizations: (part.organizations.iter())
                    .map(|&index| &*plan.organizations[index].name)
                    .collect(),
                load: part.load(),
                expected: part.expected(),
            })
            .collect(),
        replications: (results.replications.iter())
            .map(|replication| {
                let window = replication.window;
                let until = (window.until != Time::NEVER).then(|| window.until.as_units());
                let names = plan.organizations.iter().map(|organization| &*organization.name);
                ReplicationFigures {
                    replication: replication.number,
                    end: replication.end.as_units(),
                    counted_from: window.from.as_units(),
                    counted_until: until,
                    left_out_before: replication.uncounted.before,
                    left_out_after: replication.uncounted.after,
                    grid: OfReplication::new(&replication.grid),
                    organizations: names
                        .zip(&replication.organizations)
                        .map(|(organization, figures)| OfOrganization {
                            organization,
                            figures: OfReplication::new(figures),
                        })
                        .collect(),
                }
            })
            .collect(),
        imports: (plan.workloads.iter())
            .filter_map(|workload| match &workload.kind {
                WorkloadKind::Swf { survey, .. } => Some(Import {
                    workload: &workload.name,
                    digest: &survey.digest,
                    ledger: &survey.ledger,
                }),
                _ => None,
            })
            .collect(),
    };
    pretty(&summary)
}

/// What a run cost; all that may differ between two runs of the same.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Timing {
    /// Seconds to read the scenario and survey its workloads.
    pub read_seconds: f64,
    /// Seconds to simulate, writing `jobs.csv` included.
    pub run_seconds: f64,
    /// Jobs of all replications that were submitted (in rounds: that ended), counted or not.
    pub jobs: u64,
    /// Jobs a second while simulating.
    pub jobs_per_second: f64,
    /// Rounds of all replications, where rounds were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// Rounds a second while simulating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds_per_second: Option<f64>,
    /// Times that an agent was woken, or load was balanced.
    pub wakes: u64,
    /// The most memory that the process held, in bytes, where the system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Times that the state of a replication was saved on its way.
    pub checkpoints: u64,
    /// Seconds that this took, of all threads together.
    pub checkpoint_seconds: f64,
    /// The length of the longest of them.
    pub largest_checkpoint_bytes: u64,
    /// Threads that ran replications.
    pub threads: usize,
}

/// Any of the files, readable, ending in a newline.
///
/// # Panics
/// Never: these types have only plain keys.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("plain data serializes into memory");
    text.push(b'\n');
    text
}
