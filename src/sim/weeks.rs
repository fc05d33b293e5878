//! The service of each organization's jobs week by week, so that two runs of one trace can be compared
//! by pairs of weeks.

use serde::{Deserialize, Serialize};

use super::accounts::{Counting, bounded_slowdown};
use super::observer::{Finished, Observer};
use kernel::state_of_fields;
use kernel::time::Span;

/// Number of distributions over jobs that are summed: flow, wait and bounded slowdown.
pub const SUMMED: usize = 3;

/// Sum (of ticks or millionths) and number of jobs, of each distribution.
pub type Sums = [(i128, u64); SUMMED];

/// Sums by the week in which a job was submitted; an [`Observer`].
#[derive(Clone, Debug)]
pub struct Weeks {
    counting: Counting,
    width: Span,
    organizations: usize,
    /// By week, then by organization.
    sums: Vec<Week>,
}

/// The sums of a week by organization.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Week(Vec<Sums>);

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
        self.sums.iter().map(move |Week(organizations)| {
            let these = match organizations.get(unit) {
                Some(one) => std::slice::from_ref(one),
                None => organizations,
            };
            let all = these.iter().map(|sums| sums[distribution]);
            all.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
        })
    }
}

impl Observer for Weeks {
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        if !self.counting.counts(job) {
            return;
        }
        let since = (job.submit - self.counting.from).ticks();
        let week = (since / self.width.ticks().max(1)) as usize;
        if week >= self.sums.len() {
            let none = Week(vec![Sums::default(); self.organizations]);
            self.sums.resize(week + 1, none);
        }
        let sums = &mut self.sums[week].0[job.organization.index()];
        let values = [
            Some(finished.flow().ticks() as u64),
            Some(finished.wait().ticks() as u64),
            bounded_slowdown(&finished, self.counting.tau),
        ];
        for (sum, value) in sums.iter_mut().zip(values) {
            if let Some(value) = value {
                sum.0 += i128::from(value);
                sum.1 += 1;
            }
        }
    }
}
