//! The Equitable Walk (Rzadca, Trystram and Wierzbicki, section 3.2): fair schedules by switching
//! neighbours.
//!
//! The walk starts from the shortest job first everywhere. The owner with the largest cost is helped:
//! of all pairs of neighbours of which the second is its job and the first is not, the pair whose
//! switch costs all owners together least changes places, unless that schedule was visited before.
//! Costs are sums of completion times, each with an offset; with that of payoffs it is the
//! game-theoretic walk (section 4.2). It ends when the owner with the largest cost cannot move.
//!
//! The paper leaves ties open. Of moves that cost the same, the one with the smallest costs in
//! descending order is taken, then the one on the first processor, then the first one; of several
//! owners with the largest cost the first. Of some 130 readings tried on the paper's table 1 this is
//! among the few that meet it, and the first found in scan order is far from it.

use rustc_hash::FxHashSet;

use super::switch::{Move, print, switched};
use super::{Dedicated, Order, Processor, Schedule};
use crate::equity::{Points, equitable_front};

/// Schedules that a walk visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The owners' sums of each schedule, the first of which is shortest first.
    pub sums: Points,
    /// The moves between them.
    pub moves: Vec<Move>,
}

/// A processor's present order.
pub(super) struct Line {
    order: Order,
    /// Sizes by position.
    sizes: Vec<i64>,
}

impl Line {
    /// Shortest job first.
    pub(super) fn new(processor: &Processor) -> Line {
        let (sizes, order) = processor.jobs_by_size().into_iter().unzip();
        Line { order, sizes }
    }

    /// Changes sums of the owners as a switch of a pair would do.
    pub(super) fn shift(&self, next: &Move, sums: &mut [i64]) {
        let at = next.position as usize;
        sums[self.order[at] as usize] += self.sizes[at + 1];
        sums[next.helps as usize] -= self.sizes[at];
    }

    /// Switches a pair of its order, and changes the owners' sums.
    pub(super) fn switch(&mut self, next: &Move, sums: &mut [i64]) {
        self.shift(next, sums);
        let at = next.position as usize;
        self.order.swap(at, at + 1);
        self.sizes.swap(at, at + 1);
    }
}

/// Finds the owners' costs, and the first owner with the largest one.
pub(super) fn worst_off(sums: &[i64], offset: &[i64], costs: &mut [i64]) -> u32 {
    costs.iter_mut().zip(sums.iter().zip(offset)).for_each(|(cost, (a, b))| *cost = a + b);
    let worst = (0..costs.len()).rev().max_by_key(|&owner| costs[owner]);
    worst.expect("there is an owner") as u32
}

/// The numbers of the schedules, given by their sums, that no other one equitably dominates, without
/// all but the first of those with equal sums.
pub(super) fn cleaned(sums: &Points, offset: &[i64]) -> Vec<usize> {
    let left = equitable_front(sums, offset).sorted();
    let mut seen = std::collections::BTreeSet::new();
    let is_left = |&index: &usize| left.holds(sums.at(index)) && seen.insert(sums.at(index));
    (0..sums.len()).filter(is_left).collect()
}

impl Dedicated {
    /// Walks from the shortest job first, over at most so many moves. Each move takes time in the
    /// number of jobs.
    ///
    /// # Panics
    /// Panics unless there is an offset for each owner.
    pub fn equitable_walk(&self, offset: &[i64], most: usize) -> Walk {
        assert_eq!(offset.len(), self.owners, "an offset for each owner");
        let mut lines: Vec<Line> = self.processors.iter().map(Line::new).collect();
        let first = self.shortest_first();
        let (mut sums, mut print) = (self.sums(&first), print(&first));
        let mut walk = Walk { sums: Points::of(self.owners, [&sums[..]]), moves: Vec::new() };
        let mut taboo = FxHashSet::from_iter([print]);
        let mut costs = vec![0; self.owners];
        while walk.moves.len() < most {
            let helps = worst_off(&sums, offset, &mut costs);
            let is_taboo = |_: &Move, print: u128| taboo.contains(&print);
            let Some((next, found)) = best(&lines, helps, &costs, print, is_taboo) else { break };
            lines[next.processor as usize].switch(&next, &mut sums);
            print = found;
            taboo.insert(print);
            walk.moves.push(next);
            walk.sums.push(&sums);
        }
        walk
    }
}

/// The move to take on some processors, and the fingerprint of the orders that it leads to from those
/// of this fingerprint; the moves that are taboo are told by both.
pub(super) fn best(
    lines: &[Line],
    helps: u32,
    costs: &[i64],
    print: u128,
    is_taboo: impl Fn(&Move, u128) -> bool,
) -> Option<(Move, u128)> {
    /// A move that is not taboo, with its deterioration.
    struct Found {
        deterioration: i64,
        next: Move,
        print: u128,
        /// Costs after the move in descending order, once they are asked for.
        after: Option<Vec<i64>>,
    }
    let after = |next: &Move| {
        let mut after = costs.to_vec();
        lines[next.processor as usize].shift(next, &mut after);
        after.sort_unstable_by(|a, b| b.cmp(a));
        after
    };
    let mut best: Option<Found> = None;
    for (processor, line) in lines.iter().enumerate() {
        for position in 0..line.order.len().saturating_sub(1) {
            let (first, second) = (line.order[position], line.order[position + 1]);
            if second != helps || first == helps {
                continue;
            }
            let deterioration = line.sizes[position + 1] - line.sizes[position];
            if best.as_ref().is_some_and(|best| best.deterioration < deterioration) {
                continue;
            }
            let print = switched(print, processor, position, [first, second]);
            let next = Move { processor: processor as u32, position: position as u32, helps };
            if is_taboo(&next, print) {
                continue;
            }
            let mut own = None;
            if let Some(best) = best.as_mut().filter(|best| best.deterioration == deterioration) {
                let theirs = best.after.get_or_insert_with(|| after(&best.next));
                let costs = own.insert(after(&next));
                // Moves are looked at in the order of processors and positions.
                if *costs >= *theirs {
                    continue;
                }
            }
            best = Some(Found { deterioration, next, print, after: own });
        }
    }
    best.map(|best| (best.next, best.print))
}

impl Walk {
    /// A schedule of the walk, by its number from 0.
    pub fn schedule(&self, instance: &Dedicated, index: usize) -> Schedule {
        let mut schedule = instance.shortest_first();
        self.moves[..index].iter().for_each(|next| next.apply(&mut schedule));
        schedule
    }

    /// The schedules that are left when those that another one of the walk equitably dominates are
    /// removed, and all but the first of those with equal sums: their numbers, in order.
    pub fn cleaned(&self, offset: &[i64]) -> Vec<usize> {
        cleaned(&self.sums, offset)
    }
}
