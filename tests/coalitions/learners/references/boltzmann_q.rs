//! Boltzmann Q-learning: it rests at the logit equilibria of the stage game.

use gridpact::policy::learn::boltzmann_q::{Context, Options};
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, Player as _};

use super::grid;
use super::play::{Chosen, DILEMMA, STAG_HUNT, Sample, root, seated, show};

/// Payoffs from 0 to `width`; the temperature is one of payoffs.
fn options(rate: f64, temperature: f64, width: f64) -> Options {
    Options { rate, temperature: temperature / width, ..Default::default() }
}

/// The learner for payoffs from 0 to `width`.
fn learner(options: Options, width: f64) -> Chosen {
    let choices = Choices { payoffs: Some([0.0, width]), ..Choices::default() };
    (LearnerOptions::BoltzmannQ(options), choices)
}

/// The law of one whose values are what each choice brings in the mean against p.
fn reply(pays: [[f64; 2]; 2], temperature: f64, width: f64, p: f64) -> f64 {
    let mut learner = seated(&learner(options(1.0, temperature, width), width));
    for (choice, row) in pays.iter().enumerate() {
        show(&mut learner, choice as u32, p * row[0] + (1.0 - p) * row[1]);
    }
    learner.law()[0]
}

/// Where the law is the reply to itself, values stay in the mean, and the law is the logit
/// equilibrium: of the dilemma one for each temperature, of the stag hunt three at .25, of which
/// the middle one is unstable, and one at .5 and 1.
pub fn it_rests_at_the_logit_equilibria() {
    let dilemma = [(0.25, 0.016_83), (0.5, 0.099_79), (1.0, 0.226_75), (2.0, 0.338_65)];
    for (temperature, expected) in dilemma {
        let found = root([0.0, 1.0], |p| reply(DILEMMA, temperature, 5.0, p) - p);
        println!("dilemma at {temperature}: {found}");
        assert!((found - expected).abs() < 5.1e-6, "{found} at {temperature}, not {expected}");
    }
    let hunt = [
        (0.25, [0.0, 0.4], 0.0003),
        (0.25, [0.4, 0.9], 0.765),
        (0.25, [0.9, 1.0], 0.976),
        (0.5, [0.0, 1.0], 0.0203),
        (1.0, [0.0, 1.0], 0.1958),
    ];
    for (temperature, between, expected) in hunt {
        let found = root(between, |p| reply(STAG_HUNT, temperature, 4.0, p) - p);
        println!("stag hunt at {temperature}: {found}");
        let printed: f64 = if expected > 0.5 { 5e-4 } else { 5e-5 };
        assert!((found - expected).abs() < printed * 1.01, "{found}, not {expected}");
    }
}

/// Two that learn. The law is a curved function of values that go up and down: at the rate .005
/// their variance is .0025 times that of the utilities, at most 1/4, and the law's second
/// derivative by Q / tau is at most 0.1, so that the mean law may be off by .0025 / 4 / tau^2 / 10
/// with tau in utilities: .0016 at a temperature of 1, to be added to the band of 99.9 % of 8 runs.
pub fn two_of_them_stay_at_the_equilibrium_of_the_dilemma() {
    for (temperature, expected, off) in [(1.0, 0.226_75, 0.0016), (2.0, 0.338_65, 0.0004)] {
        let options = learner(options(0.005, temperature, 5.0), 5.0);
        let found = Sample::of((1..=8).map(|seed| mean_law(&options, seed)));
        println!("{temperature}: {found:?}, band {}", found.band());
        assert!((found.mean - expected).abs() < found.band() + off, "{found:?}");
        assert!(found.band() < 0.02, "a band that says little");
    }
}

/// The mean law of both over rounds 5000 to 30 000.
fn mean_law(options: &Chosen, seed: u64) -> f64 {
    let mut sum = 0.0;
    super::play::pair(options, DILEMMA, (30_000, seed), |round, laws| {
        sum += if round < 5000 { 0.0 } else { (laws[0] + laws[1]) / 2.0 };
    });
    sum / 25_000.0
}

/// The first round's law is the common parameter's; a colder one is surer.
pub fn the_temperature_falls_to_the_coldest() {
    let options = Options { decay: 0.5, coldest: 0.01, ..options(0.5, 1.0, 1.0) };
    let mut learner = seated(&learner(options, 1.0));
    assert_eq!(learner.law(), [0.5, 0.5]);
    let (mut q, mut temperature) = ([0.5; 2], 1.0);
    for round in 0..20 {
        let choice = round % 2;
        let payoff = [0.52, 0.5][choice];
        show(&mut learner, choice as u32, payoff);
        q[choice] += 0.5 * (payoff - q[choice]);
        temperature = f64::max(temperature / 2.0, 0.01);
        let expected = 1.0 / (1.0 + libm::exp((q[1] - q[0]) / temperature));
        assert!((learner.law()[0] - expected).abs() < 1e-12, "{:?}, {expected}", learner.law());
    }
}

/// With its own last act as the state there are values for each: after one act the first is good,
/// after the other the second.
pub fn a_state_has_values_of_its_own() {
    let options = Options { state: Context::OwnAct, ..options(0.2, 0.1, 1.0) };
    let mut learner = seated(&learner(options, 1.0));
    let mut last = 0;
    for round in 0..400_u32 {
        let choice = (round / 2) % 2;
        show(&mut learner, choice, if choice == last { 0.0 } else { 1.0 });
        last = choice;
    }
    let after = |learner: &mut gridpact::policy::learn::AnyLearner, choice| {
        show(learner, choice, 0.5);
        learner.law()[0]
    };
    assert!(after(&mut learner, 0) < 0.1, "after the first it does the second");
    assert!(after(&mut learner, 1) > 0.9, "after the second it does the first");
}

/// At the equilibrium of the dilemma the mean step of the law of a slow learner is small of
/// second order in its rate.
pub fn the_mean_step_at_the_equilibrium_is_of_second_order() {
    let p = root([0.0, 1.0], |p| reply(DILEMMA, 1.0, 5.0, p) - p);
    let step = |rate: f64| {
        let slow = learner(options(rate, 1.0, 5.0), 5.0);
        drift_from(&slow, p)
    };
    let [coarse, fine] = [step(1e-2), step(1e-3)];
    println!("{coarse} {fine}");
    assert!(fine.abs() < 1e-5 && fine.abs() < coarse.abs() / 50.0, "{coarse} {fine}");
}

/// The mean step of one whose values are those of the equilibrium.
fn drift_from(options: &Chosen, p: f64) -> f64 {
    let mut drift = 0.0;
    for (own, theirs) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let LearnerOptions::BoltzmannQ(slow) = &options.0 else { panic!("another learner") };
        let mut learner = seated(options);
        // Values come near those of the equilibrium without bound: each is shown it often.
        for _ in 0..(40.0 / slow.rate) as u32 {
            for (choice, row) in DILEMMA.iter().enumerate() {
                show(&mut learner, choice as u32, p * row[0] + (1.0 - p) * row[1]);
            }
        }
        let before = learner.law()[0];
        show(&mut learner, own, DILEMMA[own as usize][theirs]);
        let weight = [before, 1.0 - before][own as usize] * [p, 1.0 - p][theirs];
        drift += weight * (learner.law()[0] - before);
    }
    drift
}

/// In the coalition it does nearly always what is better, as an independent implementation found
/// for ten that are alike (.998): typical clusters stay out beside an overloaded one, and join
/// among their like.
pub fn in_the_coalition_it_does_what_is_better() {
    let options = LearnerOptions::BoltzmannQ(Options::default());
    let (beside, alike) = (grid::joined(&options, true), grid::joined(&options, false));
    println!("{beside:.3?}, {alike:.3?}");
    assert!(beside[1..].iter().all(|&joined| joined < 0.05), "{beside:?}");
    assert!(alike.iter().all(|&joined| joined > 0.95), "{alike:?}");
}
