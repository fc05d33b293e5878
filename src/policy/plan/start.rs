//! The plan that another planner starts from.

use super::schedule::Schedule;
use super::{Problem, local, meta, molba, own_first};
use model::bounds::{Inside, parameters};

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// The plan that is improved.
    pub enum Start {
        /// Local schedules.
        Local(options: local::Options),
        /// Own jobs first.
        OwnFirst(options: own_first::Options),
        /// MOLBA.
        Molba(options: molba::Options as INSIDE),
        /// MOLBA(2), or MOLBA(3) where that breaks its bound or an organization would lose.
        Meta(options: meta::Options),
    }
}

impl Default for Start {
    fn default() -> Start {
        Start::Meta(meta::Options::default())
    }
}

impl Start {
    /// Returns true if clusters may differ in speed.
    pub(super) fn takes_speeds(&self) -> bool {
        matches!(self, Start::Local(_) | Start::OwnFirst(_))
    }

    pub(super) fn schedule<'p>(&self, problem: &'p Problem) -> Schedule<'p> {
        match self {
            Start::Local(_) => local::schedule(problem),
            Start::OwnFirst(_) => own_first::schedule(problem),
            Start::Molba(options) => molba::schedule(problem, options.alpha),
            Start::Meta(_) => meta::schedule(problem).0,
        }
    }
}
