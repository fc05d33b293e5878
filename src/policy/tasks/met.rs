//! MET, minimum execution time: each task goes to the site where it takes the least time.
//!
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014, section 3.4. Within the site it goes
//! to the processor that is free first, as the first processor would get all tasks otherwise.

use super::list::{Chooses, Metric, Order, Rule, Turns};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

parameters! {
    /// Parameters of MET.
    #[serde(default)]
    pub struct Options {
        /// The order of the tasks.
        order: Order = Order::Classes,
        /// By completion a task goes to the fastest site, and by cost to the cheapest one.
        chooses: Chooses = Chooses::Completion,
        /// Tasks go only where they keep the deadline of their application. If they can nowhere, they go
        /// where they end first.
        deadline: bool = false,
        /// Completions count the waiting for storage and memory: at each site tasks start in the order
        /// in which they are assigned, and when there is room for them. Without it tasks only avoid
        /// sites that could not hold one of them alone.
        storage: bool = false,
    }
}

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
