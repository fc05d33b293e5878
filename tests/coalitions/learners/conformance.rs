//! Promises of every registered learner: they come from the registry, so a new one is tested as
//! soon as it is registered.

use gridpact::game::stage::{Act, Actions, Outcome, Terms, Wanted};
use gridpact::game::table::Table;
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::state::{State, open, seal};
use gridpact::policy::learn::{AnyLearner, LearnerOptions, Player, REGISTRY, Stance, fixed};
use gridpact::sim::repeated::{Played, Repeated, RoundObserver};
use gridpact::state_of_fields;
use rand::RngExt as _;

const SEEDS: u64 = 20;

fn for_all(check: impl Fn(&LearnerOptions, u64)) {
    for options in LearnerOptions::defaults() {
        for seed in 0..SEEDS {
            println!("{}, seed {seed}", options.name());
            check(&options, seed);
        }
    }
}

fn saved(part: &impl State) -> Vec<u8> {
    seal(part, b"test")
}

/// Anything a game may show a learner: as much as it asked for, payoffs of any size, infinite too.
fn outcome(act: Act, actions: Actions, wanted: Wanted, rng: &mut Rng) -> Outcome {
    let payoff = |rng: &mut Rng| match rng.random_range(0..10) {
        0 => f64::INFINITY,
        1 => f64::NEG_INFINITY,
        _ => libm::tan(3.0 * (rng.random::<f64>() - 0.5)),
    };
    let is_out = act == actions.staying_out();
    let entries = match actions {
        Actions::Menu { count, .. } => count,
        Actions::Coalition | Actions::Absent => 2,
    };
    Outcome {
        acts: vec![act; 2],
        payoffs: vec![payoff(rng); 2],
        stayed_out: vec![(wanted.stayed_out && !is_out).then(|| payoff(rng)); 2],
        instead: vec![
            if wanted.instead {
                (0..entries).map(|_| payoff(rng)).collect()
            } else {
                Vec::new()
            };
            2
        ],
        members: 2 * u32::from(act.is_in()),
        ..Outcome::default()
    }
}

/// Lets a learner play rounds from `from` on against random outcomes; what it did.
fn play(
    learner: &mut AnyLearner,
    actions: Actions,
    seed: u64,
    rounds: std::ops::Range<u64>,
) -> Vec<Act> {
    let mut acts = Vec::new();
    for round in rounds {
        let streams = Streams::new(seed).in_round(round);
        let act = learner.decide(actions, &mut streams.draws("act"));
        assert!(actions.allow(act), "{act:?} in {actions:?}");
        let shown = outcome(act, actions, learner.wanted(), &mut streams.stream("outcome"));
        learner.observe(&shown, 1, &mut streams.draws("learn"));
        acts.push(act);
    }
    acts
}

const GAMES: [Actions; 4] =
    [Actions::Coalition, Actions::menu(2), Actions::menu(1), Actions::menu(5)];

#[test]
fn a_saved_and_rebuilt_learner_saves_the_same_bytes_and_goes_on_alike() {
    for_all(|options, seed| {
        for actions in GAMES {
            let mut learner = options.build();
            play(&mut learner, actions, seed, 0..30);
            let bytes = saved(&learner);
            let mut rebuilt = options.build();
            open(&mut rebuilt, b"test", &bytes).expect("it was saved by the same learner");
            assert!(saved(&rebuilt) == bytes, "the loaded state is another");
            assert_eq!(rebuilt, learner);
            let expected = play(&mut learner, actions, seed, 30..60);
            assert_eq!(play(&mut rebuilt, actions, seed, 30..60), expected);
            assert!(saved(&rebuilt) == saved(&learner), "it goes on in another way");
        }
    });
}

/// Between deciding and learning too.
#[test]
fn a_learner_saved_while_its_round_is_played_learns_alike() {
    for_all(|options, seed| {
        for actions in GAMES {
            let mut learner = options.build();
            play(&mut learner, actions, seed, 0..10);
            let streams = Streams::new(seed).in_round(10);
            let act = learner.decide(actions, &mut streams.draws("act"));
            let mut rebuilt = options.build();
            open(&mut rebuilt, b"test", &saved(&learner)).expect("the same learner saved it");
            let shown = outcome(act, actions, learner.wanted(), &mut streams.stream("outcome"));
            for learner in [&mut learner, &mut rebuilt] {
                learner.observe(&shown, 1, &mut streams.draws("learn"));
            }
            assert!(saved(&rebuilt) == saved(&learner), "it learns in another way");
        }
    });
}

/// Three at a table whose payoffs they are told: a game loaded in its middle goes on alike.
#[test]
fn learners_of_a_written_game_are_saved_with_it() {
    for_all(|options, seed| {
        let game = || {
            let pays = |player: usize, profile: &[u32]| match (profile[player], profile[2]) {
                (0, 1) => f64::INFINITY,
                (1, 0) => f64::NEG_INFINITY,
                (own, _) => f64::from(own + profile[0]) - 1.0,
            };
            let players = ["a", "b", "c"].map(|name| (name.to_owned(), options.build()));
            Repeated::new(Table::new(&[2, 3, 2], pays), players, Streams::new(seed))
        };
        let mut whole = game();
        whole.play(20, &mut ()).expect("a table does not fail");
        let mut half = game();
        open(&mut half, b"test", &saved(&whole)).expect("the same game saved it");
        for rounds in 21..40 {
            for game in [&mut whole, &mut half] {
                game.play(rounds, &mut ()).expect("a table does not fail");
            }
            assert_eq!(whole.outcome(), half.outcome());
        }
    });
}

#[test]
fn where_a_learner_stands_can_be() {
    for_all(|options, seed| {
        let mut learner = options.build();
        for round in 0..200 {
            play(&mut learner, Actions::Coalition, seed, round..round + 1);
            let Stance { probability, level, declared } = learner.stance();
            assert!(probability.is_none_or(|p| (0.0..=1.0).contains(&p)), "{probability:?}");
            assert!(level.is_none_or(|level| level.is_finite() && level >= 0.0), "{level:?}");
            assert_eq!(declared.is_some(), level.is_some());
            let act = learner.decide(Actions::Coalition, &mut Streams::new(seed).draws("act"));
            let terms = act.terms().unwrap_or(Terms { level: declared, ..Terms::ANY });
            assert_eq!(terms.level, declared, "it declares another level than it says");
        }
    });
}

/// Whoever else sits at the table: a neighbour's decisions and draws stay as they are, and what it
/// is shown is what it asked for.
#[test]
fn a_learner_draws_from_its_own_streams_only() {
    #[derive(Default)]
    struct Acts(Vec<Act>);
    state_of_fields!(Acts {});
    impl RoundObserver<Table> for Acts {
        fn played(&mut self, round: Played<'_, Table>) {
            self.0.push(round.outcome.acts[1]);
        }
    }
    let game = |first: &LearnerOptions, seed| {
        let coin = LearnerOptions::Fixed(fixed::Options { probability: 0.5, ..Default::default() });
        let table = Table::new(&[2, 2], |_, profile| f64::from(profile[0] + profile[1]) - 1.0);
        let players = [("a", first), ("b", &coin)];
        let players = players.map(|(name, options)| (name.to_owned(), options.build()));
        let mut game = Repeated::new(table, players, Streams::new(seed));
        let mut acts = Acts::default();
        game.play(40, &mut acts).expect("a table does not fail");
        acts.0
    };
    let never = LearnerOptions::defaults().pop().expect("there are learners");
    for_all(|options, seed| assert_eq!(game(options, seed), game(&never, seed)));
}

#[test]
fn each_has_a_name_a_source_and_a_label() {
    let all = LearnerOptions::defaults();
    // A program has no default.
    let entries: Vec<_> = REGISTRY.iter().filter(|entry| entry.name != "process").collect();
    assert_eq!(all.len(), entries.len());
    for (options, entry) in all.iter().zip(entries) {
        assert_eq!(options.name(), entry.name);
        assert!(!entry.citation.is_empty() && !options.label().is_empty());
        let written = serde_json::to_value(options).expect("it can be written");
        assert!(written.get(entry.name).is_some(), "{written}");
        let read: LearnerOptions = serde_json::from_value(written).expect("it can be read");
        assert_eq!(read, *options);
        let empty = serde_json::json!({ entry.name: {} });
        assert_eq!(serde_json::from_value::<LearnerOptions>(empty).expect("defaults"), *options);
    }
}
