//! `actions.csv`: how often each player and each class of players played each action.
//!
//! `share` is over all rounds and `final_share` over the last quarter. `last` is the probability of
//! the action at the end, or the share of the last quarter if probabilities are not known.

use crate::table::{Column, Table, columns};
use findings::game::played::{Played, Share, Unit};

/// An action of a player or of a class.
type Row<'a> = (Unit<'a>, usize, &'a str);

/// The table.
pub fn table(played: &Played) -> Table {
    let rows = played.units().flat_map(|unit| {
        let actions = played.frame.actions[unit.members.start].iter().enumerate();
        actions.map(move |(action, name)| (unit, action, &**name))
    });
    let figured = |(unit, action, _): &Row<'_>, share: Share| {
        (unit.share(share, *action), unit.share_interval(share, *action))
    };
    let columns = columns![|row: &Row<'_>|
        Column::text("player") => &*row.0.name,
        Column::text("action") => row.2,
        Column::figure("share").with_interval(None) => figured(row, Share::All),
        Column::figure("final_share").with_interval(None) => figured(row, Share::Final),
        Column::figure("last").with_interval(None) => figured(row, Share::Last),
    ];
    Table::by_columns("actions", rows, columns)
}
