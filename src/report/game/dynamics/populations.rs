//! The table of the populations' shares, for files and for people.

use crate::table::margin::legend;
use crate::table::{Column, Table, columns};
use findings::estimate::Estimate;
use findings::game::dynamics::Moved;

/// The table: a row for each action of each population.
pub(super) fn table(moved: &Moved) -> Table {
    let legend = legend(moved.frame.level, "over replications");
    let rows = moved.rows().enumerate().map(|(at, (population, action))| {
        let [late, (last, _)] = moved.figures(at);
        (population, action, late, last)
    });
    let columns = columns![|(population, action, late, last): &Row<'_>|
        Column::text("population") => *population,
        Column::text("action") => *action,
        Column::figure("final_share").called("in the last quarter")
            .note("in the last quarter, at the end: shares").with_interval(Some(&legend)).halved()
            => *late,
        Column::figure("last").called("at the end") => *last,
    ];
    Table::by_columns("populations", rows, columns)
}

/// An action of a population, with its shares in the last quarter and at the end.
type Row<'a> = (&'a str, &'a str, (f64, Option<Estimate>), f64);
