//! The profile of a workload as tables.

use super::bins::Bin;
use super::measured::Measured;
use super::{Brought, Profile};
use crate::table::{Cell, Column, Table};
use kernel::time::sum_as_units;
use workload::swf::Share;

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
    let columns = [
        Column::text("name"),
        Column::figure("seed"),
        Column::figure("replication"),
        Column::figure("jobs"),
        Column::figure("more_would_come"),
        Column::figure("first_submit"),
        Column::figure("last_submit"),
        Column::figure("area"),
        Column::figure("processors"),
        Column::figure("offered_load"),
        Column::figure("serial"),
        Column::figure("power_of_two").note("power of two: above 1"),
        Column::figure("too_large").note("too large: for every cluster they may use"),
    ];
    let mut table = Table::new("workload", columns);
    let Brought { share: Share { jobs, area, .. }, too_large } = profile.whole();
    let share = |count: u64| Cell::share((jobs > 0).then(|| count as f64 / jobs as f64));
    let processors = profile.processors_of_grid();
    table.row([
        (&*profile.plan.name).into(),
        profile.plan.seed.into(),
        profile.replication.into(),
        jobs.into(),
        profile.is_cut.into(),
        profile.first.map(|first| first.as_units()).into(),
        profile.first.map(|_| profile.last.as_units()).into(),
        sum_as_units(area).into(),
        processors.into(),
        Cell::share(profile.load()),
        share(profile.serial),
        share(profile.powers_of_two),
        too_large.into(),
    ]);
    table
}

/// A row for each organization of `order`, and one for the whole grid, which programs know as `*`.
pub(super) fn organizations(profile: &Profile<'_>, order: &[usize], is_for_people: bool) -> Table {
    let columns = [
        Column::text("organization"),
        Column::figure("jobs"),
        Column::figure("share_of_jobs").called("of jobs"),
        Column::figure("area").rank(1),
        Column::figure("share_of_area").called("of area"),
        Column::figure("may_use_processors").called("may use"),
        Column::figure("offered_load").called("load").note(
            "load: area / (processors that it may use x first to last submission of all that may use \
             only these)",
        ),
        Column::figure("too_large"),
    ];
    let whole = profile.whole();
    let has_large = whole.too_large > 0 || !is_for_people;
    let shown = columns.len() - usize::from(!has_large);
    let mut table = Table::new("organizations", columns.into_iter().take(shown));
    let mut row = |name: &str, brought: Brought, processors: u64, load: Option<f64>| {
        let Share { jobs, area, .. } = brought.share;
        let of = |part: f64, all: f64| Cell::share((all > 0.0).then(|| part / all));
        let cells = [
            name.into(),
            jobs.into(),
            of(jobs as f64, whole.share.jobs as f64),
            sum_as_units(area).into(),
            of(area as f64, whole.share.area as f64),
            processors.into(),
            Cell::share(load),
            brought.too_large.into(),
        ];
        table.row(cells.into_iter().take(shown));
    };
    let loads = profile.loads();
    for &index in order {
        let name = &profile.plan.organizations[index].name;
        row(name, profile.brought[index], profile.may_use[index].all, loads[index]);
    }
    if profile.brought.len() > 1 || !is_for_people {
        let name = if is_for_people { "whole grid" } else { "*" };
        row(name, whole, profile.processors_of_grid(), profile.load());
    }
    table
}

/// A row for each quantity of a job.
pub(super) fn quantiles(profile: &Profile<'_>, is_for_people: bool) -> Table {
    let columns = [Column::text("amount"), Column::figure("count").rank(3), Column::figure("min")]
        .into_iter()
        .chain(QUANTILES.map(|(name, _)| match name {
            "p5" | "p95" => Column::figure(name).rank(1),
            "p25" | "p75" => Column::figure(name).rank(2),
            _ => Column::figure(name),
        }))
        .chain([
            Column::figure("max"),
            Column::figure("mean"),
            Column::figure("cv")
                .note("cv: standard deviation / mean; quantiles are exact to within 0.1%"),
        ]);
    let mut table = Table::new("quantiles", columns);
    let mut row = |name: &str, measured: &Measured| {
        let name = if is_for_people { name.replace('_', " ") } else { name.to_owned() };
        let mut cells: Vec<Cell> =
            vec![name.into(), measured.count().into(), measured.least().into()];
        cells.extend(QUANTILES.map(|(_, quantile)| measured.quantile(quantile).into()));
        cells.extend([
            measured.largest().into(),
            measured.mean().into(),
            measured.variation().into(),
        ]);
        table.row(cells);
    };
    row("runtime", &profile.runtime);
    row("estimate_by_runtime", &profile.overestimate);
    row("processors", &profile.processors);
    row("area", &profile.area);
    row("interarrival", &profile.gap);
    table
}

/// Run times, interarrival times and processors by size: the plots as numbers.
fn histograms(profile: &Profile<'_>) -> Table {
    let columns = [
        Column::text("amount"),
        Column::figure("from"),
        Column::figure("below"),
        Column::figure("jobs"),
    ];
    let mut table = Table::new("histograms", columns);
    let mut add = |name: &str, bins: Vec<Bin>| {
        for bin in bins {
            table.row([name.into(), bin.from.into(), bin.to.into(), bin.jobs.into()]);
        }
    };
    add("runtime", profile.runtimes.bins());
    add("processors", profile.widths.bins());
    add("interarrival", profile.gaps.bins());
    table
}

fn times(name: &'static str, unit: &'static str, counts: &[u64]) -> Table {
    let columns = [Column::figure(unit), Column::figure("jobs"), Column::figure("share")];
    let mut table = Table::new(name, columns);
    let all: u64 = counts.iter().sum();
    for (number, &count) in counts.iter().enumerate() {
        let share = (all > 0).then(|| count as f64 / all as f64);
        table.row([number.into(), count.into(), Cell::share(share)]);
    }
    table
}
