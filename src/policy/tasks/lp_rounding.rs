//! The linear program for the smallest makespan, rounded to whole tasks in the queues of the sites.
//!
//! The program knows nothing of precedence: classes that wait for others divide the sites as if all were
//! ready, and the queues put them behind what they wait for. It is meant for independent classes.

use super::bound::least_makespan;
use super::queues::{self, Leftovers};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

parameters! {
    /// Parameters of the rounded linear program.
    #[serde(default)]
    pub struct Options {
        /// Storage and memory of the sites are shared out too.
        limited: bool = false,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct LpRounding {
    options: Options,
}

impl LpRounding {
    /// A planner with these parameters.
    pub fn new(options: &Options) -> LpRounding {
        LpRounding { options: options.clone() }
    }
}

impl TaskPlanner for LpRounding {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        // Should the solver give up, all tasks are added one by one where they end earliest.
        let tasks = match least_makespan(problem, self.options.limited) {
            Some(solution) => solution.tasks,
            None => vec![vec![0.0; problem.sites.len()]; problem.classes.len()],
        };
        queues::fill(problem, &tasks, Leftovers::Earliest, out);
    }
}
