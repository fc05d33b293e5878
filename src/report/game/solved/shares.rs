//! Coalitional games: the Shapley value and the least core.

use super::{Solved, members};
use game::coalitional::Coalitional;

/// Excesses below this share of the largest worth are rounding errors.
const NOTHING: f64 = 1e-9;

pub(super) fn solve(names: &[String], game: &Coalitional, solved: &mut Solved) {
    let shapley = &game.shapley();
    let least_core = &game.least_core();
    let mut put = solved.solver(
        "allocations",
        "alone: worth of the player by itself; shapley: its mean contribution; least core: one \
         allocation under which the coalition that gains most by leaving gains least",
    );
    for (player, name) in names.iter().enumerate() {
        let put = put.player(name).put("alone", game.worth(1 << player));
        put.put("shapley", shapley[player]);
        put.put("least_core", least_core.as_ref().ok().map(|core| core.allocation[player]));
    }
    let largest = (1..1_u32 << game.players()).map(|one| game.worth(one).abs());
    let nothing = NOTHING * largest.fold(0.0, f64::max);
    let found = least_core.as_ref().ok().map(|found| ("least core", &found.allocation));
    let mut put = solved.solver(
        "core",
        "excess: the most that a coalition gains by leaving, this one or others; in core: nobody gains. \
         The core is empty if the least core is not in it",
    );
    for (name, allocation) in [("shapley", shapley)].into_iter().chain(found) {
        let (worst, excess) = game.worst_treated(allocation).expect("there are several players");
        let excess = if excess.abs() <= nothing { 0.0 } else { excess };
        put.profile(name).put("total", game.total()).put("in_core", excess <= 0.0);
        put.player(members(names, worst)).put("excess", excess);
    }
    if let Err(wrong) = least_core {
        solved.skip("core", wrong.to_string());
    }
}
