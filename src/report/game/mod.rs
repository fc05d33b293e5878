//! The reports of games: records of their rounds, tables, pictures and words of what players did.

pub mod actions;
pub mod described;
pub mod dynamics;
pub mod entry;
pub mod forms;
pub(super) mod json;
mod phase;
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

/// The frame of a plan. Players who do not learn are named by their numbers.
pub fn frame(plan: GamePlan<'_>) -> Frame {
    let (players, is_symmetric) = (&plan.game.players, plan.game.payoffs_are_alike());
    let (names, actions): (Vec<String>, Vec<Vec<String>>) = match players.is_empty() {
        true => {
            let numbered = plan.game.actions.iter().zip(1..);
            numbered.map(|(all, number)| (format!("player-{number}"), all.clone())).unzip()
        }
        false => players.iter().map(|one| (one.name.clone(), one.actions.clone())).unzip(),
    };
    let alike = |one: usize, other: usize| match (players.get(one), players.get(other)) {
        (Some(one), Some(other)) => {
            (one.entry, one.first, &one.learner) == (other.entry, other.first, &other.learner)
                && one.actions == other.actions
        }
        _ => is_symmetric,
    };
    Frame {
        classes: classes(&names, alike),
        names,
        actions,
        is_symmetric,
        rounds: plan.rounds(),
        replications: plan.replications,
        level: plan.counting.level,
    }
}
