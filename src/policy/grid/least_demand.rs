//! Sends each job, as it comes, to the cluster whose jobs request the smallest part of its processors:
//! those that run, wait there or are under way to it. Ties go to the cluster that is named first.

use super::dispatch::Dispatch;
pub use super::dispatch::Options;
use super::{GridScheduler, Placement, Setup, Sites};
use crate::kernel::state::{Corrupt, State};
use crate::kernel::time::Time;
use crate::model::ids::ClusterId;
use crate::model::view::Blind;

/// The scheduler.
#[derive(Clone, Debug)]
pub struct LeastDemand {
    dispatch: Dispatch,
    /// Processors of the jobs sent in this decision.
    sent: Vec<(ClusterId, u64)>,
}

impl LeastDemand {
    /// No jobs.
    pub fn new(options: &Options, setup: &Setup<'_>) -> LeastDemand {
        LeastDemand { dispatch: Dispatch::new(options, setup), sent: Vec::new() }
    }
}

impl GridScheduler for LeastDemand {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, _: Time) {
        self.dispatch.submit(job, group);
    }

    #[inline]
    fn decide(&mut self, _: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        let sent = &mut self.sent;
        sent.clear();
        self.dispatch.decide(sites, out, |open, all, processors| {
            let parts = open.iter().map(|&cluster| {
                let sent = sent.iter().filter(|one| one.0 == cluster).map(|one| one.1);
                let demand = sites.demand(cluster) + sent.sum::<u64>();
                (cluster, u128::from(demand), u128::from(all[cluster.index()].processors))
            });
            // Parts are compared without dividing.
            let least = parts.min_by(|a, b| (a.1 * b.2).cmp(&(b.1 * a.2)));
            let (cluster, ..) = least.expect("a cluster is open");
            sent.push((cluster, processors.into()));
            cluster
        });
    }
}

impl State for LeastDemand {
    fn save(&self, out: &mut Vec<u8>) {
        self.dispatch.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.dispatch.load(from)
    }
}
