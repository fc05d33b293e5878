//! Sends each job, as it comes, to a cluster drawn at random: each that is large enough is as likely.

use rand::RngExt as _;

use super::dispatch::Dispatch;
pub use super::dispatch::Options;
use super::{GridScheduler, Placement, Setup, Sites};
use crate::kernel::rng::Rng;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::model::view::Blind;

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Random {
    dispatch: Dispatch,
    draws: Rng,
}

impl Random {
    /// No jobs.
    pub fn new(options: &Options, setup: &Setup<'_>) -> Random {
        Random {
            dispatch: Dispatch::new(options, setup),
            draws: setup.streams.stream("grid_scheduler/cluster"),
        }
    }
}

impl GridScheduler for Random {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, _: Time) {
        self.dispatch.submit(job, group);
    }

    #[inline]
    fn decide(&mut self, _: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        let draws = &mut self.draws;
        self.dispatch.decide(sites, out, |open, _, _| open[draws.random_range(0..open.len())]);
    }
}

impl State for Random {
    fn save(&self, out: &mut Vec<u8>) {
        self.dispatch.save(out);
        put(&self.draws, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.dispatch.load(from)?;
        self.draws = take(from)?;
        Ok(())
    }
}
