//! The Multi-Organization Load Balancing Algorithm, MOLBA(alpha), of Pascual, Rzadca and Trystram,
//! Cooperation in multi-organization scheduling (2009), section 4.1.
//!
//! It starts from the local schedules. With W the work to be done, M all processors and p the longest
//! job, the jobs that start after 2 W / M are taken from organizations that end at alpha W / M + p or
//! later, and placed into gaps, the widest first, each at its earliest start. No other job moves.
//!
//! On clusters of one size, all idle at first, no organization ends later than alone, and the last end
//! is within alpha + 1 times the larger of W / M and p: proven for 3, for 2 only if the last job needs
//! at most half of a cluster, and never seen broken. The thresholds are compared in whole numbers.
//!
//! Settled where the paper is unclear: of clusters with the same earliest start the first takes the
//! job; jobs are taken after 2 W / M whatever alpha is; jobs wider than their organization's clusters
//! join those that were taken.

use super::schedule::Schedule;
use super::{Planner, Plans, Problem};
use kernel::state_of_fields;
use model::bounds::{Bounds, parameters};
use model::ids::OrganizationId;

/// The factor of the threshold.
const ALPHA: Bounds<'_> = Bounds::of("a factor").unit("a whole number").from(1.0).to(1000.0);

parameters! {
    /// Parameters of MOLBA.
    #[serde(default)]
    pub struct Options {
        /// Organizations give jobs away if they end at alpha times the average work of a processor, plus
        /// the longest job, or later. There is no proof for less than 2.
        alpha: u32 as ALPHA = 2,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Molba {
    alpha: u32,
}

impl Molba {
    /// A planner without memory.
    pub fn new(options: &Options) -> Molba {
        Molba { alpha: options.alpha }
    }
}

/// The organizations that give jobs away, and these jobs, the widest first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    owners: Vec<OrganizationId>,
    jobs: Vec<u32>,
}

/// The jobs are those of organizations that end at the threshold or later, which start too late.
fn given(problem: &Problem, alpha: u32) -> Given {
    let work = problem.work();
    let threshold =
        i128::from(alpha) * work + problem.processors() * i128::from(problem.longest().ticks());
    let ends = problem.ends_alone();
    let late = ends.iter().filter(|(_, end)| problem.scaled(*end) >= threshold);
    let owners: Vec<OrganizationId> = late.map(|(owner, _)| *owner).collect();
    let gives = |job: &u32| {
        let owner = problem.jobs[*job as usize].owner();
        let place = problem.alone[*job as usize];
        place.is_some_and(|(_, start)| problem.scaled(start) > 2 * work)
            && owners.binary_search(&owner).is_ok()
    };
    let jobs = (0..problem.jobs.len() as u32).filter(gives).collect();
    Given { jobs: problem.widest_first(jobs), owners }
}

pub(super) fn schedule(problem: &Problem, alpha: u32) -> Schedule<'_> {
    let mut places = problem.alone.clone();
    for job in given(problem, alpha).jobs {
        places[job as usize] = None;
    }
    let mut schedule = Schedule::of(problem, &places);
    schedule.place_others();
    schedule
}

impl Planner for Molba {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        schedule(problem, self.alpha).write("molba", out);
    }
}

state_of_fields!(Molba {});

#[cfg(test)]
mod tests {
    use super::super::tests::{problem, vectors};
    use super::*;

    #[test]
    fn the_vectors_give_away_these_jobs() {
        for vector in vectors() {
            let problem = problem(&vector);
            for (alpha, name) in [(2, "molba2"), (3, "molba3")] {
                let expected = &vector.expected[name];
                let given = given(&problem, alpha);
                let owners: Vec<u32> = given.owners.iter().map(|owner| owner.0).collect();
                assert_eq!(Some(owners), expected.o_prime, "{} {name}", vector.id);
                let mut jobs = given.jobs;
                jobs.sort_unstable();
                assert_eq!(Some(jobs), expected.removed, "{} {name}", vector.id);
            }
        }
    }
}
