//! Game-storage-cost, Game-cost within limits of storage and memory, of Duan, Prodan and Li, Future
//! Generation Computer Systems, 2014, section 5.2.
//!
//! It is Game-cost by deferred acceptance in which a site runs out of storage or memory as it does of
//! processors. A class that needs none of what has run out goes on. Where no limit binds, the shares are
//! those of Game-cost by that rule to the last bit.

use super::deadlines::{Deadlines, Phase};
use super::game_cost::{place_cheapest, play_sound};
use super::placement::Placement;
use super::{Plan, Problem, TaskPlanner};
use model::bounds::{Inside, ONE_OR_MORE, parameters};

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of Game-storage-cost.
    #[serde(default)]
    pub struct Options {
        /// Rule that derives the deadlines of classes from their application's.
        deadlines: Deadlines as INSIDE = Deadlines::Proportional,
        /// The game ends with this stage at the latest.
        stages: u32 as ONE_OR_MORE = 100,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct GameStorageCost {
    options: Options,
}

impl GameStorageCost {
    /// A planner with these parameters.
    pub fn new(options: &Options) -> GameStorageCost {
        GameStorageCost { options: options.clone() }
    }
}

impl TaskPlanner for GameStorageCost {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let Phase { players, length } = self.options.deadlines.phase(problem);
        if players.is_empty() {
            return;
        }
        let mut placement = Placement::new(&players, length, true);
        place_cheapest(&mut placement);
        play_sound(&mut placement, self.options.stages, &mut out.stages);
        placement.repair();
        players.write(&placement.processors(), out);
    }
}
