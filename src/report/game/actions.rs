//! `actions.csv`: how often each player and each class of players played each action.
//!
//! `share` is over all rounds and `final_share` over the last quarter. `last` is the probability of
//! the action at the end, or the share of the last quarter if probabilities are not known.

use crate::findings::game::played::{Played, Share};
use crate::report::table::{Cell, Column, Format, Table};

/// Column names of each share.
const COLUMNS: [[&str; 3]; Share::ALL.len()] = [
    ["share", "share_low", "share_high"],
    ["final_share", "final_share_low", "final_share_high"],
    ["last", "last_low", "last_high"],
];

/// The table.
pub fn table(played: &Played) -> Table {
    let columns = [Column::text("player"), Column::text("action")];
    let figures = COLUMNS.as_flattened().iter().map(|&name| Column::figure(name));
    let mut table = Table::new("actions", columns.into_iter().chain(figures));
    for unit in played.units() {
        for (action, name) in played.frame.actions[unit.members.start].iter().enumerate() {
            let mut cells: Vec<Cell> = vec![unit.name.as_str().into(), name.as_str().into()];
            for share in Share::ALL {
                let interval = unit.share_interval(share, action).map(|one| one.interval);
                cells.push(unit.share(share, action).into());
                cells.push(interval.map(|interval| interval.low).into());
                cells.push(interval.map(|interval| interval.high).into());
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
