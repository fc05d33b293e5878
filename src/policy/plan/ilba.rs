//! The Iterative Load Balancing Algorithm, ILBA, of Pascual, Rzadca and Trystram, Cooperation in
//! multi-organization scheduling (2009), section 5.1.
//!
//! It improves a plan. The clusters are ranked once by their last ends, equal ones by their numbers.
//! From the second on, the jobs of each are taken in order of their starts, and placed at their earliest
//! start on this cluster or one of lower rank; jobs of clusters further up are not there yet. No job
//! starts later than in the plan that it improves (Proposition 4). The own cluster comes first where
//! starts are equal, then the lower rank.

pub use super::derived::Options;
use super::derived::{Derived, Rule};
use super::schedule::Schedule;
use super::{Plans, Problem};
use model::ids::ClusterId;

/// The planner.
pub type Ilba = Derived<LeastLoadedFirst>;

/// Takes the least loaded cluster first.
#[derive(Clone, Debug)]
pub struct LeastLoadedFirst;

impl Rule for LeastLoadedFirst {
    type Options = Options;

    fn plan(Options { from }: &Options, problem: &Problem, out: &mut Plans) {
        improve(&from.schedule(problem)).write("ilba", out);
    }
}

pub(super) fn improve<'p>(plan: &Schedule<'p>) -> Schedule<'p> {
    let problem = plan.problem;
    let ends = plan.ends_by_cluster();
    let mut ranks: Vec<ClusterId> = problem.open().collect();
    ranks.sort_by_key(|cluster| (ends[cluster.index()], *cluster));
    let jobs = plan.by_cluster();
    let mut better = Schedule::new(problem);
    for (rank, &cluster) in ranks.iter().enumerate() {
        for &job in &jobs[cluster.index()] {
            if rank == 0 {
                let (_, start) = plan.get(job).expect("it is planned on this cluster");
                better.place(job, cluster, start);
            } else {
                let lower = ranks[..rank].iter().copied();
                better.place_first(job, std::iter::once(cluster).chain(lower));
            }
        }
    }
    better
}
