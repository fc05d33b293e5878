//! The reports of games: records of their rounds, tables, pictures and words of what players did.

pub mod actions;
pub mod described;
pub mod dynamics;
pub mod entry;
pub(super) mod json;
pub mod picture;
pub mod players;
pub mod profiles;
pub mod solved;
mod summary;
pub mod warnings;
mod words;

use findings::game::frame::Frame;
use findings::unit::classes;
use scenario::plan::GamePlan;

pub use summary::PlayedReport;

/// The frame of a plan.
pub fn frame(plan: GamePlan<'_>) -> Frame {
    if plan.game.players.is_empty() {
        return of_numbered(plan);
    }
    let names: Vec<String> = plan.game.players.iter().map(|player| player.name.clone()).collect();
    let alike = |one: usize, other: usize| {
        let (one, other) = (&plan.game.players[one], &plan.game.players[other]);
        one.entry == other.entry && one.actions == other.actions
    };
    Frame {
        classes: classes(&names, alike),
        names,
        actions: plan.game.players.iter().map(|player| player.actions.clone()).collect(),
        is_symmetric: plan.game.payoffs_are_alike(),
        rounds: plan.rounds(),
        replications: plan.replications,
        level: plan.counting.level,
    }
}

/// The frame of players who do not learn, and are named by their numbers.
fn of_numbered(plan: GamePlan<'_>) -> Frame {
    let players = 1..=plan.game.actions.len();
    let names: Vec<String> = players.map(|number| format!("player-{number}")).collect();
    let is_symmetric = plan.game.payoffs_are_alike();
    Frame {
        classes: classes(&names, |_, _| is_symmetric),
        names,
        actions: plan.game.actions.clone(),
        is_symmetric,
        rounds: plan.rounds(),
        replications: plan.replications,
        level: plan.counting.level,
    }
}
