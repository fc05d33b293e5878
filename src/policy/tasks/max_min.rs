//! Max-min: of all tasks the one whose earliest end is the latest is next, and goes where it ends first.
//!
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014, section 3.4. By completion a deadline
//! changes nothing, as the earliest completion keeps it if any does.

use super::list::{Chooses, Select, Steps};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

parameters! {
    /// Parameters of Max-min.
    #[serde(default)]
    pub struct Options {
        /// The number of which each task takes its least. By cost the task is next whose lowest price is
        /// the highest.
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
pub struct MaxMin(Steps);

impl MaxMin {
    /// A planner.
    pub fn new(options: &Options) -> MaxMin {
        MaxMin(Steps {
            rule: options.chooses.rule(options.deadline, options.storage),
            select: Select::Most,
        })
    }
}

impl TaskPlanner for MaxMin {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        self.0.plan(problem, out);
    }
}
