//! Best reply with inertia: it is absorbed in pure equilibria of weakly acyclic games.

use gridpact::game::matrix::Matrix;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, best_reply};

use super::table::{Seated, mean_and_band, pennies, symmetric};

fn with(inertia: f64, better: bool) -> LearnerOptions {
    LearnerOptions::BestReply(best_reply::Options { inertia, better })
}

/// Four players choose among three roads; each pays for how many take the same. A potential game,
/// so weakly acyclic; its equilibria are the profiles with 2, 1 and 1 on the roads.
fn roads() -> Matrix {
    Matrix::new(&[3; 4], |player, profile| {
        -(profile.iter().filter(|&&road| road == profile[player]).count() as f64)
    })
}

/// The round from which on nothing moved, if play ends in a pure equilibrium.
fn absorbed(matrix: &Matrix, options: &LearnerOptions, seed: u64, rounds: usize) -> Option<usize> {
    let players = vec![options.clone(); matrix.players()];
    let mut game = Seated::new(matrix, &players, seed);
    let profiles: Vec<Vec<u32>> = (0..rounds).map(|_| game.play()).collect();
    let last = profiles.last().expect("rounds were played");
    let is_equilibrium = (0..matrix.players()).all(|player| {
        let gets = matrix.payoff(player, last);
        let menu = 0..matrix.choices(player);
        menu.into_iter().all(|other| matrix.payoff_instead(player, last, other) <= gets)
    });
    let moved = profiles.iter().rposition(|profile| profile != last);
    let is_over = moved.is_none_or(|round| round < rounds / 2);
    (is_equilibrium && is_over).then(|| moved.map_or(0, |round| round + 1))
}

/// In each of 200 runs of each game, of best and of better replies.
pub fn it_is_absorbed_in_a_pure_equilibrium() {
    let chicken = symmetric([[-0.5, 2.0], [0.0, 0.0]]);
    for matrix in [roads(), chicken] {
        for options in [with(0.5, false), with(0.3, true)] {
            for seed in 0..200 {
                assert!(absorbed(&matrix, &options, seed, 400).is_some(), "seed {seed}");
            }
        }
    }
}

/// Two who want to meet and begin apart: absorbed when exactly one moves, which each round does
/// with probability 1/2, so after two rounds in the mean. Without inertia they never meet.
pub fn inertia_ends_stepping_past_each_other() {
    let meeting = symmetric([[1.0, 0.0], [0.0, 1.0]]);
    let play = |inertia, seed| {
        let at = |first: Vec<f64>| {
            let options = best_reply::Options { inertia, ..Default::default() };
            (LearnerOptions::BestReply(options), Choices { first, ..Choices::default() })
        };
        let players = [at(vec![1.0, 0.0]), at(vec![0.0, 1.0])];
        let mut game = Seated::new(&meeting, &players, seed);
        (0..100).position(|_| {
            let acts = game.play();
            acts[0] == acts[1]
        })
    };
    assert_eq!(play(0.0, 1), None);
    let rounds: Vec<f64> =
        (0..4000).map(|seed| play(0.5, seed).expect("they meet") as f64).collect();
    let (mean, band) = mean_and_band(&rounds);
    println!("they meet after {mean:.3} +- {band:.3} rounds");
    assert!((mean - 2.0).abs() < band, "{mean} +- {band}");
}

/// Where there is no pure equilibrium it does not rest.
pub fn it_never_rests_in_matching_pennies() {
    let options = with(0.5, false);
    let mut game = Seated::new(&pennies(), &[options.clone(), options], 1);
    let profiles: Vec<Vec<u32>> = (0..1000).map(|_| game.play()).collect();
    let longest = profiles.chunk_by(|a, b| a == b).map(<[_]>::len).max();
    // A profile is left with probability 1/2: it lasts 40 rounds with a probability below 10^-9.
    assert!(longest < Some(40), "{longest:?}");
}
