//! The meta-algorithm of Pascual, Rzadca and Trystram (2009), section 6.1: MOLBA(2), unless an
//! organization would end later than alone or the last end is beyond 3 times the lower bound; then
//! MOLBA(3).

use super::schedule::Schedule;
use super::{Planner, Plans, Problem, molba};
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// The meta-algorithm has no parameters.
    #[serde(default)]
    pub struct Options {}
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Meta;

impl Meta {
    /// A planner without memory.
    pub fn new(_: &Options) -> Meta {
        Meta
    }
}

/// Returns the schedule, and the name of what made it.
pub(super) fn schedule(problem: &Problem) -> (Schedule<'_>, &'static str) {
    let first = molba::schedule(problem, 2);
    if first.keeps_promise() && problem.scaled(first.makespan()) <= 3 * problem.bound() {
        return (first, "molba_2");
    }
    (molba::schedule(problem, 3), "molba_3")
}

impl Planner for Meta {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        let (schedule, name) = schedule(problem);
        schedule.write(name, out);
    }
}

state_of_fields!(Meta {});
