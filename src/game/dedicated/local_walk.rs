//! The Equitable Walk with local knowledge: processors that decide by themselves whom to help.
//!
//! The walk of section 3.2 needs someone who knows all orders. Here each processor knows its own
//! order, and the costs of all owners, which are announced, so it knows who is worst off. It goes in
//! turns:
//!
//! 1. The owners' costs are announced. Each processor remembers them with its order of that time. The
//!    owner with the largest cost is helped; of several the first.
//! 2. One processor acts, or all act at once (see [`Acting`]). It looks at the pairs of neighbours of
//!    its order of which only the second job is that owner's. It leaves out a switch if it remembers
//!    the order that it leads to, with the costs that would follow if nobody else acted. Of the others
//!    it takes the walk's choice: the one that costs all owners together least; of equal ones the one
//!    with the smallest costs that would follow, in descending order; then the first one. It remembers
//!    that order with these costs too.
//! 3. If nobody has a switch, it is over.
//!
//! It ends. A processor remembers pairs of an order and costs, of which there are finitely many, and
//! forgets none. Each of its switches is to a pair that it does not remember yet, and adds it. So there
//! are finitely many switches, and each turn but the last has one.
//!
//! If one processor acts a turn, costs are never old, and no schedule is visited twice: whoever leads to
//! it remembers it. What the walk has in addition is the choice among processors, the cheapest switch of
//! all. What it lacks is schedules that look to a processor like one before: its own order and all
//! costs are the same, and the orders elsewhere are not. With one processor there is neither, so it is
//! the walk.
//!
//! If all act at once, a processor acts on costs that are as old as the turn, and together they may help
//! too much. It takes fewer announcements.

use rustc_hash::FxHashSet;

use super::switch::{Move, print};
use super::walk::{Line, best, cleaned, worst_off};
use super::{Dedicated, Schedule};
use crate::equity::Points;

/// The processors that act on an announcement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acting {
    /// The next one, in the order of their numbers, that has a switch.
    One,
    /// All that have a switch, at once.
    All,
}

/// Schedules that processors with local knowledge came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalWalk {
    /// The owners' sums of each schedule whose costs were announced, the first of which is shortest
    /// first. Their number is that of announcements.
    pub sums: Points,
    /// The moves of each turn, at most one a processor.
    pub turns: Vec<Vec<Move>>,
}

/// A processor and what it remembers.
struct Agent {
    /// Its order, in a list of its own.
    line: [Line; 1],
    /// Fingerprint of its order.
    print: u128,
    /// Fingerprints of its orders, each with the costs at that time.
    seen: FxHashSet<(u128, Vec<i64>)>,
}

impl Agent {
    /// Acts on what was announced: changes its order and the sums, and tells its move, if it has one.
    fn act(&mut self, helps: u32, announced: &[i64], sums: &mut [i64]) -> Option<Move> {
        let expected = |next: &Move| {
            let mut costs = announced.to_vec();
            self.line[0].shift(next, &mut costs);
            costs
        };
        let is_taboo = |next: &Move, print| self.seen.contains(&(print, expected(next)));
        let (next, print) = best(&self.line, helps, announced, self.print, is_taboo)?;
        let costs = expected(&next);
        self.seen.insert((print, costs));
        self.line[0].switch(&next, sums);
        self.print = print;
        Some(next)
    }
}

impl Dedicated {
    /// Walks from the shortest job first with local knowledge, over at most so many turns. A turn takes
    /// time in the number of jobs, and memory in that of processors times owners.
    ///
    /// # Panics
    /// Panics unless there is an offset for each owner.
    pub fn local_equitable_walk(&self, offset: &[i64], most: usize, acting: Acting) -> LocalWalk {
        assert_eq!(offset.len(), self.owners, "an offset for each owner");
        let agent = |processor: &super::Processor| {
            let print = print(&vec![processor.shortest_first()]);
            Agent { line: [Line::new(processor)], print, seen: FxHashSet::default() }
        };
        let mut agents: Vec<Agent> = self.processors.iter().map(agent).collect();
        let mut sums = self.sums(&self.shortest_first());
        let mut walk = LocalWalk { sums: Points::of(self.owners, [&sums[..]]), turns: Vec::new() };
        let mut announced = vec![0; self.owners];
        let mut first = 0;
        while walk.turns.len() < most {
            let helps = worst_off(&sums, offset, &mut announced);
            for agent in &mut agents {
                agent.seen.insert((agent.print, announced.clone()));
            }
            let mut turn = Vec::new();
            let count = agents.len();
            for processor in (first..count).chain(0..first) {
                if let Some(next) = agents[processor].act(helps, &announced, &mut sums) {
                    turn.push(Move { processor: processor as u32, ..next });
                    if acting == Acting::One {
                        first = (processor + 1) % count;
                        break;
                    }
                }
            }
            if turn.is_empty() {
                break;
            }
            walk.turns.push(turn);
            walk.sums.push(&sums);
        }
        walk
    }
}

impl LocalWalk {
    /// An announced schedule, by its number from 0.
    pub fn schedule(&self, instance: &Dedicated, index: usize) -> Schedule {
        let mut schedule = instance.shortest_first();
        self.turns[..index].iter().flatten().for_each(|next| next.apply(&mut schedule));
        schedule
    }

    /// The numbers of the announced schedules that no other one equitably dominates, in order; of those
    /// with equal sums the first.
    pub fn cleaned(&self, offset: &[i64]) -> Vec<usize> {
        cleaned(&self.sums, offset)
    }
}
