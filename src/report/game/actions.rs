//! `actions.csv`: how often each player and each class of players played each action.
//!
//! `share` is over all rounds and `final_share` over the last quarter. `last` is the probability of
//! the action at the end, or the share of the last quarter if probabilities are not known.

use crate::columns::{estimated, with_interval};
use crate::table::{Cell, Column, Format, Table};
use findings::game::played::{Played, Share};

/// The column of each share.
const COLUMNS: [&str; Share::ALL.len()] = ["share", "final_share", "last"];

/// The table.
pub fn table(played: &Played) -> Table {
    let columns = [Column::text("player"), Column::text("action")];
    let figures = COLUMNS.into_iter().flat_map(with_interval).map(Column::figure);
    let mut table = Table::new("actions", columns.into_iter().chain(figures));
    for unit in played.units() {
        for (action, name) in played.frame.actions[unit.members.start].iter().enumerate() {
            let mut cells: Vec<Cell> = vec![unit.name.as_str().into(), name.as_str().into()];
            for share in Share::ALL {
                let interval = unit.share_interval(share, action);
                cells.extend(estimated(Some(unit.share(share, action)), interval));
            }
            table.row(cells);
        }
    }
    table
}

/// Renders `actions.csv`.
pub fn render(played: &Played) -> Vec<u8> {
    table(played).render(Format::Csv, None).into_bytes()
}
