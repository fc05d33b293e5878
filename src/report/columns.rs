//! Columns that several tables have: figures with the ends of their intervals, margins,
//! convergence.

use super::table::{Cell, Column};
use findings::estimate::Estimate;
use findings::rounds::settled::Settled;

/// Names of a figure's column and of those with the ends of its interval.
pub(super) fn with_interval(name: &str) -> [String; 3] {
    ["", "_low", "_high"].map(|end| format!("{name}{end}"))
}

/// A figure and the ends of its interval.
pub(super) fn estimated(figure: Option<f64>, estimate: Option<Estimate>) -> [Cell; 3] {
    let interval = estimate.filter(|_| figure.is_some()).map(|estimate| estimate.interval);
    [figure, interval.map(|one| one.low), interval.map(|one| one.high)].map(Cell::from)
}

/// Half of the width of an interval, for a margin.
pub(super) fn half_width(estimate: Option<Estimate>) -> Cell {
    Cell::error(estimate.map(|estimate| estimate.interval.half_width()))
}

/// A column of margins, with their legend if there are any.
pub(super) fn margin(name: &'static str, legend: Option<&str>) -> Column {
    let column = Column::margin(name);
    match legend {
        Some(legend) => column.note(legend),
        None => column,
    }
}

/// Names of the columns of convergence.
pub(super) const SETTLED: [&str; 5] =
    ["settled", "rounds_to_settle", "drifting", "cycles", "period"];

/// Their cells.
pub(super) fn settled(settled: &Settled) -> [Cell; 5] {
    [
        settled.share_settled(),
        settled.rounds(),
        settled.share_drifting(),
        settled.share_in_cycles(),
        settled.period(),
    ]
    .map(Cell::from)
}
