//! A federation's grid beside its scores: waits, busy clusters and, where that is played, the grid in
//! which nobody ever joined.

use serde::{Deserialize, Serialize};

use super::frame::Frame;
use crate::measure::{ALONE, Metric};
use crate::rounds::batched::Batched;
use kernel::time::sum_as_units as units;
use sim::accounts::Accounts;
use sim::alone::Service;
use sim::pool::turn::Turn;

/// Measures of a federation's grid.
pub const WAITS: [Metric; 3] = [Metric::Wait, Metric::BoundedSlowdown, Metric::Utilization];

/// Running sums over rounds, of one organization or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// Waits of the jobs that ended, and slowdowns in millionths, each with their number.
    wait: (i128, u64),
    bounded_slowdown: (i128, u64),
    /// Jobs of the rounds, their flow time, and that in the grid in which nobody ever joined.
    jobs: u64,
    flow: i128,
    alone_flow: i128,
    /// The jobs that ended in that grid.
    alone: Service,
}

impl Sums {
    pub(crate) fn merge(&mut self, other: &Sums) {
        for (all, one) in
            [(&mut self.wait, other.wait), (&mut self.bounded_slowdown, other.bounded_slowdown)]
        {
            *all = (all.0 + one.0, all.1 + one.1);
        }
        self.jobs += other.jobs;
        self.flow += other.flow;
        self.alone_flow += other.alone_flow;
        self.alone.merge(&other.alone);
    }

    /// The sum and the weight of a measure; `None` of other measures.
    pub(crate) fn of(&self, metric: Metric) -> Option<(f64, f64)> {
        let mean = |(sum, count): (i128, u64)| (units(sum), count as f64);
        let Service { jobs, wait, bounded_slowdown, .. } = self.alone;
        match metric {
            Metric::Wait => Some(mean(self.wait)),
            Metric::BoundedSlowdown => Some(mean(self.bounded_slowdown)),
            Metric::Gain => Some((units(self.alone_flow - self.flow), units(self.alone_flow))),
            Metric::AloneFlow => Some(mean((self.alone_flow, self.jobs))),
            Metric::AloneWait => Some(mean((wait, jobs))),
            Metric::AloneBoundedSlowdown => Some(mean(bounded_slowdown)),
            _ => None,
        }
    }

    /// Service in the grid in which nobody ever joined.
    pub fn alone(&self) -> &Service {
        &self.alone
    }
}

/// The turns and the service in the grid in which nobody ever joined.
pub type Apart<'a> = (&'a [Turn], &'a [Service]);

/// The sums of one replication.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Beside {
    /// By organization.
    pub(crate) sums: Vec<Sums>,
    /// Flow time of the jobs of the last quarter in the grid in which nobody ever joined.
    pub(crate) late_alone: Option<i128>,
    /// Processor time of each organization's clusters in use, and all of it.
    pub(crate) busy: Vec<(i128, i128)>,
    /// By unit, if this is the only replication.
    pub(crate) batched: Vec<Batched<Sums>>,
}

impl Beside {
    /// No round yet.
    pub(crate) fn new(frame: &Frame, units: usize) -> Beside {
        let count = frame.names.len();
        let batched = if frame.replications == 1 { units } else { 0 };
        Beside {
            sums: vec![Sums::default(); count],
            busy: vec![(0, 0); count],
            batched: (0..batched).map(|_| Batched::default()).collect(),
            late_alone: None,
        }
    }

    /// The sums of several organizations.
    pub(crate) fn total(&self, members: std::ops::Range<usize>) -> Sums {
        let mut total = Sums::default();
        self.sums[members].iter().for_each(|one| total.merge(one));
        total
    }

    /// Adds a round.
    pub(crate) fn round(
        &mut self,
        turns: &[Turn],
        accounts: &Accounts,
        alone: Option<Apart<'_>>,
        is_late: bool,
        units: &[std::ops::Range<usize>],
    ) {
        for (sums, account) in self.sums.iter_mut().zip(accounts.organizations()) {
            let [wait, slowdown] = [&account.wait, &account.bounded_slowdown];
            sums.wait = (wait.sum(), wait.count());
            sums.bounded_slowdown = (slowdown.sum(), slowdown.count());
        }
        if let Some((apart, services)) = alone {
            let all = self.sums.iter_mut().zip(turns).zip(apart.iter().zip(services));
            for ((sums, turn), (alone, service)) in all {
                sums.jobs += turn.jobs;
                sums.flow += turn.flow;
                sums.alone_flow += alone.flow;
                sums.alone = *service;
                if is_late {
                    *self.late_alone.get_or_insert_default() += alone.flow;
                }
            }
        }
        for (unit, mut batched) in units.iter().zip(std::mem::take(&mut self.batched)) {
            let total = self.total(unit.clone());
            batched.add(|sums| {
                *sums = total;
                true
            });
            self.batched.push(batched);
        }
    }

    /// The sum and the weight of each of these measures for several organizations.
    pub(crate) fn figures(
        &self,
        members: std::ops::Range<usize>,
        of: &[Metric],
    ) -> Vec<(Metric, (f64, f64))> {
        let total = self.total(members.clone());
        let own = &self.busy[members];
        let sum = |of: fn(&(i128, i128)) -> i128| units(own.iter().map(of).sum());
        let busy = (sum(|one| one.0), sum(|one| one.1));
        of.iter().map(|&metric| (metric, total.of(metric).unwrap_or(busy))).collect()
    }

    /// Ends the replication.
    pub(crate) fn end(&mut self, accounts: &Accounts) {
        let length = i128::from(accounts.length().ticks());
        for (owned, busy) in accounts.clusters().iter().zip(accounts.busy()) {
            let own = &mut self.busy[owned.owner.index()];
            *own = (own.0 + busy, own.1 + i128::from(owned.processors) * length);
        }
    }
}

/// Measures that a federation has beside those of every coalition. Clusters are in use for a share of
/// the time where there is one clock: where rounds go on from each other.
pub fn measures(has_alone: bool, goes_on: bool) -> Vec<Metric> {
    let waits = WAITS.into_iter().filter(|&one| goes_on || one != Metric::Utilization);
    waits.chain(ALONE.into_iter().filter(|_| has_alone)).collect()
}
