//! Grim: as the memory-one rule, and how long it stays out.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, Player as _, grim};

use super::memory::two_tremble;

/// For one round after anybody defected, it is the memory-one rule: .0725 and 1.1925, as printed
/// in the catalogue.
pub fn one_round_is_the_memory_one_rule() {
    let options = grim::Options {
        when: grim::When::AnyoneOut,
        rounds: Some(1),
        error: 0.05,
        ..Default::default()
    };
    two_tremble(&LearnerOptions::Grim(options), 0.0725, 1.1925, 0.00005);
}

/// Let down in round 3, it is out for three rounds, or for ever.
pub fn it_stays_out_for_so_many_rounds() {
    let outs = |rounds| {
        let options = grim::Options { rounds, ..Default::default() };
        let choices = Choices { initial: 1.0, ..Choices::default() };
        let mut learner = LearnerOptions::Grim(options).choosing(&choices);
        let mut outs = Vec::new();
        for round in 0..10 {
            let streams = Streams::new(1).in_round(round);
            let act = learner.decide(Actions::Coalition, &mut streams.draws("act"));
            if act == Act::Out {
                outs.push(round);
            }
            let score = if round == 3 { -0.51 } else { -0.5 };
            let outcome = Outcome { acts: vec![act], payoffs: vec![score], ..Outcome::default() };
            learner.observe(&outcome, 0, &mut streams.draws("learn"));
        }
        outs
    };
    assert_eq!(outs(Some(3)), [4, 5, 6]);
    assert_eq!(outs(None), [4, 5, 6, 7, 8, 9]);
}
