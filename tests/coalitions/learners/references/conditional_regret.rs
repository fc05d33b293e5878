//! Conditional regret matching: an exact step, and correlated equilibria.

use gridpact::game::matrix::Matrix;
use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, Player as _, conditional_regret};

use super::table::{Seated, rock_paper_scissors, symmetric};

/// One round of three choices: 1 was played and brought .2, the others .8 and .1. With mu = 4 the
/// probabilities are .6 / 4, the rest and 0.
pub fn one_step_is_as_written() {
    let choices = Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() };
    let options = conditional_regret::Options::default();
    let mut learner = LearnerOptions::ConditionalRegret(options).choosing(&choices);
    learner.decide(Actions::menu(3), &mut Streams::new(1).draws("act"));
    let outcome = Outcome {
        acts: vec![Act::Choose(1)],
        payoffs: vec![0.2],
        stayed_out: vec![None],
        instead: vec![vec![0.8, 0.2, 0.1]],
        ..Outcome::default()
    };
    learner.observe(&outcome, 0, &mut Streams::new(1).draws("learn"));
    let far = learner.law().iter().zip([0.15, 0.85, 0.0]).map(|(x, law)| (x - law).abs());
    assert!(far.fold(0.0, f64::max) < 1e-15, "{:?}", learner.law());
}

/// The largest mean gain of doing k in all the rounds that j was played in, after each of these
/// numbers of rounds.
fn swap_regrets(matrix: &Matrix, at: [u32; 3]) -> [f64; 3] {
    let options = LearnerOptions::ConditionalRegret(conditional_regret::Options::default());
    let mut game = Seated::new(matrix, &[options.clone(), options], 1);
    let count = matrix.choices(0) as usize;
    let mut gains = vec![0.0; 2 * count * count];
    let mut largest = [0.0; 3];
    for round in 1..=at[2] {
        let acts = game.play();
        for player in 0..2 {
            let got = matrix.payoff(player, &acts);
            for other in 0..count {
                let gain = matrix.payoff_instead(player, &acts, other as u32) - got;
                gains[(player * count + acts[player] as usize) * count + other] += gain;
            }
        }
        if let Some(index) = at.iter().position(|&when| when == round) {
            largest[index] = gains.iter().copied().fold(0.0, f64::max) / f64::from(round);
        }
    }
    largest
}

/// Joint play becomes a correlated equilibrium: what swapping an action for another would have
/// gained goes to 0. The theory says no more than that for a fixed mu, so that ten times the rounds
/// have to have less of it, twice.
pub fn joint_play_becomes_a_correlated_equilibrium() {
    let chicken = symmetric([[0.0, 7.0], [2.0, 6.0]]);
    for matrix in [rock_paper_scissors(), chicken] {
        let regrets = swap_regrets(&matrix, [1000, 10_000, 100_000]);
        println!("swap regrets {regrets:?}");
        let falls = |early: &f64, late: &f64| early > late || *early == 0.0 && *late == 0.0;
        assert!(regrets.is_sorted_by(falls), "{regrets:?}");
    }
}
