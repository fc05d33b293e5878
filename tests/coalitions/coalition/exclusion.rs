//! Members that cheat, by hand: when their work is done, when they are caught and from what excluded.

use gridpact::game::stage::{Act, Outcome, StageGame as _, Terms, Wanted};
use gridpact::kernel::state::State as _;
use gridpact::kernel::time::Span;
use gridpact::policy::coalition::{AnyBalancer, BalancerOptions, averaging};
use gridpact::sim::pool::{Exclusion, Lie, PoolGame, Rounds, Season, Sends};
use gridpact::workload::jobs::ListSource;

use crate::coalition::common::{Log, at, game};

type Game = PoolGame<ListSource, AnyBalancer, Log>;

/// At 0 the first of two clusters has 10 units, half of which go to the other by 5. Two of that one's own
/// come at 3 and 9 more at 4.
fn pair(lie: Lie, exclusion: Option<Exclusion>) -> Game {
    let lists = vec![vec![(0, 10)], vec![(3, 2), (4, 9)]];
    let options = averaging::Options { unit: Some(1.0), least: 5.0, grid: 5.0 };
    let balancer = BalancerOptions::Averaging(options);
    let span = Span::units;
    let season =
        Season { period: span(20), window: span(0)..span(20), rounds: Rounds::Independent };
    let mut game = game(&lists, &balancer, season, true, Sends::Tail);
    game.deceive(1, lie);
    exclusion.into_iter().for_each(|exclusion| game.exclude(exclusion));
    game
}

/// Plays a round in which both want to take part; the acts.
fn play(game: &mut Game, round: u64) -> Vec<Act> {
    let mut outcome = Outcome::default();
    game.begin(round, &[Act::In(Terms::ANY); 2], &[Wanted::default(); 2]).unwrap();
    while game.advance().unwrap() {}
    game.outcome(&mut outcome).unwrap();
    outcome.acts
}

/// Finishes of the first job of the first cluster and of the jobs of the second, in units.
fn finishes(lie: Lie) -> ([f64; 3], bool) {
    let mut game = pair(lie, None);
    play(&mut game, 0);
    let done = |cluster, number| (game.observer().done[&(cluster, number)].1 - at(0)).as_units();
    ([done(0, 0), done(1, 0), done(1, 1)], game.turns().nth(1).unwrap().caught)
}

/// The jobs of the second cluster would be done at 7 and 16; at 5, where 11 of its units are left, 5 go
/// to the first one, as 6 and 5 are the halves, and are back at 11.
#[test]
fn who_delays_does_own_jobs_first_and_is_late_with_others() {
    assert_eq!(finishes(Lie::HONEST), ([5.0, 7.0, 11.0], false));
    // Two units of foreign work are left at 5, when the first own job is done.
    let delay = Lie { delay: Span::units(3), ..Lie::HONEST };
    assert_eq!(finishes(delay), ([8.0, 5.0, 11.0], true));
    // The job does not fit into the delay.
    let delay = Lie { delay: Span::units(1), ..Lie::HONEST };
    assert_eq!(finishes(delay), ([6.0, 7.0, 11.0], true));
}

/// With a queue of its own of 2 that it declares as 0 it takes 5 instead of 4, and is done with them at 7.
#[test]
fn who_understates_its_queue_promises_too_much() {
    let lists = vec![vec![(0, 10)], vec![(0, 2)]];
    let options = averaging::Options { unit: Some(1.0), least: 5.0, grid: 5.0 };
    let span = Span::units;
    let season =
        Season { period: span(20), window: span(0)..span(20), rounds: Rounds::Independent };
    for (factor, done, caught) in [(1.0, 6, false), (0.0, 7, true)] {
        let balancer = BalancerOptions::Averaging(options.clone());
        let mut game = game(&lists, &balancer, season.clone(), true, Sends::Tail);
        game.deceive(1, Lie { factor, ..Lie::HONEST });
        play(&mut game, 0);
        assert_eq!(game.observer().done[&(0, 0)].1, at(done));
        assert_eq!(game.turns().nth(1).unwrap().caught, caught);
    }
}

/// The rounds of twelve in which the second one is in, with this exclusion.
fn rounds_in(rounds: Option<u64>, probation: u64, new_name: bool) -> Vec<u64> {
    let lie = Lie { delay: Span::units(3), new_name, ..Lie::HONEST };
    let exclusion = Exclusion { rounds, probation, probes: None };
    let mut game = pair(lie, Some(exclusion));
    (0..12).filter(|&round| play(&mut game, round)[1].is_in()).collect()
}

#[test]
fn who_is_caught_is_out_of_so_many_rounds() {
    assert_eq!(rounds_in(Some(0), 0, false), (0..12).collect::<Vec<_>>());
    assert_eq!(rounds_in(Some(3), 0, false), [0, 4, 8]);
    assert_eq!(rounds_in(None, 0, false), [0]);
    // Both are out of the first two rounds; a new name shortens the exclusion to the probation.
    assert_eq!(rounds_in(Some(3), 2, false), [2, 6, 10]);
    assert_eq!(rounds_in(None, 2, true), [2, 5, 8, 11]);
    assert_eq!(rounds_in(None, 0, true), (0..12).collect::<Vec<_>>());
}

#[test]
fn a_saved_game_goes_on_with_who_is_excluded() {
    let new = || {
        let lie = Lie { delay: Span::units(3), ..Lie::HONEST };
        let exclusion = Exclusion { rounds: Some(2), probation: 0, probes: None };
        pair(lie, Some(exclusion))
    };
    for saved_after in 0..4 {
        let (mut whole, mut other) = (new(), new());
        (0..=saved_after).for_each(|round| drop(play(&mut whole, round)));
        let mut bytes = Vec::new();
        whole.save(&mut bytes);
        other.load(&mut &bytes[..]).unwrap();
        let mut again = Vec::new();
        other.save(&mut again);
        assert!(bytes == again);
        for round in saved_after + 1..9 {
            assert_eq!(play(&mut other, round), play(&mut whole, round), "{saved_after} {round}");
        }
    }
}
