//! Time series of a grid over simulated time, for all replications.
//!
//! Those of the first [`MOST_KEPT`] replications are kept. At the end of each replication its queues
//! are tested for unlimited growth.

use super::overload::Overloads;
use crate::findings::growing::MOST_KEPT;
use crate::sim::timeline::Timeline;
use crate::sim::timeline::bins::Bins;

/// Maximum number of rows over all kept replications to record clusters separately.
pub const MOST_ROWS: usize = 64;

/// Time series of all replications.
#[derive(Clone, Debug)]
pub struct Timelines {
    /// The first replications, in order.
    kept: Vec<Bins>,
    /// The whole grid, merged over all replications.
    all: Bins,
    /// Queues that grow.
    pub overloads: Overloads,
    /// True if each cluster has a row of its own.
    is_apart: bool,
}

impl Timelines {
    /// Empty time series for these numbers of clusters and replications.
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
    pub fn add(&mut self, timeline: Timeline) {
        let bins = timeline.into_bins();
        let together = bins.together();
        self.overloads.add(&bins, &together);
        self.all.merge(&together);
        if self.kept.len() < MOST_KEPT as usize {
            self.kept.push(if self.is_apart { bins } else { together });
        }
    }

    /// Time series of the first replications, with a row for each cluster or one for all.
    pub fn kept(&self) -> &[Bins] {
        &self.kept
    }

    /// Time series of the whole grid, merged over all replications.
    pub fn all(&self) -> &Bins {
        &self.all
    }
}
