//! Planners that start from another plan and keep nothing between plans: a rule, and here is the rest of
//! them.

use std::fmt::Debug;

use super::{Planner, Plans, Problem, Start};
use kernel::state::{Corrupt, State};
use model::bounds::{Inside, parameters};

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of a planner that starts from another plan.
    #[serde(default)]
    pub struct Options {
        /// The plan to start from. Planners that improve a plan improve this one; those that order jobs
        /// take from it where jobs run that may use several clusters.
        from: Start as INSIDE = Start::default(),
    }
}

/// The step from the plan at the start to the candidates.
pub trait Rule {
    /// The parameters, of which one is the plan to start from.
    type Options: Clone + Debug;

    /// Writes the candidates.
    fn plan(options: &Self::Options, problem: &Problem, out: &mut Plans);
}

/// A planner that applies a rule to the plan it starts from.
#[derive(Clone, Debug)]
pub struct Derived<R: Rule> {
    options: R::Options,
}

impl<R: Rule> Derived<R> {
    /// A planner without memory.
    pub fn new(options: &R::Options) -> Derived<R> {
        Derived { options: options.clone() }
    }
}

impl<R: Rule> Planner for Derived<R> {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        R::plan(&self.options, problem, out);
    }
}

/// Nothing is kept between plans.
impl<R: Rule> State for Derived<R> {
    fn save(&self, _: &mut Vec<u8>) {}

    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}
