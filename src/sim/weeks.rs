//! The service of each organization's jobs week by week, so that two runs of one trace can be compared
//! by pairs of weeks, as far as these have the same jobs.

use std::hash::{BuildHasher as _, Hash};

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::accounts::{Counting, bounded_slowdown};
use super::observer::{Finished, Observer, Submitted};
use kernel::state_of_fields;
use kernel::time::{Span, Time};

/// Number of distributions over jobs that are summed: flow, wait and bounded slowdown.
pub const SUMMED: usize = 3;

/// Sum (of ticks or millionths) and number of jobs, of each distribution.
pub type Sums = [(i128, u64); SUMMED];

/// Sums by the week in which a job was submitted, and who came; an [`Observer`].
#[derive(Clone, Debug)]
pub struct Weeks {
    counting: Counting,
    width: Span,
    organizations: usize,
    /// By week, then by organization.
    sums: Vec<Week>,
}

/// A week by organization.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Week {
    sums: Vec<Sums>,
    /// A digest of the jobs submitted, in any order.
    jobs: Vec<u64>,
}

state_of_fields!(Weeks { sums });

impl Weeks {
    /// Weeks of this length without any jobs.
    pub fn new(counting: Counting, width: Span, organizations: usize) -> Weeks {
        Weeks { counting, width, organizations, sums: Vec::new() }
    }

    /// Number of weeks so far.
    pub fn number(&self) -> usize {
        self.sums.len()
    }

    /// Sum and number of jobs by week of a distribution; of all for the number of organizations.
    pub fn of(&self, unit: usize, distribution: usize) -> impl Iterator<Item = (i128, u64)> + '_ {
        self.sums.iter().map(move |week| {
            let all = one_or_all(&week.sums, unit).iter().map(|sums| sums[distribution]);
            all.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
        })
    }

    /// Digests of the jobs by week: weeks of two runs with the same jobs have the same.
    pub fn jobs(&self, unit: usize) -> impl Iterator<Item = u64> + '_ {
        let all = move |week: &Week| {
            one_or_all(&week.jobs, unit).iter().fold(0, |all: u64, &one| all.wrapping_add(one))
        };
        self.sums.iter().map(all)
    }

    /// Counts a job of an organization that was submitted; `identity` tells it from others.
    pub fn came(&mut self, submit: Time, organization: usize, identity: impl Hash) {
        let jobs = &mut self.at(submit).jobs[organization];
        *jobs = jobs.wrapping_add(FxBuildHasher.hash_one(identity));
    }

    /// Adds the flow time of a job that ended, its waiting time, and how long it ran.
    pub fn served(&mut self, submit: Time, organization: usize, [flow, wait, ran]: [Span; 3]) {
        let bounded = bounded_slowdown(flow, ran, self.counting.tau);
        let values = [Some(flow.ticks() as u64), Some(wait.ticks() as u64), bounded];
        let sums = &mut self.at(submit).sums[organization];
        for (sum, value) in sums.iter_mut().zip(values) {
            if let Some(value) = value {
                sum.0 += i128::from(value);
                sum.1 += 1;
            }
        }
    }

    /// The week of a time, which is there from now on.
    fn at(&mut self, submit: Time) -> &mut Week {
        let since = (submit - self.counting.from).ticks();
        let week = (since / self.width.ticks().max(1)) as usize;
        if week >= self.sums.len() {
            let sums = vec![Sums::default(); self.organizations];
            self.sums.resize(week + 1, Week { sums, jobs: vec![0; self.organizations] });
        }
        &mut self.sums[week]
    }
}

/// The value of an organization, or all of them.
fn one_or_all<T>(organizations: &[T], unit: usize) -> &[T] {
    organizations.get(unit).map_or(organizations, std::slice::from_ref)
}

impl Observer for Weeks {
    fn submitted(&mut self, submitted: Submitted<'_>) {
        let job = submitted.job;
        if self.counting.counts(job) {
            self.came(job.submit, job.organization.index(), (job.number, job.user));
        }
    }

    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        if self.counting.counts(job) {
            let times = [finished.flow(), finished.wait(), finished.ran()];
            self.served(job.submit, job.organization.index(), times);
        }
    }
}
