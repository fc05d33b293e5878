//! Queues that grow without limit, counted over the replications.
//!
//! Each replication is tested by itself: the mean of a reflected random walk grows a little even if
//! it is stable, so the mean over very many replications would make any queue look overloaded. A
//! queue is reported if it grows in at least half of the replications.

use kernel::time::TICKS_PER_UNIT;

/// Significance level of a replication: probability of reporting any stable queue as growing.
pub const CHANCE: f64 = 1e-3;

/// Number of replications whose time series are kept.
pub const MOST_KEPT: u32 = 16;

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

/// Test results of the replications, by queue.
#[derive(Clone, Debug)]
pub(crate) struct Growing {
    replications: u64,
    /// The number of replications in which each queue grew, and the sum of its growth rates in jobs
    /// a tick.
    queues: Vec<(u64, f64)>,
}

impl Growing {
    /// Results without any replication, for this number of queues.
    pub fn new(queues: usize) -> Growing {
        Growing { replications: 0, queues: vec![(0, 0.0); queues] }
    }

    /// Adds a replication; `rate` is the growth rate of a queue in jobs a tick, if it grows.
    pub fn add(&mut self, mut rate: impl FnMut(usize) -> Option<f64>) {
        self.replications += 1;
        for (queue, (grew, rates)) in self.queues.iter_mut().enumerate() {
            if let Some(rate) = rate(queue) {
                *grew += 1;
                *rates += rate;
            }
        }
    }

    /// Number of queues.
    pub fn queues(&self) -> usize {
        self.queues.len()
    }

    /// Growth of a queue, if it grows in at least half of the replications.
    pub fn grows(&self, queue: usize) -> Option<Grows> {
        let (grew, rates) = self.queues[queue];
        (grew > 0 && 2 * grew >= self.replications).then(|| Grows {
            replications: grew,
            of: self.replications,
            rate: rates / grew as f64 * TICKS_PER_UNIT as f64,
        })
    }
}
