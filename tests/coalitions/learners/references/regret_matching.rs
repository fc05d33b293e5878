//! Regret matching: its bound on every sequence, and where it ends in two games.

use gridpact::game::matrix::Matrix;
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{LearnerOptions, regret_matching};
use rand::RngExt as _;

use super::sequence::{only, regrets};
use super::table::{Seated, hawk_dove, mean_and_band, rock_paper_scissors};

fn rule() -> LearnerOptions {
    LearnerOptions::RegretMatching(regret_matching::Options::default())
}

/// The squares of the regrets above 0 add up to (K - 1) T at most in the mean over the own draws;
/// 60 runs each. The adversary pays the action that is least likely.
pub fn the_regret_is_within_its_bound_on_every_sequence() {
    const ROUNDS: u64 = 5000;
    fn adverse(law: &[f64]) -> usize {
        (1..law.len()).fold(0, |least, other| if law[other] < law[least] { other } else { least })
    }
    fn check<const K: usize>(name: &str, run: impl Fn(u64) -> [f64; K]) {
        let squares = |seed| run(seed).iter().map(|regret| regret.max(0.0) * regret.max(0.0)).sum();
        let squares: Vec<f64> = (0..60).map(squares).collect();
        let (mean, band) = mean_and_band(&squares);
        let bound = (K as f64 - 1.0) * ROUNDS as f64;
        println!("{name}, K = {K}: {:.1} of {:.1}", libm::sqrt(mean), libm::sqrt(bound));
        assert!(mean - band <= bound, "{name}: {mean} +- {band} is above {bound}");
    }
    let game = rule();
    check("alternating", |seed| {
        regrets::<2>(&game, ROUNDS, seed, |round, _| only((round % 2) as usize))
    });
    check("blocks", |seed| {
        regrets::<2>(&game, ROUNDS, seed, |round, _| only(usize::from(round < ROUNDS / 2)))
    });
    check("random", |seed| {
        let mut rng = Streams::new(seed).stream("sequence");
        regrets::<3>(&game, ROUNDS, seed, |_, _| only(rng.random_range(0..3)))
    });
    check("adversary", |seed| regrets::<2>(&game, ROUNDS, seed, |_, law| only(adverse(law))));
    check("adversary", |seed| regrets::<5>(&game, ROUNDS, seed, |_, law| only(adverse(law))));
}

/// Counts of each player's actions, and the largest mean regret of each, in payoffs.
fn play(matrix: &Matrix, rounds: u32, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>, Vec<Vec<u32>>) {
    let mut game = Seated::new(matrix, &[rule(), rule()], seed);
    let choices = matrix.choices(0) as usize;
    let (mut often, mut gains) = (vec![vec![0.0; choices]; 2], vec![vec![0.0; choices]; 2]);
    let mut last = Vec::new();
    for round in 0..rounds {
        let acts = game.play();
        for player in 0..2 {
            often[player][acts[player] as usize] += 1.0 / f64::from(rounds);
            let got = matrix.payoff(player, &acts);
            for (other, gain) in (0..).zip(&mut gains[player]) {
                *gain += (matrix.payoff_instead(player, &acts, other) - got) / f64::from(rounds);
            }
        }
        if round >= rounds / 2 && last.last() != Some(&acts) {
            last.push(acts);
        }
    }
    let largest = gains.iter().map(|gains| gains.iter().copied().fold(f64::MIN, f64::max));
    (often, largest.collect(), last)
}

/// After 50 000 rounds each action was played in a third of them (.331 to .336 in the
/// catalogue), and no fixed action would have brought more than about .005 a round. The bound of
/// the mean regret, in payoffs whose width is 2, is 2 sqrt(2 / T) = .0126.
pub fn rock_paper_scissors_is_mixed_evenly() {
    let bound = 2.0 * libm::sqrt(2.0 / 5e4);
    for seed in 1..=4 {
        let (often, regrets, _) = play(&rock_paper_scissors(), 50_000, seed);
        println!("{often:.4?}, regrets {regrets:.5?}");
        assert!(regrets.iter().all(|&regret| regret < bound), "{regrets:?}");
        // Who mixes with a regret r against one with r' is no farther than r + r' from even.
        let far = often.iter().flatten().map(|share| (share - 1.0 / 3.0).abs());
        assert!(far.fold(0.0, f64::max) <= regrets[0] + regrets[1]);
    }
    // All actions are alike: a third each in the mean over runs.
    let runs: Vec<_> = (0..60).map(|seed| play(&rock_paper_scissors(), 5000, seed).0).collect();
    for (player, choice) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let shares: Vec<f64> = runs.iter().map(|often| often[player][choice]).collect();
        let (mean, band) = mean_and_band(&shares);
        assert!((mean - 1.0 / 3.0).abs() < band && band < 0.005, "{mean} +- {band}");
    }
}

/// Hawk and dove end at one of each, and nothing more is regretted: with T rounds the mean regret
/// falls as 1/T (7e-5 in the catalogue).
pub fn hawk_and_dove_end_at_a_pure_equilibrium() {
    for seed in 1..=20 {
        let (_, regrets, last) = play(&hawk_dove(), 20_000, seed);
        println!("{last:?}, regrets {regrets:?}");
        assert!(last.len() == 1 && last[0][0] != last[0][1], "{last:?}");
        assert!(regrets.iter().all(|&regret| regret < 1e-3), "{regrets:?}");
    }
}
