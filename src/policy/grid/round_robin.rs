//! Sends jobs, as they come, to the clusters in turn: each to the next that is large enough, counted
//! from where the job before went.

pub use super::dispatch::Options;
use super::dispatch::{Choice, Sender};
use super::{Setup, Site, Sites};
use kernel::state_of_fields;
use model::ids::ClusterId;

/// The scheduler.
pub type RoundRobin = Sender<Turns>;

/// The next cluster.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The cluster that had the last turn.
    last: Option<ClusterId>,
}

state_of_fields!(Turns { last });

impl Choice for Turns {
    fn new(_: &Setup<'_>) -> Turns {
        Turns { last: None }
    }

    #[inline]
    fn choose(&mut self, open: &[ClusterId], _: &[Site], _: u32, _: &impl Sites) -> ClusterId {
        let next = open.iter().copied().find(|&cluster| Some(cluster) > self.last);
        *self.last.insert(next.unwrap_or(open[0]))
    }
}
