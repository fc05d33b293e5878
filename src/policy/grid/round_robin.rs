//! Sends jobs, as they come, to the clusters in turn: each to the next that is large enough, counted
//! from where the job before went.

use super::dispatch::Dispatch;
pub use super::dispatch::Options;
use super::{GridScheduler, Placement, Setup, Sites};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::model::ids::ClusterId;
use crate::model::view::Blind;

/// The scheduler.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    dispatch: Dispatch,
    /// The cluster that had the last turn.
    last: Option<ClusterId>,
}

impl RoundRobin {
    /// No jobs.
    pub fn new(options: &Options, setup: &Setup<'_>) -> RoundRobin {
        RoundRobin { dispatch: Dispatch::new(options, setup), last: None }
    }
}

impl GridScheduler for RoundRobin {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, _: Time) {
        self.dispatch.submit(job, group);
    }

    #[inline]
    fn decide(&mut self, _: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        let last = &mut self.last;
        self.dispatch.decide(sites, out, |open, _, _| {
            let next = open.iter().copied().find(|&cluster| Some(cluster) > *last);
            *last.insert(next.unwrap_or(open[0]))
        });
    }
}

impl State for RoundRobin {
    fn save(&self, out: &mut Vec<u8>) {
        self.dispatch.save(out);
        put(&self.last, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.dispatch.load(from)?;
        self.last = take(from)?;
        Ok(())
    }
}
