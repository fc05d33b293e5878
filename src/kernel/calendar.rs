//! The event calendar: one entry per agent, in the order (time, phase, agent).
//!
//! The key includes the agent, so the order is total and independent of the calendar's history. The
//! calendar is derived from the agents and never saved. Its size is the number of agents, not of
//! jobs.
//!
//! Agents are leaves of winner trees of up to 256 leaves (Knuth, vol. 3, 5.4.1); rescheduling one
//! only compares along its path to the root. With more agents than fit one tree, the winners of the
//! trees queue in the `priority-queue` crate, which is updated only when a tree's winner changes.
//! Measured (`benches/calendar.rs`), this takes half the time of the crate with one entry per
//! agent.

use std::cmp::{Ordering, Reverse};

use priority_queue::PriorityQueue;
use rustc_hash::FxBuildHasher;

use super::time::Time;

/// An agent of the world, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Agent(pub u32);

/// The order of events within one instant; the world defines the meaning of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase(pub u8);

impl Phase {
    /// Precedes every other phase.
    pub const FIRST: Phase = Phase(0);
}

/// The time and phase at which an agent acts.
pub type Instant = (Time, Phase);

/// Maximum number of leaves of a tree.
const LEAVES: usize = 256;

/// A time, with phase and agent packed into one number. It is two words rather than one of 128
/// bits: a wide load right after two narrow stores stalls, and the calendar does that all the time.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    time: i64,
    tie: u64,
}

impl Ord for Key {
    /// Compares single 128-bit numbers: no branch to mispredict.
    #[inline]
    fn cmp(&self, other: &Key) -> Ordering {
        self.number().cmp(&other.number())
    }

    #[inline]
    fn min(self, other: Key) -> Key {
        if self.number() <= other.number() { self } else { other }
    }
}

impl PartialOrd for Key {
    #[inline]
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Key {
    /// Key of an idle agent, after every other.
    const IDLE: Key = Key { time: i64::MAX, tie: u64::MAX };

    #[inline]
    fn new(agent: Agent, (time, phase): Instant) -> Key {
        let tie = (u64::from(phase.0) << 32) | u64::from(agent.0);
        Key { time: time.ticks(), tie }
    }

    #[inline]
    fn number(self) -> i128 {
        Time::from_ticks(self.time).with(self.tie)
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

/// A tournament of up to [`LEAVES`] keys: the winner is at index 1, the parent of `n` at `n / 2`.
#[derive(Clone)]
struct Tree {
    keys: Box<[Key]>,
}

impl Tree {
    fn new(agents: usize) -> Tree {
        let leaves = agents.next_power_of_two().max(2);
        Tree { keys: vec![Key::IDLE; leaves * 2].into() }
    }

    #[inline]
    fn winner(&self) -> Key {
        self.keys[1]
    }

    /// Sets a leaf and replays all matches up to the root. Stopping at the first unchanged node
    /// would take fewer steps but mispredicts. Returns true if the winner changed.
    #[inline]
    fn set(&mut self, leaf: usize, key: Key) -> bool {
        let keys = &mut *self.keys;
        let mut place = keys.len() / 2 + leaf;
        if keys[place] == key {
            return false;
        }
        keys[place] = key;
        let before = keys[1];
        while place > 1 {
            place /= 2;
            keys[place] = keys[2 * place].min(keys[2 * place + 1]);
        }
        keys[1] != before
    }

    /// Returns the keys of the agents.
    fn leaves(&self) -> &[Key] {
        &self.keys[self.keys.len() / 2..]
    }
}

/// The event calendar; see the module.
#[derive(Clone)]
pub struct Calendar {
    trees: Vec<Tree>,
    /// Winners of the trees, if there are several.
    queue: PriorityQueue<u32, Reverse<Key>, FxBuildHasher>,
    /// Smallest key.
    first: Key,
}

impl std::fmt::Debug for Calendar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keys = self.trees.iter().flat_map(Tree::leaves);
        let entries = keys.filter(|key| !key.is_idle());
        out.debug_list().entries(entries.map(|key| key.entry())).finish()
    }
}

impl Calendar {
    /// Creates a calendar for agents `0..agents`, all idle.
    pub fn new(agents: usize) -> Calendar {
        let trees: Vec<Tree> = (0..agents.max(1))
            .step_by(LEAVES)
            .map(|first| Tree::new((agents - first.min(agents)).min(LEAVES)))
            .collect();
        let mut queue = PriorityQueue::with_capacity_and_hasher(trees.len(), FxBuildHasher);
        if trees.len() > 1 {
            queue.extend((0..trees.len() as u32).map(|tree| (tree, Reverse(Key::IDLE))));
        }
        Calendar { trees, queue, first: Key::IDLE }
    }

    /// Schedules an agent's next action, or makes it idle.
    ///
    /// Logarithmic in the number of agents.
    ///
    /// # Panics
    /// If there is no such agent.
    #[inline]
    pub fn set(&mut self, agent: Agent, next: Option<Instant>) {
        let key = next.map_or(Key::IDLE, |instant| Key::new(agent, instant));
        let index = agent.0 as usize;
        let tree = &mut self.trees[index / LEAVES];
        if tree.set(index % LEAVES, key) {
            let winner = tree.winner();
            self.first = if self.trees.len() == 1 { winner } else { self.requeue(agent, winner) };
        }
    }

    /// Updates the queue with a tree's new winner; returns the first of all winners.
    fn requeue(&mut self, agent: Agent, winner: Key) -> Key {
        self.queue.change_priority(&(agent.0 / LEAVES as u32), Reverse(winner));
        self.queue.peek().map_or(Key::IDLE, |(_, key)| key.0)
    }

    /// Returns the earliest entry.
    #[inline]
    pub fn first(&self) -> Option<(Instant, Agent)> {
        (!self.first.is_idle()).then(|| self.first.entry())
    }

    /// Returns the first entry, if it is due at `now` in a phase up to `last`.
    #[inline]
    pub fn due(&self, now: Time, last: Phase) -> Option<(Phase, Agent)> {
        let Key { time, tie } = self.first;
        let is_due = time == now.ticks() && tie < (u64::from(last.0) + 1) << 32;
        is_due.then_some((Phase((tie >> 32) as u8), Agent(tie as u32)))
    }

    /// Returns the entry of one agent.
    #[inline]
    pub fn get(&self, agent: Agent) -> Option<Instant> {
        let index = agent.0 as usize;
        let key = self.trees[index / LEAVES].leaves()[index % LEAVES];
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
        for agents in [4, 40, 700] {
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
        /// Against the definition: the smallest (time, phase, agent) of the active agents.
        #[test]
        fn first_is_the_minimum_whatever_was_set_before(
            agents in prop_oneof![1_usize..40, 250_usize..600],
            moves in proptest::collection::vec((0_usize..600, -3_i64..20, 0_u8..3), 0..200),
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
