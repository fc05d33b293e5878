//! Mean flow time over all organizations, with its counterfactuals, as a table.

use crate::table::{Cell, Column, Table};
use findings::coalition::social::Social;

/// The outcomes as a table.
pub fn table(social: &Social) -> Table {
    let columns = [
        Column::text("outcome"),
        Column::figure("flow_mean").called("flow"),
        Column::figure("flow_mean_low"),
        Column::figure("flow_mean_high"),
    ];
    let mut table = Table::new("social", columns);
    for (name, mean, interval) in social.outcomes() {
        let ends = [interval.map(|one| one.low), interval.map(|one| one.high)].map(Cell::from);
        table.row([name.into(), mean.into()].into_iter().chain(ends));
    }
    table
}
