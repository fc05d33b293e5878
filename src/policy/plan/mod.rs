//! Planners, which propose schedules of known jobs across the clusters of a grid.
//!
//! The grid asks a planner now and then, with a [`Problem`]: the jobs that wait, what runs, and the
//! schedule that each organization would have alone. The answer is one candidate or several
//! ([`Plans`]), of which the grid plays one.
//!
//! To add one: copy the smallest neighbour (`local.rs`) and add its line to the registry below. The
//! scenario reader, `gridpact check`, the conformance tests and the saved state use the registry.

use kernel::state::State;
use model::registry::registry;

mod bound;
mod candidates;
pub mod derived;
pub mod equitable_local_search;
pub mod equitable_walk;
pub mod fair;
mod floors;
pub mod heaviest_first;
mod highest_first;
pub mod ilba;
pub mod local;
pub mod meta;
pub mod molba;
pub mod my_jobs_first;
pub mod own_first;
pub mod pairwise;
mod planning;
mod problem;
pub mod relaxed;
pub mod schedule;
pub mod shortest_first;
mod start;
#[cfg(test)]
mod tests;

pub use candidates::{Plans, Step};
pub use planning::{Planning, Plays, PlaysBy, WithoutJobs};
pub use problem::{Busy, Known, Problem, Site};
pub use start::Start;

/// Proposes schedules of the jobs of a problem.
pub trait Planner: State {
    /// Writes the candidates. Each places every job of the problem on a cluster that it may use, at a
    /// time when its processors are free.
    fn plan(&mut self, problem: &Problem, out: &mut Plans);
}

registry! {
    /// A planner by its name in a scenario, with its parameters.
    options PlannerOptions;

    /// A registered planner, built. There is one for each grid.
    #[derive(Clone, Debug)]
    built AnyPlanner, saved;

    each each;

    Local, local::Local,
        "Local schedules: every organization's jobs on its own clusters, widest first.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    OwnFirst, own_first::OwnFirst,
        "Own jobs first: a cluster that has started all its owner's jobs takes those of others.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    Molba, molba::Molba,
        "MOLBA: moves the late jobs of the organizations that would end late alone into gaps of \
         the local schedules.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    Meta, meta::Meta,
        "MOLBA(2), or MOLBA(3) where that breaks its bound or an organization would lose.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    Ilba, ilba::Ilba,
        "ILBA: improves a plan cluster by cluster, the least loaded first, and delays no job.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    Pairwise, pairwise::Pairwise,
        "Improves a plan in pairs of clusters, the most loaded with the least loaded, and delays no job.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    HeaviestFirst, heaviest_first::HeaviestFirst,
        "Improves a plan cluster by cluster, the most loaded first, and delays no job.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    Relaxed, relaxed::Relaxed,
        "Candidates in which no organization ends later than beta times alone, the shortest first.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
    ShortestFirst, shortest_first::ShortestFirst,
        "Shortest job first on every cluster, whosever it is.",
        "Rzadca, Trystram and Wierzbicki, CCGrid 2007";
    MyJobsFirst, my_jobs_first::MyJobsFirst,
        "My jobs first: every cluster runs its owner's jobs before all others, shortest first.",
        "Rzadca, Trystram and Wierzbicki, CCGrid 2007";
    EquitableWalk, equitable_walk::EquitableWalk,
        "The Equitable Walk: fair orders, by switching neighbours for the worst-off organization.",
        "Rzadca, Trystram and Wierzbicki, CCGrid 2007";
    EquitableLocalSearch, equitable_local_search::EquitableLocalSearch,
        "Equitable local search: more of the fair orders, by helping groups of organizations in turn.",
        "Paquete, Chiarandini and Stützle 2004, on the criteria of Kostreva and Ogryczak 1999";
}

impl PlannerOptions {
    /// Returns true if clusters may differ in speed. Bounds and moves of the others are for clusters
    /// that are equally fast.
    pub fn takes_speeds(&self) -> bool {
        match self {
            PlannerOptions::Local(_) | PlannerOptions::OwnFirst(_) => true,
            PlannerOptions::ShortestFirst(options) | PlannerOptions::MyJobsFirst(options) => {
                options.from.takes_speeds()
            }
            PlannerOptions::EquitableWalk(options) => options.from.takes_speeds(),
            PlannerOptions::EquitableLocalSearch(options) => options.from.takes_speeds(),
            _ => false,
        }
    }

    /// Returns true if it orders the jobs of each cluster and only needs another plan for those that may
    /// use several.
    pub fn starts_from_another(&self) -> bool {
        use PlannerOptions as P;
        matches!(
            self,
            P::ShortestFirst(_)
                | P::MyJobsFirst(_)
                | P::EquitableWalk(_)
                | P::EquitableLocalSearch(_)
        )
    }

    /// Builds the planner.
    pub fn build(&self) -> AnyPlanner {
        each!(self, Part, options => Part::new(options).into())
    }
}

impl Planner for AnyPlanner {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        each!(self, planner => planner.plan(problem, out));
    }
}

/// A planner of a grid, and how its plans are asked for and played.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The planner.
    pub planner: PlannerOptions,
    /// The rules.
    pub planning: Planning,
}
