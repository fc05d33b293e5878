//! Echelon: its timetable, and that those who follow it compare what all do, though they begin apart.

use gridpact::game::stage::{Act, Actions, Outcome, Presence};
use gridpact::game::table::Table;
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{AnyLearner, LearnerOptions, Player as _, echelon, unison};
use gridpact::sim::repeated::Repeated;

/// Five choices in blocks of two rounds, then three in blocks of three, from a window of which the
/// choices 2, 3 and 4 have the slots 2, 0 and 1. Two rounds are held; then all is twice as long.
pub fn the_timetable_is_kept() {
    let options = echelon::Options { blocks: vec![2, 3], windows: vec![3], hold: 2 };
    let first = vec![0.0, 1.0, 0.0, 0.0, 0.0];
    let mut learner =
        LearnerOptions::Echelon(options).choosing(&Choices { first, ..Choices::default() });
    let pays = [0.1, 0.2, 0.6, 0.9, 0.3];
    let play = |round| {
        let streams = Streams::new(1).in_round(round);
        let act = learner.decide(Actions::menu(5), &mut streams.draws("act"));
        let pays = vec![pays[act.entry() as usize]];
        let outcome = Outcome { acts: vec![act], payoffs: pays, ..Outcome::default() };
        learner.observe(&outcome, 0, &mut streams.draws("learn"));
        act.entry()
    };
    let once = |times: usize| {
        let block = move |(choice, rounds): (u32, usize)| vec![choice; rounds * times];
        let all = (0..5).map(|choice| (choice, 2)).chain([(3, 3), (4, 3), (2, 3), (3, 2)]);
        all.flat_map(block).collect::<Vec<u32>>()
    };
    let expected: Vec<u32> = [1].into_iter().chain(once(1)).chain(once(2)).collect();
    assert_eq!((0..64).map(play).collect::<Vec<u32>>(), expected);
}

/// In the dilemma [[3, 0], [5, 1]] two who begin seven rounds apart compare nearly 3 with nearly 1
/// and cooperate; those who search in step need to begin together.
pub fn those_who_begin_apart_cooperate() {
    let pays = [[3.0, 0.0], [5.0, 1.0]];
    let ends = |one: LearnerOptions| {
        let table = Table::new(&[2, 2], |player, profile| {
            pays[profile[player] as usize][profile[1 - player] as usize]
        });
        let late = Presence { first: 7, last: None };
        let player = |name: &str| -> (String, AnyLearner) {
            let mut player = one.build();
            player.read([0.0, 5.0], None);
            (name.to_owned(), player)
        };
        let players = [player("a"), player("b")];
        let mut game = Repeated::new(table.with_presence(1, late), players, Streams::new(1));
        game.play(3000, &mut ()).expect("a table does not fail");
        game.outcome().acts.clone()
    };
    let echelon = LearnerOptions::Echelon(echelon::Options::default());
    assert_eq!(ends(echelon), [0, 0].map(Act::Choose));
    let unison = LearnerOptions::Unison(unison::Options::default());
    assert_eq!(ends(unison), [1, 1].map(Act::Choose));
}

/// A score counts by its logarithm: 10 in one round of ten is worth ln 11 = 2.4, less than ten times
/// ln 1.5 = 4.05, though more than ten times 0.5.
pub fn scores_count_as_logarithms_and_payoffs_as_they_are() {
    for (is_game, expected) in [(false, 1), (true, 0)] {
        let options = echelon::Options { blocks: vec![10], windows: vec![1], hold: 100 };
        let mut learner = LearnerOptions::Echelon(options).build();
        if is_game {
            learner.read([0.0, 10.0], None);
        }
        let mut last = Act::Out;
        for round in 0..30 {
            let streams = Streams::new(1).in_round(round);
            last = learner.decide(Actions::menu(2), &mut streams.draws("act"));
            let pays = [if round == 5 { 10.0 } else { 0.0 }, 0.5][last.entry() as usize];
            let outcome = Outcome { acts: vec![last], payoffs: vec![pays], ..Outcome::default() };
            learner.observe(&outcome, 0, &mut streams.draws("learn"));
        }
        assert_eq!(last, Act::Choose(expected));
    }
}
