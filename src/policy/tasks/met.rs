//! MET, minimum execution time: each task goes to the site where it takes the least time.
//!
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014, section 3.4. Within the site it goes
//! to the processor that is free first, as the first processor would get all tasks otherwise.

use super::list::{Chooses, Metric, Rule, Turns};
pub use super::mct::Options;
use super::{Plan, Problem, TaskPlanner};

/// The planner.
#[derive(Clone, Debug)]
pub struct Met(Turns);

impl Met {
    /// A planner.
    pub fn new(options: &Options) -> Met {
        let metric = match options.chooses {
            Chooses::Completion => Metric::Time,
            Chooses::Cost => Metric::CostOfTime,
        };
        let Options { order, deadline, storage, .. } = *options;
        Met(Turns { rule: Rule { metric, deadline, storage }, order })
    }
}

impl TaskPlanner for Met {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        self.0.plan(problem, out);
    }
}
