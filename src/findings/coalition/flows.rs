//! Flow times of a coalition's jobs, collected by an observer of its pool or of a federation's grid.

use std::borrow::Cow;

use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use sim::accounts::{Every, details};
use sim::observer::{Finished, Observer};
use sim::pool::{Done, PoolObserver};
use stats::distribution::{Detail, Distribution};

/// Flow times of the jobs that count, by organization and overall, over rounds and replications.
#[derive(Clone, Debug)]
pub struct Flows {
    organizations: Vec<Distribution>,
    /// The overall distribution, if its detail is not that of the organizations: else it is their
    /// sum, and nothing is recorded twice.
    apart: Option<Distribution>,
    /// Detail of the overall distribution.
    detail: Detail,
    /// Tells which jobs of a federation count; all by default.
    windows: Option<Every>,
    jobs: u64,
}

impl Flows {
    /// Empty distributions for this many organizations, with or without quantiles.
    pub fn new(organizations: usize, quantiles: bool) -> Flows {
        let (own, detail) = details(organizations, quantiles);
        Flows {
            // Built one by one: a clone would touch every page of the empty histograms.
            organizations: (0..organizations).map(|_| Distribution::new(own)).collect(),
            apart: (own != detail).then(|| Distribution::new(detail)),
            detail,
            windows: None,
            jobs: 0,
        }
    }

    /// Counts only the jobs of a federation that are submitted in the window of their round.
    #[must_use]
    pub fn in_windows(self, windows: Every) -> Flows {
        Flows { windows: Some(windows), ..self }
    }

    #[inline]
    fn record(&mut self, organization: usize, flow: Span) {
        let flow = flow.ticks() as u64;
        self.organizations[organization].record(flow);
        if let Some(everyone) = &mut self.apart {
            everyone.record(flow);
        }
    }

    /// Distributions by organization.
    pub fn organizations(&self) -> &[Distribution] {
        &self.organizations
    }

    /// Distribution over all organizations.
    pub fn everyone(&self) -> Cow<'_, Distribution> {
        if let Some(everyone) = &self.apart {
            return Cow::Borrowed(everyone);
        }
        let mut everyone = Distribution::new(self.detail);
        self.organizations.iter().for_each(|one| everyone.merge(one));
        Cow::Owned(everyone)
    }

    /// Sum of the flow times over all organizations, in ticks, and their number.
    pub fn sum(&self) -> (i128, u64) {
        let add = |(sum, count), one: &Distribution| (sum + one.sum(), count + one.count());
        self.organizations.iter().fold((0, 0), add)
    }

    /// Number of jobs that ended, whether they count or not.
    pub fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Adds the flow times of another replication.
    pub fn merge(&mut self, other: &Flows) {
        for (own, other) in self.organizations.iter_mut().zip(&other.organizations) {
            own.merge(other);
        }
        if let (Some(own), Some(other)) = (&mut self.apart, &other.apart) {
            own.merge(other);
        }
        self.jobs += other.jobs;
    }
}

impl PoolObserver for Flows {
    #[inline]
    fn finished(&mut self, cluster: u32, done: &Done) {
        self.jobs += 1;
        if done.job.counts {
            self.record(cluster as usize, done.flow());
        }
    }
}

/// The jobs of a federation's grid.
impl Observer for Flows {
    fn finished(&mut self, finished: Finished<'_>) {
        self.jobs += 1;
        let job = finished.job;
        if self.windows.is_none_or(|windows| windows.has(job.submit)) {
            self.record(job.organization.index(), finished.flow());
        }
    }
}

impl State for Flows {
    fn save(&self, out: &mut Vec<u8>) {
        self.organizations.iter().for_each(|one| one.save(out));
        self.everyone().save(out);
        put(&self.jobs, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.organizations.iter_mut().try_for_each(|one| one.load(from))?;
        let mut everyone = Distribution::new(self.detail);
        everyone.load(from)?;
        self.apart = self.apart.take().map(|_| everyone);
        self.jobs = take(from)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::time::{Span, Time};
    use sim::pool::Local;

    /// Finishes jobs of different flow times, some of which do not count.
    fn finish(flows: &mut Flows, organizations: usize, jobs: std::ops::Range<u64>) {
        for number in jobs {
            let (submit, size) = (Time::ZERO, Span::TICK);
            let counts = number % 7 > 0;
            let job = Local { number, submit, size, promise: submit, alone: submit, counts };
            let finish = Time::from_ticks((number * number % 1_000_003) as i64);
            PoolObserver::finished(
                flows,
                (number as usize % organizations) as u32,
                &Done { job, finish },
            );
        }
    }

    fn saved(part: &impl State) -> Vec<u8> {
        let mut bytes = Vec::new();
        part.save(&mut bytes);
        bytes
    }

    #[test]
    fn everyone_is_the_sum_of_all_at_any_detail() {
        for (organizations, quantiles, jobs) in
            [(3, true, 5), (3, true, 20_000), (3, false, 5), (100, true, 5000)]
        {
            let mut flows = Flows::new(organizations, quantiles);
            let mut all = Distribution::new(details(organizations, quantiles).1);
            finish(&mut flows, organizations, 0..jobs);
            for number in (0..jobs).filter(|number| number % 7 > 0) {
                all.record(number * number % 1_000_003);
            }
            let everyone = flows.everyone();
            assert_eq!(everyone.quantile(0.9), all.quantile(0.9), "{organizations}, {jobs}");
            assert_eq!(saved(&*everyone), saved(&all), "{organizations}, {jobs}");
            assert_eq!(flows.sum(), (all.sum(), all.count()));
            assert_eq!(flows.jobs(), jobs);
        }
    }

    #[test]
    fn saved_and_merged_they_go_on_alike() {
        for organizations in [3, 100] {
            let new = || Flows::new(organizations, true);
            let (mut whole, mut first, mut second) = (new(), new(), new());
            finish(&mut whole, organizations, 0..9000);
            finish(&mut first, organizations, 0..4000);
            finish(&mut second, organizations, 4000..9000);
            let mut rebuilt = new();
            rebuilt.load(&mut saved(&first).as_slice()).expect("it was saved");
            finish(&mut rebuilt, organizations, 4000..9000);
            first.merge(&second);
            assert_eq!(saved(&rebuilt), saved(&whole));
            assert_eq!(saved(&first), saved(&whole));
        }
    }
}
