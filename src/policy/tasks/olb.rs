//! OLB, opportunistic load balancing: each task goes to the processor that is free first.
//!
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014, section 3.4. Of processors that are
//! free at the same time the one at the lowest site counts, however long the task takes there.

use super::list::{Metric, Order, Rule, Turns};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

parameters! {
    /// Parameters of OLB.
    #[serde(default)]
    pub struct Options {
        /// The order of the tasks.
        order: Order = Order::Classes,
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
pub struct Olb(Turns);

impl Olb {
    /// A planner.
    pub fn new(options: &Options) -> Olb {
        let Options { order, deadline, storage } = *options;
        Olb(Turns { rule: Rule { metric: Metric::Free, deadline, storage }, order })
    }
}

impl TaskPlanner for Olb {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        self.0.plan(problem, out);
    }
}
