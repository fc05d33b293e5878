//! `profiles.csv`: the pure profiles in which replications ended, with their shares.
//!
//! A replication ended in a profile if each player took its action in at least 99% of the last
//! quarter. The empty profile stands for replications in which some player did not come to rest.

use crate::table::{Cell, Column, Format, Table};
use findings::game::played::Played;
use scenario::plan::GamePlan;

/// The table.
pub fn table(plan: GamePlan<'_>, played: &Played) -> Table {
    let columns = [
        Column::text("profile"),
        Column::figure("replications"),
        Column::figure("share"),
        Column::figure("rounds_to_absorb"),
        Column::figure("equilibrium"),
        Column::text("tempted"),
        Column::figure("gain"),
        Column::text("by"),
    ];
    let mut table = Table::new("profiles", columns);
    let frame = &played.frame;
    let share = |count: u32| f64::from(count) / f64::from(frame.replications);
    for end in played.ends.all() {
        let tempted = end.temptation(&plan.game.payoffs);
        table.row([
            frame.told(&end.profile).into(),
            end.replications.into(),
            share(end.replications).into(),
            end.median_rounds().into(),
            tempted.is_none().into(),
            tempted.map(|(player, ..)| frame.names[player].clone()).into(),
            tempted.map(|(_, gain, _)| gain).into(),
            tempted
                .map(|(player, _, action)| frame.actions[player][action as usize].clone())
                .into(),
        ]);
    }
    let mixed = played.ends.mixed;
    if mixed > 0 {
        let head: [Cell; 3] = [Cell::Missing, mixed.into(), share(mixed).into()];
        table.row(head.into_iter().chain(std::iter::repeat_n(Cell::Missing, 5)));
    }
    table
}

/// Renders `profiles.csv`.
pub fn render(plan: GamePlan<'_>, played: &Played) -> Vec<u8> {
    table(plan, played).render(Format::Csv, None).into_bytes()
}
