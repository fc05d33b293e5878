//! `organizations.csv` of a coalition: a line for every organization, and one for all (`*`).
//!
//! It begins with the columns of a grid's file, up to `killed`. Sums are exact decimals in units, over all rounds and replications. `_low` and `_high` are the
//! ends of 95% intervals. `score_of_sums` is computed from the summed flow times; it differs from
//! the mean of the rounds' scores, which is what learners follow.

use crate::columns::estimated;
use crate::table::{Cell, Column, Format, Table};
use findings::coalition::flows::Flows;
use findings::coalition::learned::{Learned, Unit};
use findings::measure::Metric;
use kernel::time::{Units, sum_as_units};
use sim::pool::turn::score;
use stats::distribution::{Distribution, QUANTILES};

/// Names of the columns after the name.
pub const COLUMNS: [&str; 32] = [
    "clusters",
    "processors",
    "submitted",
    "rejected",
    "started",
    "finished",
    "killed",
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
    for (unit, flows) in learned.organizations().zip(flows.organizations()) {
        table.row(cells(&unit.name, learned, unit, flows));
    }
    table.row(cells("*", learned, learned.everyone(), &flows.everyone()));
    table
}

/// Renders the file.
pub fn render(learned: &Learned, flows: &Flows) -> Vec<u8> {
    table(learned, flows).render(Format::Csv, None).into_bytes()
}

fn cells(name: &str, learned: &Learned, unit: Unit<'_>, flows: &Distribution) -> Vec<Cell> {
    let (all, frame) = (&unit.all, &learned.frame);
    let processors = &frame.processors[unit.members.clone()];
    let holdings = [processors.len() as u64, processors.iter().map(|&one| u64::from(one)).sum()];
    // The jobs that count: none is rejected or killed, and all end.
    let jobs = [all.jobs, 0, all.jobs, all.jobs, 0];
    let mut cells: Vec<Cell> = vec![name.into()];
    cells.extend(holdings.into_iter().chain(jobs).map(Cell::from));
    cells.extend([all.rounds, all.joined, all.jobs].map(Cell::from));
    cells.push(Units(all.flow).to_string().into());
    cells.extend(estimated(unit.mean(Metric::Flow), unit.interval(Metric::Flow)));
    cells.extend(QUANTILES.map(|(_, quantile)| Cell::from(flows.quantile(quantile))));
    cells.push(flows.largest().into());
    cells.push(Units(all.alone).to_string().into());
    cells.extend(estimated(unit.mean(Metric::FlowAlone), unit.interval(Metric::FlowAlone)));
    cells.extend(estimated(unit.mean(Metric::Score), unit.interval(Metric::Score)));
    cells.push((all.jobs > 0).then(|| score(all.flow, all.alone)).into());
    cells.extend(
        [all.sent, all.received, all.brought].map(|sum| Cell::from(Units(sum).to_string())),
    );
    let load = sum_as_units(all.brought) / (frame.window.as_units() * all.rounds.max(1) as f64);
    cells.push((all.rounds > 0).then_some(load).into());
    cells
}
