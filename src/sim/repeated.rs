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

    /// Stances of the players when they last decided.
    pub fn decided(&self) -> &[Stance] {
        &self.stances
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
            if actions != Actions::Absent {
                player.meet(actions, act, &self.streams);
            }
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
mod tests;
