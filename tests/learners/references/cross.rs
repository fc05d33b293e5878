//! Cross's rule: the mean step is that of the replicator equation.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{LearnerOptions, Player as _, cross};

/// In the dilemma [[3, 0], [5, 1]] against one that is alike, x = .3 cooperates; payoffs count a
/// fifth. The mean step over the rate is x (f - mean f) = .3 (.18 - .362).
pub fn one_step_drifts_as_the_replicator_does() {
    let (x, rate, pays) = (0.3, 0.02, [[3.0, 0.0], [5.0, 1.0]]);
    let mut drift = 0.0;
    for (own, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let options = cross::Options {
            rate,
            first: vec![x, 1.0 - x],
            payoffs: Some([0.0, 5.0]),
            ..Default::default()
        };
        let mut learner = LearnerOptions::Cross(options).build();
        learner.decide(Actions::Menu { count: 2 }, &mut Streams::new(1).draws("act"));
        let outcome = Outcome {
            acts: vec![Act::Choose(own)],
            payoffs: vec![pays[own as usize][other]],
            stayed_out: vec![None],
            instead: vec![Vec::new()],
            ..Outcome::default()
        };
        learner.observe(&outcome, 0, &mut Streams::new(1).draws("learn"));
        let probability = |choice: usize| if choice == 0 { x } else { 1.0 - x };
        let weight = probability(own as usize) * probability(other);
        drift += weight * (learner.law()[0] - x) / rate;
    }
    assert!((drift - -0.0546).abs() < 1e-12, "{drift}");
}
