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
    /// Balancings of any work that it took part in, with somebody else.
    pub balancings: u64,
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
            balancings: 0,
            sent: 0,
            received: 0,
            brought: 0,
        }
    }

    /// The score S: 1 where the coalition halved the flow time, -1 where it doubled it, 0 where it
    /// changed nothing or there was no job to judge by.
    ///
    /// It is infinite where the flow time became 0 and would not have been, or the other way round:
    /// of a round whose only jobs bring no work, which can be over as they come. Learners cut it.
    ///
    /// Section 4.2.2 of Rzadca and Trystram, "Promoting Cooperation in Selfish Computational
    /// Grids".
    pub fn score(&self) -> f64 {
        score(self.flow, self.alone)
    }
}

/// The score of a flow time against that alone: `alone / flow - 1` where the flow is shorter, else
/// `-(flow / alone - 1)`; 0 where both are the same, which no flow at all is. Infinite where one of
/// them is 0 alone; never NaN.
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

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn the_score_of_no_flow_time_is_infinite_and_never_nan() {
        assert_eq!(
            [score(50, 100), score(100, 50), score(7, 7), score(0, 0)],
            [1.0, -1.0, 0.0, 0.0]
        );
        assert_eq!([score(0, 1), score(1, 0)], [f64::INFINITY, f64::NEG_INFINITY]);
    }
}
