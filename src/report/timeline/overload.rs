//! Detects queues that grow without limit.
//!
//! Each replication is tested by itself, see [`growth`]: the mean of a reflected random walk grows
//! a little even if it is stable, so the mean over very many replications would make any queue look
//! overloaded. A queue is reported if it grows in at least half of the replications.

use crate::kernel::time::TICKS_PER_UNIT;
use crate::sim::timeline::MOST_CLUSTERS;
use crate::sim::timeline::bins::{Bins, Cell};
use crate::stats::growth::{self, Seen};

/// Significance level of a replication: probability of reporting any stable queue as growing.
pub const CHANCE: f64 = 1e-3;

/// Test results of the replications.
#[derive(Clone, Debug)]
pub struct Overloads {
    replications: u64,
    /// A row for each cluster, if recorded separately, and last for the whole grid.
    ///
    /// Each row has the number of replications in which the queue grew, and the sum of its growth
    /// rates in jobs a tick.
    rows: Vec<(u64, f64)>,
}

/// A queue that grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grows {
    /// Number of replications in which it grew.
    pub replications: u64,
    /// Number of replications tested.
    pub of: u64,
    /// Growth rate in jobs a unit of time: the mean over the replications in which it grew.
    pub rate: f64,
}

impl Overloads {
    /// Results without any replication, for this number of clusters.
    pub fn new(clusters: usize) -> Overloads {
        let rows = if clusters <= MOST_CLUSTERS { clusters + 1 } else { 1 };
        Overloads { replications: 0, rows: vec![(0, 0.0); rows] }
    }

    /// Adds a replication.
    pub fn add(&mut self, bins: &Bins) {
        self.replications += 1;
        let last = self.rows.len() - 1;
        // A grid with one cluster is the same as that cluster.
        let tests = if last < 2 { 1 } else { last + 1 };
        let chance = CHANCE / tests as f64;
        for (row, (grew, rates)) in self.rows.iter_mut().enumerate() {
            let rate = if row < last {
                rate(bins, |cells| cells[row], chance)
            } else {
                let all = |cells: &[Cell]| {
                    let mut all = Cell::default();
                    cells.iter().for_each(|cell| all.merge(cell));
                    all
                };
                rate(bins, all, chance)
            };
            if let Some(rate) = rate {
                *grew += 1;
                *rates += rate;
            }
        }
    }

    /// Clusters with a growing queue, if clusters are recorded separately.
    pub fn clusters(&self) -> impl Iterator<Item = (usize, Grows)> + '_ {
        let clusters = 0..self.rows.len() - 1;
        clusters.filter_map(|cluster| Some((cluster, self.grows(self.rows[cluster])?)))
    }

    /// Growth of the whole grid's queue, if it grows.
    pub fn grid(&self) -> Option<Grows> {
        self.grows(*self.rows.last().expect("the grid has a row"))
    }

    fn grows(&self, (grew, rates): (u64, f64)) -> Option<Grows> {
        (grew > 0 && 2 * grew >= self.replications).then(|| Grows {
            replications: grew,
            of: self.replications,
            rate: rates / grew as f64 * TICKS_PER_UNIT as f64,
        })
    }
}

/// Growth rate of a queue while jobs arrive, in jobs a tick; `None` if it does not grow.
fn rate(bins: &Bins, of: impl Fn(&[Cell]) -> Cell, chance: f64) -> Option<f64> {
    if bins.iter().map(|bin| of(bin.cells).arrivals).sum::<u64>() < growth::FEWEST_JOBS {
        return None;
    }
    let cells: Vec<Cell> = bins.iter().map(|bin| of(bin.cells)).collect();
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
