//! Unison: its timetable, and that those who follow it together find what is best for all to do. The
//! levels of ten clusters are a test of the studies.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::game::table::Table;
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{AnyLearner, LearnerOptions, Player as _, fixed, unison};
use gridpact::sim::repeated::Repeated;
use rand::RngExt as _;

fn unison(options: unison::Options, choices: &Choices) -> AnyLearner {
    LearnerOptions::Unison(options).choosing(choices)
}

/// Choices that pay from 0 to 1.
fn paying() -> Choices {
    Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() }
}

/// Plays, round after round, from a menu whose entries pay `pays`.
fn played(
    options: unison::Options,
    choices: &Choices,
    (count, rounds): (u32, u64),
    mut pays: impl FnMut(usize) -> f64,
) -> Vec<u32> {
    let mut learner = unison(options, choices);
    let round = |round| {
        let streams = Streams::new(1).in_round(round);
        let menu = Actions::menu(count);
        let act = learner.decide(menu, &mut streams.draws("act"));
        let outcome = Outcome {
            acts: vec![act],
            payoffs: vec![pays(act.entry() as usize)],
            stayed_out: vec![None],
            instead: vec![Vec::new()],
            ..Outcome::default()
        };
        learner.observe(&outcome, 0, &mut streams.draws("learn"));
        act.entry()
    };
    (0..rounds).map(round).collect()
}

/// Three choices are tried once each and two of them three times, in 3 + 6 rounds; choice 1 has the
/// odd turns, choice 2 the even ones. What was found is held for four rounds.
pub fn the_timetable_is_kept() {
    let options = || unison::Options { search: 9, hold: 4 };
    let choices = Choices { first: vec![0.0, 0.0, 1.0], ..paying() };
    let once = [0, 1, 2, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1];
    let expected: Vec<u32> = [2].into_iter().chain(once).chain(once).collect();
    assert_eq!(played(options(), &choices, (3, 27), |choice| [0.2, 0.9, 0.5][choice]), expected);
    // A changed world is followed when the search begins anew; of equals the later one stays. Both
    // 0 and 2 want the even turns, and the earlier has them.
    let mut rounds = 0;
    let changing = |choice: usize| {
        rounds += 1;
        if rounds <= 14 { [0.2, 0.9, 0.5][choice] } else { [0.7, 0.1, 0.7][choice] }
    };
    let then = [0, 1, 2, 0, 2, 0, 2, 0, 2, 2, 2, 2, 2];
    let expected: Vec<u32> = [2].into_iter().chain(once).chain(then).collect();
    assert_eq!(played(options(), &choices, (3, 27), changing), expected);
}

/// Bernoulli arms, the best .8 and three of .4. A mean over n trials falls behind another with a
/// probability of at most exp(-.16 n) (Hoeffding), 1e-9 after the 140 trials of the first stage, so
/// that every seed plays worse arms in its first 3 * 140 + 420 rounds and, perhaps, in the very
/// first, and in no other.
pub fn the_better_arm_is_found() {
    for seed in 0..20 {
        let mut rng = Streams::new(seed).stream("arms");
        let best = (seed % 4) as usize;
        let pays = |choice| {
            let mean = if choice == best { 0.8 } else { 0.4 };
            f64::from(u8::from(rng.random::<f64>() < mean))
        };
        let all = played(unison::Options::default(), &paying(), (4, 2000), pays);
        let worse = all[1..].iter().filter(|&&choice| choice as usize != best).count();
        assert_eq!(worse, 3 * 140 + 420, "seed {seed}");
        assert!(all[1401..].iter().all(|&choice| choice as usize == best));
    }
}

/// In the dilemma [[3, 0], [5, 1]], two who search in step compare 3 with 1 and cooperate; one
/// compares 0 with 1 beside who always defects.
pub fn together_it_cooperates_and_is_not_exploited() {
    let dilemma = || {
        let pays = [[3.0, 0.0], [5.0, 1.0]];
        Table::new(&[2, 2], |player, profile| {
            pays[profile[player] as usize][profile[1 - player] as usize]
        })
    };
    let one = || {
        let choices = Choices { payoffs: Some([0.0, 5.0]), ..Choices::default() };
        unison(unison::Options { search: 10, ..unison::Options::default() }, &choices)
    };
    let defector = LearnerOptions::Fixed(fixed::Options::default());
    for (other, ends) in [(one(), [0, 0]), (defector.build(), [1, 1])] {
        let players = [("a".to_owned(), one()), ("b".to_owned(), other)];
        let mut game = Repeated::new(dilemma(), players, Streams::new(1));
        for round in 1..=100 {
            game.play(round, &mut ()).expect("a table does not fail");
            if round > 11 {
                assert_eq!(game.outcome().acts, ends.map(Act::Choose));
            }
        }
    }
}
