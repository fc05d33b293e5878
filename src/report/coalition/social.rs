//! Mean flow time over all organizations, with its counterfactuals, as a table.

use crate::table::{Column, Table, columns};
use findings::coalition::social::Social;
use stats::interval::Interval;

/// The outcomes as a table.
pub fn table(social: &Social) -> Table {
    let columns = columns![|one: &(&str, f64, Option<Interval>)|
        Column::text("outcome") => one.0,
        Column::figure("flow_mean").called("flow").with_interval(None) => (Some(one.1), one.2),
    ];
    Table::by_columns("social", social.outcomes(), columns)
}
