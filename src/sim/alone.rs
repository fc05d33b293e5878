//! The jobs that each organization could also have run alone, and the service that they received.
//!
//! Seen in the grid as it is, and in one where everybody is alone, these are the same jobs, so that
//! both can be compared.

use serde::{Deserialize, Serialize};

use super::accounts::{Counting, Owned, bounded_slowdown};
use super::observer::{Finished, Observer, Submitted};
use super::pool::PoolObserver;
use kernel::state_of_fields;
use kernel::time::Time;
use model::ids::{ClusterId, OrganizationId, Uses};
use model::job::Job;

/// Service that the counted jobs of an organization received, of those that it could run alone.
/// Times in ticks, slowdowns in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// Finished jobs.
    pub jobs: u64,
    /// Submitted jobs that it could not run alone; they are in none of the sums.
    pub too_wide: u64,
    /// Flow time, summed over the jobs.
    pub flow: i128,
    /// Waiting time.
    pub wait: i128,
    /// Bounded slowdown, and the number of jobs that have one.
    pub bounded_slowdown: (i128, u64),
}

impl Service {
    /// Adds the jobs of another replication or organization.
    pub fn merge(&mut self, other: &Service) {
        self.jobs += other.jobs;
        self.too_wide += other.too_wide;
        self.flow += other.flow;
        self.wait += other.wait;
        self.bounded_slowdown.0 += other.bounded_slowdown.0;
        self.bounded_slowdown.1 += other.bounded_slowdown.1;
    }
}

/// The processors of the largest cluster that each job's organization has alone.
#[derive(Clone, Debug)]
pub struct Widest {
    clusters: Vec<Owned>,
    /// By organization, and by list of clusters.
    of: Vec<u32>,
    of_list: Vec<u32>,
}

impl Widest {
    /// Given the clusters, those that each organization's jobs may use, and the lists of clusters to
    /// which jobs of an organization are bound.
    pub fn new<'a>(
        clusters: Vec<Owned>,
        uses: impl Iterator<Item = &'a [ClusterId]>,
        lists: &[(OrganizationId, Uses)],
    ) -> Widest {
        let own = |organization: OrganizationId, uses: &[ClusterId]| {
            let own = uses.iter().map(|cluster| clusters[cluster.index()]);
            let own = own.filter(|one| one.owner == organization);
            own.map(|one| one.processors).max().unwrap_or(0)
        };
        let organizations = (0..).map(OrganizationId).zip(uses);
        let of: Vec<u32> = organizations.map(|(one, uses)| own(one, uses)).collect();
        let of_list = lists.iter().map(|(one, clusters)| own(*one, clusters)).collect();
        Widest { clusters, of, of_list }
    }

    /// The owner of a cluster.
    pub fn owner(&self, cluster: ClusterId) -> OrganizationId {
        self.clusters[cluster.index()].owner
    }

    /// True if its organization alone could run a job. One that is bound to a cluster runs there or
    /// nowhere.
    pub fn admits(&self, job: &Job) -> bool {
        let widest = match job.recorded.cluster() {
            None => match job.recorded.list() {
                Some(list) => self.of_list[list as usize],
                None => self.of[job.organization.index()],
            },
            Some(bound) => {
                let Owned { owner, processors } = self.clusters[bound.index()];
                if owner == job.organization { processors } else { 0 }
            }
        };
        job.processors <= widest
    }
}

/// Records the service of jobs that their organizations could run alone; an [`Observer`].
#[derive(Clone, Debug)]
pub struct CouldRunAlone {
    counting: Counting,
    widest: Widest,
    services: Vec<Service>,
}

state_of_fields!(CouldRunAlone { services });

impl CouldRunAlone {
    /// No jobs yet, given what [`Widest`] is.
    pub fn new<'a>(
        counting: Counting,
        clusters: Vec<Owned>,
        uses: impl Iterator<Item = &'a [ClusterId]>,
        lists: &[(OrganizationId, Uses)],
    ) -> CouldRunAlone {
        let widest = Widest::new(clusters, uses, lists);
        let services = vec![Service::default(); widest.of.len()];
        CouldRunAlone { counting, widest, services }
    }

    /// The service of each organization's jobs.
    pub fn services(&self) -> &[Service] {
        &self.services
    }

    fn arrived(&mut self, job: &Job) {
        if self.counting.counts(job) && !self.widest.admits(job) {
            self.services[job.organization.index()].too_wide += 1;
        }
    }
}

/// Pools know by themselves what their jobs would be alone.
impl PoolObserver for CouldRunAlone {}

impl Observer for CouldRunAlone {
    fn submitted(&mut self, Submitted { job, .. }: Submitted<'_>) {
        self.arrived(job);
    }

    fn rejected(&mut self, job: &Job, _: Time) {
        self.arrived(job);
    }

    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        if !self.counting.counts(job) || !self.widest.admits(job) {
            return;
        }
        let service = &mut self.services[job.organization.index()];
        service.jobs += 1;
        service.flow += i128::from(finished.flow().ticks());
        service.wait += i128::from(finished.wait().ticks());
        let (flow, ran) = (finished.flow(), finished.ran());
        if let Some(slowdown) = bounded_slowdown(flow, ran, self.counting.tau) {
            service.bounded_slowdown.0 += i128::from(slowdown);
            service.bounded_slowdown.1 += 1;
        }
    }
}
