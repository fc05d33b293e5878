//! Cross's rule: the mean step is that of the replicator equation.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, Player as _, cross};

use super::play::{DILEMMA, HAWK_DOVE, STAG_HUNT, pair};

/// In the dilemma [[3, 0], [5, 1]] against one that is alike, x = .3 cooperates; payoffs count a
/// fifth. The mean step over the rate is x (f - mean f) = .3 (.18 - .362).
pub fn one_step_drifts_as_the_replicator_does() {
    let (x, rate, pays) = (0.3, 0.02, [[3.0, 0.0], [5.0, 1.0]]);
    let mut drift = 0.0;
    for (own, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let first = vec![x, 1.0 - x];
        let choices = Choices { first, payoffs: Some([0.0, 5.0]), ..Choices::default() };
        let mut learner = LearnerOptions::Cross(cross::Options { rate }).choosing(&choices);
        learner.decide(Actions::menu(2), &mut Streams::new(1).draws("act"));
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

/// Two that learn alike: the shares of runs that end at both cooperating, at neither, and at one
/// of each.
fn ends(pays: [[f64; 2]; 2], payoffs: [f64; 2], start: f64) -> [f64; 3] {
    let options = (
        LearnerOptions::Cross(cross::Options { rate: 0.02 }),
        Choices { first: vec![start, 1.0 - start], payoffs: Some(payoffs), ..Choices::default() },
    );
    let mut ends = [0.0; 3];
    for seed in 1..=RUNS {
        match pair(&options, pays, (6000, seed), |_, _| {}) {
            [x, y] if x > 0.9 && y > 0.9 => ends[0] += 1.0 / RUNS as f64,
            [x, y] if x < 0.1 && y < 0.1 => ends[1] += 1.0 / RUNS as f64,
            [x, y] if (x < 0.1 && y > 0.9) || (x > 0.9 && y < 0.1) => ends[2] += 1.0 / RUNS as f64,
            [x, y] => println!("seed {seed} is still at {x}, {y}"),
        }
    }
    println!("{pays:?} from {start}: {ends:?}");
    ends
}

/// Half of those of the independent implementation, whose shares these are.
const RUNS: u64 = 200;
const THEIRS: f64 = 400.0;

/// The shares of two samples differ by less than 3.29 standard errors of their difference, 99.9 %;
/// one run more or less is always allowed.
fn agree(found: f64, theirs: f64) {
    let spread = theirs * (1.0 - theirs) * (1.0 / RUNS as f64 + 1.0 / THEIRS);
    let band = (3.29 * libm::sqrt(spread)).max(1.0 / RUNS as f64 + 1e-9);
    assert!((found - theirs).abs() <= band, "{found} is not {theirs} to {band}");
}

/// Both leave the dilemma's cooperation, as an independent implementation found in 400 runs.
pub fn the_dilemma_ends_with_neither() {
    agree(ends(DILEMMA, [0.0, 5.0], 0.5)[1], 1.0);
}

/// The start decides in the stag hunt.
pub fn the_stag_hunt_ends_where_it_began() {
    let low = ends(STAG_HUNT, [0.0, 4.0], 0.5);
    agree(low[1], 0.995);
    agree(low[0], 0.005);
    agree(ends(STAG_HUNT, [0.0, 4.0], 0.8)[0], 0.975);
}

/// One gives way between hawk and dove.
pub fn hawk_and_dove_share_out() {
    agree(ends(HAWK_DOVE, [-0.5, 2.0], 0.5)[2], 1.0);
}
