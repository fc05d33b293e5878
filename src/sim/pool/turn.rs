//! Results of a round for one organization.

use serde::{Deserialize, Serialize};

use game::stage::Act;

/// Results of a round for one organization: work and flow time in ticks, summed over jobs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// False if the organization was absent: it had no jobs, and no cluster in the pool.
    pub present: bool,
    /// Its action.
    pub act: Act,
    /// Number of its counted jobs: those submitted in the round's window.
    pub jobs: u64,
    /// Flow time F of its counted jobs.
    pub flow: i128,
    /// Counterfactual flow time F~ of these jobs on the own cluster alone. Equal to `flow` if it
    /// stayed out and had no foreign work left from an earlier round.
    pub alone: i128,
    /// Balancings of any work in which it took part with somebody else.
    pub balancings: u64,
    /// Work it sent in the round.
    pub sent: i128,
    /// Work it received in the round.
    pub received: i128,
    /// Work of its counted jobs.
    pub brought: i128,
    /// True if it took part and cheated.
    pub lies: bool,
    /// True if it was excluded from the coalition in this round.
    pub excluded: bool,
    /// True if it was caught cheating.
    pub caught: bool,
    /// True if it was caught though it did not cheat.
    pub falsely: bool,
    /// The judgement of a federation's round. It is read before anything can be saved.
    #[serde(skip)]
    pub judged: Option<Judged>,
}

/// The measure of a federation's round, with its counterfactual, and the cost of taking part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Measure F of its counted jobs.
    pub measure: i128,
    /// Counterfactual measure F~, had it stayed out.
    pub alone: i128,
    /// Subtracted from the score; 0 if it stayed out.
    pub cost: f64,
}

impl Judged {
    /// Its score. If one measure alone is 0, as waits can be, both get a tick.
    pub fn score(&self) -> f64 {
        let Judged { measure, alone, cost } = *self;
        let ticks = i128::from((measure == 0) != (alone == 0));
        score(measure + ticks, alone + ticks) - cost
    }
}

impl Turn {
    /// The turn of an absent organization.
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
            lies: false,
            excluded: false,
            caught: false,
            falsely: false,
            judged: None,
        }
    }

    /// The score S = F~ / F - 1 if the coalition shortened the flow time, else 1 - F / F~: 1 if it
    /// halved it, -1 if it doubled it, 0 if nothing changed or there was no job.
    ///
    /// In a federation it is that of its measure, less what taking part costs. In a pool
    /// it is infinite if exactly one of the flow times is 0, as in a round whose only jobs bring no
    /// work and can finish on arrival. Learners clip it.
    ///
    /// Section 4.2.2 of Rzadca and Trystram, "Promoting Cooperation in Selfish Computational
    /// Grids".
    pub fn score(&self) -> f64 {
        self.judged.map_or_else(|| score(self.flow, self.alone), |judged| judged.score())
    }
}

/// The score of a flow time against the counterfactual: `alone / flow - 1` if the flow time is
/// shorter, else `-(flow / alone - 1)`; 0 if both are equal, in particular both zero. Infinite if
/// only one of them is 0; never NaN.
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
    use super::{Judged, score};

    #[test]
    fn a_measure_of_0_on_one_side_gets_a_tick_on_both() {
        let score = |measure, alone, cost| Judged { measure, alone, cost }.score();
        assert_eq!([score(0, 4, 0.0), score(4, 0, 0.0), score(0, 0, 0.5)], [4.0, -4.0, -0.5]);
    }

    #[test]
    fn the_score_of_no_flow_time_is_infinite_and_never_nan() {
        assert_eq!(
            [score(50, 100), score(100, 50), score(7, 7), score(0, 0)],
            [1.0, -1.0, 0.0, 0.0]
        );
        assert_eq!([score(0, 1), score(1, 0)], [f64::INFINITY, f64::NEG_INFINITY]);
    }
}
