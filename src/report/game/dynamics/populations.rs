//! The table of the populations' shares, for files and for people.

use crate::columns::{estimated, half_width, with_interval};
use crate::margin::legend;
use crate::table::{Cell, Column, Table};
use findings::game::dynamics::Moved;

/// The table: a row for each action of each population.
pub(super) fn table(moved: &Moved) -> Table {
    let columns = [Column::text("population"), Column::text("action")];
    let shares = with_interval("final_share").map(Column::figure);
    let figures = shares.into_iter().chain([Column::figure("last")]);
    let mut table = Table::new("populations", columns.into_iter().chain(figures));
    for (at, (population, action)) in moved.rows().enumerate() {
        let [(late, estimate), (last, _)] = moved.figures(at);
        let [late, low, high] = estimated(Some(late), estimate);
        table.row([population.into(), action.into(), late, low, high, Cell::Number(last)]);
    }
    table
}

/// The table as a person reads it.
pub(super) fn shown(moved: &Moved) -> Table {
    let columns = [Column::text("population"), Column::text("action")];
    let figures = [
        Column::figure("in_the_last_quarter").note("in the last quarter, at the end: shares"),
        Column::margin("half_width").note(legend(moved.frame.level, "over replications")),
        Column::figure("at_the_end"),
    ];
    let mut table = Table::new("populations", columns.into_iter().chain(figures));
    for (at, (population, action)) in moved.rows().enumerate() {
        let [(late, estimate), (last, _)] = moved.figures(at);
        table.row([
            population.into(),
            action.into(),
            Cell::Number(late),
            half_width(estimate),
            Cell::Number(last),
        ]);
    }
    table
}
