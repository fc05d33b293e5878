//! The profile of a workload as tables.

use super::bins::Bin;
use super::measured::Measured;
use super::{Brought, Profile};
use crate::table::{Cell, Column, Table, columns};
use kernel::time::sum_as_units;

/// Names of the tables.
pub const NAMES: [&str; 6] =
    ["workload", "organizations", "quantiles", "histograms", "hours", "days"];

/// The quantiles shown, by name.
const QUANTILES: [(&str, f64); 6] =
    [("p5", 0.05), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p95", 0.95), ("p99", 0.99)];

/// The tables, in the order of their names.
pub fn tables(profile: &Profile<'_>) -> [Table; 6] {
    let [hours, days] = [("hours", "hour", &profile.hours[..]), ("days", "day", &profile.days)]
        .map(|(name, unit, counts)| times(name, unit, counts));
    let order: Vec<usize> = (0..profile.brought.len()).collect();
    let organizations = organizations(profile, &order, false);
    [whole(profile), organizations, quantiles(profile, false), histograms(profile), hours, days]
}

/// The whole profile in one row.
fn whole(profile: &Profile<'_>) -> Table {
    let whole = profile.whole();
    let jobs = whole.share.jobs;
    let share = |count: u64| Cell::share((jobs > 0).then(|| count as f64 / jobs as f64));
    let columns = columns![|profile: &&Profile<'_>|
        Column::text("name") => &*profile.plan.name,
        Column::figure("seed") => profile.plan.seed,
        Column::count("replication") => profile.replication,
        Column::figure("jobs") => jobs,
        Column::figure("more_would_come") => profile.is_cut,
        Column::figure("first_submit") => profile.first.map(|first| first.as_units()),
        Column::figure("last_submit") => profile.first.map(|_| profile.last.as_units()),
        Column::figure("area") => sum_as_units(whole.share.area),
        Column::count("processors") => profile.processors_of_grid(),
        Column::figure("offered_load") => Cell::share(profile.load()),
        Column::figure("serial") => share(profile.serial),
        Column::figure("power_of_two").note("power of two: above 1") => share(profile.powers_of_two),
        Column::figure("too_large").note("too large: for every cluster they may use")
            => whole.too_large,
    ];
    Table::by_columns("workload", [profile], columns)
}

/// An organization, its jobs, the processors that it may use, and its offered load.
type Row<'a> = (&'a str, Brought, u64, Option<f64>);

/// A row for each organization of `order`, and one for the whole grid, which programs know as `*`.
pub(super) fn organizations(profile: &Profile<'_>, order: &[usize], is_for_people: bool) -> Table {
    let whole = profile.whole();
    let of = |part: f64, all: f64| Cell::share((all > 0.0).then(|| part / all));
    let mut columns = columns![|(name, brought, processors, load): &Row<'_>|
        Column::text("organization") => *name,
        Column::figure("jobs") => brought.share.jobs,
        Column::figure("share_of_jobs").called("of jobs")
            => of(brought.share.jobs as f64, whole.share.jobs as f64),
        Column::figure("area").rank(1) => sum_as_units(brought.share.area),
        Column::figure("share_of_area").called("of area")
            => of(brought.share.area as f64, whole.share.area as f64),
        Column::figure("may_use_processors").called("may use") => *processors,
        Column::figure("offered_load").called("load").note(
            "load: area / (processors that it may use x first to last submission of all that may use \
             only these)",
        ) => Cell::share(*load),
        Column::figure("too_large") => brought.too_large,
    ];
    if is_for_people && whole.too_large == 0 {
        columns.pop();
    }
    let loads = profile.loads();
    let row = |&index: &usize| -> Row<'_> {
        let name = &profile.plan.organizations[index].name;
        (name, profile.brought[index], profile.may_use[index].all, loads[index])
    };
    let name = if is_for_people { "whole grid" } else { "*" };
    let all = (name, whole, profile.processors_of_grid(), profile.load());
    let all = Some(all).filter(|_| profile.brought.len() > 1 || !is_for_people);
    Table::by_columns("organizations", order.iter().map(row).chain(all), columns)
}

/// A row for each quantity of a job.
pub(super) fn quantiles(profile: &Profile<'_>, is_for_people: bool) -> Table {
    let told =
        move |name: &str| if is_for_people { name.replace('_', " ") } else { name.to_owned() };
    let mut all = columns![|(name, measured): &(&str, &Measured)|
        Column::text("amount") => told(name),
        Column::figure("count").rank(3) => measured.count(),
        Column::figure("min") => measured.least(),
    ];
    all.extend(QUANTILES.map(|(name, quantile)| {
        let rank = match name {
            "p5" | "p95" => 1,
            "p25" | "p75" => 2,
            _ => 0,
        };
        let column = Column::figure(name).rank(rank);
        column.of(move |(_, measured): &(&str, &Measured)| measured.quantile(quantile).into())
    }));
    all.extend(columns![|(name, measured): &(&str, &Measured)|
        Column::figure("max") => measured.largest(),
        Column::figure("mean") => measured.mean(),
        Column::figure("cv").note("cv: standard deviation / mean; quantiles are exact to within 0.1%")
            => measured.variation(),
    ]);
    let rows = [
        ("runtime", &profile.runtime),
        ("estimate_by_runtime", &profile.overestimate),
        ("processors", &profile.processors),
        ("area", &profile.area),
        ("interarrival", &profile.gap),
    ];
    Table::by_columns("quantiles", rows, all)
}

/// Run times, interarrival times and processors by size: the plots as numbers.
fn histograms(profile: &Profile<'_>) -> Table {
    let rows = [
        ("runtime", profile.runtimes.bins()),
        ("processors", profile.widths.bins()),
        ("interarrival", profile.gaps.bins()),
    ];
    let rows =
        rows.into_iter().flat_map(|(name, bins)| bins.into_iter().map(move |bin| (name, bin)));
    let columns = columns![|(name, bin): &(&str, Bin)|
        Column::text("amount") => *name,
        Column::figure("from") => bin.from,
        Column::figure("below") => bin.to,
        Column::figure("jobs") => bin.jobs,
    ];
    Table::by_columns("histograms", rows, columns)
}

fn times(name: &'static str, unit: &'static str, counts: &[u64]) -> Table {
    let all: u64 = counts.iter().sum();
    let columns = columns![|(number, count): &(usize, &u64)|
        Column::figure(unit) => *number,
        Column::figure("jobs") => **count,
        Column::figure("share") => Cell::share((all > 0).then(|| **count as f64 / all as f64)),
    ];
    Table::by_columns(name, counts.iter().enumerate(), columns)
}
