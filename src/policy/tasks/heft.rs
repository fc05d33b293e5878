//! HEFT, heterogeneous earliest finish time: classes by their upward ranks, each task where it ends
//! first.
//!
//! Topcuoglu, Hariri and Wu, IEEE Transactions on Parallel and Distributed Systems, 2002; named by Duan,
//! Prodan and Li, Future Generation Computer Systems, 2014. The upward rank of a class is the mean
//! time of its tasks over the sites where they can run, and the largest rank of the classes that wait
//! for it. Settled here: all tasks of a class have its rank and are assigned together, a rank does not
//! count how many there are, nothing is sent between tasks, of equal ranks the lowest class is first,
//! and tasks go behind what a processor does, not into its gaps. Ranks are exact for up to 40 sites.

use std::cmp::Reverse;

use super::list::{Ground, NEVER, Work, finish_first};
use super::{Plan, Problem, TaskPlanner};
use model::bounds::parameters;

/// Parts of a tick in which means are counted: the least common multiple of the numbers up to 40.
const PARTS: i128 = 5_342_931_457_063_200;

parameters! {
    /// HEFT has no parameters.
    #[serde(default)]
    pub struct Options {}
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Heft;

impl Heft {
    /// A planner.
    pub fn new(_: &Options) -> Heft {
        Heft
    }
}

/// Upward ranks of the classes, in parts of a tick.
fn ranks(work: &Work) -> Vec<i128> {
    let mut ranks = vec![0; work.followers.len()];
    // Whatever waits for a class stands behind it.
    for class in (0..ranks.len()).rev() {
        let times = work.times(class).iter().filter(|&&time| time != NEVER);
        let sum: i128 = times.clone().map(|&time| i128::from(time)).sum();
        let count = times.count().max(1) as i128;
        let mean = sum / count * PARTS + sum % count * PARTS / count;
        let behind = work.followers[class].iter().map(|&follower| ranks[follower as usize]);
        ranks[class] = mean.saturating_add(behind.max().unwrap_or(0));
    }
    ranks
}

impl TaskPlanner for Heft {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let mut work = Work::new(problem);
        let mut ground = Ground::new(problem, &work);
        let ranks = ranks(&work);
        // Classes that have followers are ranked before them, so that the first one is always eligible.
        let rank = |&class: &u32| (Reverse(ranks[class as usize]), class);
        while let Some(class) = work.eligible().iter().copied().min_by_key(rank) {
            finish_first(&mut work, &mut ground, class as usize);
        }
        ground.write(&work, out);
    }
}
