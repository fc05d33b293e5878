//! Promises of plans that were broken when they were played; an observer.
//!
//! A plan promises each organization that it ends no later than alone. Played, it is kept or broken:
//! the last end of the organization's jobs is compared with the last end that they would have had alone,
//! the widest first on its own clusters, with the runtimes that they turned out to have. That is told of
//! plans for jobs that start while nothing else runs: those of a planner that is asked once or in
//! batches.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::observer::{Finished, Observer, PlanMade};
use kernel::state_of_fields;
use kernel::time::Time;
use model::ids::{JobId, OrganizationId};
use policy::plan::{Problem, WithoutJobs};

/// The promise to an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Promise {
    alone: Time,
    last: Time,
    /// Jobs that have not ended.
    left: u32,
}

/// Counts the promises, and those that were broken.
#[derive(Clone, Debug)]
pub struct Promises {
    /// By cluster: whether jobs are killed at their estimates.
    kills: Vec<bool>,
    /// By organization, those to which something is promised now.
    open: BTreeMap<OrganizationId, Promise>,
    /// The jobs that they are about.
    jobs: BTreeSet<JobId>,
    made: u64,
    broken: u64,
}

state_of_fields!(Promises { open, jobs, made, broken });

impl Promises {
    /// No plans yet, given whether each cluster kills jobs at their estimates.
    pub fn new(kills: Vec<bool>) -> Promises {
        let (open, jobs) = (BTreeMap::new(), BTreeSet::new());
        Promises { kills, open, jobs, made: 0, broken: 0 }
    }

    /// Promises that were broken, and all whose jobs have ended.
    pub fn counts(&self) -> (u64, u64) {
        (self.broken, self.made)
    }
}

impl Observer for Promises {
    fn planned(&mut self, made: PlanMade<'_>) {
        let problem = made.problem;
        // The length of a job alone, if it is as long as it turns out to be.
        let mut jobs = problem.jobs.clone();
        for (known, alone) in jobs.iter_mut().zip(&problem.alone) {
            let job = &made.jobs.get(known.job.job.id).job;
            let killed = alone.is_some_and(|(cluster, _)| self.kills[cluster.index()]);
            known.job.expected = if killed { job.runtime.min(job.estimate) } else { job.runtime };
        }
        let (sites, uses) = (problem.sites.clone(), problem.uses.clone());
        let running = problem.running.clone();
        let alone = Problem::new(problem.now, sites, uses, jobs, running, WithoutJobs::Kept);
        self.open = (alone.ends_alone().into_iter())
            .map(|(owner, end)| (owner, Promise { alone: end, last: Time::ZERO, left: 0 }))
            .collect();
        self.jobs.clear();
        for (known, _) in alone.jobs.iter().zip(&alone.alone).filter(|(_, place)| place.is_some()) {
            self.jobs.insert(known.job.job.id);
            self.open.get_mut(&known.owner()).expect("it has such a job").left += 1;
        }
    }

    fn finished(&mut self, finished: Finished<'_>) {
        if !self.jobs.remove(&finished.id) {
            return;
        }
        let owner = finished.job.organization;
        let promise = self.open.get_mut(&owner).expect("one of its jobs was promised");
        promise.last = promise.last.max(finished.finish);
        promise.left -= 1;
        if promise.left == 0 {
            self.made += 1;
            self.broken += u64::from(promise.last > promise.alone);
            self.open.remove(&owner);
        }
    }
}
