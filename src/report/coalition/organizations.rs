//! `organizations.csv` of a coalition: a line for every organization, and one for all (`*`).
//!
//! Sums are exact decimals in units, over all rounds and replications. `_low` and `_high` are the
//! ends of 95% intervals. `score_of_sums` is computed from the summed flow times; it differs from
//! the mean of the rounds' scores, which is what learners follow.

use crate::findings::coalition::flows::Flows;
use crate::findings::coalition::learned::{Learned, Unit};
use crate::findings::estimate::Estimate;
use crate::findings::measure::Metric;
use crate::kernel::time::{Units, sum_as_units};
use crate::report::table::{Cell, Column, Format, Table};
use crate::sim::pool::turn::score;
use crate::stats::distribution::{Distribution, QUANTILES};

/// Names of the columns after the name.
pub const COLUMNS: [&str; 25] = [
    "rounds",
    "joined",
    "jobs",
    "flow_sum",
    "flow_mean",
    "flow_mean_low",
    "flow_mean_high",
    "flow_p50",
    "flow_p90",
    "flow_p95",
    "flow_p99",
    "flow_p99.9",
    "flow_max",
    "flow_alone_sum",
    "flow_alone_mean",
    "flow_alone_mean_low",
    "flow_alone_mean_high",
    "score",
    "score_low",
    "score_high",
    "score_of_sums",
    "sent",
    "received",
    "brought",
    "local_load",
];

/// The file as a table.
pub fn table(learned: &Learned, flows: &Flows) -> Table {
    let columns = COLUMNS.map(Column::figure);
    let mut table =
        Table::new("organizations", [Column::text("organization")].into_iter().chain(columns));
    let window = learned.frame.window;
    for (unit, flows) in learned.organizations().zip(flows.organizations()) {
        table.row(cells(&unit.name, unit, flows, window.as_units()));
    }
    table.row(cells("*", learned.everyone(), flows.everyone(), window.as_units()));
    table
}

/// Renders the file.
pub fn render(learned: &Learned, flows: &Flows) -> Vec<u8> {
    table(learned, flows).render(Format::Csv, None).into_bytes()
}

fn cells(name: &str, unit: Unit<'_>, flows: &Distribution, window: f64) -> Vec<Cell> {
    let all = &unit.all;
    let mut cells: Vec<Cell> =
        vec![name.into(), all.rounds.into(), all.joined.into(), all.jobs.into()];
    cells.push(Units(all.flow).to_string().into());
    cells.extend(estimated((unit.mean(Metric::Flow), unit.interval(Metric::Flow))));
    cells.extend(QUANTILES.map(|(_, quantile)| Cell::from(flows.quantile(quantile))));
    cells.push(flows.largest().into());
    cells.push(Units(all.alone).to_string().into());
    cells.extend(estimated((unit.mean(Metric::FlowAlone), unit.interval(Metric::FlowAlone))));
    cells.extend(estimated((unit.mean(Metric::Score), unit.interval(Metric::Score))));
    cells.push((all.jobs > 0).then(|| score(all.flow, all.alone)).into());
    cells.extend(
        [all.sent, all.received, all.brought].map(|sum| Cell::from(Units(sum).to_string())),
    );
    let load = sum_as_units(all.brought) / (window * all.rounds.max(1) as f64);
    cells.push((all.rounds > 0).then_some(load).into());
    cells
}

/// A figure and the ends of its interval.
fn estimated((figure, estimate): (Option<f64>, Option<Estimate>)) -> [Cell; 3] {
    let interval = estimate.filter(|_| figure.is_some()).map(|estimate| estimate.interval);
    [figure, interval.map(|one| one.low), interval.map(|one| one.high)].map(Cell::from)
}
