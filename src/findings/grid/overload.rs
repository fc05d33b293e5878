//! Queues of a grid that grow without limit, see [`growing`](crate::growing).

use crate::growing::{CHANCE, Growing, Grows};
use sim::timeline::MOST_CLUSTERS;
use sim::timeline::bins::{Bins, Cell};
use stats::growth::{self, Seen};

/// Test results of the replications: a queue for each cluster, if they are recorded separately, and
/// last that of the whole grid.
#[derive(Clone, Debug)]
pub struct Overloads(Growing);

impl Overloads {
    /// Results without any replication, for this number of clusters.
    pub fn new(clusters: usize) -> Overloads {
        Overloads(Growing::new(if clusters <= MOST_CLUSTERS { clusters + 1 } else { 1 }))
    }

    /// Adds a replication, without the clusters' bins if no cluster has jobs enough for a test.
    pub fn add(&mut self, bins: Option<&Bins>, together: &Bins) {
        let last = self.0.queues() - 1;
        // A grid with one cluster is the same as that cluster.
        let tests = if last < 2 { 1 } else { last + 1 };
        let chance = CHANCE / tests as f64;
        self.0.add(|row| match row < last {
            true => rate(bins?, row, chance),
            false => rate(together, 0, chance),
        });
    }

    /// Clusters with a growing queue, if clusters are recorded separately.
    pub fn clusters(&self) -> impl Iterator<Item = (usize, Grows)> + '_ {
        let clusters = 0..self.0.queues() - 1;
        clusters.filter_map(|cluster| Some((cluster, self.0.grows(cluster)?)))
    }

    /// Growth of the whole grid's queue, if it grows.
    pub fn grid(&self) -> Option<Grows> {
        self.0.grows(self.0.queues() - 1)
    }
}

/// Growth rate of a queue while jobs arrive, in jobs a tick; `None` if it does not grow.
fn rate(bins: &Bins, row: usize, chance: f64) -> Option<f64> {
    if bins.iter().map(|bin| bin.cells[row].arrivals).sum::<u64>() < growth::FEWEST_JOBS {
        return None;
    }
    let cells: Vec<Cell> = bins.iter().map(|bin| bin.cells[row]).collect();
    // Use bins up to the last one with an arrival, which may be cut off.
    let last = cells.iter().rposition(|cell| cell.arrivals > 0)?;
    // If arrivals stop before half of the time, the jobs are a batch of work and not a queue.
    if 2 * (last + 1) < cells.len() {
        return None;
    }
    let recent: u64 = cells[last / 2..last].iter().map(|cell| cell.arrivals).sum();
    if recent < growth::FEWEST_JOBS {
        return None;
    }
    let mut waiting = 0_i64;
    let queue: Vec<f64> = (cells[..last].iter())
        .map(|cell| {
            waiting += cell.arrivals as i64 - cell.starts as i64;
            waiting as f64
        })
        .collect();
    let growth = growth::of(&queue, Seen::Levels, chance)?;
    Some(growth.rate / bins.width() as f64)
}
