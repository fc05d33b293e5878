//! `profiles.csv`: the pure profiles in which replications ended, with their shares.
//!
//! A replication ended in a profile if each player took its action in at least 99% of the last
//! quarter. The empty profile stands for replications in which some player did not come to rest, or
//! that are too short to tell.

use crate::table::{Column, ColumnOf, Table, columns};
use findings::game::ends::End;
use findings::game::frame::Frame;
use findings::game::played::Played;
use scenario::plan::GamePlan;

/// The columns.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    columns![|row: &Row<'a>|
        Column::text("profile").told("the action of each player; empty for replications that came to no rest")
            => row.end.map(|end| row.frame.told(&end.profile)),
        Column::count("replications").told("replications that ended in it") => row.replications,
        Column::figure("share").told("their share")
            => f64::from(row.replications) / f64::from(row.frame.replications),
        Column::figure("rounds_to_absorb").told("median of the rounds that took")
            => row.end.and_then(End::median_rounds),
        Column::figure("equilibrium").told("true if nobody would gain by another action alone")
            => row.end.map(|_| row.tempted.is_none()),
        Column::text("tempted").told("the player who would gain most by another action alone")
            => row.tempted.map(|(player, ..)| &*row.frame.names[player]),
        Column::figure("gain").told("that gain, in a round") => row.tempted.map(|(_, gain, _)| gain),
        Column::text("by").told("that action") => row
            .tempted
            .map(|(player, _, action)| &*row.frame.actions[player][action as usize]),
    ]
}

/// The table.
pub fn table(plan: GamePlan<'_>, played: &Played) -> Table {
    let (frame, ends) = (&played.frame, played.ends.all());
    let rows = ends.iter().map(|end| Row {
        frame,
        end: Some(end),
        replications: end.replications,
        tempted: end.temptation(&plan.game.payoffs),
    });
    let mixed = Some(played.ends.mixed + played.ends.short).filter(|&mixed| mixed > 0);
    let rest = mixed.map(|replications| Row { frame, end: None, replications, tempted: None });
    Table::by_columns("profiles", rows.chain(rest), columns())
}

/// Replications that ended in a profile, or in none.
pub(crate) struct Row<'a> {
    frame: &'a Frame,
    end: Option<&'a End>,
    replications: u32,
    /// The player who would gain most by another action alone, the gain, and the action.
    tempted: Option<(usize, f64, u32)>,
}
