//! Reports of game dynamics: the trajectory of the shares and where it ends, in files and words.

pub(crate) mod files;
mod told;

pub use files::Summary;
pub use told::MovedReport;

use findings::game::dynamics::Population;
use scenario::plan::{DynamicsPlan, GamePlan, Motion};

/// The populations of a plan, in the order of the shares.
pub fn populations(plan: GamePlan<'_>, dynamics: &DynamicsPlan) -> Vec<Population> {
    let is_one = match &dynamics.motion {
        Motion::Flow { from, .. } => from.len() == 1,
        Motion::Turns { .. } | Motion::LogLinear { .. } => plan.game.payoffs_are_alike(),
        Motion::Imitation { .. } => true,
    };
    let named = |name: String, player: usize| Population {
        name,
        actions: plan.game.actions[player].clone(),
    };
    match is_one {
        true => vec![named("all".to_owned(), 0)],
        false => (0..plan.game.actions.len())
            .map(|player| named(format!("player-{}", player + 1), player))
            .collect(),
    }
}
