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
    game.deceive(1, vec![lie]);
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
        game.deceive(1, vec![Lie { factor, ..Lie::HONEST }]);
        play(&mut game, 0);
        assert_eq!(game.observer().done[&(0, 0)].1, at(done));
        assert_eq!(game.turns().nth(1).unwrap().caught, caught);
    }
}

/// The rounds of twelve in which the second one is in, with this exclusion.
fn rounds_in(rounds: Option<u64>, probation: u64, new_name: bool) -> Vec<u64> {
    let lie = Lie { delay: Span::units(3), new_name, ..Lie::HONEST };
    let exclusion = Exclusion { rounds, probation, ..Exclusion::default() };
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

/// A game of these jobs, balanced in whole units every 5 units; nobody cheats.
fn listed(lists: &[&[(i64, i64)]]) -> Game {
    let lists = lists.iter().map(|list| list.to_vec()).collect();
    let options = averaging::Options { unit: Some(1.0), least: 5.0, grid: 5.0 };
    let span = Span::units;
    let season =
        Season { period: span(20), window: span(0)..span(20), rounds: Rounds::Independent };
    game(&lists, &BalancerOptions::Averaging(options), season, true, Sends::Tail)
}

/// Plays round 0; the finishes of these jobs, by cluster and number.
fn ends<const N: usize>(mut game: Game, jobs: [(u32, u64); N]) -> [f64; N] {
    let all = [Act::In(Terms::ANY); 3];
    game.begin(0, &all[..game.players()], &vec![Wanted::default(); game.players()]).unwrap();
    while game.advance().unwrap() {}
    jobs.map(|job| (game.observer().done[&job].1 - at(0)).as_units())
}

/// Caught in the first round, it is out of one; caught in round 2 of two, in round 5 of four.
#[test]
fn each_exclusion_may_be_twice_as_long_as_the_last() {
    let lie = Lie { delay: Span::units(3), ..Lie::HONEST };
    let doubles = Exclusion { rounds: Some(1), doubles: true, ..Exclusion::default() };
    let mut game = pair(lie, Some(doubles));
    let rounds = (0..12).filter(|&round| play(&mut game, round)[1].is_in());
    assert_eq!(rounds.collect::<Vec<_>>(), [0, 2, 5, 10]);
}

/// With 10 and 2 units, 4 go to the second one, which is against the first.
#[test]
fn whoever_others_did_more_for_is_voted_out() {
    for (votes, rounds) in [(0.5, vec![0, 3]), (1.0, vec![0, 1, 2, 3, 4])] {
        let mut game = listed(&[&[(0, 10)], &[(0, 2)]]);
        let exclusion = Exclusion { rounds: Some(2), votes: Some(votes), ..Exclusion::default() };
        game.exclude(exclusion);
        let acts: Vec<_> = (0..5).map(|round| play(&mut game, round)).collect();
        let is_in =
            |player: usize| (0..5).filter(|&round| acts[round][player].is_in()).collect::<Vec<_>>();
        assert_eq!((is_in(0), is_in(1)), (rounds, vec![0, 1, 2, 3, 4]), "{votes}");
    }
}

/// Queues of 4 and 2 become 3 and 3. With 6 units without worth the first one has 10 and sends 4 of them,
/// and at 5, when the second one has one of them and a job, one or two more.
#[test]
fn work_without_worth_costs_others_and_its_owner() {
    let game = |dummy| {
        let mut game = listed(&[&[(0, 4)], &[(0, 2), (3, 2)]]);
        game.deceive(0, vec![Lie { dummy: Span::units(dummy), ..Lie::HONEST }]);
        game
    };
    assert_eq!(ends(game(0), [(0, 0), (1, 0), (1, 1)]), [3.0, 2.0, 5.0]);
    assert_eq!(ends(game(6), [(0, 0), (1, 0), (1, 1)]), [4.0, 2.0, 8.0]);
}

/// With 12, 4 and 0 units, {b, c} and then {a, b} leave 7, 7 and 2. In the other order b has 8 units, of which
/// it sends none, as others' work comes last.
#[test]
fn groups_balance_one_after_the_other() {
    let game = |groups: [[u32; 2]; 2]| {
        let mut game = listed(&[&[(0, 12)], &[(0, 4)], &[]]);
        game.group(groups.map(Vec::from).into());
        game
    };
    assert_eq!(ends(game([[1, 2], [0, 1]]), [(0, 0), (1, 0)]), [7.0, 2.0]);
    assert_eq!(ends(game([[0, 1], [1, 2]]), [(0, 0), (1, 0)]), [8.0, 4.0]);
}

/// In odd rounds it tells the second of its lies, and is caught.
#[test]
fn a_lie_is_chosen_for_each_round() {
    let delay = Lie { delay: Span::units(3), ..Lie::HONEST };
    let mut game = pair(Lie::HONEST, Some(Exclusion { rounds: Some(0), ..Exclusion::default() }));
    game.deceive(1, vec![Lie::HONEST, Lie { add: Span::units(1), ..Lie::HONEST }, delay]);
    for round in 0..4 {
        let told = Act::In(Terms { lie: 2 * (round as u32 % 2), ..Terms::ANY });
        game.begin(round, &[Act::In(Terms::ANY), told], &[Wanted::default(); 2]).unwrap();
        while game.advance().unwrap() {}
        let turn = game.turns().nth(1).unwrap();
        assert_eq!([turn.lies, turn.caught], [round % 2 == 1; 2], "{round}");
    }
}

#[test]
fn a_saved_game_goes_on_with_who_is_excluded() {
    let new = || {
        let lie = Lie { delay: Span::units(3), ..Lie::HONEST };
        let exclusion = Exclusion { rounds: Some(2), doubles: true, ..Exclusion::default() };
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
