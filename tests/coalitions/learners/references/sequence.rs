//! Sequences of utilities that nobody else has a say in, and the regret on them.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{AnyLearner, Player as _};

use super::play::Builds;

/// Payoff of each action beyond what the learner got, over the rounds of a sequence, which
/// is told the round and the learner's probabilities, but not its draws.
pub fn regrets<const K: usize>(
    options: &impl Builds,
    rounds: u64,
    seed: u64,
    mut sequence: impl FnMut(u64, &[f64]) -> [f64; K],
) -> [f64; K] {
    let mut learner: AnyLearner = options.build();
    learner.read([0.0, 1.0], None);
    let mut regrets = [0.0; K];
    for round in 0..rounds {
        let streams = Streams::new(seed).in_round(round);
        let act = learner.decide(Actions::menu(K as u32), &mut streams.draws("act"));
        let Act::Choose(played) = act else { panic!("{act:?} of a menu") };
        let pays = sequence(round, learner.law());
        let got = pays[played as usize];
        regrets.iter_mut().zip(pays).for_each(|(regret, pay)| *regret += pay - got);
        let outcome = Outcome {
            acts: vec![act],
            payoffs: vec![got],
            stayed_out: vec![None],
            instead: vec![pays.to_vec()],
            ..Outcome::default()
        };
        learner.observe(&outcome, 0, &mut streams.draws("learn"));
    }
    regrets
}

/// One action pays 1, the others nothing.
pub fn only<const K: usize>(action: usize) -> [f64; K] {
    std::array::from_fn(|index| if index == action { 1.0 } else { 0.0 })
}
