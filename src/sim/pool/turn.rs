//! What a round was to one organization.

use serde::{Deserialize, Serialize};

use crate::game::stage::Act;

/// What a round was to one organization: work and flow in ticks, summed over jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// False of an organization that was not there: it had no jobs, and no cluster in the pool.
    pub present: bool,
    /// What it did.
    pub act: Act,
    /// Its jobs that count: submitted in the round's window.
    pub jobs: u64,
    /// Their flow time F.
    pub flow: i128,
    /// What their flow time would have been on the own cluster alone, F~. Equal to `flow` where it
    /// stayed out.
    pub alone: i128,
    /// Work that it sent in the round.
    pub sent: i128,
    /// Work that it received in the round.
    pub received: i128,
    /// Work that its own jobs brought within the period.
    pub brought: i128,
}

impl Turn {
    /// The score S: 1 where the coalition halved the flow time, -1 where it doubled it, 0 where it
    /// changed nothing or there was no job to judge by.
    ///
    /// Section 4.2.2 of Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".
    pub fn score(&self) -> f64 {
        score(self.flow, self.alone)
    }
}

/// The score of a flow time against that alone: `alone / flow - 1` where the flow is shorter, else
/// `-(flow / alone - 1)`; 0 of no flow at all.
pub fn score(flow: i128, alone: i128) -> f64 {
    let (flow, alone) = (flow as f64, alone as f64);
    if flow == alone {
        0.0
    } else if flow < alone {
        alone / flow - 1.0
    } else {
        1.0 - flow / alone
    }
}
