//! Sends each job, as it comes, to a cluster drawn at random: each that is large enough is as likely.

use rand::RngExt as _;

pub use super::dispatch::Options;
use super::dispatch::{Choice, Sender};
use super::{Setup, Site, Sites};
use kernel::rng::Rng;
use kernel::state_of_fields;
use model::ids::ClusterId;

/// The scheduler.
pub type Random = Sender<Drawn>;

/// A cluster drawn at random.
#[derive(Clone, Debug)]
pub struct Drawn {
    draws: Rng,
}

state_of_fields!(Drawn { draws });

impl Choice for Drawn {
    fn new(setup: &Setup<'_>) -> Drawn {
        Drawn { draws: setup.streams.stream("grid_scheduler/cluster") }
    }

    #[inline]
    fn choose(&mut self, open: &[ClusterId], _: &[Site], _: u32, _: &impl Sites) -> ClusterId {
        open[self.draws.random_range(0..open.len())]
    }
}
