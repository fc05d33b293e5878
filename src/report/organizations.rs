//! `organizations.csv`: a line for every organization, and one for the whole grid (`*`).
//!
//! Sums are exact decimals in units (processor-units for areas). Means are over all jobs that
//! count, in all replications; a makespan is the mean over the replications. `_low` and `_high` are
//! the ends of confidence intervals.

use super::alone;
use super::columns::with_interval;
use super::ends::{estimated, number};
use findings::estimate::Estimate;
use findings::grid::precision::OfDistribution;
use findings::grid::results::Results;
use findings::grid::trace_waits::Waits;
use kernel::time::{Units, sum_as_units};
use scenario::plan::Plan;
use sim::accounts::Account;
use stats::distribution::{Distribution, QUANTILES};
use stats::interval::Interval;

/// Column names of a distribution: sum, mean, quantiles, maximum.
fn distribution_columns(name: &str) -> impl Iterator<Item = String> {
    let parts = ["mean"].into_iter().chain(QUANTILES.map(|(name, _)| name));
    let estimated = parts.flat_map(move |part| with_interval(&format!("{name}_{part}")));
    let sum = std::iter::once(format!("{name}_sum"));
    sum.chain(estimated).chain(std::iter::once(format!("{name}_max")))
}

/// Columns that are there only if a trace or list with recorded waits is run.
pub const RECORDED: [&str; 4] =
    ["recorded_wait_jobs", "recorded_wait_missing", "recorded_wait_mean", "recorded_wait_p95"];

/// All column names of a run without a trace that records waits, and without organizations alone.
pub fn columns() -> Vec<String> {
    let plain = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let mut columns = plain(&[
        "organization",
        "clusters",
        "processors",
        "submitted",
        "rejected",
        "started",
        "finished",
        "killed",
        "area",
        "work_for_others",
        "work_by_others",
    ]);
    columns.extend(["utilization", "makespan_mean"].into_iter().flat_map(with_interval));
    for metric in ["flow", "wait", "slowdown", "bounded_slowdown"] {
        columns.extend(distribution_columns(metric));
    }
    columns
}

fn interval(estimate: Option<Estimate>) -> Option<Interval> {
    estimate.map(|estimate| estimate.interval)
}

fn distribution_fields(distribution: &Distribution, precision: &OfDistribution) -> Vec<String> {
    let mut fields = vec![Units(distribution.sum()).to_string()];
    fields.extend(estimated(distribution.mean(), interval(precision.mean)));
    for ((_, quantile), interval) in QUANTILES.into_iter().zip(precision.quantiles) {
        fields.extend(estimated(distribution.quantile(quantile), interval));
    }
    fields.push(number(distribution.largest()));
    fields
}

/// The fields of [`RECORDED`].
fn recorded_fields(waits: Option<&Waits>) -> [String; 4] {
    let Some(Waits { recorded, missing, .. }) = waits else { return Default::default() };
    let [mean, p95] = [recorded.mean(), recorded.quantile(0.95)].map(number);
    [recorded.count().to_string(), missing.to_string(), mean, p95]
}

/// Renders the file.
///
/// # Panics
/// Never: writing into memory does not fail.
pub fn render(plan: &Plan, results: &Results) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let is_recorded = results.trace_waits.is_any();
    let recorded = RECORDED.iter().filter(|_| is_recorded).map(|&name| name.to_owned());
    let alone = results.alone.iter().flat_map(|_| alone::columns());
    let columns = columns().into_iter().chain(recorded).chain(alone);
    writer.write_record(columns).expect("memory takes a line");
    let holdings = results.holdings();
    let mut row = |name: &str, account: &Account, index: usize| {
        let (holding, jobs) = (&holdings[index], account.jobs);
        let mut fields = vec![name.to_owned()];
        fields.extend([holding.clusters, holding.processors].map(|count| count.to_string()));
        for count in [jobs.submitted, jobs.rejected, jobs.started, jobs.finished, jobs.killed] {
            fields.push(count.to_string());
        }
        for area in [account.areas.own, account.areas.for_others, account.areas.by_others] {
            fields.push(Units(area).to_string());
        }
        let precision = results.precision(index, account);
        fields.extend(estimated(holding.utilization, interval(precision.utilization)));
        let makespan = results.makespans[index].mean();
        fields.extend(estimated(makespan, interval(precision.makespan)));
        for ((_, distribution), of) in account.distributions().iter().zip(&precision.distributions)
        {
            fields.extend(distribution_fields(distribution, of));
        }
        if is_recorded {
            fields.extend(recorded_fields(results.trace_waits.of(index)));
        }
        fields.extend(alone::fields(results, index));
        writer.write_record(fields).expect("memory takes a line");
    };
    let accounts = results.accounts.organizations();
    for (index, (organization, account)) in plan.organizations.iter().zip(accounts).enumerate() {
        row(&organization.name, account, index);
    }
    row("*", &results.accounts.grid(), accounts.len());
    writer.into_inner().expect("memory is flushed")
}

/// An area in processor-units, rounded, for tables.
pub(super) fn area(area: i128) -> f64 {
    sum_as_units(area)
}
