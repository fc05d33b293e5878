//! Coalitional games: Shapley and Banzhaf values, the least core and the nucleolus.

use super::{Solved, members};
use game::coalitional::{Coalitional, MOST_SETTLED};

/// Excesses below this share of the largest worth are rounding errors.
const NOTHING: f64 = 1e-9;

pub(super) fn solve(names: &[String], game: &Coalitional, solved: &mut Solved) {
    let (shapley, banzhaf) = (&game.shapley(), game.banzhaf());
    let least_core = &game.least_core();
    let nucleolus = (game.coalitions() <= MOST_SETTLED).then(|| game.nucleolus());
    let nucleolus = &nucleolus.and_then(Result::ok);
    let mut put = solved.solver(
        "allocations",
        "alone: worth of the player by itself; shapley: its mean contribution over all orders; banzhaf: \
         over all coalitions of the others; least core: one allocation under which the coalition that \
         gains most by leaving gains least; nucleolus: the one that goes on so with those that gain next \
         most",
    );
    for (player, name) in names.iter().enumerate() {
        let put = put.player(name).put("alone", game.worth(game.step(player)));
        put.put("shapley", shapley[player]);
        put.put("banzhaf", banzhaf[player]);
        put.put("least_core", least_core.as_ref().ok().map(|core| core.allocation[player]));
        put.put("nucleolus", nucleolus.as_ref().map(|found| found[player]));
    }
    let largest = (1..game.coalitions()).map(|one| game.worth(one).abs());
    let nothing = NOTHING * largest.fold(0.0, f64::max);
    let least = least_core.as_ref().ok().map(|found| ("least core", &found.allocation));
    let settled = nucleolus.as_ref().map(|found| ("nucleolus", found));
    let mut put = solved.solver(
        "core",
        "excess: the most that a coalition gains by leaving, this one or others; in core: nobody gains. \
         The core is empty if the least core is not in it",
    );
    for (name, allocation) in [("shapley", shapley)].into_iter().chain(least).chain(settled) {
        let (worst, excess) = game.worst_treated(allocation).expect("there are several players");
        let excess = if excess.abs() <= nothing { 0.0 } else { excess };
        put.profile(name).put("total", game.total()).put("in_core", excess <= 0.0);
        put.player(members(names, worst)).put("excess", excess);
    }
    if let Err(wrong) = least_core {
        solved.skip("core", wrong.to_string());
    }
    if nucleolus.is_none() {
        let many = format!("no nucleolus: it is computed for up to {MOST_SETTLED} coalitions");
        solved.skip("allocations", many);
    }
}
