//! Coalitional games: the Shapley value and the least core.

use super::Tables;
use crate::table::{Cell, Column, Table};
use game::coalitional::Coalitional;

/// Excesses below this share of the largest worth are rounding errors.
const NOTHING: f64 = 1e-9;

pub(super) fn solve(names: &[String], game: &Coalitional, tables: &mut Tables) {
    let shapley = game.shapley();
    let least_core = game.least_core();
    let columns = ["alone", "shapley", "least_core"].map(Column::figure);
    let mut shares = Table::new("allocations", [Column::text("player")].into_iter().chain(columns));
    for (player, name) in names.iter().enumerate() {
        let core = least_core.as_ref().ok().map(|core| core.allocation[player]);
        let alone = game.worth(1 << player);
        shares.row([name.as_str().into(), alone.into(), shapley[player].into(), core.into()]);
    }
    shares.note(
        "alone: worth of the player by itself; shapley: its mean contribution; least core: one \
         allocation under which the coalition that gains most by leaving gains least",
    );
    tables.done.push(shares);
    let columns = [
        Column::text("allocation"),
        Column::figure("total"),
        Column::figure("excess"),
        Column::text("of"),
        Column::figure("in_core"),
    ];
    let mut core = Table::new("core", columns);
    let largest = (1..1_u32 << game.players()).map(|one| game.worth(one).abs());
    let nothing = NOTHING * largest.fold(0.0, f64::max);
    let mut row = |name: &str, allocation: &[f64]| {
        let (worst, excess) = game.worst_treated(allocation).expect("there are several players");
        let members = names.iter().enumerate().filter(|(at, _)| worst >> at & 1 == 1);
        let members: Vec<&str> = members.map(|(_, name)| &**name).collect();
        let excess = if excess.abs() <= nothing { 0.0 } else { excess };
        let of = members.join(" + ");
        core.row([
            name.into(),
            Cell::Number(game.total()),
            excess.into(),
            of.into(),
            (excess <= 0.0).into(),
        ]);
    };
    row("shapley", &shapley);
    if let Ok(found) = &least_core {
        row("least core", &found.allocation);
    }
    core.note(
        "excess: the most that a coalition gains by leaving; of: that coalition, the first of \
         several; in core: nobody gains. The core is empty if the least core is not in it",
    );
    tables.done.push(core);
    if let Err(wrong) = &least_core {
        tables.skip("core", wrong.to_string());
    }
}
