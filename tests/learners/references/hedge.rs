//! Hedge: its bound holds on every sequence of utilities, without any luck.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{LearnerOptions, Player as _, hedge};
use rand::RngExt as _;

const ROUNDS: u64 = 10_000;

/// The mean loss against the best fixed action, of a sequence of utilities of two actions.
fn regret(mut sequence: impl FnMut(u64) -> [f64; 2]) -> f64 {
    let options =
        hedge::Options { horizon: ROUNDS, payoffs: Some([0.0, 1.0]), ..Default::default() };
    let mut learner = LearnerOptions::Hedge(options).build();
    let (mut got, mut each) = (0.0, [0.0; 2]);
    for round in 0..ROUNDS {
        let streams = Streams::new(1).in_round(round);
        let act = learner.decide(Actions::Menu { count: 2 }, &mut streams.draws("act"));
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

/// The regrets on three sequences are those of an independent implementation: 29.4, 18.5 (random),
/// 1.0; the bound is sqrt(T ln 2 / 2) = 58.87.
pub fn the_regret_is_within_its_bound_on_every_sequence() {
    let bound = libm::sqrt(ROUNDS as f64 * libm::log(2.0) / 2.0);
    assert!((bound - 58.87).abs() < 0.005);
    let side = |first: bool| if first { [1.0, 0.0] } else { [0.0, 1.0] };
    let alternating = regret(|round| side(round % 2 == 0));
    let blocks = regret(|round| side(round < ROUNDS / 2));
    let mut rng = Streams::new(1).stream("sequence");
    let random = regret(|_| side(rng.random::<bool>()));
    println!("alternating {alternating}, random {random}, blocks {blocks}");
    for regret in [alternating, random, blocks] {
        assert!(regret <= bound, "{regret}");
    }
    assert!((alternating - 29.4).abs() < 0.1, "{alternating}");
}
