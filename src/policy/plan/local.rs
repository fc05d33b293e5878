//! Local schedules: every organization's jobs on its own clusters, widest first, as if it were alone.
//!
//! Jobs that are wider than all clusters of their organization go into gaps afterwards.

use super::schedule::Schedule;
use super::{Planner, Plans, Problem};
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Local schedules have no parameters.
    #[serde(default)]
    pub struct Options {}
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Local;

impl Local {
    /// A planner without memory.
    pub fn new(_: &Options) -> Local {
        Local
    }
}

pub(super) fn schedule(problem: &Problem) -> Schedule<'_> {
    let mut schedule = Schedule::of(problem, &problem.alone);
    schedule.place_others();
    schedule
}

impl Planner for Local {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        schedule(problem).write("local", out);
    }
}

state_of_fields!(Local {});
