//! The repeated game: in each round every player decides, the stage game is played, and every
//! player observes as much of the outcome as its information label allows.
//!
//! Each player draws from its own streams, one for each round and purpose, so no generator needs
//! saving and players do not affect each other's draws. The game can be saved and forked between
//! any two calls of [`Repeated::advance`], even in the middle of a round.

use rand::RngExt as _;

use game::stage::{Act, Actions, Outcome, StageGame, Wanted};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use policy::learn::{Player, Stance};

/// A round that was played.
#[derive(Debug)]
pub struct Played<'a, G> {
    /// Its number, from 0.
    pub round: u64,
    /// Presence of each player.
    pub present: &'a [bool],
    /// Stance of each player when it decided.
    pub stances: &'a [Stance],
    /// The outcome, without parts that nobody asked for.
    pub outcome: &'a Outcome,
    /// The game, which may know more about the round than its outcome.
    pub game: &'a G,
}

/// Observes each round; a pair of observers is an observer. It cannot change the run.
pub trait RoundObserver<G>: State {
    /// A round has ended, and the players have learned from it.
    fn played(&mut self, round: Played<'_, G>);
}

impl<G> RoundObserver<G> for () {
    fn played(&mut self, _: Played<'_, G>) {}
}

impl<G, A: RoundObserver<G>, B: RoundObserver<G>> RoundObserver<G> for (A, B) {
    fn played(&mut self, round: Played<'_, G>) {
        let Played { round, present, stances, outcome, game } = round;
        self.0.played(Played { round, present, stances, outcome, game });
        self.1.played(Played { round, present, stances, outcome, game });
    }
}

impl<G, O: RoundObserver<G>> RoundObserver<G> for Option<O> {
    fn played(&mut self, round: Played<'_, G>) {
        if let Some(observer) = self {
            observer.played(round);
        }
    }
}

/// A player and the names of its streams.
#[derive(Clone, Debug)]
struct Seat<P> {
    player: P,
    act: String,
    learn: String,
}

/// A stage game and its players.
#[derive(Clone, Debug)]
pub struct Repeated<G, P> {
    game: G,
    seats: Vec<Seat<P>>,
    streams: Streams,
    round: u64,
    /// A round is in progress.
    begun: bool,
    /// Presence of each player in the round in progress.
    present: Vec<bool>,
    stances: Vec<Stance>,
    /// Probabilities of each player's choices when it decided.
    laws: Vec<Vec<f64>>,
    /// Outcome of the last finished round.
    outcome: Outcome,
    acts: Vec<Act>,
    wanted: Vec<Wanted>,
    /// Players are frozen: nobody learns.
    held: bool,
    forced: Option<(usize, Act)>,
    asked: Asked,
}

/// Players whose alternatives are evaluated in addition to their own requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// First round with such evaluations.
    pub from: u64,
    /// One round in this many is evaluated, drawn at random since play may cycle; none if 0.
    pub every: u64,
    /// True for the evaluated players.
    pub players: Vec<bool>,
}

impl Asked {
    /// All of these players in every round.
    pub fn always(players: usize) -> Asked {
        Asked { from: 0, every: 1, players: vec![true; players] }
    }

    /// True in rounds with evaluations; `streams` are those of the replication.
    pub fn in_round(&self, round: u64, streams: Streams) -> bool {
        if self.every < 2 || round < self.from {
            return self.every == 1 && round >= self.from;
        }
        let into = (round - self.from) % self.every;
        let mut rng = streams.in_round(round - into).stream("asked");
        rng.random_range(0..self.every) == into
    }

    fn of(&self, player: usize) -> bool {
        self.players.get(player).is_some_and(|&is_asked| is_asked)
    }
}

/// Rounds of a replication with these streams, if after each round another one follows with a
/// probability below 1: n rounds or more with this probability to the power n - 1.
pub fn by_chance(probability: f64, streams: &Streams) -> u64 {
    let drawn: f64 = streams.stream("coalition/end").random();
    1 + (libm::log1p(-drawn) / libm::log(probability)) as u64
}

impl<G: StageGame, P: Player> Repeated<G, P> {
    /// The game before round 0. Each player has the name of its organization, which also names its
    /// streams: `organization/NAME/learner/act` and `organization/NAME/learner/learn`.
    ///
    /// # Panics
    /// Panics if the number of players differs from the game's.
    pub fn new(
        game: G,
        players: impl IntoIterator<Item = (String, P)>,
        streams: Streams,
    ) -> Repeated<G, P> {
        let seat = |(name, player): (String, P)| {
            let [act, learn] =
                ["act", "learn"].map(|purpose| format!("organization/{name}/learner/{purpose}"));
            Seat { player, act, learn }
        };
        let seats: Vec<Seat<P>> = players.into_iter().map(seat).collect();
        assert_eq!(seats.len(), game.players(), "every seat of the game has a player");
        Repeated {
            game,
            seats,
            streams,
            round: 0,
            begun: false,
            present: Vec::new(),
            stances: Vec::new(),
            laws: Vec::new(),
            outcome: Outcome::default(),
            acts: Vec::new(),
            wanted: Vec::new(),
            held: false,
            forced: None,
            asked: Asked::default(),
        }
    }

    /// The same game with frozen players: they decide as before, but do not learn.
    #[must_use]
    pub fn held(self) -> Self {
        Repeated { held: true, ..self }
    }

    /// The same game with one player's action fixed.
    #[must_use]
    pub fn with_act(self, player: usize, act: Act) -> Self {
        Repeated { forced: Some((player, act)), ..self }
    }

    /// The same game with alternatives evaluated for some players in some rounds.
    #[must_use]
    pub fn asking(self, asked: Asked) -> Self {
        Repeated { asked, ..self }
    }

    /// The next round, or the one in progress.
    pub fn round(&self) -> u64 {
        self.round
    }

    /// True between rounds.
    pub fn is_between(&self) -> bool {
        !self.begun
    }

    /// The stage game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The stage game, mutably, for changes between rounds.
    pub fn game_mut(&mut self) -> &mut G {
        &mut self.game
    }

    /// Returns the stage game.
    pub fn into_game(self) -> G {
        self.game
    }

    /// Outcome of the last round.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The law of each player when it last decided: the probabilities of the actions it chooses
    /// among, or of staying out and taking part. Empty if not known, and of who is absent.
    pub fn laws(&self) -> &[Vec<f64>] {
        &self.laws
    }

    /// The players in their order.
    pub fn players(&self) -> impl ExactSizeIterator<Item = &P> {
        self.seats.iter().map(|seat| &seat.player)
    }

    /// Current stances of the players.
    pub fn stances(&self) -> impl ExactSizeIterator<Item = Stance> {
        self.players().map(P::stance)
    }

    /// Begins a round or advances it by an instant. False once the round is over, after players
    /// have learned from it and the observer was notified.
    ///
    /// # Errors
    /// Fails if the game fails.
    pub fn advance(&mut self, observer: &mut impl RoundObserver<G>) -> Result<bool, G::Error> {
        if !self.begun {
            self.decide();
            self.game.begin(self.round, &self.acts, &self.wanted)?;
            self.begun = true;
        }
        if self.game.advance()? {
            return Ok(true);
        }
        self.game.outcome(&mut self.outcome)?;
        self.learn();
        observer.played(Played {
            round: self.round,
            present: &self.present,
            stances: &self.stances,
            outcome: &self.outcome,
            game: &self.game,
        });
        self.round += 1;
        self.begun = false;
        Ok(false)
    }

    /// Plays until this many rounds are finished.
    ///
    /// # Errors
    /// Fails if the game fails.
    pub fn play(
        &mut self,
        rounds: u64,
        observer: &mut impl RoundObserver<G>,
    ) -> Result<(), G::Error> {
        while self.round < rounds {
            self.advance(observer)?;
        }
        Ok(())
    }

    /// Lets every present player decide; absent ones are out and ask for nothing.
    fn decide(&mut self) {
        self.acts.clear();
        self.wanted.clear();
        self.present.clear();
        self.stances.clear();
        self.laws.resize(self.seats.len(), Vec::new());
        let asks = self.asked.in_round(self.round, self.streams);
        let streams = self.streams.in_round(self.round);
        for (index, Seat { player, act, .. }) in self.seats.iter_mut().enumerate() {
            let actions = self.game.actions(index, self.round);
            self.stances.push(player.stance());
            self.present.push(actions != Actions::Absent);
            let law = &mut self.laws[index];
            law.clear();
            let (act, wanted) = if actions == Actions::Absent {
                (Act::Out, Wanted::default())
            } else {
                let mut act = player.decide(actions, &mut streams.draws(act));
                law.extend_from_slice(player.law());
                if let (None, Some(p)) = (player.choices(), self.stances[index].probability) {
                    law.extend(actions.law(p));
                }
                if let Some((_, forced)) = self.forced.filter(|&(forced, _)| forced == index) {
                    act = forced;
                }
                assert!(actions.allow(act), "a learner does only what it may: {act:?}");
                let mut wanted = player.wanted();
                wanted.stayed_out &= act != actions.staying_out();
                wanted.instead |= asks && self.asked.of(index);
                (act, wanted)
            };
            self.acts.push(act);
            self.wanted.push(wanted);
        }
    }

    /// Lets every present player observe the outcome.
    fn learn(&mut self) {
        if self.held {
            return;
        }
        let streams = self.streams.in_round(self.round);
        self.outcome.present.clone_from(&self.present);
        for (index, Seat { player, learn, .. }) in self.seats.iter_mut().enumerate() {
            if self.present[index] {
                player.observe(&self.outcome, index, &mut streams.draws(learn));
            }
        }
    }
}

impl<G: State, P: State> State for Repeated<G, P> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.round, self.begun), out);
        if self.begun {
            put(&(&self.present, &self.stances, &self.laws), out);
        }
        self.game.save(out);
        put(&self.seats.len(), out);
        self.seats.iter().for_each(|seat| seat.player.save(out));
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.round, self.begun) = take(from)?;
        if self.begun {
            (self.present, self.stances, self.laws) = take(from)?;
            let players = self.seats.len();
            let saved = [self.present.len(), self.stances.len(), self.laws.len()];
            if saved != [players; 3] {
                return Err(Corrupt::Content("a round of other players".to_owned()));
            }
        }
        self.game.load(from)?;
        let saved: usize = take(from)?;
        if saved != self.seats.len() {
            let players = self.seats.len();
            return Err(Corrupt::Content(format!("{saved} players were saved, not {players}")));
        }
        self.seats.iter_mut().try_for_each(|seat| seat.player.load(from))
    }
}

#[cfg(test)]
mod tests {
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
        LearnerOptions::Fixed(fixed::Options { probability, level: None }).build()
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
                assert_eq!((outcome.acts[2], outcome.payoffs[2]), (Act::Out, 0.0));
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
            let payoffs =
                self.acts.iter().map(|act| f64::from(self.instants * u32::from(act.is_in())));
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
            let lengths = (0..count).map(|number| {
                by_chance(probability, &Streams::new(7).in_replication(number)) as f64
            });
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
}
