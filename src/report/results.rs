//! Results of a run, before they are written in any format.

use super::controlled::Controls;
use super::enough::Known;
use super::loads::{self, Loads};
use super::precision::Across;
use super::steady::Early;
use super::timeline::Timelines;
use super::trace_waits::TraceWaits;
use super::typical::Typical;
use crate::kernel::time::{Span, Time};
use crate::scenario::plan::Plan;
use crate::sim::accounts::{Account, Accounts, FULL_ORGANIZATIONS, Owned, Uncounted};
use crate::sim::timeline::Timeline;
use crate::stats::course::Growth;
use crate::stats::distribution::{Detail, Distribution};
use crate::stats::mser::{Doubt, Series};

/// Results of all replications of a run.
#[derive(Debug)]
pub struct Results {
    /// The replications, in order.
    pub replications: Vec<Replication>,
    /// Accounts merged over all replications.
    pub accounts: Accounts,
    /// Makespans over the replications, by organization, then for the grid.
    ///
    /// Replications in which no job of the organization ended are left out.
    pub makespans: Vec<Distribution>,
    /// Number of agent wake-ups in all replications, a measure of simulation work.
    pub wakes: u64,
    /// Busy processor-ticks by cluster, summed over the replications.
    pub busy: Vec<i128>,
    /// Total length of the replications, in ticks.
    pub length: i128,
    /// Statistics for confidence intervals, by organization, then for the grid.
    pub(super) across: Vec<Across>,
    /// True if figures differ between replications, by organization, then for the grid.
    pub(super) differs: Vec<bool>,
    /// Precision reached for the target figure, if the run had one.
    pub known: Option<Known>,
    /// Offered load of each part of the grid.
    pub loads: Loads,
    /// Comparison of early and late parts of the replications, if there are several that differ.
    pub growth: Growth,
    /// Flow times of the first replications, in order, if they are plotted.
    pub welch: Vec<Series>,
    /// Comparison of the jobs with their models, as far as these are known.
    pub typical: Typical,
    /// Waiting times that traces record of the same jobs.
    pub trace_waits: TraceWaits,
    /// Sums by replication for controlled means.
    pub(super) controls: Controls,
    /// Time series over simulated time, if they are recorded.
    pub timelines: Option<Timelines>,
    /// The clusters with their owners.
    owned: Vec<Owned>,
}

/// Results of a replication.
#[derive(Clone, Debug)]
pub struct Replication {
    /// Replication, from 0.
    pub number: u32,
    /// Time at which it ended.
    pub end: Time,
    /// Measurement window.
    pub window: Window,
    /// Numbers of jobs outside the window.
    pub uncounted: Uncounted,
    /// Figures of the whole grid.
    pub grid: Figures,
    /// Figures by organization; empty for more than [`FULL_ORGANIZATIONS`].
    pub organizations: Vec<Figures>,
}

/// Measurement window of a replication: the submission times of jobs that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First submission time that counts.
    pub from: Time,
    /// First submission time after the window.
    pub until: Time,
    /// Doubt about the end of the warm-up that MSER-5 found, if any; the same in all replications.
    pub doubt: Option<Doubt>,
}

/// Figures of an organization, or of the whole grid, in one replication.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Number of jobs that count and ended.
    pub finished: u64,
    /// Mean flow time of these jobs, in units.
    pub flow: Option<f64>,
    /// Mean waiting time of these jobs, in units.
    pub wait: Option<f64>,
    /// Mean slowdown of these jobs.
    pub slowdown: Option<f64>,
    /// Mean bounded slowdown of these jobs.
    pub bounded_slowdown: Option<f64>,
    /// Makespan of the jobs that count: latest end minus first submission.
    pub makespan: Option<Span>,
    /// Utilization: the share of all its processor time in use.
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

/// Clusters that an organization, or the whole grid, owns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holding {
    /// Number of clusters.
    pub clusters: u64,
    /// Number of processors.
    pub processors: u64,
    /// Utilization over all replications.
    pub utilization: Option<f64>,
    /// Busy processor-ticks.
    busy: i128,
}

impl Results {
    /// Results without any replication.
    pub fn new(plan: &Plan) -> Results {
        let accounts = Accounts::new(plan.organizations.len(), plan.owned(), plan.counting);
        // Quantiles have the same resolution as those of the accounts.
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
            growth: Growth::default(),
            welch: Vec::new(),
            typical: Typical::new(plan),
            trace_waits: TraceWaits::new(plan, plan.counting),
            controls: Controls::default(),
            timelines: (plan.output.timeline)
                .then(|| Timelines::new(plan.clusters.len(), plan.replications)),
            owned: plan.owned(),
        }
    }

    /// Adds the next replication, in which the jobs of `window` counted.
    pub fn add(&mut self, accounts: &Accounts, window: Window, end: Time, wakes: u64) {
        let grid = accounts.grid();
        let (of_each, of_grid) = accounts.details();
        let length = i128::from(accounts.length().ticks());
        // By organization, then for the grid: processor time used and available.
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
        self.controls.add(&grid);
        self.loads.add(accounts.organizations());
        self.accounts.merge(accounts);
        self.wakes += wakes;
    }

    /// Adds the data of the same replication that test for a steady state.
    pub fn add_steadiness(&mut self, early: &Early, typical: &Typical) {
        self.growth.add(early.flows.pairs());
        self.typical.merge(typical);
        self.controls.add_jobs(typical);
    }

    /// Adds the time series of the same replication, if they were recorded.
    pub fn add_timeline(&mut self, timeline: Option<&Timeline>) {
        if let Some((timelines, timeline)) = self.timelines.as_mut().zip(timeline) {
            timelines.add(timeline);
        }
    }

    /// Holdings by organization, and last those of the whole grid. O(organizations + clusters).
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
