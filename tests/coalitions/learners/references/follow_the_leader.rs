//! Follow the leader: what it loses to a sequence made against it, and how little to chance.

use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, follow_the_leader};
use rand::RngExt as _;

use super::play::Chosen;
use super::sequence::{only, regrets};
use super::table::{Seated, hawk_dove, mean_and_band};

fn rule() -> Chosen {
    let choices = Choices { first: vec![1.0, 0.0], ..Choices::default() };
    (LearnerOptions::FollowTheLeader(follow_the_leader::Options::default()), choices)
}

/// 1/2, 0, then (0, 1), (1, 0) and so on: the leader always loses. After 1000 rounds it got 1/2,
/// the actions 499.5 and 500.
pub fn an_alternating_sequence_beats_it_in_every_round() {
    let sequence = |round: u64, _: &[f64]| match round {
        0 => [0.5, 0.0],
        _ => only((round % 2) as usize),
    };
    assert_eq!(regrets(&rule(), 1000, 1, sequence), [499.0, 499.5]);
}

/// In independent rounds in which action 0 pays with .6 and action 1 with .4 (a gap D of .2),
/// the regret is at most D sum exp(-t D^2 / 2) = 10.1 in the mean, however long (Hoeffding).
pub fn independent_rounds_cost_little() {
    let run = |seed| {
        let mut rng = Streams::new(seed).stream("sequence");
        let mut draw = || f64::from(u8::from(rng.random::<f64>() < 0.6));
        regrets(&rule(), 2000, seed, |_, _| [draw(), 1.0 - draw()])[0]
    };
    let runs: Vec<f64> = (0..100).map(run).collect();
    let (mean, band) = mean_and_band(&runs);
    let bound = 0.2 / (1.0 - libm::exp(-0.02));
    println!("regret {mean:.2} +- {band:.2}, at most {bound:.2}");
    assert!(mean - band <= bound, "{mean}");
}

/// Two of them at hawk and dove from hawks. In fifths, a hawk gets 0 against a hawk and 5 against a
/// dove, a dove 1: sums in whole numbers say who leads, and at a tie it is the hawk.
pub fn of_equal_sums_the_first_leads() {
    let mut game = Seated::new(&hawk_dove(), &[rule(), rule()], 1);
    let (mut sums, mut expected, mut ties) = ([0_u64; 2], 0, 0);
    for round in 0..100_000 {
        assert_eq!(game.play(), [expected; 2], "in round {round}");
        sums = [sums[0] + 5 * u64::from(expected), sums[1] + 1];
        expected = u32::from(sums[1] > sums[0]);
        ties += u32::from(sums[0] == sums[1]);
    }
    assert!(ties > 1_000, "{ties} ties");
}
