//! Hedge: its bound holds on every sequence of utilities, without any luck.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, Player as _, hedge};
use rand::RngExt as _;

use super::table::mean_and_band;

const ROUNDS: u64 = 10_000;

/// The mean loss against the best fixed action, of a sequence of utilities of two actions.
fn regret(mut sequence: impl FnMut(u64) -> [f64; 2]) -> f64 {
    let options = hedge::Options { horizon: ROUNDS, ..Default::default() };
    let choices = Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() };
    let mut learner = LearnerOptions::Hedge(options).choosing(&choices);
    let (mut got, mut each) = (0.0, [0.0; 2]);
    for round in 0..ROUNDS {
        let streams = Streams::new(1).in_round(round);
        let act = learner.decide(Actions::menu(2), &mut streams.draws("act"));
        let Act::Choose(played) = act else { panic!("{act:?} of a menu") };
        let pays = sequence(round);
        got += learner.law()[0] * pays[0] + learner.law()[1] * pays[1];
        each = [each[0] + pays[0], each[1] + pays[1]];
        let outcome = Outcome {
            acts: vec![act],
            payoffs: vec![pays[played as usize]],
            stayed_out: vec![None],
            instead: vec![pays.to_vec()],
            ..Outcome::default()
        };
        learner.observe(&outcome, 0, &mut streams.draws("learn"));
    }
    each[0].max(each[1]) - got
}

/// The regrets on three sequences are those of an independent implementation: 29.4 where the good
/// action alternates, 1.0 where it changes every 2500 rounds; the bound is sqrt(T ln 2 / 2) =
/// 58.87.
pub fn the_regret_is_within_its_bound_on_every_sequence() {
    let bound = libm::sqrt(ROUNDS as f64 * libm::log(2.0) / 2.0);
    assert!((bound - 58.87).abs() < 0.005);
    let side = |first: bool| if first { [1.0, 0.0] } else { [0.0, 1.0] };
    let alternating = regret(|round| side(round % 2 == 0));
    let blocks = regret(|round| side(round / 2500 % 2 == 0));
    let halves = regret(|round| side(round < ROUNDS / 2));
    let switches = regret(|round| side(round < ROUNDS / 4));
    println!("alternating {alternating}, blocks {blocks}, {halves}, {switches}");
    for regret in [alternating, blocks, halves, switches] {
        assert!(regret <= bound, "{regret}");
    }
    assert!((alternating - 29.4).abs() < 0.05, "{alternating}");
    assert!((blocks - 1.0).abs() < 0.05, "{blocks}");
}

/// Where both actions are fair coins, whoever chooses by the past gets T / 2 in the mean, and the
/// better one has E|D| / 2 more, D the difference of two binomials: sqrt(T / pi) / 2 = 28.2 (an
/// independent implementation had 18.5 on one such sequence). 60 of them.
pub fn fair_coins_cost_what_luck_brings() {
    let bound = libm::sqrt(ROUNDS as f64 * libm::log(2.0) / 2.0);
    let run = |seed| {
        let mut rng = Streams::new(seed).stream("sequence");
        let mut coin = || f64::from(u8::from(rng.random::<bool>()));
        regret(|_| [coin(), coin()])
    };
    let regrets: Vec<f64> = (0..60).map(run).collect();
    assert!(regrets.iter().all(|&regret| regret <= bound), "{regrets:?}");
    let (mean, band) = mean_and_band(&regrets);
    let expected = libm::sqrt(ROUNDS as f64 / std::f64::consts::PI) / 2.0;
    println!("regret {mean:.2} +- {band:.2}, {expected:.2} expected");
    assert!((mean - expected).abs() < band, "{mean} +- {band} is not {expected}");
}
