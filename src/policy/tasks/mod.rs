//! Planners of tasks: who works for which class of identical tasks, on how many processors of which
//! site.
//!
//! A campaign asks its planner with a [`Problem`]: the tasks that have not started, and when the
//! processors of the sites will be free. The answer is a [`Plan`]. List heuristics and linear programs
//! plan whole tasks, in *lanes*: processors that do the same at the same times, so that a plan is as
//! large as there are classes and not as there are tasks. Games divide the sites into *shares*, which
//! are played as a fluid or rounded to lanes.
//!
//! To add one: copy the smallest neighbour (`mct.rs`) and add its line to the registry below.

use model::registry::registry;

mod bound;
mod deadlines;
mod expected;
pub mod game_cost;
pub mod game_quick;
pub mod game_storage;
pub mod game_storage_cost;
pub mod genetic_mapping;
pub mod heft;
mod limits;
mod lines;
mod list;
pub mod lp_rounding;
pub mod max_min;
pub mod mct;
pub mod met;
pub mod min_min;
pub mod olb;
mod placement;
mod planning;
mod players;
mod problem;
mod queues;
mod replay;
mod stages;
pub mod sufferage;
#[cfg(test)]
mod tests;
mod whole;

pub use bound::{Fractional, least_cost, least_end, least_makespan};
pub use deadlines::Deadlines;
pub use list::{Chooses, Order};
pub use model::campaign::{HELD, UNLIMITED};
pub use planning::{Executor, Replans, Rounding, TaskPlanned, TaskPlanning, TaskPlayer};
pub use problem::{Application, Class, Free, Lane, Plan, Problem, Run, Share, Site, Stage};
pub use queues::{Leftovers, WholeTasks};
pub use replay::{Replayed, replay};
pub use whole::WholeProcessors;

/// Plans the tasks of a problem.
pub trait TaskPlanner {
    /// Writes the plan; `out` is empty.
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan);
}

registry! {
    /// A task planner by its name in a scenario, with its parameters.
    options TaskPlannerOptions;

    /// A registered task planner, built.
    #[derive(Clone, Debug)]
    built AnyTaskPlanner;

    each each;

    Met, met::Met,
        "Minimum execution time: each task to the fastest site, whatever waits there.",
        "Braun et al., JPDC 61(6), 2001";
    Mct, mct::Mct,
        "Minimum completion time: each task in turn to where it ends first.",
        "Braun et al., JPDC 61(6), 2001";
    Olb, olb::Olb,
        "Opportunistic load balancing: each task in turn to the processor that is free first.",
        "Braun et al., JPDC 61(6), 2001";
    MinMin, min_min::MinMin,
        "Min-min: of all tasks the one that can end first is next, and goes where it does.",
        "Ibarra and Kim, JACM 24(2), 1977; Braun et al., JPDC 61(6), 2001";
    MaxMin, max_min::MaxMin,
        "Max-min: of all tasks the one whose first possible end is last is next, and goes where it ends first.",
        "Ibarra and Kim, JACM 24(2), 1977; Braun et al., JPDC 61(6), 2001";
    Sufferage, sufferage::Sufferage,
        "Sufferage: the task that would lose most if it did not get its best place is next.",
        "Maheswaran et al., JPDC 59(2), 1999";
    Heft, heft::Heft,
        "HEFT: classes by their upward ranks, each task to where it ends first.",
        "Topcuoglu, Hariri and Wu, IEEE TPDS 13(3), 2002";
    GameQuick, game_quick::GameQuick,
        "Game-quick: classes share sites as in a game in which each wants to be done soon.",
        "Duan, Prodan and Li, Future Generation Computer Systems, 2014";
    GameCost, game_cost::GameCost,
        "Game-cost: classes keep their deadlines on the cheapest sites that they can share.",
        "Duan, Prodan and Li, Future Generation Computer Systems, 2014";
    GameStorage, game_storage::GameStorage,
        "Game-storage: Game-quick with shares whose tasks fit in storage and memory.",
        "Duan, Prodan and Li, Future Generation Computer Systems, 2014";
    GameStorageCost, game_storage_cost::GameStorageCost,
        "Game-storage-cost: Game-cost with shares whose tasks fit in storage and memory.",
        "Duan, Prodan and Li, Future Generation Computer Systems, 2014";
    GeneticMapping, genetic_mapping::GeneticMapping,
        "A genetic algorithm that begins with the plan of Min-min, for independent tasks.",
        "Braun et al., JPDC 61(6), 2001";
    LpRounding, lp_rounding::LpRounding,
        "The linear program for the smallest makespan, rounded to whole tasks.",
        "Lenstra, Shmoys and Tardos, Mathematical Programming 46, 1990";
}

impl TaskPlannerOptions {
    /// Builds the planner.
    pub fn build(&self) -> AnyTaskPlanner {
        each!(self, Part, options => Part::new(options).into())
    }

    /// Returns true if its plans are shares of sites, not lanes of whole tasks.
    pub fn shares(&self) -> bool {
        use TaskPlannerOptions as T;
        matches!(self, T::GameQuick(_) | T::GameCost(_) | T::GameStorage(_) | T::GameStorageCost(_))
    }

    /// Returns true if its plans tell the stages in which they were found.
    pub fn has_stages(&self) -> bool {
        self.shares() || matches!(self, TaskPlannerOptions::GeneticMapping(_))
    }

    /// Returns true if it goes by the deadlines of applications, and must have one of each.
    pub fn needs_deadlines(&self) -> bool {
        matches!(self, TaskPlannerOptions::GameCost(_) | TaskPlannerOptions::GameStorageCost(_))
    }

    /// Returns true if it keeps what tasks hold within the limits of sites, where they are played as a
    /// fluid.
    pub fn keeps_limits(&self) -> bool {
        use TaskPlannerOptions as T;
        matches!(self, T::GameStorage(_) | T::GameStorageCost(_))
    }
}

impl TaskPlanner for AnyTaskPlanner {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        each!(self, planner => planner.plan(problem, out));
    }
}
