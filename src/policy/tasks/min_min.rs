//! Min-min: of all tasks the one that can end first is next, and goes where it does.
//!
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014, section 3.4. By completion a deadline
//! changes nothing, as the earliest completion keeps it if any does.

use super::list::{Chooses, Phases, Select, Steps};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

parameters! {
    /// Parameters of Min-min.
    #[serde(default)]
    pub struct Options {
        /// The number that is least. By cost the cheapest of all tasks is next.
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
pub struct MinMin {
    chooses: Chooses,
    steps: Steps,
}

impl MinMin {
    /// A planner.
    pub fn new(options: &Options) -> MinMin {
        let rule = options.chooses.rule(options.deadline, options.storage);
        MinMin { chooses: options.chooses, steps: Steps { rule, select: Select::Least } }
    }
}

impl TaskPlanner for MinMin {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        match self.chooses {
            Chooses::Completion if !self.steps.rule.waits(problem) => Phases::plan(problem, out),
            _ => self.steps.plan(problem, out),
        }
    }
}
