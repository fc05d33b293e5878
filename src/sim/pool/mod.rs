//! The Pool: divisible load on time-shared clusters that serve first come first served, with a
//! balancer over the members of a coalition.
//!
//! Clusters advance lazily from balancing to balancing. The finish of a job is planned when it
//! arrives; only a balancing can move it, so jobs need no events. Each cluster has a shadow, the
//! counterfactual in which it serves the same jobs alone, for which one number is kept.

mod exclusion;
mod fifo;
mod game;
mod lie;
mod loads;
mod observer;
mod queue;
mod server;
pub mod turn;

pub use exclusion::{Exclusion, Probes};
pub use game::{PoolGame, Rounds, Season};
pub use lie::Lie;
pub use loads::{AsLoad, Load, Loads};
pub use observer::{Balanced, PoolObserver};
pub use queue::{Done, Local, Queue, Sends};

pub use ::game::stage::Presence;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use ::game::stage::Act;
use kernel::calendar::{Agent, Instant, Phase};
use kernel::engine::{Moved, World};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::job::Job;
use policy::coalition::{Balancer, Member, Move, Spacing};
use workload::{Source, SourceError};

use super::phase::BALANCE;
use server::{Counted, Server};
use turn::Turn;

/// An error in a pool that is outside the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// A source of jobs failed.
    #[error("{0}")]
    Source(SourceError),
    /// A job's finish would lie beyond the range of times.
    #[error("job {job} of cluster {cluster} would end beyond the range of times")]
    OutOfTime {
        /// The cluster's number.
        cluster: u32,
        /// The job's number.
        job: u64,
    },
    /// A queue's end would lie beyond the range of times.
    #[error("the queue of cluster {cluster} would end beyond the range of times")]
    Endless {
        /// The cluster's number.
        cluster: u32,
    },
}

/// Order of a balancing and the submissions of the same instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Balances {
    /// Jobs are submitted first: they take part.
    #[default]
    AfterSubmission,
    /// The clusters balance first: jobs of the same instant take part in the next balancing.
    BeforeSubmission,
}

impl Balances {
    /// True unless a scenario says otherwise.
    pub fn is_default(&self) -> bool {
        *self == Balances::default()
    }
}

/// Parameters of balancing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balancing {
    /// Indivisible amount of work: a tick, or a whole unit of time. All submissions, sizes and
    /// balancings are multiples of it.
    pub unit: Span,
    /// Spacing of the balancings.
    pub spacing: Spacing,
    /// Own work that is sent first.
    pub sends: Sends,
    /// Order of a balancing and the submissions of the same instant.
    pub balances: Balances,
}

/// Jobs handled in one step: some milliseconds of work.
const PIECE: u64 = 1 << 15;

/// A pool within one round.
#[derive(Clone, Debug)]
pub struct Pool<S, B, O> {
    servers: Vec<Server<S>>,
    balancer: B,
    balancing: Balancing,
    /// Members of this round's coalition; empty if there are fewer than two.
    members: Vec<u32>,
    /// Groups that balance apart; if there are none, all members are one.
    groups: Vec<Vec<u32>>,
    /// The time of the next balancing of each group.
    due: Vec<Time>,
    /// Work of the round that each did for each other, if they vote: at `receiver * servers + sender`.
    favours: Vec<i128>,
    counted: Counted,
    /// End of the round; `Time::NEVER` if it ends once all its jobs are finished.
    end: Time,
    /// Time of the next balancing.
    next: Time,
    /// True once nothing can change a counted job any more.
    is_over: bool,
    /// Jobs and members that may still be processed before the next check for stop requests.
    left: u64,
    /// The balancing was paused before all jobs of its members were taken, and will be repeated.
    is_paused: bool,
    /// The round has been played to its end.
    is_finished: bool,
    observer: O,
    room: Room,
}

/// Scratch space for a balancing.
#[derive(Clone, Debug, Default)]
struct Room {
    who: Vec<u32>,
    members: Vec<Member>,
    moves: Vec<Move>,
    after: Vec<Span>,
    /// True queue of each member.
    loads: Vec<Span>,
}

impl<S: Source<Load = Job>, B: Balancer, O: PoolObserver> Pool<S, B, O> {
    fn new(loads: Vec<Loads<S>>, balancer: B, balancing: Balancing, observer: O) -> Self {
        let servers = loads.into_iter().enumerate();
        Pool {
            servers: servers.map(|(number, loads)| Server::new(number as u32, loads)).collect(),
            balancer,
            balancing,
            members: Vec::new(),
            groups: Vec::new(),
            due: Vec::new(),
            favours: Vec::new(),
            counted: Counted { from: Time::ZERO, until: Time::ZERO },
            end: Time::NEVER,
            next: Time::NEVER,
            is_over: true,
            left: PIECE,
            is_paused: false,
            is_finished: true,
            observer,
            room: Room::default(),
        }
    }

    /// Sets up each cluster for a new round.
    fn start(&mut self, round: u64, start: Time, presence: &[Presence], acts: &[Act]) {
        for (server, (presence, act)) in self.servers.iter_mut().zip(presence.iter().zip(acts)) {
            if presence.has(round) {
                server.begin(start, *act);
            } else {
                server.begin(start, Act::Out);
                server.turn = Turn::absent();
            }
        }
        self.favours.fill(0);
        self.observer.began(round, start);
    }

    /// True if more than this share of the other members did more work for one in the round than it for
    /// them.
    fn is_against(&self, one: u32, share: f64) -> bool {
        let did =
            |who: u32, whom: u32| self.favours[who as usize * self.servers.len() + whom as usize];
        if !self.members.contains(&one) {
            return false;
        }
        let against = self.members.iter().filter(|&&other| did(other, one) > did(one, other));
        against.count() as f64 > share * (self.members.len() - 1) as f64
    }

    /// Begins a round, after the servers have begun theirs.
    fn begin(&mut self, start: Time, counted: Counted, end: Time) {
        (self.counted, self.end) = (counted, end);
        self.members.clear();
        let inside = self.servers.iter().filter(|server| server.terms.is_some());
        self.members.extend(inside.map(|server| server.number));
        if self.members.len() < 2 {
            self.members.clear();
        }
        self.is_finished = false;
        self.is_over = self.members.is_empty();
        self.next = start;
        self.due.clear();
        self.due.resize(self.groups.len(), start);
    }

    /// Plays a round to its end, beyond its last balancing; false if this was not the last step.
    /// Repeated calls do no work twice.
    fn finish(&mut self) -> Result<bool, PoolError> {
        let end = if self.end < Time::NEVER { self.end } else { self.counted.until };
        for server in self.servers.iter_mut().filter(|server| server.turn.present) {
            if !server.submit_before(end, self.counted, &mut self.left, &mut self.observer)? {
                return Ok(false);
            }
            server.close(end, &mut self.observer);
        }
        self.is_finished = true;
        Ok(true)
    }

    /// Serves the members up to `now` and balances their load. If very many jobs come before, only
    /// part of them is taken: the members before that point are then served and have none left.
    fn balance(&mut self, now: Time) -> Result<(), PoolError> {
        let Pool { servers, balancing, observer, left, .. } = self;
        let limit = match balancing.balances {
            Balances::AfterSubmission => now + Span::TICK,
            Balances::BeforeSubmission => now,
        };
        let mut open = 0;
        for &number in &self.members {
            let server = &mut servers[number as usize];
            self.is_paused = !server.submit_before(limit, self.counted, left, observer)?;
            if self.is_paused {
                return Ok(());
            }
            server.serve(now, observer);
            open += server.open;
        }
        *left = left.saturating_sub(self.members.len() as u64);
        self.is_over = open == 0 && now >= self.counted.until && self.end == Time::NEVER;
        let busy = self.balance_group(now, None)?;
        let mut kept_busy = vec![None; self.groups.len()];
        for (group, busy) in kept_busy.iter_mut().enumerate() {
            if self.due[group] <= now {
                *busy = Some(self.balance_group(now, Some(group))?);
            }
        }
        if self.is_over {
            return Ok(());
        }
        if self.balancing.balances == Balances::BeforeSubmission {
            for &number in &self.members {
                let (limit, mut all) = (now + Span::TICK, u64::MAX);
                let server = &mut self.servers[number as usize];
                server.submit_before(limit, self.counted, &mut all, &mut self.observer)?;
            }
        }
        for (group, busy) in kept_busy.into_iter().enumerate() {
            if let Some(busy) = busy {
                self.due[group] = self.after(now, busy);
            }
        }
        let first = self.due.iter().copied().min();
        self.next = first.unwrap_or_else(|| self.after(now, busy));
        Ok(())
    }

    /// The next balancing after one that keeps its members busy for so long.
    fn after(&self, now: Time, busy: Span) -> Time {
        match self.balancing.spacing.step(busy) {
            Some(step) if busy == Span::ZERO && self.is_idle(now) => self.wake_up(now, step),
            Some(step) => now.saturating_add(step),
            None => self.next_submission(),
        }
    }

    /// Balances the load of a group, or of all members if they form none; returns the time that it takes. Once
    /// the round is over, members only declare what they have.
    fn balance_group(&mut self, now: Time, group: Option<usize>) -> Result<Span, PoolError> {
        let Pool { servers, balancer, balancing, room, observer, groups, favours, .. } = self;
        let group = match group {
            Some(group) => Some(&groups[group]),
            None if groups.is_empty() => None,
            None => return Ok(Span::ZERO),
        };
        room.who.clear();
        room.members.clear();
        room.loads.clear();
        room.moves.clear();
        let all = servers.len();
        for &number in
            self.members.iter().filter(|one| group.is_none_or(|group| group.contains(one)))
        {
            let server = &mut servers[number as usize];
            let load = server.queue.load(now);
            let terms = server.terms.unwrap_or_default();
            if terms.above.is_none_or(|above| load > above) {
                let foreign = server.queue.bound(now);
                server.dummy = server.lie.dummy;
                let load = load + server.dummy;
                room.who.push(number);
                room.loads.push(load);
                let declared = server.declare(now, load, terms.level);
                // What is declared beyond the queue cannot be sent, nor what is not declared.
                let local = (load - foreign).min(declared);
                let foreign = declared - local;
                room.members.push(Member { who: number, local, foreign, level: terms.level });
            }
        }
        if self.is_over {
            return Ok(Span::ZERO);
        }
        // A single member has nobody to balance with and does not wait for its queue.
        let busy = if room.members.len() < 2 {
            Span::ZERO
        } else {
            if room.members.iter().any(|member| member.load() > Span::ZERO) {
                for &number in &room.who {
                    servers[number as usize].turn.balancings += 1;
                }
            }
            balancer.balance(now, balancing.unit, &room.members, &mut room.moves)
        };
        for own in room.moves.chunk_by(|one, other| one.from == other.from) {
            let (mut amount, mut back) = (Span::ZERO, now);
            for one in own {
                let to = room.who[one.to as usize];
                amount += one.amount;
                if !favours.is_empty() {
                    let from = room.who[one.from as usize];
                    favours[to as usize * all + from as usize] += i128::from(one.amount.ticks());
                }
                back = back.max(servers[to as usize].receive(now, one.amount, one.promised)?);
            }
            let from = room.who[own[0].from as usize];
            servers[from as usize].send(now, amount, back, balancing.sends, observer);
        }
        if observer.sees_balancings() {
            room.after.clear();
            let after = room.who.iter().map(|&number| &servers[number as usize]);
            room.after.extend(after.map(|server| server.queue.load(now) + server.dummy));
            // Observers see the queues as they are.
            for (member, load) in room.members.iter_mut().zip(&room.loads) {
                member.foreign = *load - member.local;
            }
            let Room { who, members, moves, after, .. } = &*room;
            observer.balanced(Balanced { now, who, members, moves, after, busy });
        }
        Ok(busy)
    }

    /// Next submission of any member.
    fn next_submission(&self) -> Time {
        let next = self.members.iter().map(|&number| self.servers[number as usize].loads.at());
        next.min().unwrap_or(Time::NEVER)
    }

    /// True if no member has any work.
    fn is_idle(&self, now: Time) -> bool {
        self.members.iter().all(|&number| self.servers[number as usize].queue.end() <= now)
    }

    /// The first balancing after `now`, in multiples of `step`, with something to do. That is a job
    /// to find or the end of the round; earlier balancings are skipped.
    fn wake_up(&self, now: Time, step: Span) -> Time {
        let mut target = self.next_submission();
        if self.end == Time::NEVER && now < self.counted.until {
            target = target.min(self.counted.until);
        }
        if target == Time::NEVER {
            return target;
        }
        let steps = ((target - now).ticks() - 1).max(0) / step.ticks() + 1;
        let wait = steps.checked_mul(step.ticks()).map_or(Span::MAX, Span::from_ticks);
        now.saturating_add(wait)
    }

    /// A copy of the pool without an observer.
    fn unwatched(&self) -> Pool<S, B, ()>
    where
        S: Clone,
        B: Clone,
    {
        Pool {
            servers: self.servers.clone(),
            balancer: self.balancer.clone(),
            balancing: self.balancing,
            members: self.members.clone(),
            groups: self.groups.clone(),
            due: self.due.clone(),
            favours: Vec::new(),
            counted: self.counted,
            end: self.end,
            next: self.next,
            is_over: self.is_over,
            left: PIECE,
            is_paused: false,
            is_finished: false,
            observer: (),
            room: Room::default(),
        }
    }
}

impl<S: Source<Load = Job>, B: Balancer, O: PoolObserver> World for Pool<S, B, O> {
    const SETTLE: Phase = BALANCE;
    type Error = PoolError;

    fn agents(&self) -> usize {
        1
    }

    fn next(&self, _: Agent) -> Option<Instant> {
        if self.is_over {
            return None;
        }
        (self.next < self.end).then_some((self.next, BALANCE))
    }

    fn wake(&mut self, _: Agent, (now, _): Instant, _: &mut Moved) -> Result<(), PoolError> {
        self.balance(now)
    }

    fn settle(&mut self, _: Time, _: &mut Moved) -> Result<(), PoolError> {
        Ok(())
    }

    fn pauses(&self) -> bool {
        self.is_paused
    }
}

/// Values that are fixed for a round are set up again and not saved.
impl<S: Source<Load = Job>, B: Balancer, O: PoolObserver> State for Pool<S, B, O> {
    fn save(&self, out: &mut Vec<u8>) {
        self.servers.iter().for_each(|server| server.save(out));
        self.balancer.save(out);
        put(&(&self.members, &self.favours, &self.due, self.next, self.is_over), out);
        put(&(self.counted.from, self.counted.until, self.end), out);
        self.observer.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.servers.iter_mut().try_for_each(|server| server.load(from))?;
        self.balancer.load(from)?;
        (self.members, self.favours, self.due, self.next, self.is_over) = take(from)?;
        (self.counted.from, self.counted.until, self.end) = take(from)?;
        self.observer.load(from)
    }
}
