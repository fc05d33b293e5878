//! Who acts next: one entry an agent, in the order (time, phase, agent).
//!
//! The key names the agent, so the order is total and does not depend on how the calendar came to
//! be; it is derived from the agents and never saved. Its size is the number of agents, not of
//! jobs. A handful of agents is scanned; beyond that the `priority-queue` crate reschedules in
//! place.

use std::cmp::Reverse;

use priority_queue::PriorityQueue;
use rustc_hash::FxBuildHasher;

use super::time::Time;

/// An agent of the world, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Agent(pub u32);

/// The order of events within one instant; what a phase means is the world's affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase(pub u8);

impl Phase {
    /// Before every other phase.
    pub const FIRST: Phase = Phase(0);
}

/// When an agent acts.
pub type Instant = (Time, Phase);

/// Up to this many agents are scanned instead of queued: measured, the scan of a few packed keys
/// beats a heap with a hash map (`benches/calendar.rs`).
const SCANNED: usize = 16;

/// A time, and the phase and agent in one number. Two words and not one of 128 bits: a wide load
/// right after two narrow stores stalls, and that is what a calendar does all day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    time: i64,
    tie: u64,
}

impl Key {
    /// Of an agent that does not act: after every other.
    const IDLE: Key = Key { time: i64::MAX, tie: u64::MAX };

    #[inline]
    fn new(agent: Agent, (time, phase): Instant) -> Key {
        let tie = (u64::from(phase.0) << 32) | u64::from(agent.0);
        Key { time: time.ticks(), tie }
    }

    #[inline]
    fn is_idle(self) -> bool {
        self.tie == u64::MAX
    }

    #[inline]
    fn entry(self) -> (Instant, Agent) {
        let phase = Phase((self.tie >> 32) as u8);
        ((Time::from_ticks(self.time), phase), Agent(self.tie as u32))
    }
}

/// The calendar; see the module.
#[derive(Clone)]
pub struct Calendar {
    /// By agent; `Key::IDLE` for one that does not act.
    keys: Vec<Key>,
    /// The agents that act, where there are more than `SCANNED`.
    queue: PriorityQueue<u32, Reverse<Key>, FxBuildHasher>,
    /// The smallest key.
    first: Key,
}

impl std::fmt::Debug for Calendar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let entries = self.keys.iter().filter(|key| !key.is_idle());
        out.debug_list().entries(entries.map(|key| key.entry())).finish()
    }
}

impl Calendar {
    /// A calendar for agents `0..agents`, none of which acts yet.
    pub fn new(agents: usize) -> Calendar {
        let queued = if agents > SCANNED { agents } else { 0 };
        Calendar {
            keys: vec![Key::IDLE; agents],
            queue: PriorityQueue::with_capacity_and_hasher(queued, FxBuildHasher),
            first: Key::IDLE,
        }
    }

    /// Sets when an agent acts next, or that it does not.
    ///
    /// Linear in the number of agents up to 16, logarithmic beyond.
    ///
    /// # Panics
    /// When there is no such agent.
    #[inline]
    pub fn set(&mut self, agent: Agent, next: Option<Instant>) {
        let key = next.map_or(Key::IDLE, |instant| Key::new(agent, instant));
        let index = agent.0 as usize;
        let before = std::mem::replace(&mut self.keys[index], key);
        if before == key {
            return;
        }
        if self.keys.len() <= SCANNED {
            if key < self.first {
                self.first = key;
            } else if before == self.first {
                self.first = self.keys.iter().copied().min().unwrap_or(Key::IDLE);
            }
        } else {
            self.queue_set(agent.0, before, key);
        }
    }

    fn queue_set(&mut self, agent: u32, before: Key, key: Key) {
        if key.is_idle() {
            self.queue.remove(&agent);
        } else if before.is_idle() {
            self.queue.push(agent, Reverse(key));
        } else {
            self.queue.change_priority(&agent, Reverse(key));
        }
        self.first = self.queue.peek().map_or(Key::IDLE, |(_, key)| key.0);
    }

    /// The earliest entry.
    #[inline]
    pub fn first(&self) -> Option<(Instant, Agent)> {
        (!self.first.is_idle()).then(|| self.first.entry())
    }

    /// The first entry, if it is due at `now` in a phase up to `last`.
    #[inline]
    pub fn due(&self, now: Time, last: Phase) -> Option<(Phase, Agent)> {
        let Key { time, tie } = self.first;
        let is_due = time == now.ticks() && tie < (u64::from(last.0) + 1) << 32;
        is_due.then_some((Phase((tie >> 32) as u8), Agent(tie as u32)))
    }

    /// The entry of one agent.
    #[inline]
    pub fn get(&self, agent: Agent) -> Option<Instant> {
        let key = self.keys[agent.0 as usize];
        (!key.is_idle()).then(|| key.entry().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(ticks: i64, phase: u8) -> Instant {
        (Time::from_ticks(ticks), Phase(phase))
    }

    #[test]
    fn the_order_is_time_then_phase_then_agent() {
        for agents in [4, 40] {
            let mut calendar = Calendar::new(agents);
            calendar.set(Agent(0), Some(at(5, 2)));
            calendar.set(Agent(3), Some(at(5, 1)));
            calendar.set(Agent(1), Some(at(5, 1)));
            calendar.set(Agent(2), Some(at(-4, 9)));
            let mut seen = Vec::new();
            while let Some((instant, agent)) = calendar.first() {
                seen.push((instant.0.ticks(), agent.0));
                calendar.set(agent, None);
            }
            assert_eq!(seen, [(-4, 2), (5, 1), (5, 3), (5, 0)]);
        }
    }

    proptest! {
        /// Against the definition: the smallest (time, phase, agent) of those that act.
        #[test]
        fn first_is_the_minimum_whatever_was_set_before(
            agents in 1_usize..40,
            moves in proptest::collection::vec((0_usize..40, -3_i64..20, 0_u8..3), 0..200),
        ) {
            let mut calendar = Calendar::new(agents);
            let mut naive = vec![None; agents];
            for (agent, time, phase) in moves {
                let agent = agent % agents;
                naive[agent] = (time >= 0).then(|| at(time, phase));
                calendar.set(Agent(agent as u32), naive[agent]);
                let expected = (0..agents)
                    .filter_map(|agent| naive[agent].map(|next| (next, Agent(agent as u32))))
                    .min();
                prop_assert_eq!(calendar.first(), expected);
            }
        }
    }
}
