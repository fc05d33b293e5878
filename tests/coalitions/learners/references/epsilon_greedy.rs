//! Epsilon-greedy choice: the share of the better arm goes to 1 as fast as exploration ends.

use gridpact::policy::learn::LearnerOptions;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::epsilon_greedy::{Exploration, Options};

use super::grid;
use super::play::{Sample, bandit, bernoulli};

const ROUNDS: u64 = 50_000;
const RUNS: u64 = 10;

/// By run, the shares of the better of the arms .6 and .4 in rounds up to these.
fn shares<const N: usize>(exploration: Exploration, ends: [u64; N]) -> Vec<[f64; N]> {
    let options = Options { exploration, ..Default::default() };
    let choices = Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() };
    let options = (LearnerOptions::EpsilonGreedy(options), choices);
    let run = |seed| {
        let mut plays = [0.0; N];
        bandit(&options, (ends[N - 1], seed), bernoulli([0.6, 0.4]), |round, arm, _, _| {
            for (plays, &end) in plays.iter_mut().zip(&ends) {
                *plays += if arm == 0 && round < end { 1.0 / end as f64 } else { 0.0 };
            }
        });
        plays
    };
    (1..=RUNS).map(run).collect()
}

/// eps = min(1, c K / (d^2 t)) with c = 5, d = .2 and K = 2 is 250 / t. Half of what is explored is
/// the worse arm, 125 (1 + ln(T / 250)) plays in T rounds, and hardly any play beside is: theorem 3
/// of Auer, Cesa-Bianchi and Fischer has c / (d^2 t) = 125 / t for it, and terms of smaller order.
pub fn the_share_of_the_better_arm_goes_to_one() {
    let runs = shares(Exploration::Falling { c: 5.0, d: 0.2 }, [500, 5000, ROUNDS]);
    for (end, rounds) in [500.0, 5000.0, ROUNDS as f64].into_iter().enumerate() {
        let found = Sample::of(runs.iter().map(|run| run[end]));
        let expected = 1.0 - 125.0 * (1.0 + libm::log(rounds / 250.0)) / rounds;
        println!("{rounds}: {found:?}, {expected}");
        if rounds > 1000.0 {
            assert!((found.mean - expected).abs() < found.band(), "{found:?}, not {expected}");
        }
    }
    let last = Sample::of(runs.iter().map(|run| run[2]));
    assert!(last.mean > 0.98, "{last:?}");
}

/// A constant eps goes on exploring: in the end half of it is the worse arm.
pub fn constant_exploration_leaves_half_of_it_to_the_worse_arm() {
    let late = |run: &[f64; 2]| (run[1] * ROUNDS as f64 - run[0] * 5000.0) / (ROUNDS - 5000) as f64;
    let found = Sample::of(shares(Exploration::Constant(0.1), [5000, ROUNDS]).iter().map(late));
    println!("{found:?}");
    assert!((found.mean - 0.95).abs() < found.band(), "{found:?}");
}

/// With a step, the value is an exponential average: after a change it follows.
pub fn a_constant_step_follows_a_change() {
    let lost = |step| {
        let options = (
            LearnerOptions::EpsilonGreedy(Options {
                exploration: Exploration::Constant(0.1),
                step,
                ..Default::default()
            }),
            Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() },
        );
        Sample::of((1..=RUNS).map(|seed| {
            let mut worse = 0.0;
            let means = |round| if round < 5000 { [0.9, 0.1] } else { [0.1, 0.9] };
            let sequence = |round, rng: &mut _| bernoulli(means(round))(round, rng);
            bandit(&options, (10_000, seed), sequence, |round, arm, _, _| {
                worse += if round >= 5000 && arm == 0 { 1.0 / 5000.0 } else { 0.0 };
            });
            worse
        }))
    };
    let [mean, step] = [None, Some(0.1)].map(lost);
    println!("{mean:?}, {step:?}");
    assert!(step.mean + step.band() < mean.mean - mean.band(), "{mean:?}, {step:?}");
}

/// In the coalition, exploring in a twentieth of the rounds.
pub fn in_the_coalition_only_exploration_is_left() {
    let exploration = Exploration::Constant(0.05);
    let options = Options { exploration, ..Default::default() };
    grid::only_exploration_is_left(&LearnerOptions::EpsilonGreedy(options));
}

/// The first arm pays 2/3 and 1/3 in turn, so that its mean is never below 1/2; the second, never
/// tried, is taken for 1/2. Every second round is a tie, and the first arm is played.
pub fn of_equal_means_the_first_is_played() {
    let exploration = Exploration::Constant(0.0);
    let options = Options { exploration, untried: 0.5, ..Default::default() };
    let choices = Choices { first: vec![1.0, 0.0], ..Choices::default() };
    let options = (LearnerOptions::EpsilonGreedy(options), choices);
    super::sequence::regrets(&options, 50_000, 1, |round, law| {
        assert_eq!(law[0], 1.0, "in round {round}");
        [if round % 2 == 0 { 2.0 / 3.0 } else { 1.0 / 3.0 }, 0.0]
    });
}
