//! The short table of a campaign, for people: a line for each organization with applications or sites.

use crate::table::margin::legend;
use crate::table::{Column, Format, Table, columns};
use findings::Findings;
use findings::campaign::Campaigned;
use findings::measure::Metric;
use findings::unit::ALL;
use stats::shown::counted;

/// Up to this many organizations have lines of their own on a page.
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

/// A column; those of the highest rank leave a narrow terminal first.
fn column(metric: Metric) -> Column {
    let column = Column::figure(metric.name()).unit(metric.measure().unit);
    match metric {
        Metric::Makespan => column.note("makespan: when the last application is done"),
        Metric::Flow => {
            column.rank(1).note("flow: mean time from the submission of an application to its end")
        }
        Metric::Cost => column.rank(2).note("cost: what its applications pay for tasks"),
        Metric::MakespanOverBound => column.called("over bound").rank(3),
        Metric::Late => {
            column.rank(4).note("late: share of the applications that miss their deadline")
        }
        Metric::Income => column.rank(5).note("income: what its sites earn by tasks"),
        Metric::ClassFairness => column
            .called("fairness")
            .rank(7)
            .note("fairness: Jain's index of the times in which classes are done"),
        Metric::Footprint => column
            .rank(8)
            .note("footprint: largest storage that files of finished tasks take at a time"),
        Metric::Plans => column.rank(9),
        _ => column.rank(6),
    }
}

/// Builds the table; in text it has as many rows as a page shows.
pub(super) fn summary(found: &Campaigned, format: Format) -> Table {
    let most = if format == Format::Text { SHOWN } else { usize::MAX };
    let sample = found.sample();
    let has = |metric: &Metric| sample.mean(sample.all(), metric.measure()).is_some();
    let mean = |at: usize, metric: Metric| sample.mean(at, metric.measure());
    let legend = legend(sample.level(), "figures.csv tells the method");
    let mut columns = columns![|at: &usize|
        Column::text("organization") => match sample.units()[*at].name.as_str() {
            ALL => "all",
            name => name,
        },
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
    let rows = (0..units.len()).filter(|&at| at < most || units[at].name == ALL);
    let mut table = Table::by_columns("organizations", rows, columns);
    let singles = units.len() - 1;
    if singles > most {
        let more = counted((singles - most) as u64, "more organization", "more organizations");
        table.note(format!("figures.csv has {more}"));
    }
    table
}
