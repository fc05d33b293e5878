//! EXP3.S: it follows the best arm as that changes, within its bound.

use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, exp3_s};

use super::exp3::{self, ROUNDS};
use super::play::{Chosen, Sample, bandit};

const RUNS: u64 = 20;
const BLOCKS: u64 = 4;

/// The best arm changes from block to block.
fn sequence(round: u64) -> [f64; 2] {
    if (round * BLOCKS / ROUNDS).is_multiple_of(2) { [1.0, 0.0] } else { [0.0, 1.0] }
}

/// The regret against the arm that is best in each round.
fn tracking(options: &Chosen) -> Sample {
    Sample::of((1..=RUNS).map(|seed| {
        let mut lost = 0.0;
        bandit(
            options,
            (ROUNDS, seed),
            |round, _| sequence(round),
            |_, _, law, pays| {
                lost += 1.0 - law[0] * pays[0] - law[1] * pays[1];
            },
        );
        lost
    }))
}

/// H sqrt(K T ln(K T)) + 2 e sqrt(K T / ln(K T)) of H = 4 blocks; EXP3 cannot follow them.
pub fn the_regret_against_a_changing_arm_is_within_its_bound() {
    let options = (
        LearnerOptions::Exp3S(exp3_s::Options { horizon: ROUNDS, ..Default::default() }),
        Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() },
    );
    let (found, without) = (tracking(&options), tracking(&exp3::learner()));
    let size = 2.0 * ROUNDS as f64;
    let log = libm::log(size);
    let bound =
        BLOCKS as f64 * libm::sqrt(size * log) + 2.0 * std::f64::consts::E * libm::sqrt(size / log);
    println!("{found:?}, EXP3 {without:?}, bound {bound}");
    assert!(found.mean + found.band() < bound, "{found:?}");
    assert!(found.mean + found.band() < without.mean - without.band(), "{found:?}, {without:?}");
}
