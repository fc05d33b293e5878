//! Moods: play is that of the Markov chain of the rule, whose weight goes to the profile of the
//! largest sum of payoffs.

use gridpact::game::matrix::Matrix;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, moods};

use super::table::{Seated, dilemma, mean_and_band};

/// Payoffs are read as utilities below 1, as in the paper.
const PAYOFFS: [f64; 2] = [0.0, 6.0];

/// A player's benchmark: its action, the profile that it was part of, and its mood.
type Mind = (u32, usize, bool);

/// Long-run frequency with which each of the four profiles (00, 01, 10, 11) is played in the long run,
/// from the chain of both players' minds, moved on until it rests.
fn chain(matrix: &Matrix, noise: f64, exponent: f64) -> [f64; 4] {
    let profiles: Vec<Vec<u32>> = matrix.profiles().collect();
    let utility = |player: usize, profile: usize| {
        (matrix.payoff(player, &profiles[profile]) - PAYOFFS[0]) / (PAYOFFS[1] - PAYOFFS[0])
    };
    // A player has 8 of them: the even ones are content.
    let mind = |player: usize, index: usize| -> Mind {
        (profiles[index / 2][player], index / 2, index.is_multiple_of(2))
    };
    let tries = libm::pow(noise, exponent);
    let plays = |(own, _, is_content): Mind, act: u32| match (is_content, act == own) {
        (true, true) => 1.0 - tries,
        (true, false) => tries,
        (false, _) => 0.5,
    };
    // What a player has in mind after a profile: the same, or the new one in either mood.
    let moves = |player: usize, old: usize, at: usize| {
        let (own, before, is_content) = mind(player, old);
        let is_same = is_content
            && own == profiles[at][player]
            && utility(player, before) == utility(player, at);
        if is_same {
            return [(2 * at, 1.0), (2 * at + 1, 0.0)];
        }
        let accepts = libm::pow(noise, 1.0 - utility(player, at));
        [(2 * at, accepts), (2 * at + 1, 1.0 - accepts)]
    };
    let states = 64;
    let mut step = vec![vec![0.0; states]; states];
    let mut shown = vec![[0.0; 4]; states];
    for state in 0..states {
        let (one, two) = (state / 8, state % 8);
        for (at, profile) in profiles.iter().enumerate() {
            let weight = plays(mind(0, one), profile[0]) * plays(mind(1, two), profile[1]);
            shown[state][at] = weight;
            for (next_one, first) in moves(0, one, at) {
                for (next_two, second) in moves(1, two, at) {
                    step[state][next_one * 8 + next_two] += weight * first * second;
                }
            }
        }
    }
    // 2^200 steps at once: the chain's matrix squared so often.
    for _ in 0..200 {
        let mut squared = vec![vec![0.0; states]; states];
        for (row, out) in step.iter().zip(&mut squared) {
            for (&weight, then) in row.iter().zip(&step).filter(|&(&weight, _)| weight > 0.0) {
                out.iter_mut().zip(then).for_each(|(out, then)| *out += weight * then);
            }
            let sum: f64 = out.iter().sum();
            out.iter_mut().for_each(|weight| *weight /= sum);
        }
        step = squared;
    }
    let mut often = [0.0; 4];
    for (weight, shown) in step[0].iter().zip(&shown) {
        often.iter_mut().zip(shown).for_each(|(often, shown)| *often += weight * shown);
    }
    often
}

/// The learner in the dilemma is the chain: 60 runs of 6000 rounds from the chain's own start,
/// after 2000 that do not count.
pub fn play_is_that_of_the_chain() {
    let (noise, exponent) = (0.2, 1.5);
    let expected = chain(&dilemma(), noise, exponent);
    let options = moods::Options { noise, exponent, ..Default::default() };
    let choices = Choices { payoffs: Some(PAYOFFS), ..Choices::default() };
    let options = (LearnerOptions::Moods(options), choices);
    let mut runs = vec![Vec::new(); 4];
    for seed in 0..60 {
        let mut game = Seated::new(&dilemma(), &[options.clone(), options.clone()], seed);
        let mut often = [0.0; 4];
        for round in 0..8000 {
            let acts = game.play();
            if round >= 2000 {
                often[(2 * acts[0] + acts[1]) as usize] += 1.0 / 6000.0;
            }
        }
        runs.iter_mut().zip(often).for_each(|(runs, often)| runs.push(often));
    }
    for (runs, expected) in runs.iter().zip(expected) {
        let (mean, band) = mean_and_band(runs);
        println!("{mean:.4} +- {band:.4}, {expected:.4} by the chain");
        assert!((mean - expected).abs() < band, "{mean} +- {band} is not {expected}");
    }
}

/// Less noise, more of the profile with the largest sum: mutual cooperation, which is no
/// equilibrium. The sum of the next best profiles is 1/6 less in utilities, so that the odds
/// against it fall as e^(1/6) in the end: a thousandth of the noise has sqrt(10) times less of
/// them.
pub fn less_noise_selects_the_largest_sum() {
    let shares = [1e-6, 1e-9, 1e-12, 1e-15].map(|noise| chain(&dilemma(), noise, 2.0)[3]);
    println!("both cooperate in {shares:?}");
    assert!(shares.windows(2).all(|pair| pair[0] < pair[1]), "{shares:?}");
    assert!(shares[3] > 0.98, "{shares:?}");
    let odds = shares.map(|share| (1.0 - share) / share);
    println!("odds {odds:?}");
    let ratios = [odds[0] / odds[1], odds[1] / odds[2], odds[2] / odds[3]];
    assert!(ratios.is_sorted(), "{ratios:?}");
    assert!((ratios[2] / libm::sqrt(10.0) - 1.0).abs() < 0.01, "{ratios:?}");
}
