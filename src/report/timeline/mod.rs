//! The course of a grid's run over simulated time, of all its replications.
//!
//! A file has each of the first [`MOST_KEPT`] replications, and a picture the mean over all. At the
//! end of each replication it is found out whether queues grow without limit.

pub mod csv;
pub mod overload;
pub mod picture;

use self::overload::Overloads;
use crate::sim::timeline::Timeline;
use crate::sim::timeline::bins::Bins;

/// Replications of which the course is kept.
pub const MOST_KEPT: u32 = 16;
/// In each of them clusters are told apart where there are so many rows of them together.
pub const MOST_ROWS: usize = 64;

/// What all replications showed.
#[derive(Clone, Debug)]
pub struct Timelines {
    /// Of the first replications, in their order.
    kept: Vec<Bins>,
    /// Of all replications together, the whole grid.
    all: Bins,
    /// Which queues grow.
    pub overloads: Overloads,
    /// True where each cluster has a row of its own.
    is_apart: bool,
}

impl Timelines {
    /// None yet, of so many clusters and replications.
    pub fn new(clusters: usize, replications: u32) -> Timelines {
        let rows = clusters * replications.min(MOST_KEPT) as usize;
        Timelines {
            kept: Vec::new(),
            all: Bins::default(),
            overloads: Overloads::new(clusters),
            is_apart: (2..=MOST_ROWS).contains(&clusters) && rows <= MOST_ROWS,
        }
    }

    /// Adds the next replication.
    pub fn add(&mut self, timeline: &Timeline) {
        let bins = timeline.bins();
        self.overloads.add(&bins);
        let together = bins.together();
        self.all.merge(&together);
        if self.kept.len() < MOST_KEPT as usize {
            self.kept.push(if self.is_apart { bins } else { together });
        }
    }

    /// The courses of the first replications; with a row for each cluster, or one for all.
    pub fn kept(&self) -> &[Bins] {
        &self.kept
    }

    /// The course of all replications together: what happened on the whole grid.
    pub fn all(&self) -> &Bins {
        &self.all
    }
}
