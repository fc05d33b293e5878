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
    /// stayed out and had no foreign work left of an earlier round.
    pub alone: i128,
    /// Work that it sent in the round.
    pub sent: i128,
    /// Work that it received in the round.
    pub received: i128,
    /// The work of its jobs that count.
    pub brought: i128,
}

impl Turn {
    /// Of an organization that was not there.
    pub const fn absent() -> Turn {
        Turn {
            present: false,
            act: Act::Out,
            jobs: 0,
            flow: 0,
            alone: 0,
            sent: 0,
            received: 0,
            brought: 0,
        }
    }

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
