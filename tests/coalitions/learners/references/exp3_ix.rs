//! EXP3-IX: the regret of every run is within its bound, not only the mean.

use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, exp3_ix};

use super::exp3::ROUNDS;
use super::play::{Chosen, Sample, regret_on, regrets};

const RUNS: u64 = 20;

fn learner() -> Chosen {
    (
        LearnerOptions::Exp3Ix(exp3_ix::Options { horizon: ROUNDS, ..Default::default() }),
        Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() },
    )
}

/// Bound that the regret exceeds with a probability below delta, given ln(2 / delta).
fn bound(doubt: f64) -> f64 {
    let (spread, log) = (2.0 * ROUNDS as f64, libm::log(2.0));
    2.0 * libm::sqrt(2.0 * spread * log) + (libm::sqrt(2.0 * spread / log) + 1.0) * doubt
}

/// Every one of 80 runs is within the bound for delta = .001 / 80, and the mean within what the
/// bounds for all delta add up to: their mean, with 1 + ln 2 for ln(2 / delta).
pub fn the_regret_is_within_its_bound_in_every_run() {
    let side = |first: bool| if first { [1.0, 0.0] } else { [0.0, 1.0] };
    let alternating = |round: u64| side(round.is_multiple_of(2));
    let blocks = |round: u64| side(round < ROUNDS / 2);
    let sure = |_: u64| side(true);
    let sequences: [&dyn Fn(u64) -> [f64; 2]; 3] = [&alternating, &blocks, &sure];
    let mut all: Vec<Vec<f64>> = sequences
        .iter()
        .map(|sequence| {
            (1..=RUNS).map(|seed| regret_on(&learner(), (ROUNDS, seed), sequence)).collect()
        })
        .collect();
    all.push(regrets(&learner(), [0.6, 0.4], [ROUNDS], RUNS).iter().map(|run| run[0]).collect());
    for runs in all {
        let most = runs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let found = Sample::of(runs);
        println!("{found:?}, most {most}, bounds {} {}", bound(1.0 + libm::log(2.0)), bound(0.0));
        assert!(most < bound(libm::log(2.0 * 80.0 / 0.001)), "{most}");
        assert!(found.mean + found.band() < bound(1.0 + libm::log(2.0)), "{found:?}");
    }
}
