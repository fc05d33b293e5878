//! Task planners in a campaign: when they are asked, and how their plans are played.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    AnyTaskPlanner, Leftovers, Plan, Problem, TaskPlanner, TaskPlannerOptions, WholeProcessors,
    WholeTasks,
};
use model::bounds::parameters;
use model::campaign::{Files, Pricing};

parameters! {
    /// Times at which a task planner is asked, and the way its plans are played.
    #[serde(default)]
    pub struct TaskPlanning {
        /// Executor of shares of sites. Plans of whole tasks are always played as such.
        executor: Executor = Executor::default(),
        /// Events at which the planner is asked again for all tasks that have not started. By default
        /// those that share sites are asked when an application arrives or a class is done, others when
        /// an application arrives.
        #[serde(skip_serializing_if = "Option::is_none")]
        replans: Option<Replans> = None,
        /// Rounding of shares of sites to whole tasks. By default `cheapest_tasks` for games that go by
        /// deadlines, `whole_tasks` for `game_quick` where applications are listed and no class waits for
        /// another, `whole_processors` for others. Planners of whole tasks round nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        rounding: Option<Rounding> = None,
        /// Lifetime of the files that tasks leave at their sites. Planners see the room that is
        /// left beside files, not files to come.
        files: Files = Files::default(),
        /// Rule by which owners of applications pay for tasks. Planners go by the prices of use.
        pricing: Pricing = Pricing::default(),
    }
}

/// Executor of shares of sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Executor {
    /// Task by task, on whole processors: shares are rounded, and a task that has started runs to its
    /// end.
    #[default]
    Whole,
    /// As a fluid: a site works for classes at the same time, each at the rate of its share, and what is
    /// left of a class need not be a whole number. A bound for what rounding loses.
    Fluid,
}

/// Events at which a task planner is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Replans {
    /// At each arrival of an application.
    Arrivals,
    /// At each arrival of an application and each completion of a class.
    Classes,
}

/// Rounding of shares to whole tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Each share becomes a whole number of processors, on which a class runs until the next plan.
    #[default]
    #[serde(rename = "whole_processors")]
    Processors,
    /// The shares are played as a fluid to the end; what that does at each site becomes a whole number
    /// of tasks, which every site runs longest first. Better where classes have few tasks and wait for
    /// none.
    #[serde(rename = "whole_tasks")]
    Tasks,
    /// The same within deadlines: what would end too late at its site, and what rounding leaves, goes to
    /// the cheapest site that keeps the deadline.
    CheapestTasks,
}

/// A task planner of a campaign, and how its plans are asked for and played.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskPlanned {
    /// The planner.
    pub planner: TaskPlannerOptions,
    /// Executor of its plans.
    pub executor: Executor,
    /// Rounding of its shares to whole tasks, if that is not left to it.
    pub rounding: Option<Rounding>,
    /// Events at which it is asked, if that is not left to it.
    pub asked: Option<Replans>,
    /// Lifetime of the files that tasks leave at their sites.
    pub files: Files,
    /// Rule by which owners of applications pay for tasks.
    pub pricing: Pricing,
}

impl TaskPlanned {
    /// A planner with the defaults of everything else.
    pub fn new(planner: TaskPlannerOptions) -> TaskPlanned {
        TaskPlanned {
            planner,
            executor: Executor::default(),
            rounding: None,
            asked: None,
            files: Files::default(),
            pricing: Pricing::default(),
        }
    }

    /// Events at which the planner is asked.
    pub fn replans(&self) -> Replans {
        let is_whole = self.executor == Executor::Whole && self.rounding() != Rounding::Processors;
        let own = match self.planner.shares() && !is_whole {
            true => Replans::Classes,
            false => Replans::Arrivals,
        };
        self.asked.unwrap_or(own)
    }

    /// Rounding of its shares to whole tasks.
    pub fn rounding(&self) -> Rounding {
        let own = match self.planner.needs_deadlines() {
            true => Rounding::CheapestTasks,
            false => Rounding::Processors,
        };
        self.rounding.unwrap_or(own)
    }

    /// Builds the planner, whose plans are lanes unless they are played as a fluid.
    pub fn build(&self) -> TaskPlayer {
        let planner = self.planner.build();
        match (self.executor, self.rounding()) {
            (Executor::Whole, rounding) if self.planner.shares() => match rounding {
                Rounding::Processors => TaskPlayer::Processors(WholeProcessors::new(planner)),
                Rounding::Tasks => TaskPlayer::Tasks(WholeTasks::new(planner, Leftovers::Earliest)),
                Rounding::CheapestTasks => {
                    TaskPlayer::Tasks(WholeTasks::new(planner, Leftovers::Cheapest))
                }
            },
            _ => TaskPlayer::Plain(planner),
        }
    }
}

/// A task planner whose plans are lanes, unless they are played as a fluid.
#[derive(Clone, Debug)]
pub enum TaskPlayer {
    /// Plans as they are.
    Plain(AnyTaskPlanner),
    /// Shares that are rounded to processors.
    Processors(WholeProcessors<AnyTaskPlanner>),
    /// Shares that are rounded to tasks.
    Tasks(WholeTasks<AnyTaskPlanner>),
}

impl TaskPlanner for TaskPlayer {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        match self {
            TaskPlayer::Plain(planner) => planner.plan(problem, out),
            TaskPlayer::Processors(planner) => planner.plan(problem, out),
            TaskPlayer::Tasks(planner) => planner.plan(problem, out),
        }
    }
}
