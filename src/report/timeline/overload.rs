//! Which queues grow without limit.
//!
//! Each replication is judged by itself, see [`growth`]: reflected walks grow a little in the mean
//! even where they have a limit, so the mean over very many replications would take any of them for
//! an overload. A queue is said to grow where it does in at least half of the replications.

use crate::kernel::time::TICKS_PER_UNIT;
use crate::sim::timeline::MOST_CLUSTERS;
use crate::sim::timeline::bins::{Bins, Cell};
use crate::stats::growth::{self, Seen};

/// The probability with which any queue of a replication may be taken wrongly for one that grows.
pub const CHANCE: f64 = 1e-3;

/// What the replications showed.
#[derive(Clone, Debug)]
pub struct Overloads {
    replications: u64,
    /// By cluster where they are told apart, and last of the whole grid: in how many replications
    /// the queue grew, and the sum of its rates in jobs a tick.
    rows: Vec<(u64, f64)>,
}

/// A queue that grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grows {
    /// In how many replications it did.
    pub replications: u64,
    /// Of so many.
    pub of: u64,
    /// Jobs a unit of time, the mean over these replications.
    pub rate: f64,
}

impl Overloads {
    /// None yet, of so many clusters.
    pub fn new(clusters: usize) -> Overloads {
        let rows = if clusters <= MOST_CLUSTERS { clusters + 1 } else { 1 };
        Overloads { replications: 0, rows: vec![(0, 0.0); rows] }
    }

    /// Adds a replication.
    pub fn add(&mut self, bins: &Bins) {
        self.replications += 1;
        let last = self.rows.len() - 1;
        // A grid of one cluster is that cluster.
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

    /// By cluster where they are told apart, which of their queues grow.
    pub fn clusters(&self) -> impl Iterator<Item = (usize, Grows)> + '_ {
        let clusters = 0..self.rows.len() - 1;
        clusters.filter_map(|cluster| Some((cluster, self.grows(self.rows[cluster])?)))
    }

    /// Does the queue of the whole grid grow?
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

/// The jobs a tick by which a queue grows while jobs come, if it does.
fn rate(bins: &Bins, of: impl Fn(&[Cell]) -> Cell, chance: f64) -> Option<f64> {
    let cells: Vec<Cell> = bins.iter().map(|bin| of(bin.cells)).collect();
    // Up to the last bin in which a job came; that one may be cut.
    let last = cells.iter().rposition(|cell| cell.arrivals > 0)?;
    // Jobs that stopped coming before half of the time are a heap to be worked off.
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
