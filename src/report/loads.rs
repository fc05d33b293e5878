//! The offered load of each part of the grid: the organizations that may use each other's clusters,
//! directly or by way of others, with all these clusters.

use crate::kernel::time::Time;
use crate::scenario::plan::Plan;
use crate::sim::accounts::Account;

/// Organizations and clusters that are connected.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The organizations, by number.
    pub organizations: Vec<usize>,
    /// Their jobs that count, of all replications.
    pub jobs: u64,
    /// The processors of the clusters.
    processors: u64,
    /// Processor-ticks that these jobs need.
    work: i128,
    /// Processor-ticks between their first and their last submission.
    time: i128,
}

impl Part {
    /// What the jobs need of what the processors can do while they come; `None` where they all come
    /// at once.
    pub fn load(&self) -> Option<f64> {
        (self.time > 0).then(|| self.work as f64 / self.time as f64)
    }
}

/// The loads of all parts.
#[derive(Clone, Debug)]
pub struct Loads {
    parts: Vec<Part>,
}

impl Loads {
    /// No jobs yet. O(organizations + clusters that each may use).
    pub fn new(plan: &Plan) -> Loads {
        let organizations = plan.organizations.len();
        // Organizations, then clusters: each leads to one of its part, at last to the first.
        let mut leads: Vec<usize> = (0..organizations + plan.clusters.len()).collect();
        for (index, organization) in plan.organizations.iter().enumerate() {
            for cluster in &organization.uses {
                let one = root(&mut leads, index);
                let other = root(&mut leads, organizations + cluster.index());
                leads[one.max(other)] = one.min(other);
            }
        }
        let mut parts = vec![Part::default(); leads.len()];
        for index in 0..organizations {
            parts[root(&mut leads, index)].organizations.push(index);
        }
        for (index, cluster) in plan.clusters.iter().enumerate() {
            let part = &mut parts[root(&mut leads, organizations + index)];
            part.processors += u64::from(cluster.processors());
        }
        parts.retain(|part| !part.organizations.is_empty());
        Loads { parts }
    }

    /// Adds a replication, given by its accounts.
    pub fn add(&mut self, accounts: &[Account]) {
        for part in &mut self.parts {
            let of = || part.organizations.iter().map(|&index| &accounts[index]);
            let first = of().map(|account| account.first_submit).min();
            let last = of().map(|account| account.last_submit).max();
            let (Some(first), Some(last)) = (first, last) else { continue };
            if first == Time::NEVER {
                continue;
            }
            let jobs: u64 = of().map(|account| account.jobs.submitted).sum();
            let work: i128 = of().map(|account| account.areas.submitted).sum();
            part.jobs += jobs;
            part.work += work;
            part.time += i128::from(part.processors) * i128::from((last - first).ticks());
        }
    }

    /// The parts, in the order of their first organizations.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// What stands for the part that one belongs to; the way to it is halved as it is walked.
fn root(leads: &mut [usize], mut one: usize) -> usize {
    while leads[one] != one {
        leads[one] = leads[leads[one]];
        one = leads[one];
    }
    one
}
