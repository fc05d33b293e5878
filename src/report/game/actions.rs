//! `actions.csv`: how often each player and each class of players played each action.
//!
//! `share` is over all rounds and `final_share` over the last quarter. `last` is the probability of
//! the action at the end, or the share of the last quarter if probabilities are not known.

use crate::table::{Column, ColumnOf, Table, columns};
use findings::game::played::{Played, Share, Unit};

/// An action of a player or of a class.
pub(crate) type Row<'a> = (Unit<'a>, usize, &'a str);

/// The columns.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let figured = |(unit, action, _): &Row<'_>, share: Share| {
        (unit.share(share, *action), unit.share_interval(share, *action))
    };
    columns![|row: &Row<'a>|
        Column::text("player").told("a player, or a class of several alike") => &*row.0.name,
        Column::text("action").told("one of its actions") => row.2,
        Column::figure("share").told("share of all rounds in which it was played").with_interval(None) => figured(row, Share::All),
        Column::figure("final_share").told("share of the last quarter").with_interval(None) => figured(row, Share::Final),
        Column::figure("last").told("its probability at the end; where that is not known, its share of the last quarter").with_interval(None) => figured(row, Share::Last),
    ]
}

/// The table.
pub fn table(played: &Played) -> Table {
    let rows = played.units().flat_map(|unit| {
        let actions = played.frame.actions[unit.members.start].iter().enumerate();
        actions.map(move |(action, name)| (unit, action, &**name))
    });
    Table::by_columns("actions", rows, columns())
}
