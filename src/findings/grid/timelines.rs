//! Time series of a grid over simulated time, for all replications.
//!
//! Those of the first [`MOST_KEPT`] replications are kept. At the end of each replication its queues
//! are tested for unlimited growth.

use super::overload::Overloads;
use crate::growing::MOST_KEPT;
use sim::timeline::Timeline;
use sim::timeline::bins::Bins;
use stats::growth::FEWEST_JOBS;

/// Maximum number of rows over all kept replications to record clusters separately.
pub(crate) const MOST_ROWS: usize = 64;

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
        let is_kept = self.kept.len() < MOST_KEPT as usize;
        let is_tested = timeline.most_arrivals().is_none_or(|most| most >= FEWEST_JOBS);
        let (apart, together) = if is_tested || (is_kept && self.is_apart) {
            let apart = timeline.into_bins();
            let together = apart.together();
            (Some(apart), together)
        } else {
            // No cluster has jobs enough for a test.
            (None, timeline.into_bins_together())
        };
        self.overloads.add(apart.as_ref(), &together);
        self.all.merge(&together);
        if is_kept {
            self.kept.push(apart.filter(|_| self.is_apart).unwrap_or(together));
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
