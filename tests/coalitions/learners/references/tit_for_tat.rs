//! Tit for tat, generous tit for tat, and k of n.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{LearnerOptions, Player as _, tit_for_tat};

use super::memory::two_tremble;

fn with(generosity: f64) -> LearnerOptions {
    let options = tit_for_tat::Options { share: 1.0, generosity, error: 0.05 };
    LearnerOptions::TitForTat(options)
}

/// Any error makes cooperation a coin: .5 and 2.25 (exactly).
pub fn errors_halve_its_cooperation() {
    two_tremble(&with(0.0), 0.5, 2.25, 0.0);
}

/// .875 and 2.859, as printed in the catalogue.
pub fn generosity_restores_it() {
    two_tremble(&with(1.0 / 3.0), 0.875, 2.859, 0.0005);
}

/// Among five with share 1/2, it joins after two of the other four did, and not after one; who is
/// absent does not count.
pub fn it_joins_where_enough_of_the_others_did() {
    let after = |joined: usize, absent: usize| {
        let mut learner = LearnerOptions::TitForTat(tit_for_tat::Options::default()).build();
        learner.decide(Actions::Coalition, &mut Streams::new(1).draws("act"));
        let mut acts = vec![Act::Out; 5];
        acts[1..=joined].fill(Act::In(Default::default()));
        let mut present = vec![true; 5];
        present[5 - absent..].fill(false);
        let outcome = Outcome { acts, payoffs: vec![0.0; 5], present, ..Outcome::default() };
        learner.observe(&outcome, 0, &mut Streams::new(1).draws("learn"));
        learner.stance().probability
    };
    assert_eq!([after(1, 0), after(2, 0), after(1, 2)], [Some(0.0), Some(1.0), Some(1.0)]);
    assert_eq!(after(0, 4), Some(1.0), "nobody else is enough");
}
