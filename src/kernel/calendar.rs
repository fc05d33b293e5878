//! The event calendar: one entry per agent, in the order (time, phase, agent).
//!
//! The key includes the agent, so the order is total and independent of the calendar's history. The
//! calendar is derived from the agents and never saved. Its size is the number of agents, not of
//! jobs.
//!
//! Agents are the leaves of one tournament of groups of four (Knuth, vol. 3, 5.4.1): each group sends
//! its winner to the group above. A group is one cache line, so rescheduling an agent among ten
//! thousand reads eight lines, and up to four agents are a scan of one line. Within a line the others
//! are compared before the agent's own winner arrives from below, so that the levels overlap.

use std::cmp::Ordering;
use std::hint::select_unpredictable;

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

/// Number of keys of a group.
const WIDTH: usize = 4;

/// A time, with phase and agent packed into one number. It is two words rather than one of 128
/// bits: a wide load right after two narrow stores stalls, and the calendar does that all the time.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    time: i64,
    tie: u64,
}

impl Ord for Key {
    #[inline]
    fn cmp(&self, other: &Key) -> Ordering {
        self.number().cmp(&other.number())
    }

    /// Compares single 128-bit numbers, and asks for no branch, which would be mispredicted.
    #[inline]
    fn min(self, other: Key) -> Key {
        let is_own = self.number() <= other.number();
        Key {
            time: select_unpredictable(is_own, self.time, other.time),
            tie: select_unpredictable(is_own, self.tie, other.tie),
        }
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

/// Keys that play against each other, in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group([Key; WIDTH]);

impl Group {
    /// Sets the key at a place; returns the winner. The others play before the key is needed.
    #[inline(always)]
    fn set(&mut self, place: usize, key: Key) -> Key {
        let keys = &mut self.0;
        let other = |difference: usize| keys[(place ^ difference) % WIDTH];
        let others = other(1).min(other(2)).min(other(3));
        keys[place % WIDTH] = key;
        others.min(key)
    }

    /// The same, for a loop over levels, which takes twice as long if this is inlined.
    #[inline(never)]
    fn set_in_tree(&mut self, place: usize, key: Key) -> Key {
        self.set(place, key)
    }
}

/// The event calendar; see the module.
#[derive(Clone)]
pub struct Calendar {
    /// The group at the top, whose keys are those of the agents if they are few.
    top: Group,
    /// The groups below by level. If all keys are numbered from the top, key `n` is the winner of
    /// group `n` of these.
    groups: Vec<Group>,
    /// Number of keys above the agents.
    above: usize,
    /// Smallest key.
    first: Key,
}

impl std::fmt::Debug for Calendar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = std::iter::once(&self.top).chain(&self.groups);
        let keys = all.skip(self.above / WIDTH).flat_map(|group| group.0);
        let entries = keys.filter(|key| !key.is_idle());
        out.debug_list().entries(entries.map(Key::entry)).finish()
    }
}

impl Calendar {
    /// Creates a calendar for agents `0..agents`, all idle.
    pub fn new(agents: usize) -> Calendar {
        let (mut above, mut level) = (0, WIDTH);
        while level < agents {
            above += level;
            level *= WIDTH;
        }
        let idle = Group([Key::IDLE; WIDTH]);
        let groups = (above + agents.max(1)).div_ceil(WIDTH) - 1;
        Calendar { top: idle, groups: vec![idle; groups], above, first: Key::IDLE }
    }

    /// Schedules an agent's next action, or makes it idle. The agent has to exist.
    ///
    /// Logarithmic in the number of agents.
    #[inline(always)]
    pub fn set(&mut self, agent: Agent, next: Option<Instant>) {
        let key = next.map_or(Key::IDLE, |instant| Key::new(agent, instant));
        if self.above == 0 {
            self.first = self.top.set(agent.0 as usize, key);
        } else {
            self.play(agent, key);
        }
    }

    /// Sets a key of a tree of several levels.
    #[inline(never)]
    fn play(&mut self, agent: Agent, key: Key) {
        let mut place = self.above + agent.0 as usize;
        let mut winner = key;
        let mut group = &mut self.groups[place / WIDTH - 1];
        if group.0[place % WIDTH] == key {
            return;
        }
        // Stopping at the first unchanged winner would take fewer steps but mispredicts.
        loop {
            winner = group.set_in_tree(place, winner);
            place = place / WIDTH - 1;
            if place < WIDTH {
                break;
            }
            group = &mut self.groups[place / WIDTH - 1];
        }
        self.first = self.top.set_in_tree(place, winner);
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
        let place = self.above + agent.0 as usize;
        let group = (place / WIDTH).checked_sub(1).map_or(&self.top, |group| &self.groups[group]);
        let key = group.0[place % WIDTH];
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
        for agents in [4, 5, 40, 700] {
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
            agents in prop_oneof![1_usize..20, 60_usize..70, 250_usize..600],
            moves in proptest::collection::vec(
                (0_usize..600, -3_i64..20, 0_u8..3, any::<bool>()),
                0..200,
            ),
        ) {
            let mut calendar = Calendar::new(agents);
            let mut naive = vec![None; agents];
            for (agent, time, phase, of_first) in moves {
                let first = calendar.first().filter(|_| of_first);
                let agent = first.map_or(agent % agents, |(_, agent)| agent.0 as usize);
                naive[agent] = (time >= 0).then(|| at(time, phase));
                calendar.set(Agent(agent as u32), naive[agent]);
                let expected = (0..agents)
                    .filter_map(|agent| naive[agent].map(|next| (next, Agent(agent as u32))))
                    .min();
                prop_assert_eq!(calendar.first(), expected);
                for (agent, &next) in (0..).map(Agent).zip(&naive) {
                    prop_assert_eq!(calendar.get(agent), next);
                }
            }
        }
    }
}
