//! Game-storage, Game-quick within limits of storage and memory, of Duan, Prodan and Li, Future
//! Generation Computer Systems, 2014, section 5.1.
//!
//! After each division of the sites the processors are repaired, see [`Repair`]. Where no limit binds,
//! the shares are those of Game-quick to the last bit.

use super::game_quick;
pub use super::limits::Repair;
use super::{Plan, Problem, TaskPlanner};
use model::bounds::{Inside, parameters};

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of Game-storage.
    #[serde(default)]
    pub struct Options {
        /// Repair of a site whose classes would hold more than it has. Only scaling is better than
        /// Min-min; the storage weights of the paper starve the classes that hold much.
        repair: Repair as INSIDE = Repair::Scale,
        /// The game.
        game: game_quick::Options as INSIDE = game_quick::Options::default(),
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct GameStorage {
    options: Options,
}

impl GameStorage {
    /// A planner with these parameters.
    pub fn new(options: &Options) -> GameStorage {
        GameStorage { options: options.clone() }
    }
}

impl TaskPlanner for GameStorage {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let Options { repair, game } = &self.options;
        let players = game.players(problem, out);
        let theta;
        (theta, out.stages) = game.play(problem, &players, |game, theta| repair.apply(game, theta));
        players.write(&theta, out);
    }
}
