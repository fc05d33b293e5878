//! Roth and Erev: the worse action's propensity grows like a power of the better one's.

use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, roth_erev};

use super::play::{Sample, bandit};

const RUNS: u64 = 300;
const ROUNDS: u64 = 10_000;

/// Payoffs 1 and 1/2, propensities of 1 at first: q2 = C sqrt(q1) with C random from run to run.
/// In continuous time each propensity is a Yule process, so that C is distributed like
/// (G / 2) / sqrt(X), with X exponential and G gamma of shape 2, both of scale 1: the mean of ln C
/// is 1 - gamma / 2 - ln 2 = .01824 with Euler's gamma, and its variance is
/// pi^2 / 6 - 1 + pi^2 / 24 = 1.056. After 10 000 rounds the difference from the limit is of the
/// order 1 / q2 = .01, below a tenth of the band of 99.9 %, 3.29 times sqrt(1.056 / 300) = .195.
/// So ln q2 / ln q1 = 1/2 + ln C / ln q1; the .531, .526, .521 and the share .0029 after 2e3, 2e4
/// and 2e5 rounds of an independent implementation are a run with ln C = .26, 0.24 standard
/// deviations from the mean.
pub fn propensities_grow_like_powers_of_each_other() {
    let options = (
        LearnerOptions::RothErev(roth_erev::Options { strength: 2.0, ..Default::default() }),
        Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() },
    );
    let mut shares = Vec::new();
    let run = |seed| {
        let mut plays = [0.0; 2];
        bandit(
            &options,
            (ROUNDS, seed),
            |_, _| [1.0, 0.5],
            |_, played, law, _| {
                let q = [1.0 + plays[0], 1.0 + 0.5 * plays[1]];
                assert!((law[1] - q[1] / (q[0] + q[1])).abs() < 1e-9, "the law is x = q / sum q");
                plays[played] += 1.0;
            },
        );
        let q = [1.0 + plays[0], 1.0 + 0.5 * plays[1]];
        shares.push(q[1] / (q[0] + q[1]));
        libm::log(q[1]) - 0.5 * libm::log(q[0])
    };
    let logarithms: Vec<f64> = (1..=RUNS).map(run).collect();
    let found = Sample::of(logarithms);
    let share = Sample::of(shares);
    println!("ln C {found:?}, share of the worse {share:?}");
    let (mean, variance) = (0.018_24, 1.056);
    let error = libm::sqrt(variance / RUNS as f64);
    assert!((found.mean - mean).abs() < 3.29 * error, "{found:?}");
    // The standard error of a standard deviation of 300, of a law that is nearly normal: 4.1 %.
    assert!((found.error / error - 1.0).abs() < 3.29 * 0.041 * 1.2, "{found:?}");
}
