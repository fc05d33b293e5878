//! Sufferage: the task is next that would lose most if it did not get its best processor.
//!
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014, section 3.4. A task that has no second
//! choice loses more than any other. The paper does not say among what the second best is. Among all
//! processors it is mostly as good as the best, since those of a site are alike. Among sites the
//! heuristic does what its name says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list::{Chooses, Select, Steps};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

/// Set in which a task looks for its second choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Second {
    /// On all other processors, also of the same site.
    Processor,
    /// At the other sites.
    #[default]
    Site,
}

parameters! {
    /// Parameters of Sufferage.
    #[serde(default)]
    pub struct Options {
        /// Set in which a task looks for its second choice.
        second: Second = Second::Site,
        /// The number of which a task loses. By cost it loses the difference of the prices.
        chooses: Chooses = Chooses::Completion,
        /// Tasks go only where they keep the deadline of their application, and a second choice must
        /// keep it too. If they can nowhere, they go where they end first.
        deadline: bool = false,
        /// Completions count the waiting for storage and memory: at each site tasks start in the order
        /// in which they are assigned, and when there is room for them. Without it tasks only avoid
        /// sites that could not hold one of them alone.
        storage: bool = false,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Sufferage(Steps);

impl Sufferage {
    /// A planner.
    pub fn new(options: &Options) -> Sufferage {
        let select = match options.second {
            Second::Processor => Select::LosesProcessor,
            Second::Site => Select::LosesSite,
        };
        Sufferage(Steps { rule: options.chooses.rule(options.deadline, options.storage), select })
    }
}

impl TaskPlanner for Sufferage {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        self.0.plan(problem, out);
    }
}
