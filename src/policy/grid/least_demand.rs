//! Sends each job, as it comes, to the cluster whose jobs request the smallest part of its processors:
//! those that run, wait there or are under way to it. Ties go to the cluster that is named first.

pub use super::dispatch::Options;
use super::dispatch::{Choice, Sender};
use super::{Setup, Site, Sites};
use kernel::state_of_fields;
use model::ids::ClusterId;

/// The scheduler.
pub type LeastDemand = Sender<Least>;

/// The cluster with the least demand.
#[derive(Clone, Debug)]
pub struct Least {
    /// Processors of the jobs sent in this decision.
    sent: Vec<(ClusterId, u64)>,
}

// Only a decision knows what it sent.
state_of_fields!(Least {});

impl Choice for Least {
    fn new(_: &Setup<'_>) -> Least {
        Least { sent: Vec::new() }
    }

    #[inline]
    fn begin(&mut self) {
        self.sent.clear();
    }

    #[inline]
    fn choose(
        &mut self,
        open: &[ClusterId],
        all: &[Site],
        processors: u32,
        sites: &impl Sites,
    ) -> ClusterId {
        let parts = open.iter().map(|&cluster| {
            let sent = self.sent.iter().filter(|one| one.0 == cluster).map(|one| one.1);
            let demand = sites.demand(cluster) + sent.sum::<u64>();
            (cluster, u128::from(demand), u128::from(all[cluster.index()].processors))
        });
        // Parts are compared without dividing.
        let least = parts.min_by(|a, b| (a.1 * b.2).cmp(&(b.1 * a.2)));
        let (cluster, ..) = least.expect("a cluster is open");
        self.sent.push((cluster, processors.into()));
        cluster
    }
}
