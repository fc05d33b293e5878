//! Fictitious play: where beliefs go, and where they do not.

use gridpact::game::matrix::Matrix;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, fictitious_play};

use super::play::Chosen;
use super::table::{Seated, dilemma, hawk_dove, pennies, rock_paper_scissors, stag_hunt};

fn beginning(first: Vec<f64>) -> Chosen {
    let choices = Choices { first, ..Choices::default() };
    (LearnerOptions::FictitiousPlay(fictitious_play::Options::default()), choices)
}

/// Counts of the choices of both players.
fn frequencies(matrix: &Matrix, players: &[Chosen], rounds: u32) -> Vec<Vec<f64>> {
    let mut game = Seated::new(matrix, players, 1);
    let mut often = vec![vec![0.0; matrix.choices(0) as usize]; 2];
    for _ in 0..rounds {
        let acts = game.play();
        for (often, &act) in often.iter_mut().zip(&acts) {
            often[act as usize] += 1.0 / f64::from(rounds);
        }
    }
    often
}

/// After 100 000 rounds of matching pennies, both beginning with heads and a prior of weight 1, the
/// first action was played with the frequencies .5006 and .4984.
pub fn matching_pennies_go_to_one_half() {
    let players = [beginning(vec![1.0, 0.0]), beginning(vec![1.0, 0.0])];
    let often = frequencies(&pennies(), &players, 100_000);
    println!("{often:?}");
    assert!((often[0][0] - 0.5006).abs() < 5e-5 && (often[1][0] - 0.4984).abs() < 5e-5);
}

/// Stag hunt, hawk and dove, and the dilemma from each first profile: where the last round
/// deviated from the one before, and what was played then. Two hawks (or two doves) that are
/// alike in all go on alike: they never settle, but the frequencies go to the equilibrium in mixed
/// strategies, four hawks in five.
pub fn games_of_two_actions_settle() {
    let at = |bit: u32| beginning(if bit == 0 { vec![1.0, 0.0] } else { vec![0.0, 1.0] });
    let ends = |matrix: &Matrix, first: u32| {
        let mut game = Seated::new(matrix, &[at(first / 2), at(first % 2)], 1);
        let acts: Vec<Vec<u32>> = (0..1000).map(|_| game.play()).collect();
        acts[2..].iter().all(|last| *last == acts[2]).then(|| acts[2].clone())
    };
    let all = |matrix: Matrix| [0, 1, 2, 3].map(|first| ends(&matrix, first));
    let at_end = |one, other| Some(vec![one, other]);
    let (out, both) = (at_end(0, 0), at_end(1, 1));
    assert_eq!(all(dilemma()), [out.clone(), out.clone(), out.clone(), out.clone()]);
    assert_eq!(all(stag_hunt()), [out.clone(), out.clone(), out, both]);
    assert_eq!(all(hawk_dove()), [None, at_end(0, 1), at_end(1, 0), None]);
    for first in [0, 3] {
        let players = [at(first / 2), at(first % 2)];
        let often = frequencies(&hawk_dove(), &players, 100_000);
        assert!(often.iter().all(|often| (often[0] - 0.8).abs() < 1e-3), "{often:?}");
    }
}

/// Shapley's game: the best replies run round six profiles, each run longer than the one before by
/// a factor that goes to 1.4656, the root of x^3 = x^2 + 1.
pub fn shapleys_game_runs_in_ever_longer_circles() {
    let matrix = Matrix::of_two([
        [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0)],
        [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)],
        [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)],
    ]);
    let players = [beginning(vec![1.0, 0.0, 0.0]), beginning(vec![0.0, 1.0, 0.0])];
    let mut game = Seated::new(&matrix, &players, 1);
    let profiles: Vec<Vec<u32>> = (0..100_000).map(|_| game.play()).collect();
    let runs: Vec<usize> = profiles.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
    // The last run is cut off.
    let runs = &runs[..runs.len() - 1];
    println!("{runs:?}");
    assert!(runs.len() > 20 && runs[4..].is_sorted(), "{runs:?}");
    for pair in runs[runs.len() - 8..].windows(2) {
        let ratio = pair[1] as f64 / pair[0] as f64;
        assert!((ratio - 1.4656).abs() < 5e-4, "{pair:?}");
    }
    let mut profiles: Vec<&Vec<u32>> = profiles.iter().rev().take(90_000).collect();
    profiles.sort();
    profiles.dedup();
    assert_eq!(profiles.len(), 6, "six profiles follow each other");
}

/// The smooth form in the dilemma rests at the logit equilibrium: temperatures .25, .5, 1 and 2 in
/// payoffs, cooperation .01683, .09979, .22675 and .33865. A frequency of T rounds has at most the
/// standard error sqrt(x (1 - x) / T), as near the end the replies of rounds are all but
/// independent (its slope is above -.12), so the band is 3.5 of them and the printed precision.
pub fn the_smooth_form_rests_at_the_logit_equilibrium() {
    let expected = [(0.25, 0.01683), (0.5, 0.09979), (1.0, 0.22675), (2.0, 0.33865)];
    for (temperature, expected) in expected {
        let temperature = temperature / 5.0;
        let options = fictitious_play::Options { temperature, ..Default::default() };
        let choices = Choices { payoffs: Some([0.0, 5.0]), ..Choices::default() };
        let players = vec![(LearnerOptions::FictitiousPlay(options), choices); 2];
        let often = frequencies(&dilemma(), &players, 40_000);
        println!("{temperature}: {often:?}, {expected}");
        let band = 3.5 * libm::sqrt(expected * (1.0 - expected) / 40_000.0) + 5e-6;
        for often in often {
            assert!((often[1] - expected).abs() < band, "{often:?} is not {expected} +- {band}");
        }
    }
}

/// Rock, paper, scissors from rock: with beliefs as whole numbers of thirds of a round, the first
/// of the best replies in each of 10 000 rounds. Many of them are ties.
pub fn of_equal_replies_the_first_is_played() {
    let mut game =
        Seated::new(&rock_paper_scissors(), &[0, 0].map(|_| beginning(vec![1.0, 0.0, 0.0])), 1);
    let (mut thirds, mut expected, mut ties) = ([1_i64; 3], 0, 0);
    for round in 0..10_000 {
        assert_eq!(game.play(), [expected as u32; 2], "in round {round}");
        thirds[expected] += 3;
        // An action wins against the one before it and loses to the one behind it.
        let pays = [0, 1, 2].map(|own: usize| thirds[(own + 2) % 3] - thirds[(own + 1) % 3]);
        let most = pays.into_iter().max().unwrap();
        expected = pays.iter().position(|&pay| pay == most).unwrap();
        ties += u32::from(pays.iter().filter(|&&pay| pay == most).count() > 1);
    }
    assert!(ties > 50, "{ties} ties");
}
