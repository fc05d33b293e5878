//! Best fit across the clusters of a grid: as list scheduling in order of submission, but a job
//! starts where it leaves the fewest processors idle.

use super::scan::{Choice, Scan};
use super::{GridScheduler, Placement, Setup, Sites};
use kernel::state::{Corrupt, State};
use kernel::time::Time;
use model::bounds::parameters;
use model::ids::ClusterId;
use model::view::Blind;

parameters! {
    /// Best fit has no parameters.
    #[serde(default)]
    pub struct Options {}
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct BestFit {
    scan: Scan,
}

impl BestFit {
    /// No jobs.
    pub fn new(_: &Options, setup: &Setup<'_>) -> BestFit {
        BestFit { scan: Scan::new(Choice::Tightest, setup) }
    }
}

impl GridScheduler for BestFit {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, _: Time) {
        self.scan.submit(job.id, job.processors, group, 0);
    }

    #[inline]
    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.scan.freed(cluster, idle);
    }

    #[inline]
    fn decide(&mut self, _: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        match sites.are_choosy() {
            true => self.scan.decide_asking(sites, out),
            false => self.scan.decide(out),
        }
    }
}

impl State for BestFit {
    fn save(&self, out: &mut Vec<u8>) {
        self.scan.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.scan.load(from)
    }
}
