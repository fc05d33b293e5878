//! The short table of a campaign, for people: a line for each organization with applications or sites.

use crate::margin::{self, legend};
use crate::table::{Column, Table};
use findings::Findings;
use findings::campaign::Campaigned;
use findings::measure::Metric;
use findings::unit::ALL;
use stats::shown::count;

/// Up to this many organizations have lines of their own.
const SHOWN: usize = 12;

/// The measures with a margin beside them; then those without.
const SURE: [Metric; 3] = [Metric::Makespan, Metric::Flow, Metric::Cost];
const REST: [Metric; 7] = [
    Metric::Income,
    Metric::ClassFairness,
    Metric::Late,
    Metric::Footprint,
    Metric::Utilization,
    Metric::MakespanOverBound,
    Metric::Plans,
];

fn column(metric: Metric) -> Column {
    let column = Column::figure(metric.name());
    match metric {
        Metric::Makespan => column.note("makespan: when the last application is done"),
        Metric::Flow => {
            column.note("flow: mean time from the submission of an application to its end")
        }
        Metric::ClassFairness => column
            .called("fairness")
            .note("fairness: Jain's index of the times in which classes are done"),
        Metric::Late => column.note("late: share of the applications that miss their deadline"),
        Metric::Cost => column.note("cost: what its applications pay for tasks"),
        Metric::Income => column.note("income: what its sites earn by tasks"),
        Metric::Footprint => {
            column.note("footprint: largest storage that files of finished tasks take at a time")
        }
        Metric::MakespanOverBound => column.called("over bound"),
        _ => column,
    }
}

/// Builds the table.
pub(super) fn summary(found: &Campaigned) -> Table {
    let sample = found.sample();
    let has = |metric: &Metric| sample.mean(sample.all(), metric.measure()).is_some();
    let sure: Vec<Metric> = SURE.into_iter().filter(has).collect();
    let rest: Vec<Metric> = REST.into_iter().filter(has).collect();
    let margins = sample.replications() > 1;
    let mut columns = vec![Column::text("organization")];
    for &metric in &sure {
        columns.push(column(metric));
        if margins {
            let margin = Column::margin(format!("{}_half_width", metric.name()));
            columns.push(margin.note(legend(sample.level(), "figures.csv tells the method")));
        }
    }
    columns.extend(rest.iter().map(|&metric| column(metric)));
    let mut table = Table::new("organizations", columns);
    let singles = sample.units().len() - 1;
    for (at, unit) in sample.units().iter().enumerate() {
        if at >= SHOWN && unit.name != ALL {
            continue;
        }
        let mut cells = vec![unit.name.as_str().into()];
        for metric in &sure {
            let mean = sample.mean(at, metric.measure());
            cells.push(mean.into());
            if margins {
                let interval = sample.estimate(at, metric.measure()).map(|one| one.interval);
                cells.push(margin::cells(mean, interval)[2].clone());
            }
        }
        cells.extend(rest.iter().map(|metric| sample.mean(at, metric.measure()).into()));
        table.row(cells);
    }
    if singles > SHOWN {
        table.note(format!(
            "figures.csv has {} more organizations",
            count((singles - SHOWN) as u64)
        ));
    }
    table
}
