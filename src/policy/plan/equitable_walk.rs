//! The Equitable Walk (EW) of Rzadca, Trystram and Wierzbicki, section 3.2, and the game-theoretic one
//! (GEW, section 4.2): fair orders of jobs, by switching neighbours in favour of the organization that
//! is worst off. See [`Dedicated::equitable_walk`](crate::game::dedicated::Dedicated::equitable_walk).
//!
//! The candidates are the schedules of the walk that no other one of it equitably dominates, in the
//! order in which they were visited. Costs are sums of flow times; with `payoffs` they are losses
//! against my jobs first. The walk begins with shortest job first, the least sum over all.

use super::bound::Bound;
use super::{Planner, Plans, Problem, Start};
use crate::model::bounds::{Bounds, Inside, parameters};
use crate::state_of_fields;

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;
/// Bounds of the number of moves.
const MOVES: Bounds<'_> =
    Bounds::of("a number of moves").unit("a whole number").from(1.0).to(1_000_000.0);

parameters! {
    /// Parameters of the walk.
    #[serde(default)]
    pub struct Options {
        /// True if organizations share their gains over my jobs first fairly, false if they share their
        /// flow times.
        payoffs: bool = false,
        /// Maximum number of moves.
        moves: u32 as MOVES = 1000,
        /// The plan that says where jobs run that may use several clusters.
        from: Start as INSIDE = Start::default(),
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct EquitableWalk {
    options: Options,
}

impl EquitableWalk {
    /// A planner without memory.
    pub fn new(options: &Options) -> EquitableWalk {
        EquitableWalk { options: options.clone() }
    }
}

impl Planner for EquitableWalk {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        let bound = Bound::new(problem, &self.options.from);
        let (offset, name) = match self.options.payoffs {
            true => (&bound.payoffs, "equitable_walk on payoffs"),
            false => (&bound.waits, "equitable_walk"),
        };
        let walk = bound.instance.equitable_walk(offset, self.options.moves as usize);
        for index in walk.cleaned(offset) {
            bound.write(&walk.schedule(&bound.instance, index), name, out);
        }
    }
}

state_of_fields!(EquitableWalk {});
