//! What a run found, before it is written in any format.

use super::enough::Known;
use super::loads::{self, Loads};
use super::precision::Across;
use super::timeline::Timelines;
use crate::kernel::time::{Span, Time};
use crate::scenario::plan::Plan;
use crate::sim::accounts::{Account, Accounts, FULL_ORGANIZATIONS, Owned, Uncounted};
use crate::sim::timeline::Timeline;
use crate::stats::distribution::{Detail, Distribution};
use crate::stats::mser::Doubt;

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
    /// By organization, what says how sure its figures are; then the grid's.
    pub(super) across: Vec<Across>,
    /// By organization, then for the grid: do figures differ from one replication to the next?
    pub(super) differs: Vec<bool>,
    /// How well the figure is known that the run was for, where it was for precision.
    pub known: Option<Known>,
    /// The load of each part of the grid.
    pub loads: Loads,
    /// The course over simulated time, where it is followed.
    pub timelines: Option<Timelines>,
    /// The clusters.
    owned: Vec<Owned>,
}

/// A replication and what it found.
#[derive(Clone, Debug)]
pub struct Replication {
    /// Its number, from 0.
    pub number: u32,
    /// When it ended.
    pub end: Time,
    /// Which jobs of it counted.
    pub window: Window,
    /// How many did not.
    pub uncounted: Uncounted,
    /// For the whole grid.
    pub grid: Figures,
    /// By organization, up to [`FULL_ORGANIZATIONS`] of them; else nothing.
    pub organizations: Vec<Figures>,
}

/// Which jobs of a replication count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Jobs submitted from here on.
    pub from: Time,
    /// Jobs submitted before this.
    pub until: Time,
    /// Why the end of the warm-up that MSER-5 found may be wrong, where it may.
    pub doubt: Option<Doubt>,
}

/// The figures of an organization, or of the whole grid, in one replication.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Jobs that count and ended.
    pub finished: u64,
    /// Their mean flow in units.
    pub flow: Option<f64>,
    /// Their mean wait in units.
    pub wait: Option<f64>,
    /// Their mean slowdown.
    pub slowdown: Option<f64>,
    /// Their mean bounded slowdown.
    pub bounded_slowdown: Option<f64>,
    /// Latest end less first submission of the jobs that count.
    pub makespan: Option<Span>,
    /// The share of all its processor time in use.
    pub utilization: Option<f64>,
}

impl Figures {
    fn new(account: &Account, busy: i128, time: i128) -> Figures {
        Figures {
            finished: account.jobs.finished,
            flow: account.flow.mean(),
            wait: account.wait.mean(),
            slowdown: account.slowdown.mean(),
            bounded_slowdown: account.bounded_slowdown.mean(),
            makespan: account.makespan(),
            utilization: (time > 0).then(|| busy as f64 / time as f64),
        }
    }
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
            across: vec![Across::default(); plan.organizations.len() + 1],
            differs: loads::differs(plan),
            known: None,
            loads: Loads::new(plan),
            timelines: (plan.output.timeline)
                .then(|| Timelines::new(plan.clusters.len(), plan.replications)),
            owned: plan.owned(),
        }
    }

    /// Adds the next replication, of which the jobs in the window counted.
    pub fn add(&mut self, accounts: &Accounts, window: Window, end: Time, wakes: u64) {
        let grid = accounts.grid();
        let (of_each, of_grid) = accounts.details();
        let length = i128::from(accounts.length().ticks());
        // By organization and for the grid, processor time in use and at hand.
        let count = accounts.organizations().len();
        let mut used = vec![(0, 0); count + 1];
        for (owned, busy) in self.owned.iter().zip(accounts.busy()) {
            for owner in [owned.owner.index(), count] {
                used[owner].0 += busy;
                used[owner].1 += i128::from(owned.processors) * length;
            }
        }
        let mut figures = Vec::new();
        let all = accounts.organizations().iter().chain([&grid]);
        for (index, account) in all.enumerate() {
            let (busy, time) = used[index];
            if index == count || count <= FULL_ORGANIZATIONS {
                figures.push(Figures::new(account, busy, time));
            }
            let detail = if index == count { of_grid } else { of_each };
            let has_quantiles = detail == Detail::Full && !accounts.is_batched();
            self.across[index].add(account, busy, time, has_quantiles);
            if let Some(makespan) = account.makespan() {
                self.makespans[index].record(makespan.ticks() as u64);
            }
        }
        self.replications.push(Replication {
            number: self.replications.len() as u32,
            end,
            window,
            uncounted: accounts.uncounted(),
            grid: figures.pop().expect("the grid has figures"),
            organizations: figures,
        });
        for (sum, busy) in self.busy.iter_mut().zip(accounts.busy()) {
            *sum += busy;
        }
        self.length += length;
        self.loads.add(accounts.organizations());
        self.accounts.merge(accounts);
        self.wakes += wakes;
    }

    /// Adds the course of the same replication, where it was followed.
    pub fn add_timeline(&mut self, timeline: Option<&Timeline>) {
        if let Some((timelines, timeline)) = self.timelines.as_mut().zip(timeline) {
            timelines.add(timeline);
        }
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
