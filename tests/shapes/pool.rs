//! Miniature 3, the world: averaging load balancing over a pool (`Balancer`, a Pool as a `World`).
//!
//! Rzadca, Trystram, "Promoting Cooperation in Selfish Computational Grids". Clusters are FCFS
//! servers of unit speed; at a balancing every member's queue becomes as long as the mean, work
//! being taken from the tails of the longer ones. "Had I stayed out" is a shadow FCFS queue.

use gridpact::kernel::calendar::{Agent, Instant, Phase};
use gridpact::kernel::engine::{Moved, World};
use gridpact::kernel::state::{Corrupt, State, put, take};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::ClusterId;
use gridpact::state_of_fields;
use gridpact::workload::{Arrives, SourceError};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

use crate::support::{Ahead, BALANCE, Listed};
use crate::traits::{Balancer, Member, Move, NextBalance};

/// Averaging. Balancings are at least `least` apart, on a grid of `grid` after one another, and
/// never before the queues of the last one end.
#[derive(Clone, Copy)]
pub struct Averaging {
    pub least: Span,
    pub grid: Span,
}

state_of_fields!(Averaging {});

impl Balancer for Averaging {
    fn balance(
        &mut self,
        now: Time,
        unit: Span,
        members: &[Member],
        out: &mut Vec<Move>,
    ) -> NextBalance {
        let unit = unit.ticks();
        let loads: Vec<i64> =
            members.iter().map(|member| (member.local + member.foreign).ticks() / unit).collect();
        let (base, over) = {
            let (sum, count) = (loads.iter().sum::<i64>(), members.len() as i64);
            (sum / count, (sum % count) as usize)
        };
        // The most loaded end one unit later where the mean is no whole number of units.
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|&member| (-loads[member], member));
        let mut surplus: Vec<i64> = loads.iter().map(|load| load - base).collect();
        order[..over].iter().for_each(|&member| surplus[member] -= 1);
        let mean = Span::from_ticks((base + i64::from(over > 0)) * unit);
        let mut to = 0;
        for from in 0..members.len() {
            while surplus[from] > 0 {
                while surplus[to] >= 0 {
                    to += 1;
                }
                let amount = surplus[from].min(-surplus[to]);
                surplus[from] -= amount;
                surplus[to] += amount;
                out.push(Move {
                    from: members[from].cluster,
                    to: members[to].cluster,
                    amount: Span::from_ticks(amount * unit),
                    promised: now + mean,
                });
            }
        }
        let step = mean.max(self.least);
        if step == Span::ZERO {
            return NextBalance::Arrival;
        }
        let grid = self.grid.ticks().max(1);
        NextBalance::At(now + Span::from_ticks((step.ticks() + grid - 1) / grid * grid))
    }
}

/// A divisible load.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Load {
    pub submit: Time,
    pub size: Span,
}

impl Arrives for Load {
    fn at(&self) -> Time {
        self.submit
    }
}

/// Work on a cluster: one of its own jobs, or a part of others'.
#[derive(Clone, Serialize, Deserialize)]
struct Part {
    /// When the job was submitted; `None` for foreign work.
    local: Option<Time>,
    left: Span,
    promised: Time,
}

/// A time-shared cluster, served up to `served`.
#[derive(Clone)]
pub struct Server {
    arrivals: Ahead<Listed<Load>>,
    queue: VecDeque<Part>,
    served: Time,
    /// When the shadow FCFS queue, without any coalition, would be empty.
    alone: Time,
    flow: i128,
    flow_alone: i128,
    /// For the test: (submit, completion).
    pub log: Vec<(Time, Time)>,
}

/// The jobs of one round by cluster.
pub type Lists = Vec<Vec<Load>>;

/// The coalition is the only agent; clusters advance when it balances and when the round ends.
#[derive(Clone)]
pub struct Pool<B> {
    balancer: B,
    unit: Span,
    pub members: Vec<bool>,
    next: NextBalance,
    pub servers: Vec<Server>,
    moves: Vec<Move>,
}

impl<B: Balancer> Pool<B> {
    /// A pool with empty queues at time 0.
    pub fn new(balancer: B, unit: Span, lists: &Lists, members: Vec<bool>) -> Pool<B> {
        let servers = lists.iter().map(|list| Server::new(list)).collect();
        let next = NextBalance::At(Time::ZERO);
        Pool { balancer, unit, members, next, servers, moves: Vec::new() }
    }

    /// Serves every cluster up to `now`, with all that is submitted by then.
    pub fn advance(&mut self, now: Time) -> Result<(), SourceError> {
        for server in &mut self.servers {
            while let Some(Load { submit, size }) = server.arrivals.take(now)? {
                server.serve(submit);
                let local = Some(submit);
                server.queue.push_back(Part { local, left: size, promised: Time::ZERO });
                server.alone = server.alone.max(submit) + size;
                server.flow_alone += i128::from((server.alone - submit).ticks());
            }
            server.serve(now);
        }
        Ok(())
    }
}

impl Server {
    fn new(list: &[Load]) -> Server {
        Server {
            arrivals: Ahead::new(Listed::new(list.to_vec())).expect("a list does not fail"),
            queue: VecDeque::new(),
            served: Time::ZERO,
            alone: Time::ZERO,
            flow: 0,
            flow_alone: 0,
            log: Vec::new(),
        }
    }

    fn serve(&mut self, until: Time) {
        while let Some(part) = self.queue.front_mut() {
            let room = until - self.served;
            if part.left > room {
                part.left -= room;
                break;
            }
            self.served += part.left;
            let part = self.queue.pop_front().expect("it was in front");
            self.complete(&part, self.served);
        }
        self.served = until;
    }

    fn complete(&mut self, part: &Part, end: Time) {
        if let Some(submit) = part.local {
            let end = end.max(part.promised);
            self.flow += i128::from((end - submit).ticks());
            self.log.push((submit, end));
        }
    }

    /// Takes work from the tail of the cluster's own queue.
    fn send(&mut self, mut amount: Span, promised: Time) {
        while amount > Span::ZERO {
            let own = self.queue.iter().rposition(|part| part.local.is_some());
            let own = own.expect("no more is sent than there is");
            let part = &mut self.queue[own];
            let taken = part.left.min(amount);
            part.left -= taken;
            part.promised = part.promised.max(promised);
            amount -= taken;
            if part.left == Span::ZERO {
                let part = self.queue.remove(own).expect("it was found");
                self.complete(&part, promised);
            }
        }
    }

    fn member(&self, cluster: usize) -> Member {
        let left = |local: bool| {
            let parts = self.queue.iter().filter(|part| part.local.is_some() == local);
            parts.map(|part| part.left).sum()
        };
        let cluster = ClusterId(cluster as u32);
        Member { cluster, local: left(true), foreign: left(false), level: None }
    }

    /// -1 where the coalition doubles the flow time, 1 where it halves it.
    pub fn score(&self) -> f64 {
        let (flow, alone) = (self.flow as f64, self.flow_alone as f64);
        if flow < alone { alone / flow - 1.0 } else { -(flow / alone - 1.0) }
    }
}

/// The lists are given by the scenario; only the place in them is saved.
impl State for Server {
    fn save(&self, out: &mut Vec<u8>) {
        self.arrivals.save(out);
        put(&(&self.queue, self.served, self.alone, self.flow, self.flow_alone, &self.log), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.arrivals.load(from)?;
        (self.queue, self.served, self.alone, self.flow, self.flow_alone, self.log) = take(from)?;
        Ok(())
    }
}

impl<B: Balancer> World for Pool<B> {
    const SETTLE: Phase = BALANCE;
    type Error = SourceError;

    fn agents(&self) -> usize {
        1
    }

    fn next(&self, _: Agent) -> Option<Instant> {
        let mut servers = self.servers.iter();
        let over = servers.all(|server| server.queue.is_empty() && server.arrivals.at().is_none());
        if over || !self.members.contains(&true) {
            return None;
        }
        let inside = self.servers.iter().zip(&self.members).filter(|(_, inside)| **inside);
        match self.next {
            NextBalance::At(time) => Some((time, BALANCE)),
            NextBalance::Arrival => {
                let coming = inside.filter_map(|(server, _)| server.arrivals.at()).min();
                coming.map(|time| (time, BALANCE))
            }
        }
    }

    fn wake(&mut self, _: Agent, (now, _): Instant, _: &mut Moved) -> Result<(), SourceError> {
        self.advance(now)?;
        let inside = (0..self.servers.len()).filter(|&cluster| self.members[cluster]);
        let inside: Vec<Member> = inside.map(|c| self.servers[c].member(c)).collect();
        self.next = self.balancer.balance(now, self.unit, &inside, &mut self.moves);
        for Move { from, to, amount, promised } in self.moves.drain(..) {
            self.servers[from.index()].send(amount, promised);
            let part = Part { local: None, left: amount, promised };
            self.servers[to.index()].queue.push_back(part);
        }
        Ok(())
    }

    fn settle(&mut self, _: Time, _: &mut Moved) -> Result<(), SourceError> {
        Ok(())
    }
}

impl<B: Balancer> State for Pool<B> {
    fn save(&self, out: &mut Vec<u8>) {
        self.balancer.save(out);
        put(&(&self.members, self.next), out);
        self.servers.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.balancer.load(from)?;
        (self.members, self.next) = take(from)?;
        self.servers.load(from)
    }
}
