//! The Pool: divisible load on time-shared clusters that serve first come first served, and a
//! balancer over the members of a coalition.
//!
//! Clusters advance lazily from balancing to balancing. A job's end is planned when it comes; only
//! a balancing can bring it forward, so no event belongs to a job. Beside each cluster runs its
//! shadow: the same jobs, served alone, of which one number is kept.

mod game;
mod loads;
mod observer;
mod queue;
mod server;
pub mod turn;

pub use game::{PoolGame, Rounds, Season};
pub use loads::{AsLoad, Load, Loads};
pub use observer::{Balanced, PoolObserver};
pub use queue::{Done, Local, Queue, Sends};

pub use crate::game::stage::Presence;

use crate::game::stage::Act;
use crate::kernel::calendar::{Agent, Instant, Phase};
use crate::kernel::engine::{Moved, World};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::job::Job;
use crate::policy::coalition::{Balancer, Member, Move, Spacing};
use crate::workload::{Source, SourceError};

use super::phase::BALANCE;
use server::{Counted, Server};
use turn::Turn;

/// What can go wrong in a pool, outside the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// A source of jobs failed.
    #[error("{0}")]
    Source(SourceError),
    /// A job would end beyond the range of times.
    #[error("job {job} of cluster {cluster} would end beyond the range of times")]
    OutOfTime {
        /// The cluster's number.
        cluster: u32,
        /// The job's number.
        job: u64,
    },
    /// A queue would end beyond the range of times.
    #[error("the queue of cluster {cluster} would end beyond the range of times")]
    Endless {
        /// The cluster's number.
        cluster: u32,
    },
}

/// How a pool balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balancing {
    /// The indivisible amount of work: a tick, or a whole unit of time. All submissions, sizes and
    /// balancings fall on multiples of it.
    pub unit: Span,
    /// How balancings follow each other.
    pub spacing: Spacing,
    /// Which own work is sent first.
    pub sends: Sends,
    /// True where jobs submitted at the instant of a balancing are part of it.
    pub submit_first: bool,
}

/// The pool, within one round.
#[derive(Clone, Debug)]
pub struct Pool<S, B, O> {
    servers: Vec<Server<S>>,
    balancer: B,
    balancing: Balancing,
    /// The members of this round's coalition; empty where there is nobody to balance with.
    members: Vec<u32>,
    counted: Counted,
    /// When the round ends, `Time::NEVER` of one that ends when all its jobs are over.
    end: Time,
    /// The next balancing.
    next: Time,
    /// Nothing more can change a job that counts.
    is_over: bool,
    observer: O,
    room: Room,
}

/// Room for a balancing, used again and again.
#[derive(Clone, Debug, Default)]
struct Room {
    who: Vec<u32>,
    members: Vec<Member>,
    moves: Vec<Move>,
    after: Vec<Span>,
}

impl<S: Source<Load = Job>, B: Balancer, O: PoolObserver> Pool<S, B, O> {
    fn new(loads: Vec<Loads<S>>, balancer: B, balancing: Balancing, observer: O) -> Self {
        let servers = loads.into_iter().enumerate();
        Pool {
            servers: servers.map(|(number, loads)| Server::new(number as u32, loads)).collect(),
            balancer,
            balancing,
            members: Vec::new(),
            counted: Counted { from: Time::ZERO, until: Time::ZERO },
            end: Time::NEVER,
            next: Time::NEVER,
            is_over: true,
            observer,
            room: Room::default(),
        }
    }

    /// What each cluster does in a round that begins.
    fn start(&mut self, round: u64, start: Time, presence: &[Presence], acts: &[Act]) {
        for (server, (presence, act)) in self.servers.iter_mut().zip(presence.iter().zip(acts)) {
            if presence.has(round) {
                server.begin(start, *act);
            } else {
                server.begin(start, Act::Out);
                server.turn = Turn::absent();
            }
        }
        self.observer.began(round, start);
    }

    /// Begins a round; the servers have begun theirs.
    fn begin(&mut self, start: Time, counted: Counted, end: Time) {
        (self.counted, self.end) = (counted, end);
        self.members.clear();
        let inside = self.servers.iter().filter(|server| server.terms.is_some());
        self.members.extend(inside.map(|server| server.number));
        if self.members.len() < 2 {
            self.members.clear();
        }
        self.is_over = self.members.is_empty();
        self.next = start;
    }

    /// Plays a round to its end, at which no job of it is left to be balanced.
    fn finish(&mut self) -> Result<(), PoolError> {
        let (limit, end) = (self.counted.until, self.end);
        for server in self.servers.iter_mut().filter(|server| server.turn.present) {
            if end < Time::NEVER {
                server.submit_before(end, self.counted, &mut self.observer)?;
                server.close(end, &mut self.observer);
            } else {
                server.submit_before(limit, self.counted, &mut self.observer)?;
                server.close(limit, &mut self.observer);
            }
        }
        Ok(())
    }

    /// Serves the members up to `now` and balances their load.
    fn balance(&mut self, now: Time) -> Result<(), PoolError> {
        let Pool { servers, balancer, balancing, room, observer, .. } = self;
        room.who.clear();
        room.members.clear();
        let limit = if balancing.submit_first { now + Span::TICK } else { now };
        let mut open = 0;
        for &number in &self.members {
            let server = &mut servers[number as usize];
            server.submit_before(limit, self.counted, observer)?;
            server.serve(now, observer);
            open += server.open;
            let load = server.queue.load(now);
            let terms = server.terms.unwrap_or_default();
            if terms.above.is_none_or(|above| load > above) {
                let foreign = server.queue.bound(now);
                room.who.push(number);
                let local = load - foreign;
                room.members.push(Member { local, foreign, level: terms.level });
            }
        }
        if open == 0 && now >= self.counted.until && self.end == Time::NEVER {
            self.is_over = true;
            return Ok(());
        }
        room.moves.clear();
        // One alone has nobody to balance with, and keeps nobody waiting for its queue.
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
        let mut rest = &room.moves[..];
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|one| one.from == first.from).count();
            let (own, others) = rest.split_at(count);
            rest = others;
            let amount = own.iter().map(|one| one.amount).sum();
            let back = own.iter().map(|one| one.promised).max().unwrap_or(now);
            let from = room.who[first.from as usize];
            servers[from as usize].send(now, amount, back, balancing.sends, observer);
            for one in own {
                let to = room.who[one.to as usize];
                let end = servers[to as usize].receive(now, one.amount)?;
                debug_assert!(end <= one.promised, "{end} is later than {}", one.promised);
            }
        }
        if O::BALANCINGS {
            room.after.clear();
            let after = room.who.iter().map(|&number| servers[number as usize].queue.load(now));
            room.after.extend(after);
            let Room { who, members, moves, after } = &*room;
            observer.balanced(Balanced { now, who, members, moves, after, busy });
        }
        if !balancing.submit_first {
            for &number in &self.members {
                let limit = now + Span::TICK;
                servers[number as usize].submit_before(limit, self.counted, observer)?;
            }
        }
        self.next = match balancing.spacing.step(busy) {
            Some(step) if busy == Span::ZERO && self.is_idle(now) => self.wake_up(now, step),
            Some(step) => now.saturating_add(step),
            None => self.next_submission(),
        };
        Ok(())
    }

    /// When a member's next job comes.
    fn next_submission(&self) -> Time {
        let next = self.members.iter().map(|&number| self.servers[number as usize].loads.at());
        next.min().unwrap_or(Time::NEVER)
    }

    /// True where no member has any work.
    fn is_idle(&self, now: Time) -> bool {
        self.members.iter().all(|&number| self.servers[number as usize].queue.end() <= now)
    }

    /// Of the balancings that follow `now` in steps, the first that can find a job or the round
    /// over: what lies before it has nothing to balance, and is left out.
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

    /// The same pool, watched by nobody.
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
            counted: self.counted,
            end: self.end,
            next: self.next,
            is_over: self.is_over,
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
}

/// What is fixed for a round is begun again and not saved.
impl<S: Source<Load = Job>, B: Balancer, O: PoolObserver> State for Pool<S, B, O> {
    fn save(&self, out: &mut Vec<u8>) {
        self.servers.iter().for_each(|server| server.save(out));
        self.balancer.save(out);
        put(&(&self.members, self.next, self.is_over), out);
        put(&(self.counted.from, self.counted.until, self.end), out);
        self.observer.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.servers.iter_mut().try_for_each(|server| server.load(from))?;
        self.balancer.load(from)?;
        (self.members, self.next, self.is_over) = take(from)?;
        (self.counted.from, self.counted.until, self.end) = take(from)?;
        self.observer.load(from)
    }
}
