//! Flow times of a pool's jobs, collected by an observer of the pool.

use crate::kernel::state::{Corrupt, State, put, take};
use crate::sim::accounts::details;
use crate::sim::pool::{Done, PoolObserver};
use crate::stats::distribution::Distribution;

/// Flow times of the jobs that count, by organization and overall, over rounds and replications.
#[derive(Clone, Debug)]
pub struct Flows {
    organizations: Vec<Distribution>,
    everyone: Distribution,
    jobs: u64,
}

impl Flows {
    /// Empty distributions for this many organizations, with or without quantiles.
    pub fn new(organizations: usize, quantiles: bool) -> Flows {
        let (own, everyone) = details(organizations, quantiles);
        Flows {
            // Built one by one: a clone would touch every page of the empty histograms.
            organizations: (0..organizations).map(|_| Distribution::new(own)).collect(),
            everyone: Distribution::new(everyone),
            jobs: 0,
        }
    }

    /// Distributions by organization.
    pub fn organizations(&self) -> &[Distribution] {
        &self.organizations
    }

    /// Distribution over all organizations.
    pub fn everyone(&self) -> &Distribution {
        &self.everyone
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
        self.everyone.merge(&other.everyone);
        self.jobs += other.jobs;
    }
}

impl PoolObserver for Flows {
    #[inline]
    fn finished(&mut self, cluster: u32, done: &Done) {
        self.jobs += 1;
        if done.job.counts {
            let flow = done.flow().ticks() as u64;
            self.organizations[cluster as usize].record(flow);
            self.everyone.record(flow);
        }
    }
}

impl State for Flows {
    fn save(&self, out: &mut Vec<u8>) {
        self.organizations.iter().for_each(|one| one.save(out));
        self.everyone.save(out);
        put(&self.jobs, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.organizations.iter_mut().try_for_each(|one| one.load(from))?;
        self.everyone.load(from)?;
        self.jobs = take(from)?;
        Ok(())
    }
}
