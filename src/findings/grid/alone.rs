//! The service of every organization alone, beside its service with the others.
//!
//! Only jobs that an organization could run alone are compared. If not all of them ended by the end
//! of the run, their means are: the flow times with the others are scaled to as many jobs.

use crate::measure::{ALONE, Metric};
use crate::sample::Sample;
use kernel::time::sum_as_units as units;
use sim::alone::Service;

/// Service of the organizations, and last of the whole grid, over all replications.
#[derive(Clone, Debug)]
pub struct Alone {
    services: Vec<Service>,
}

/// Sum and number over the jobs, in the order of [`ALONE`].
fn sums(service: &Service) -> [(i128, u64); 3] {
    let Service { jobs, flow, wait, bounded_slowdown, .. } = *service;
    [(flow, jobs), (wait, jobs), bounded_slowdown]
}

/// Flow time that an organization saved in one replication, and the flow time that it had alone.
fn saved(together: &Service, alone: &Service) -> Option<[f64; 2]> {
    let (jobs, others) = (alone.jobs as f64, together.jobs as f64);
    let as_many = units(together.flow) * (jobs / others);
    (jobs > 0.0 && others > 0.0).then(|| [units(alone.flow) - as_many, units(alone.flow)])
}

impl Alone {
    /// No replication yet.
    pub fn new(organizations: usize) -> Alone {
        Alone { services: vec![Service::default(); organizations + 1] }
    }

    /// Adds a replication, given the service of each organization with all others and alone.
    pub fn add(&mut self, sample: &mut Sample, together: &[Service], alone: &[Service]) {
        let all = alone.len();
        let mut everyone = Service::default();
        alone.iter().for_each(|one| everyone.merge(one));
        for (unit, service) in alone.iter().chain([&everyone]).enumerate() {
            self.services[unit].merge(service);
            for (metric, (sum, jobs)) in ALONE.into_iter().zip(sums(service)) {
                sample.put(unit, metric.measure(), units(sum), jobs as f64);
            }
        }
        let mut whole = [0.0; 2];
        for (unit, (together, alone)) in together.iter().zip(alone).enumerate() {
            let Some([saved, alone]) = saved(together, alone) else { continue };
            sample.put(unit, Metric::Gain.measure(), saved, alone);
            whole = [whole[0] + saved, whole[1] + alone];
        }
        sample.put(all, Metric::Gain.measure(), whole[0], whole[1]);
    }

    /// The service of an organization alone; the index after the last is the whole grid.
    pub fn of(&self, index: usize) -> &Service {
        &self.services[index]
    }
}
