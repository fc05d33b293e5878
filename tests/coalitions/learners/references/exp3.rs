//! EXP3: the mean regret is within its bound.

use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, exp3};

use super::grid;
use super::play::{Chosen, Sample, regret_on, regrets};

pub const ROUNDS: u64 = 20_000;
const RUNS: u64 = 20;

pub fn learner() -> Chosen {
    (
        LearnerOptions::Exp3(exp3::Options { horizon: ROUNDS, ..Default::default() }),
        Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() },
    )
}

/// 2 sqrt(e - 1) sqrt(T K ln K) = 436.5.
fn bound() -> f64 {
    let spread = ROUNDS as f64 * 2.0 * libm::log(2.0);
    2.0 * libm::sqrt((std::f64::consts::E - 1.0) * spread)
}

/// Arms of .6 and .4: an independent implementation found 246 in the mean of 10 runs, which ours
/// is within the band of 99.9 % of their difference; the band is also below the bound.
pub fn the_mean_regret_of_two_arms_is_within_its_bound() {
    assert!((bound() - 436.5).abs() < 0.05, "{}", bound());
    let found =
        Sample::of(regrets(&learner(), [0.6, 0.4], [ROUNDS], RUNS).iter().map(|run| run[0]));
    println!("{found:?}, band {}", found.band());
    assert!(found.mean + found.band() < bound(), "{found:?}");
    assert!((found.mean - 246.0).abs() < found.band_against(10.0), "{found:?}");
}

/// The bound holds on every sequence.
pub fn the_mean_regret_is_within_its_bound_on_sequences() {
    let side = |first: bool| if first { [1.0, 0.0] } else { [0.0, 1.0] };
    let alternating = |round: u64| side(round.is_multiple_of(2));
    let blocks = |round: u64| side(round < ROUNDS / 2);
    let sure = |_: u64| side(true);
    let sequences: [&dyn Fn(u64) -> [f64; 2]; 3] = [&alternating, &blocks, &sure];
    for sequence in sequences {
        let runs = (1..=RUNS).map(|seed| regret_on(&learner(), (ROUNDS, seed), sequence));
        let found = Sample::of(runs);
        println!("{found:?}");
        assert!(found.mean + found.band() < bound(), "{found:?}");
    }
}

/// In the coalition, exploring in a twentieth of the rounds.
pub fn in_the_coalition_only_exploration_is_left() {
    let options = exp3::Options { exploration: Some(0.05), ..Default::default() };
    grid::only_exploration_is_left(&LearnerOptions::Exp3(options));
}
