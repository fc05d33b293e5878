//! `profiles.csv`: the pure profiles in which replications ended, with their shares.
//!
//! A replication ended in a profile if each player took its action in at least 99% of the last
//! quarter. The empty profile stands for replications in which some player did not come to rest, or
//! that are too short to tell.

use crate::table::{Column, Table, columns};
use findings::game::ends::End;
use findings::game::played::Played;
use scenario::plan::GamePlan;

/// The table.
pub fn table(plan: GamePlan<'_>, played: &Played) -> Table {
    let frame = &played.frame;
    let share = |count: u32| f64::from(count) / f64::from(frame.replications);
    let ends = played.ends.all();
    let rows = ends.iter().map(|end| Row {
        end: Some(end),
        replications: end.replications,
        tempted: end.temptation(&plan.game.payoffs),
    });
    let mixed = Some(played.ends.mixed + played.ends.short).filter(|&mixed| mixed > 0);
    let rest = mixed.map(|replications| Row { end: None, replications, tempted: None });
    let columns = columns![|row: &Row<'_>|
        Column::text("profile") => row.end.map(|end| frame.told(&end.profile)),
        Column::figure("replications") => row.replications,
        Column::figure("share") => share(row.replications),
        Column::figure("rounds_to_absorb") => row.end.and_then(End::median_rounds),
        Column::figure("equilibrium") => row.end.map(|_| row.tempted.is_none()),
        Column::text("tempted") => row.tempted.map(|(player, ..)| &*frame.names[player]),
        Column::figure("gain") => row.tempted.map(|(_, gain, _)| gain),
        Column::text("by")
            => row.tempted.map(|(player, _, action)| &*frame.actions[player][action as usize]),
    ];
    Table::by_columns("profiles", rows.chain(rest), columns)
}

/// Replications that ended in a profile, or in none.
struct Row<'a> {
    end: Option<&'a End>,
    replications: u32,
    /// The player who would gain most by another action alone, the gain, and the action.
    tempted: Option<(usize, f64, u32)>,
}
