//! The stage game of a coalition: a pool played round by round.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use game::stage::{Act, Actions, Outcome, Presence, StageGame, Terms, Wanted};
use kernel::engine::{Engine, Stopped};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::job::Job;
use policy::coalition::Balancer;
use workload::Source;

use super::exclusion::Exclusion;
use super::lie::Lie;
use super::loads::Loads;
use super::server::Counted;
use super::turn::Turn;
use super::{Balancing, PIECE, Pool, PoolError, PoolObserver};
use crate::accounts::Every;

/// State of the clusters at the start of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounds {
    /// Every round starts with empty clusters, at time 0 of its own clock and with fresh random
    /// draws. Scored jobs are followed to completion.
    #[default]
    Independent,
    /// A round starts with what the previous one left. Scored jobs that have not completed by its
    /// end are judged by the time they would complete if no more jobs arrived.
    Continuing,
}

impl Rounds {
    /// Returns the name as written in a scenario.
    pub fn name(self) -> &'static str {
        match self {
            Rounds::Independent => "independent",
            Rounds::Continuing => "continuing",
        }
    }
}

/// Definition of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// Length of the period for which a decision holds.
    pub period: Span,
    /// Part of the period in which submitted jobs count.
    pub window: Range<Span>,
    /// Relation between consecutive rounds.
    pub rounds: Rounds,
}

impl Season {
    /// The windows of all rounds, on a clock that goes on.
    pub fn windows(&self) -> Every {
        Every { period: self.period, window: [self.window.start, self.window.end] }
    }
}

/// A copy of a round in which one player acts differently.
type Fork<S, B> = Engine<Pool<S, B, ()>>;

/// A pool and its rounds. Organization n owns cluster n and is player n.
#[derive(Debug)]
pub struct PoolGame<S, B, O> {
    engine: Engine<Pool<S, B, O>>,
    season: Season,
    presence: Vec<Presence>,
    streams: Streams,
    round: u64,
    acts: Vec<Act>,
    wanted: Vec<Wanted>,
    exclusion: Option<Exclusion>,
    /// The first round in which each player is not excluded.
    excluded_until: Vec<u64>,
    /// Number of times that each was excluded under its name.
    offences: Vec<u32>,
    /// Each player's counterfactual actions, used if it asks for alternatives.
    menus: Vec<Vec<Act>>,
    /// Counterfactual rounds: player, index into its menu, and the round with that action.
    forks: Vec<(u32, u32, Fork<S, B>)>,
}

impl<S, B, O> PoolGame<S, B, O>
where
    S: Source<Load = Job> + Clone,
    B: Balancer + Clone,
    O: PoolObserver,
{
    /// A game with one player for each load; `streams` are those of the replication.
    ///
    /// # Errors
    /// Fails if a source cannot be opened or read.
    ///
    /// # Panics
    /// Panics if the numbers of presences and loads differ.
    pub fn new(
        mut loads: Vec<Loads<S>>,
        presence: Vec<Presence>,
        balancer: B,
        balancing: Balancing,
        season: Season,
        streams: Streams,
        observer: O,
    ) -> Result<Self, PoolError> {
        assert_eq!(loads.len(), presence.len(), "one presence a player");
        if season.rounds == Rounds::Continuing {
            for loads in &mut loads {
                loads.restart(&streams)?;
            }
        }
        let players = loads.len();
        Ok(PoolGame {
            engine: Engine::new(Pool::new(loads, balancer, balancing, observer)),
            season,
            presence,
            streams,
            round: 0,
            acts: vec![Act::Out; players],
            wanted: vec![Wanted::default(); players],
            exclusion: None,
            excluded_until: vec![0; players],
            offences: vec![0; players],
            menus: vec![vec![Act::Out, Act::In(Terms::ANY)]; players],
            forks: Vec::new(),
        })
    }

    /// Sets the actions whose counterfactual payoffs a player may ask for. The default is staying
    /// out and taking part without a bound.
    pub fn offer(&mut self, player: usize, menu: Vec<Act>) {
        self.menus[player] = menu;
    }

    /// Lets a player cheat the balancer: in each round by the first of these ways, or by the one that it
    /// chooses, numbered from 1.
    ///
    /// # Panics
    /// Panics if there is none.
    pub fn deceive(&mut self, player: usize, mut lies: Vec<Lie>) {
        assert!(!lies.is_empty(), "honest play is a way, too");
        let pool = self.engine.watched();
        let unit = pool.balancing.unit.ticks();
        for lie in &mut lies {
            lie.dummy = Span::from_ticks(lie.dummy.ticks() / unit * unit);
        }
        pool.servers[player].lies = lies;
    }

    /// Lets the members of each of these groups balance among themselves, at times of its own, in place of
    /// all members together. Those of an instant balance one after the other.
    pub fn group(&mut self, groups: Vec<Vec<u32>>) {
        self.engine.watched().groups = groups;
    }

    /// Excludes members that are caught cheating.
    pub fn exclude(&mut self, exclusion: Exclusion) {
        let newcomers = self.presence.iter().map(|presence| presence.first);
        let probation = exclusion.probation;
        self.excluded_until = newcomers.map(|first| first.saturating_add(probation)).collect();
        self.exclusion = Some(exclusion);
        let players = self.players();
        let votes = exclusion.votes.map_or(0, |_| players * players);
        self.engine.watched().favours = vec![0; votes];
    }

    /// Results of the finished round, by organization.
    pub fn turns(&self) -> impl ExactSizeIterator<Item = &Turn> {
        self.engine.world().servers.iter().map(|server| &server.turn)
    }

    /// The simulated time.
    pub fn now(&self) -> Time {
        self.engine.now()
    }

    /// The observer of the pool.
    pub fn observer(&self) -> &O {
        &self.engine.world().observer
    }

    /// The observer, mutably.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.engine.watched().observer
    }

    /// Ends the game and returns the observer.
    pub fn into_observer(self) -> O {
        self.engine.into_world().observer
    }

    /// True if it is time to check for stop requests. That depends on the work done since the last
    /// call of [`StageGame::advance`].
    pub fn is_tired(&self) -> bool {
        self.engine.world().left == 0
    }

    /// Balancings so far, without those that would have found no work at all.
    pub fn balancings(&self) -> u64 {
        self.engine.wakes()
    }

    /// Excludes from now on who was caught in the last round.
    fn judge(&mut self) {
        let Some(exclusion) = self.exclusion else { return };
        let pool = self.engine.world();
        let excluded = self.excluded_until.iter_mut().zip(&mut self.offences);
        for (server, (until, offences)) in pool.servers.iter().zip(excluded) {
            let is_voted_out =
                exclusion.votes.is_some_and(|share| pool.is_against(server.number, share));
            if server.turn.caught || is_voted_out {
                *until = exclusion.ends(self.round, *offences, server.lie.new_name);
                *offences = if server.lie.new_name { 0 } else { offences.saturating_add(1) };
            }
        }
    }

    /// True if a player is excluded in the round.
    fn is_excluded(&self, player: usize) -> bool {
        self.round < self.excluded_until[player]
    }

    /// Notes who is excluded, and draws the probes of the round.
    fn watch(&mut self, start: Time) {
        let Some(exclusion) = self.exclusion else { return };
        let (streams, window) = (self.streams.in_round(self.round), &self.season.window);
        let probes = exclusion.probes.map(|probes| probes.draw(&streams, start, window.end));
        let mut probes = probes.into_iter().flatten();
        let servers = self.engine.watched().servers.iter_mut();
        for (server, until) in servers.zip(&self.excluded_until) {
            server.turn.excluded = server.turn.present && self.round < *until;
            server.probe = probes.next().flatten();
        }
    }

    /// Start time of a round.
    fn start(&self, round: u64) -> Option<Time> {
        match self.season.rounds {
            Rounds::Independent => Some(Time::ZERO),
            Rounds::Continuing => {
                let ticks = i64::try_from(round).ok()?.checked_mul(self.season.period.ticks())?;
                Some(Time::from_ticks(ticks))
            }
        }
    }
}

impl<S, B, O> StageGame for PoolGame<S, B, O>
where
    S: Source<Load = Job> + Clone,
    B: Balancer + Clone,
    O: PoolObserver,
{
    type Error = Stopped<PoolError>;

    fn players(&self) -> usize {
        self.presence.len()
    }

    fn actions(&self, player: usize, round: u64) -> Actions {
        if self.presence[player].has(round) { Actions::Coalition } else { Actions::Absent }
    }

    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Self::Error> {
        self.judge();
        self.round = round;
        self.acts.copy_from_slice(acts);
        self.wanted.copy_from_slice(wanted);
        for player in 0..self.players() {
            if self.is_excluded(player) {
                self.acts[player] = Act::Out;
                self.wanted[player].stayed_out = false;
            }
        }
        let late = PoolError::Endless { cluster: 0 };
        let start = self.start(round).ok_or(late.clone())?;
        let at = |offset: Span| start.checked_add(offset).ok_or(late.clone());
        let window = &self.season.window;
        let counted = Counted { from: at(window.start)?, until: at(window.end)? };
        let (presence, acts) = (&self.presence, &self.acts);
        match self.season.rounds {
            Rounds::Independent => {
                let streams = self.streams.in_round(round);
                self.engine.restart(|pool| {
                    for (server, presence) in pool.servers.iter_mut().zip(presence) {
                        server.queue.clear();
                        if presence.has(round) {
                            server.loads.restart(&streams)?;
                        } else {
                            server.loads.close();
                        }
                    }
                    pool.start(round, start, presence, acts);
                    pool.begin(start, counted, Time::NEVER);
                    Ok::<(), PoolError>(())
                })?;
            }
            Rounds::Continuing => {
                let end = at(self.season.period)?;
                self.engine.change(|pool| {
                    for (server, presence) in pool.servers.iter_mut().zip(presence) {
                        if presence.last.is_some_and(|last| last < round) {
                            server.loads.close();
                        } else if presence.first >= round {
                            // Before the organization is present, its clock runs but nobody
                            // observes it.
                            while server.loads.at() < start {
                                server.loads.take()?;
                            }
                        }
                    }
                    pool.start(round, start, presence, acts);
                    pool.begin(start, counted, end);
                    Ok::<(), PoolError>(())
                })?;
            }
        }
        self.watch(start);
        self.forks.clear();
        for (player, wanted) in self.wanted.iter().enumerate() {
            if !wanted.instead || !self.presence[player].has(round) || self.is_excluded(player) {
                continue;
            }
            for (entry, &act) in self.menus[player].iter().enumerate() {
                if act == self.acts[player] || !act.is_in() {
                    continue;
                }
                let mut pool = self.engine.world().unwatched();
                pool.servers[player].enter(act.terms());
                pool.begin(start, counted, pool.end);
                self.forks.push((player as u32, entry as u32, Engine::new(pool)));
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<bool, Self::Error> {
        let mut more = step(&mut self.engine)?;
        for (.., fork) in &mut self.forks {
            more |= step(fork)?;
        }
        Ok(more)
    }

    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Self::Error> {
        let turns = self.engine.world().servers.iter().map(|server| &server.turn);
        out.score(&self.acts, &self.wanted, &self.menus, turns.map(Turn::score));
        for (player, entry, fork) in &mut self.forks {
            let (player, entry) = (*player as usize, *entry as usize);
            out.instead[player][entry] = fork.world().servers[player].turn.score();
        }
        Ok(())
    }
}

/// Advances by an instant, or by part of the work after the last one; false once nothing is left.
fn step<S, B, O>(engine: &mut Engine<Pool<S, B, O>>) -> Result<bool, Stopped<PoolError>>
where
    S: Source<Load = Job>,
    B: Balancer,
    O: PoolObserver,
{
    let pool = engine.watched();
    if pool.left == 0 {
        pool.left = PIECE;
    }
    if pool.is_finished {
        return Ok(false);
    }
    if engine.step()?.is_some() {
        return Ok(true);
    }
    Ok(!engine.watched().finish()?)
}

/// The current round is begun again, forks included, and then loaded in place.
impl<S, B, O> State for PoolGame<S, B, O>
where
    S: Source<Load = Job> + Clone,
    B: Balancer + Clone,
    O: PoolObserver,
{
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.round, &self.acts, &self.wanted, &self.excluded_until, &self.offences), out);
        self.engine.save(out);
        self.forks.iter().for_each(|(.., fork)| fork.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (round, acts, wanted, until, offences): (_, Vec<_>, Vec<_>, Vec<_>, Vec<_>) =
            take(from)?;
        if [acts.len(), wanted.len(), until.len(), offences.len()] != [self.players(); 4] {
            return Err(Corrupt::Content("another number of players".to_owned()));
        }
        // Nobody is judged again for a round before.
        let pool = self.engine.watched();
        pool.servers.iter_mut().for_each(|server| server.turn.caught = false);
        pool.favours.fill(0);
        (self.excluded_until, self.offences) = (until, offences);
        self.begin(round, &acts, &wanted).map_err(|error| Corrupt::Content(error.to_string()))?;
        self.engine.load(from)?;
        self.forks.iter_mut().try_for_each(|(.., fork)| fork.load(from))
    }
}
