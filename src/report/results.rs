//! What a run found, before it is written in any format.

use crate::kernel::time::{Span, Time};
use crate::scenario::plan::Plan;
use crate::sim::accounts::{Account, Accounts};
use crate::stats::distribution::Distribution;

/// What a run of all its replications found.
#[derive(Debug)]
pub struct Results {
    /// The replications, in order.
    pub replications: Vec<Replication>,
    /// The accounts of all replications together.
    pub accounts: Accounts,
    /// By organization, its makespan in each replication where one of its jobs ended; then the
    /// grid's.
    pub makespans: Vec<Distribution>,
    /// Agents woken in all replications, a measure of the work of the simulation itself.
    pub wakes: u64,
    /// Processor-ticks in use by cluster, summed over the replications.
    pub busy: Vec<i128>,
    /// The lengths of the replications, summed.
    pub length: i128,
}

/// A replication's figures for the whole grid.
#[derive(Clone, Copy, Debug)]
pub struct Replication {
    /// Its number, from 0.
    pub number: u32,
    /// When it ended.
    pub end: Time,
    /// Jobs that count and ended.
    pub finished: u64,
    /// Their mean flow in units.
    pub flow: Option<f64>,
    /// Their mean wait in units.
    pub wait: Option<f64>,
    /// Their mean bounded slowdown.
    pub bounded_slowdown: Option<f64>,
    /// Latest end less first submission of the jobs that count.
    pub makespan: Option<Span>,
    /// The share of all processor time in use.
    pub utilization: Option<f64>,
}

/// What an organization, or the whole grid, owns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holding {
    /// Clusters.
    pub clusters: u64,
    /// Their processors.
    pub processors: u64,
    /// The share of all their time, of all replications, in which they were in use.
    pub utilization: Option<f64>,
    /// Processor-ticks in use.
    busy: i128,
}

impl Results {
    /// Nothing yet.
    pub fn new(plan: &Plan) -> Results {
        let accounts = Accounts::new(plan.organizations.len(), plan.owned(), plan.counting);
        // Quantiles as fine as those of the accounts.
        let (own, grid) = accounts.details();
        let organizations = accounts.organizations().iter();
        let mut makespans: Vec<Distribution> =
            organizations.map(|_| Distribution::new(own)).collect();
        makespans.push(Distribution::new(grid));
        Results {
            replications: Vec::new(),
            accounts,
            makespans,
            wakes: 0,
            busy: vec![0; plan.clusters.len()],
            length: 0,
        }
    }

    /// Adds the next replication.
    pub fn add(&mut self, accounts: &Accounts, end: Time, wakes: u64) {
        let grid = accounts.grid();
        self.replications.push(Replication {
            number: self.replications.len() as u32,
            end,
            finished: grid.jobs.finished,
            flow: grid.flow.mean(),
            wait: grid.wait.mean(),
            bounded_slowdown: grid.bounded_slowdown.mean(),
            makespan: grid.makespan(),
            utilization: accounts.grid_utilization(),
        });
        let all = accounts.organizations().iter().map(Account::makespan).chain([grid.makespan()]);
        for (makespans, makespan) in self.makespans.iter_mut().zip(all) {
            if let Some(makespan) = makespan {
                makespans.record(makespan.ticks() as u64);
            }
        }
        for (sum, busy) in self.busy.iter_mut().zip(accounts.busy()) {
            *sum += busy;
        }
        self.length += i128::from(accounts.length().ticks());
        self.accounts.merge(accounts);
        self.wakes += wakes;
    }

    /// What each organization owns, and last what the whole grid has. O(organizations + clusters).
    pub fn holdings(&self, plan: &Plan) -> Vec<Holding> {
        let mut holdings = vec![Holding::default(); plan.organizations.len() + 1];
        for (cluster, busy) in plan.clusters.iter().zip(&self.busy) {
            for owner in [cluster.owner.index(), plan.organizations.len()] {
                holdings[owner].clusters += 1;
                holdings[owner].processors += u64::from(cluster.processors());
                holdings[owner].busy += busy;
            }
        }
        for holding in &mut holdings {
            let all = i128::from(holding.processors) * self.length;
            holding.utilization = (all > 0).then(|| holding.busy as f64 / all as f64);
        }
        holdings
    }
}
