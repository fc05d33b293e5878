//! MCT, minimum completion time: each task goes where it ends first.
//!
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014, section 3.4. The paper leaves the
//! order of the tasks open, and it decides: in a random order the plan is about as short as that of
//! Min-min, and class by class it is longer by up to 1.7 times.

use super::list::{Chooses, Order, Turns};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

parameters! {
    /// Parameters of MCT and MET.
    #[serde(default)]
    pub struct Options {
        /// The order of the tasks.
        order: Order = Order::Classes,
        /// The number that a task makes small; by cost MET takes the cheapest site, however busy it is.
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
pub struct Mct(Turns);

impl Mct {
    /// A planner.
    pub fn new(options: &Options) -> Mct {
        let Options { order, chooses, deadline, storage } = *options;
        Mct(Turns { rule: chooses.rule(deadline, storage), order })
    }
}

impl TaskPlanner for Mct {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        self.0.plan(problem, out);
    }
}
