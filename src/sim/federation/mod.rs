//! The stage game of a federation: a grid of space-shared clusters whose owners decide before every
//! round whether to pool them.
//!
//! One world goes on from round to round. A boundary comes before all events of its instant. Scores
//! compare the flow time of an owner's jobs with that in a copy of the world in which it alone acts
//! otherwise; jobs that have not ended with the round are followed to their end in a copy without
//! further submissions.
//!
//! Independent rounds each have a world of their own, that begins empty and is played on without
//! submissions until its jobs have ended.

pub mod site;
pub mod stakes;
mod tally;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ::game::stage::{Act, Actions, Outcome, Presence, StageGame, Terms, Wanted};
use kernel::engine::{Engine, Stopped};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::ids::{OrganizationId, Uses};
use model::job::Job;
use rand::RngExt as _;
use workload::{Piece, Source};

use super::accounts::Owned;
use super::grid::{Grid, GridError, Membership};
use super::observer::Observer;
use super::pool::turn::{Judged, Turn};
use super::pool::{Lie, Rounds, Season};
use site::Site;
use stakes::{Plays, Stakes};
use tally::Scored;
pub use tally::Tally;

/// The clusters of a federation, those that each organization may use, and the lists of clusters that
/// jobs may be bound to.
#[derive(Clone, Debug)]
pub struct Grounds {
    /// The clusters.
    pub clusters: Vec<Owned>,
    /// By organization.
    pub uses: Vec<Uses>,
    /// Each with the organization of its jobs.
    pub lists: Vec<(OrganizationId, Uses)>,
    /// By cluster: the most processors that others' jobs may have.
    pub shares: Vec<Option<u32>>,
    /// The measure of its rounds, and the costs of taking part.
    pub stakes: Stakes,
    /// The pieces of its workloads that independent rounds play.
    pub pieces: Pieces,
}

/// The beginnings of the pieces of traces and lists that independent rounds play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Begins {
    /// They begin at the same weekday and hour in each whose header tells the date of its time 0.
    #[default]
    Aligned,
    /// They begin as long after time 0 in each.
    Offset,
}

impl Begins {
    /// True unless a scenario says otherwise.
    pub fn is_default(&self) -> bool {
        *self == Begins::default()
    }
}

/// The pieces of workloads that independent rounds play, each as long as a round.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// By source, the instant at which its first piece begins; time 0 of what is drawn afresh.
    pub first: Vec<Time>,
    /// By source, true if its jobs are given: one of its pieces is drawn, as late in all sources.
    pub is_given: Vec<bool>,
    /// Pieces that all given sources have.
    pub count: u64,
}

impl Pieces {
    /// The pieces of a round that begins at a time; `streams` are those of the round.
    fn of(&self, streams: &Streams, length: Span, at: Time) -> Vec<Piece> {
        let mut rng = streams.stream("coalition/piece");
        let drawn = if self.count > 0 { rng.random_range(0..self.count) } else { 0 };
        let later = Span::from_ticks(length.ticks().saturating_mul(drawn as i64));
        let sources = self.first.iter().zip(&self.is_given);
        let piece = |(&first, &is_given): (&Time, &bool)| Piece {
            from: if is_given { first.saturating_add(later) } else { first },
            length,
            at,
        };
        sources.map(piece).collect()
    }
}

/// The difference of a copy of the world from the world itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum What {
    /// A member stays out.
    Out(u32),
    /// An outsider plays an entry of its menu.
    Instead(u32, u32),
    /// Nobody submits after the round.
    Settled,
}

/// A copy of the world.
#[derive(Clone, Debug)]
struct Fork<S: Source> {
    what: What,
    /// True once its round is over and no more jobs are submitted.
    is_closed: bool,
    engine: Engine<Grid<Site, S, Tally>>,
}

impl<S: Source<Load = Job>> Fork<S> {
    /// The organization whose jobs it is about; `None` for all.
    fn whose(&self) -> Option<usize> {
        match self.what {
            What::Out(player) | What::Instead(player, _) => Some(player as usize),
            What::Settled => None,
        }
    }

    fn scored(&self) -> &[Scored] {
        &self.engine.world().observer().scored
    }

    /// Advances by an instant; false once all that it is about has ended.
    fn step(&mut self, end: Time) -> Result<bool, Stopped<GridError>> {
        let is_before = self.engine.upcoming().is_some_and(|(at, _)| at < end);
        if !self.is_closed && is_before {
            return Ok(self.engine.step()?.is_some());
        }
        if !std::mem::replace(&mut self.is_closed, true) {
            self.engine.change(Grid::close);
        }
        let is_open = self.engine.world().observer().is_open(self.whose());
        Ok(is_open && self.engine.step()?.is_some())
    }
}

/// A federation and its rounds. Organization n is player n.
#[derive(Debug)]
pub struct FederationGame<S: Source, O> {
    engine: Engine<Grid<Site, S, Watched<O>>>,
    /// The grid without jobs, with which each of independent rounds begins.
    blank: Option<Grid<Site, S, ()>>,
    pieces: Pieces,
    season: Season,
    stakes: Stakes,
    presence: Vec<Presence>,
    streams: Streams,
    round: u64,
    acts: Vec<Act>,
    wanted: Vec<Wanted>,
    /// Each player's counterfactual actions, used if it asks for alternatives.
    menus: Vec<Vec<Act>>,
    /// Factors of the runtimes that players let others expect: that of every round, and those to choose from.
    factors: Vec<Vec<f64>>,
    turns: Vec<Turn>,
    forks: Vec<Fork<S>>,
    is_scored: bool,
}

impl<S, O> FederationGame<S, O>
where
    S: Source<Load = Job> + Clone,
    O: Observer,
{
    /// A game with one player for each organization of a grid, which `build` makes with an observer;
    /// `streams` are those of the replication.
    ///
    /// # Errors
    /// Fails if `build` does.
    ///
    /// # Panics
    /// If the numbers of presences and organizations differ.
    pub fn new<E>(
        build: impl FnOnce(Watched<O>) -> Result<Grid<Site, S, Watched<O>>, E>,
        grounds: Grounds,
        presence: Vec<Presence>,
        season: Season,
        streams: Streams,
        observer: O,
    ) -> Result<Self, E> {
        let players = grounds.uses.len();
        assert_eq!(players, presence.len(), "one presence a player");
        let Grounds { clusters, uses, lists, shares, stakes, pieces } = grounds;
        let tally = Tally::new(clusters, &uses, &lists, stakes);
        let mut grid = build((tally, observer))?;
        grid.federate(stakes.costs, shares);
        let is_independent = season.rounds == Rounds::Independent;
        Ok(FederationGame {
            blank: is_independent.then(|| grid.watched_by(())),
            pieces,
            engine: grid.start_with(&streams),
            season,
            stakes,
            presence,
            streams,
            round: 0,
            acts: vec![Act::Out; players],
            wanted: vec![Wanted::default(); players],
            menus: vec![vec![Act::Out, Act::In(Terms::ANY)]; players],
            factors: vec![vec![1.0]; players],
            turns: vec![Turn::absent(); players],
            forks: Vec::new(),
            is_scored: true,
        })
    }

    /// Drops the scores, each of which costs a copy of the world: all are 0.
    #[must_use]
    pub fn unscored(self) -> Self {
        FederationGame { is_scored: false, ..self }
    }

    /// Sets the actions whose counterfactual payoffs a player may ask for. The default is staying
    /// out and taking part.
    pub fn offer(&mut self, player: usize, menu: Vec<Act>) {
        self.menus[player] = menu;
    }

    /// Lets a player state other runtimes than it expects while it is in: in each round by the factor of the
    /// first of these ways, or by that of the one that it chooses, numbered from 1.
    pub fn deceive(&mut self, player: usize, lies: &[Lie]) {
        self.factors[player] = lies.iter().map(|lie| lie.factor).collect();
    }

    /// The factor of the runtimes that a player states.
    fn factor(&self, player: usize, act: Act) -> f64 {
        let chosen = act.terms().unwrap_or_default().lie as usize;
        let factors = &self.factors[player];
        factors.get(chosen).or(factors.first()).copied().unwrap_or(1.0)
    }

    /// Results of the finished round, by organization.
    pub fn turns(&self) -> impl ExactSizeIterator<Item = &Turn> {
        self.turns.iter()
    }

    /// The simulated time.
    pub fn now(&self) -> Time {
        self.engine.now()
    }

    /// The grid.
    pub fn grid(&self) -> &Grid<Site, S, Watched<O>> {
        self.engine.world()
    }

    /// The observer of the grid.
    pub fn observer(&self) -> &O {
        &self.engine.world().observer().1
    }

    /// The observer, mutably.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.engine.watched().observer_mut().1
    }

    /// Ends the game and returns the observer, which is told of the jobs that have not ended.
    pub fn into_observer(self) -> O {
        let end = self.start(self.round + 1).unwrap_or(Time::NEVER);
        self.engine.into_world().finish(end).1
    }

    /// Events so far.
    pub fn wakes(&self) -> u64 {
        self.engine.wakes()
    }

    /// Begins an independent round with empty clusters. Its clock is that of rounds that go on, so
    /// that the time of a submission tells the round.
    fn open(&mut self, round: u64) -> Result<(), GridError> {
        let at = self.start(round).unwrap_or(Time::NEVER);
        let Some(blank) = &self.blank else { return Ok(()) };
        let streams = self.streams.in_round(round);
        let pieces = self.pieces.of(&streams, self.season.period, at);
        self.engine.restart(|grid| grid.begin_again(blank, &streams, &pieces))
    }

    /// True while the round goes on: to its end, and an independent one until its jobs have ended.
    fn goes_on(&self) -> bool {
        let Some((at, _)) = self.engine.upcoming() else { return false };
        at < self.ends() || self.blank.is_some() && self.engine.world().has_work()
    }

    /// Start time of a round.
    fn start(&self, round: u64) -> Option<Time> {
        let ticks = i64::try_from(round).ok()?.checked_mul(self.season.period.ticks())?;
        Some(Time::from_ticks(ticks))
    }

    /// True if a player that is there acts together with others.
    fn is_in(&self, player: usize, act: Act) -> bool {
        act.is_in() && self.presence[player].has(self.round)
    }

    /// The part that everybody takes, given the actions. Where they share, one alone has nobody to pool
    /// with; where they follow a plan, it is made for all.
    fn membership(&self, acts: &[Act]) -> Membership {
        let joins = acts.iter().enumerate().map(|(player, &act)| self.is_in(player, act));
        let joins: Vec<bool> = joins.collect();
        let count = joins.iter().filter(|&&joins| joins).count();
        let is_there = self.presence.iter().map(|presence| presence.has(self.round));
        let (is_in, apart): (Vec<bool>, Vec<bool>) = match self.stakes.plays {
            Plays::Follow => {
                is_there.zip(&joins).map(|(is_there, joins)| (is_there, is_there && !joins)).unzip()
            }
            Plays::Share => joins.iter().map(|&joins| (joins && count > 1, false)).unzip(),
        };
        let level = |act: &Act| act.terms().and_then(|terms| terms.level);
        let levels = acts.iter().zip(&is_in).map(|(act, is_in)| level(act).filter(|_| *is_in));
        let factor = |(player, &act)| if is_in[player] { self.factor(player, act) } else { 1.0 };
        let lies = self.factors.iter().flatten().any(|&factor| factor != 1.0);
        let factors = acts.iter().enumerate().map(factor).filter(|_| lies).collect();
        Membership { levels: levels.collect(), factors, is_in, apart }
    }

    /// A copy of the world at the boundary in which a player acts otherwise.
    fn instead(&self, what: What, player: usize, act: Act) -> Result<Fork<S>, GridError> {
        let mut acts = self.acts.clone();
        acts[player] = act;
        let membership = self.membership(&acts);
        let (start, streams) = (self.begins(), self.draws());
        let world = self.engine.world();
        let mut grid = world.watched_by(world.observer().0.clone());
        // What happens to an outsider's jobs is up to them alone, and to a member's up to members'.
        let is_in = &membership.is_in;
        grid.only_for(|one| if is_in[player] { is_in[one] } else { one == player });
        grid.set_members(&membership, start, &streams)?;
        Ok(Fork { what, is_closed: false, engine: Engine::new(grid) })
    }

    /// Streams of a grid scheduler that begins with this round, by its time.
    fn draws(&self) -> Streams {
        match self.begins().ticks() as u64 {
            0 => self.streams,
            ticks => self.streams.in_round(ticks),
        }
    }

    /// First instant of the round.
    fn begins(&self) -> Time {
        self.start(self.round).unwrap_or(Time::NEVER)
    }

    /// First instant after the round.
    fn ends(&self) -> Time {
        self.start(self.round + 1).unwrap_or(Time::NEVER)
    }

    /// Judges what a player got by an action against what it would get outside.
    fn judged(&self, act: Act, scored: Scored, alone: Scored) -> Judged {
        let cost = if act.is_in() { self.stakes.costs.round } else { 0.0 };
        Judged { measure: scored.measure, alone: alone.measure, cost }
    }

    /// Sums of a player in the round, once its jobs have ended.
    fn settled(&self, player: usize) -> Scored {
        let settled = self.scored_in(What::Settled, player);
        settled.unwrap_or(self.engine.world().observer().0.scored[player])
    }

    /// The same, had it stayed out.
    fn outside(&self, player: usize) -> Scored {
        let outside = self.scored_in(What::Out(player as u32), player);
        outside.unwrap_or_else(|| self.settled(player))
    }

    /// Sums of a player in a copy.
    fn scored_in(&self, what: What, player: usize) -> Option<Scored> {
        let fork = self.forks.iter().find(|fork| fork.what == what)?;
        Some(fork.scored()[player])
    }
}

/// The observer of a federation's grid, beside its scores.
pub type Watched<O> = (Tally, O);

impl<S, O> StageGame for FederationGame<S, O>
where
    S: Source<Load = Job> + Clone,
    O: Observer,
{
    type Error = Stopped<GridError>;

    fn players(&self) -> usize {
        self.presence.len()
    }

    fn actions(&self, player: usize, round: u64) -> Actions {
        if self.presence[player].has(round) { Actions::Coalition } else { Actions::Absent }
    }

    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Self::Error> {
        self.round = round;
        self.open(round)?;
        self.acts.copy_from_slice(acts);
        self.wanted.copy_from_slice(wanted);
        let (start, streams) = (self.begins(), self.draws());
        let window = &self.season.window;
        let window = start.saturating_add(window.start)..start.saturating_add(window.end);
        let absent = self.presence.iter().map(|presence| !presence.has(round)).collect();
        self.engine.change(|grid| {
            grid.observer_mut().0.begin(start, window);
            grid.set_absent(absent);
        });
        let membership = self.membership(acts);
        self.forks.clear();
        for (player, &act) in acts.iter().enumerate() {
            let (is_in, apart) = (&membership.is_in, &membership.apart);
            let is_member = is_in[player] && !apart[player];
            if is_member && !self.is_scored {
                continue;
            }
            if is_member {
                let fork = self.instead(What::Out(player as u32), player, Act::Out)?;
                self.forks.push(fork);
            }
            if self.wanted[player].instead && self.presence[player].has(round) {
                for entry in 0..self.menus[player].len() {
                    let other = self.menus[player][entry];
                    if other.is_in() && other != act {
                        let what = What::Instead(player as u32, entry as u32);
                        let fork = self.instead(what, player, other)?;
                        self.forks.push(fork);
                    }
                }
            }
        }
        self.engine.change(|grid| grid.set_members(&membership, start, &streams))?;
        Ok(())
    }

    fn advance(&mut self) -> Result<bool, Self::Error> {
        let end = self.ends();
        if self.goes_on() {
            return Ok(self.engine.step()?.is_some());
        }
        let is_settled = |fork: &Fork<S>| fork.what == What::Settled;
        let world = self.engine.world();
        let tally = &world.observer().0;
        if tally.is_open(None) && !self.forks.iter().any(is_settled) {
            let engine = Engine::new(world.watched_by(tally.clone()));
            self.forks.push(Fork { what: What::Settled, is_closed: false, engine });
        }
        for fork in &mut self.forks {
            if fork.step(end)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Self::Error> {
        let players = self.presence.len();
        for player in 0..players {
            let own = self.engine.world().observer().0.scored[player];
            let (settled, alone) = (self.settled(player), self.outside(player));
            let present = self.presence[player].has(self.round);
            self.turns[player] = match present {
                false => Turn::absent(),
                true => Turn {
                    present,
                    act: self.acts[player],
                    jobs: own.jobs,
                    flow: settled.flow,
                    alone: alone.flow,
                    balancings: 0,
                    sent: own.sent,
                    received: own.received,
                    brought: own.brought,
                    lies: self.acts[player].is_in()
                        && self.factor(player, self.acts[player]) != 1.0,
                    judged: Some(self.judged(self.acts[player], settled, alone)),
                    ..Turn::absent()
                },
            };
        }
        out.score(&self.acts, &self.wanted, &self.menus, self.turns.iter().map(Turn::score));
        for fork in &self.forks {
            let What::Instead(player, entry) = fork.what else { continue };
            let player = player as usize;
            let entry = entry as usize;
            let act = self.menus[player][entry];
            let judged = self.judged(act, fork.scored()[player], self.outside(player));
            out.instead[player][entry] = judged.score();
        }
        Ok(())
    }
}

impl<S, O> State for FederationGame<S, O>
where
    S: Source<Load = Job> + Clone,
    O: Observer,
{
    fn save(&self, out: &mut Vec<u8>) {
        let forks: Vec<(What, bool)> =
            self.forks.iter().map(|fork| (fork.what, fork.is_closed)).collect();
        put(&(self.round, &self.acts, &self.wanted, &self.turns, forks), out);
        self.engine.save(out);
        self.forks.iter().for_each(|fork| fork.engine.save(out));
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let players = self.players();
        let forks: Vec<(What, bool)>;
        (self.round, self.acts, self.wanted, self.turns, forks) = take(from)?;
        if [self.acts.len(), self.wanted.len(), self.turns.len()] != [players; 3] {
            return Err(Corrupt::Content("another number of players".to_owned()));
        }
        self.open(self.round).map_err(|error| Corrupt::Content(error.to_string()))?;
        self.engine.load(from)?;
        self.forks.clear();
        for (what, is_closed) in forks {
            let world = self.engine.world();
            let mut engine = Engine::new(world.watched_by(world.observer().0.clone()));
            engine.load(from)?;
            self.forks.push(Fork { what, is_closed, engine });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
