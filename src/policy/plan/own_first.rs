//! Own jobs first (Pascual, Rzadca and Trystram 2009, section 4.4): a cluster starts its owner's jobs,
//! widest first; when all of them have started, it takes those of others that wait.
//!
//! If every job needs more than half of a cluster and all clusters are alike, no organization ends
//! later than alone, and the last end is within 2 - 1/N of the optimum for N clusters. Otherwise an
//! organization can lose: a list schedule of fewer jobs may be longer (Graham's anomalies).

use super::highest_first::highest_first;
use super::schedule::Schedule;
use super::{Planner, Plans, Problem};
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Own jobs first has no parameters.
    #[serde(default)]
    pub struct Options {}
}

/// The planner.
#[derive(Clone, Debug)]
pub struct OwnFirst;

impl OwnFirst {
    /// A planner without memory.
    pub fn new(_: &Options) -> OwnFirst {
        OwnFirst
    }
}

pub(super) fn schedule(problem: &Problem) -> Schedule<'_> {
    let places = highest_first(problem, true);
    let mut schedule = Schedule::of(problem, &places);
    // What would start beyond the range of times.
    schedule.place_others();
    schedule
}

impl Planner for OwnFirst {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        schedule(problem).write("own_first", out);
    }
}

state_of_fields!(OwnFirst {});
