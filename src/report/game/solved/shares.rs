//! Coalitional games: the Shapley value and the least core.

use super::{Tables, members};
use crate::table::{Column, columns};
use game::coalitional::Coalitional;

/// Excesses below this share of the largest worth are rounding errors.
const NOTHING: f64 = 1e-9;

pub(super) fn solve(names: &[String], game: &Coalitional, tables: &mut Tables) {
    let shapley = &game.shapley();
    let least_core = &game.least_core();
    let columns = columns![|(player, name): &(usize, &String)|
        Column::text("player") => name.as_str(),
        Column::figure("alone") => game.worth(1 << player),
        Column::figure("shapley") => shapley[*player],
        Column::figure("least_core") => least_core.as_ref().ok().map(|core| core.allocation[*player]),
    ];
    tables.add(
        "allocations",
        names.iter().enumerate(),
        columns,
        "alone: worth of the player by itself; shapley: its mean contribution; least core: one \
         allocation under which the coalition that gains most by leaving gains least",
    );
    let largest = (1..1_u32 << game.players()).map(|one| game.worth(one).abs());
    let nothing = NOTHING * largest.fold(0.0, f64::max);
    let found = least_core.as_ref().ok().map(|found| ("least core", &found.allocation));
    let rows = [("shapley", shapley)].into_iter().chain(found).map(|(name, allocation)| {
        let (worst, excess) = game.worst_treated(allocation).expect("there are several players");
        let excess = if excess.abs() <= nothing { 0.0 } else { excess };
        (name, excess, members(names, worst))
    });
    let columns = columns![|(name, excess, worst): &(&str, f64, String)|
        Column::text("allocation") => *name,
        Column::figure("total") => game.total(),
        Column::figure("excess") => *excess,
        Column::text("of") => &**worst,
        Column::figure("in_core") => *excess <= 0.0,
    ];
    tables.add(
        "core",
        rows,
        columns,
        "excess: the most that a coalition gains by leaving; of: that coalition, the first of \
         several; in core: nobody gains. The core is empty if the least core is not in it",
    );
    if let Err(wrong) = least_core {
        tables.skip("core", wrong.to_string());
    }
}
