//! Repeated games of two players, round by round.

use super::*;
use game::stage::{Info, OwnEach, Presence, Seen, Terms};
use game::table::Table;
use kernel::rng::Draws;
use kernel::state_of_fields;
use policy::learn::{AnyLearner, Learner, LearnerOptions, fixed, ratio};

fn ratio(initial: f64) -> AnyLearner {
    LearnerOptions::Ratio(ratio::Options { initial, ..Default::default() }).build()
}

fn fixed(probability: f64) -> AnyLearner {
    LearnerOptions::Fixed(fixed::Options { probability, ..Default::default() }).build()
}

fn seated<P>(players: impl IntoIterator<Item = P>) -> Vec<(String, P)> {
    let name = |(index, player)| (format!("player-{index}"), player);
    players.into_iter().enumerate().map(name).collect()
}

/// Taking part pays each player 0.3 if another one does too, else -0.4.
fn together(players: usize) -> Table {
    Table::new(&vec![2; players], |player, profile| match profile.iter().sum::<u32>() {
        _ if profile[player] == 0 => 0.0,
        1 => -0.4,
        _ => 0.3,
    })
}

fn game(seed: u64) -> Repeated<Table, AnyLearner> {
    let table = together(3).with_presence(2, Presence { first: 10, last: Some(19) });
    let players = seated([ratio(0.5), fixed(0.4), ratio(0.9)]);
    Repeated::new(table, players, Streams::new(seed))
}

fn saved(part: &impl State) -> Vec<u8> {
    let mut bytes = Vec::new();
    part.save(&mut bytes);
    bytes
}

/// Log of an observer, by round: presence, stances, acts, payoffs.
#[derive(Default)]
struct Log(Vec<(u64, Vec<bool>, Vec<Stance>, Outcome)>);

state_of_fields!(Log {});

impl<G> RoundObserver<G> for Log {
    fn played(&mut self, round: Played<'_, G>) {
        let (present, stances) = (round.present.to_vec(), round.stances.to_vec());
        self.0.push((round.round, present, stances, round.outcome.clone()));
    }
}

/// Recomputes the learning rule by hand from the observed rounds.
#[test]
fn players_learn_from_what_was_played() {
    let (mut game, mut log) = (game(3), Log::default());
    game.play(200, &mut log).unwrap();
    assert_eq!(log.0.len(), 200);
    let mut p = [0.5, 0.4, 0.9];
    for (index, (round, present, stances, outcome)) in log.0.iter().enumerate() {
        assert_eq!(*round, index as u64);
        let here = (10..20).contains(&index);
        assert_eq!(*present, [true, true, here]);
        assert_eq!(outcome.present, *present);
        if !here {
            assert_eq!((outcome.acts[2], outcome.payoffs[2]), (Act::Choose(0), 0.0));
        }
        for player in [0, 2] {
            let stood = stances[player].probability.unwrap();
            assert!((stood - p[player]).abs() < 1e-12, "round {index}");
            let joined = outcome.acts[player] == Act::Choose(1);
            assert_eq!(outcome.stayed_out[player], joined.then_some(0.0));
            if joined {
                let others: usize =
                    outcome.acts.iter().map(|&a| usize::from(a == Act::Choose(1))).sum();
                let desire = if others > 1 { 0.65 } else { 0.3 };
                assert_eq!(outcome.payoffs[player], if others > 1 { 0.3 } else { -0.4 });
                p[player] = 0.9 * p[player] + 0.1 * desire;
            }
        }
        assert_eq!(stances[1].probability, Some(0.4));
        assert_eq!(outcome.stayed_out[1], None, "it did not want to know");
    }
    // Mean field: q = .65 with probability .4 and .3 otherwise. An exponential average with
    // weight .1 of draws with standard deviation .17 has one of .039; the tolerance is four of
    // them.
    assert!((p[0] - 0.44).abs() < 4.0 * 0.039, "{}", p[0]);
}

#[test]
fn saved_and_forked_games_go_on_alike_and_move_nobody_elses_draws() {
    let mut whole = game(5);
    whole.play(15, &mut ()).unwrap();
    let mut fork = whole.clone();
    let bytes = saved(&whole);
    whole.play(60, &mut ()).unwrap();
    let mut rebuilt = game(5);
    rebuilt.load(&mut bytes.as_slice()).unwrap();
    assert_eq!(saved(&rebuilt), bytes);
    rebuilt.play(60, &mut ()).unwrap();
    assert_eq!(saved(&rebuilt), saved(&whole));
    fork.play(60, &mut ()).unwrap();
    assert_eq!(saved(&fork), saved(&whole));

    // With a different player 0, player 1 decides as before.
    let acts = |first: AnyLearner| {
        let players = seated([first, fixed(0.4), fixed(1.0)]);
        let mut game = Repeated::new(together(3), players, Streams::new(7));
        let mut log = Log::default();
        game.play(50, &mut log).unwrap();
        log.0.iter().map(|(.., outcome)| outcome.acts[1]).collect::<Vec<_>>()
    };
    assert_eq!(acts(ratio(0.5)), acts(fixed(0.0)));
}

#[test]
fn one_round_of_each_stretch_is_asked_about() {
    let asked = Asked { from: 10, every: 7, players: vec![true] };
    let streams = Streams::new(1);
    let rounds: Vec<u64> = (0..710).filter(|&round| asked.in_round(round, streams)).collect();
    let stretches: Vec<u64> = rounds.iter().map(|round| (round - 10) / 7).collect();
    assert_eq!(stretches, (0..100).collect::<Vec<u64>>());
    let mut places: Vec<u64> = rounds.iter().map(|round| (round - 10) % 7).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 7, "play that goes in cycles is met everywhere");
    assert!((0..99).all(|round| !Asked::default().in_round(round, streams)));
}

/// A game whose rounds take several instants, each of which adds to the payoffs.
#[derive(Clone, Debug, Default)]
struct Slow {
    instants: u32,
    acts: Vec<Act>,
}

state_of_fields!(Slow { instants, acts });

impl StageGame for Slow {
    type Error = std::convert::Infallible;
    fn players(&self) -> usize {
        2
    }
    fn actions(&self, _: usize, _: u64) -> Actions {
        Actions::Coalition
    }
    fn begin(&mut self, _: u64, acts: &[Act], _: &[Wanted]) -> Result<(), Self::Error> {
        *self = Slow { instants: 0, acts: acts.to_vec() };
        Ok(())
    }
    fn advance(&mut self) -> Result<bool, Self::Error> {
        self.instants += 1;
        Ok(self.instants < 4)
    }
    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Self::Error> {
        let payoffs = self.acts.iter().map(|act| f64::from(self.instants * u32::from(act.is_in())));
        *out = Outcome {
            acts: self.acts.clone(),
            payoffs: payoffs.collect(),
            stayed_out: vec![Some(0.0); 2],
            instead: vec![Vec::new(); 2],
            members: self.acts.iter().filter(|act| act.is_in()).count() as u32,
            ..Outcome::default()
        };
        Ok(())
    }
}

#[test]
fn a_round_saved_in_its_middle_goes_on_as_if_nothing_had_happened() {
    let game = || {
        let players = seated([ratio(0.5), ratio(0.7)]);
        Repeated::new(Slow::default(), players, Streams::new(2))
    };
    let (mut whole, mut log) = (game(), Log::default());
    whole.play(12, &mut log).unwrap();
    for calls in 0..20 {
        let (mut half, mut before) = (game(), Log::default());
        for _ in 0..calls {
            half.advance(&mut before).unwrap();
        }
        assert_eq!(half.is_between(), calls % 4 == 0);
        let mut rebuilt = game();
        rebuilt.load(&mut saved(&half).as_slice()).unwrap();
        assert_eq!(saved(&rebuilt), saved(&half));
        rebuilt.play(12, &mut before).unwrap();
        assert_eq!(saved(&rebuilt), saved(&whole));
        assert_eq!(before.0, log.0);
    }
}

/// A learner that wants to know everything and records its feasible actions.
#[derive(Clone, Debug, Default)]
struct Curious {
    rounds: Vec<u64>,
}

state_of_fields!(Curious { rounds });

impl Learner for Curious {
    type Sees = OwnEach;
    fn act(&mut self, actions: Actions, draws: &mut Draws<'_>) -> Act {
        if draws.rng().random::<bool>() {
            actions.taking_part(Terms::ANY)
        } else {
            actions.staying_out()
        }
    }
    fn learn(&mut self, seen: Seen<'_, OwnEach>, draws: &mut Draws<'_>) {
        let in_pays = seen.instead()[1];
        let expected = if seen.act() == Act::Choose(1) { seen.payoff() } else { in_pays };
        assert_eq!(in_pays, expected);
        self.rounds.push(draws.rng().random::<u64>());
    }
    fn stance(&self) -> Stance {
        Stance::default()
    }
}

/// The number of rounds is geometric: its mean, and how often there is a second one, are those of
/// theory within 4 standard errors.
#[test]
fn chance_ends_after_as_many_rounds_as_theory_says() {
    for (probability, count) in [(0.05, 20_000), (0.5, 20_000), (0.95, 20_000)] {
        let lengths = (0..count)
            .map(|number| by_chance(probability, &Streams::new(7).in_replication(number)) as f64);
        let lengths: Vec<f64> = lengths.collect();
        let mean = lengths.iter().sum::<f64>() / count as f64;
        let expected = 1.0 / (1.0 - probability);
        let error = (probability / count as f64).sqrt() * expected;
        assert!((mean - expected).abs() < 4.0 * error, "{mean} for {expected}");
        let longer = lengths.iter().filter(|&&length| length > 1.0).count() as f64;
        let error = (probability * (1.0 - probability) / count as f64).sqrt();
        assert!((longer / count as f64 - probability).abs() < 4.0 * error, "{longer}");
        assert!(lengths.iter().all(|&length| length >= 1.0));
    }
}

#[test]
fn who_is_absent_is_not_asked_and_who_is_out_is_told_what_its_label_knows() {
    let table = together(2).with_presence(1, Presence { first: 0, last: Some(4) });
    let mut game =
        Repeated::new(table, seated([Curious::default(), Curious::default()]), Streams::new(1));
    game.play(9, &mut ()).unwrap();
    let lengths: Vec<usize> = game.players().map(|player| player.rounds.len()).collect();
    assert_eq!(lengths, [9, 5]);
    assert_eq!(<Curious as Learner>::Sees::WANTED, game.players().next().unwrap().wanted());
    let mut draws = game.players().next().unwrap().rounds.clone();
    draws.dedup();
    assert_eq!(draws.len(), 9, "every round has a stream of its own");
}
