//! `organizations.csv`: a line for every organization and one, called `*`, for the whole grid.
//!
//! Sums are exact decimals in units (processor-units for areas). Means are over all jobs that
//! count, of all replications; a makespan is the mean over the replications.

use super::results::Results;
use crate::kernel::time::{TICKS_PER_UNIT, sum_as_units};
use crate::scenario::plan::Plan;
use crate::sim::accounts::Account;
use crate::stats::distribution::{Distribution, QUANTILES};

/// The columns that a distribution has: sum, mean, quantiles, largest.
fn distribution_columns(name: &str) -> impl Iterator<Item = String> {
    let parts = ["sum", "mean"].into_iter().chain(QUANTILES.map(|(name, _)| name)).chain(["max"]);
    parts.map(move |part| format!("{name}_{part}"))
}

/// The names of the columns.
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
        "utilization",
        "makespan_mean",
    ]);
    for metric in ["flow", "wait", "slowdown", "bounded_slowdown"] {
        columns.extend(distribution_columns(metric));
    }
    columns
}

/// An exact decimal of a sum of millionths.
pub(super) fn decimal(sum: i128) -> String {
    let per_unit = i128::from(TICKS_PER_UNIT);
    let sign = if sum < 0 { "-" } else { "" };
    let (whole, part) = ((sum / per_unit).abs(), (sum % per_unit).abs());
    if part == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{}", format!("{part:06}").trim_end_matches('0'))
}

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value}"))
}

fn distribution_fields(distribution: &Distribution) -> impl Iterator<Item = String> {
    let quantiles = QUANTILES.map(|(_, quantile)| number(distribution.quantile(quantile)));
    [decimal(distribution.sum()), number(distribution.mean())]
        .into_iter()
        .chain(quantiles)
        .chain([number(distribution.largest())])
}

/// The whole file.
///
/// # Panics
/// Never: writing into memory does not fail.
pub fn render(plan: &Plan, results: &Results) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns()).expect("memory takes a line");
    let holdings = results.holdings(plan);
    let mut row = |name: &str, account: &Account, index: usize| {
        let (holding, jobs) = (&holdings[index], account.jobs);
        let mut fields = vec![name.to_owned()];
        fields.extend([holding.clusters, holding.processors].map(|count| count.to_string()));
        for count in [jobs.submitted, jobs.rejected, jobs.started, jobs.finished, jobs.killed] {
            fields.push(count.to_string());
        }
        for area in [account.areas.own, account.areas.for_others, account.areas.by_others] {
            fields.push(decimal(area));
        }
        fields.push(number(holding.utilization));
        fields.push(number(results.makespans[index].mean()));
        for (_, distribution) in account.distributions() {
            fields.extend(distribution_fields(distribution));
        }
        writer.write_record(fields).expect("memory takes a line");
    };
    let accounts = results.accounts.organizations();
    for (index, (organization, account)) in plan.organizations.iter().zip(accounts).enumerate() {
        row(&organization.name, account, index);
    }
    row("*", &results.accounts.grid(), accounts.len());
    writer.into_inner().expect("memory is flushed")
}

/// Units of an area, rounded, for tables.
pub(super) fn area(area: i128) -> f64 {
    sum_as_units(area)
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn sums_are_exact_decimals() {
        assert_eq!(decimal(0), "0");
        assert_eq!(decimal(1_500_000), "1.5");
        assert_eq!(decimal(-1), "-0.000001");
        assert_eq!(decimal(i128::from(i64::MAX) * 10), "92233720368547.75807");
    }
}
