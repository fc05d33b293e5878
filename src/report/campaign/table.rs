//! The short table of a campaign, for people: a line for each organization with applications or sites.

use crate::table::margin::legend;
use crate::table::{Column, Table, columns};
use findings::Findings;
use findings::campaign::Campaigned;
use findings::measure::Metric;
use findings::unit::ALL;
use stats::shown::counted;

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
    let mean = |at: usize, metric: Metric| sample.mean(at, metric.measure());
    let legend = legend(sample.level(), "figures.csv tells the method");
    let mut columns = columns![|at: &usize|
        Column::text("organization") => sample.units()[*at].name.as_str(),
    ];
    columns.extend(SURE.into_iter().filter(has).map(|metric| {
        match sample.replications() {
            1 => column(metric).of(move |&at| mean(at, metric).into()),
            _ => column(metric)
                .with_interval(Some(&legend))
                .of(move |&at| (mean(at, metric), sample.estimate(at, metric.measure())).into()),
        }
    }));
    let rest = REST.into_iter().filter(has);
    columns.extend(rest.map(|metric| column(metric).of(move |&at| mean(at, metric).into())));
    let units = sample.units();
    let rows = (0..units.len()).filter(|&at| at < SHOWN || units[at].name == ALL);
    let mut table = Table::by_columns("organizations", rows, columns);
    let singles = units.len() - 1;
    if singles > SHOWN {
        let more = counted((singles - SHOWN) as u64, "more organization", "more organizations");
        table.note(format!("figures.csv has {more}"));
    }
    table
}
