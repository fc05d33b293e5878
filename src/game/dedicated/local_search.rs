//! Equitable local search: fair schedules from several starts, by switching neighbours for one group
//! of owners after another.
//!
//! Equity compares the largest cost, the sum of the two largest, and so on: the cumulative ordered
//! costs. A fair schedule is Pareto-optimal in these (Kostreva and Ogryczak, *Linear optimization with
//! multiple equitable criteria*, RAIRO Operations Research 33, 1999). So this is a Pareto local search
//! (Paquete, Chiarandini and Stützle, *Pareto local optimum sets in the biobjective traveling salesman
//! problem*, 2004) in them: it keeps the visited schedules that no other one dominates, and goes on
//! from these. Four things differ from the textbook.
//!
//! - It starts from several schedules: the shortest first, shortest first by weighted size with a
//!   growing weight of the worst-off owner (Smith's rule, the optimum of a weighted sum), and my jobs
//!   first.
//! - The criteria take turns. On the turn of the k worst-off, it goes on from the schedule with the
//!   least sum of the k largest costs, and helps an owner among these at the expense of another one.
//!   One more turn goes on from the schedule that was left least often, so that all get theirs.
//! - A turn is one switch, not all switches of a schedule. It is the one that costs least for what it
//!   gains: the smallest size of the job that waits over that of the job that is waited for.
//! - Where no schedule that is kept has a switch left, it goes on from dominated ones, so it leaves
//!   local optima. With enough moves it visits all schedules.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::switch::{Move, print, switched};
use super::{Dedicated, Schedule};
use crate::equity::{Points, cumulate};

/// Starts by weighted size at most: each is kept as a whole.
const WEIGHTED: usize = 64;
/// One in so many moves may be a start by weighted size.
const SHARE: usize = 4;
/// The weight of the worst-off owner grows by one in this many.
const GROWTH: i64 = 8;
/// Weights begin here, so that growth by a share is fine enough, and end at the largest.
const WEIGHTS: std::ops::Range<i64> = 1 << 20..1 << 40;

/// Schedules that a local search visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalSearch {
    /// The owners' sums of each schedule, the first of which is shortest first.
    pub sums: Points,
    /// The schedules that no other visited one equitably dominates, in the order of visits. Of those
    /// with the same costs up to the names of owners, the first.
    pub kept: Vec<usize>,
    /// By schedule.
    origins: Vec<Origin>,
    starts: Vec<Schedule>,
}

/// Source of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// A start, by its number.
    Start(u32),
    /// A move from an earlier schedule.
    Move { from: u32, next: Move },
}

/// An entry of a queue; the least comes first: whether the schedule is dominated, its key, its number.
type Entry = Reverse<(bool, i64, u32)>;

/// The search so far.
struct Search<'i> {
    instance: &'i Dedicated,
    offset: &'i [i64],
    found: LocalSearch,
    /// By schedule: costs, their cumulative ordered ones, and the fingerprint.
    costs: Points,
    cumulative: Points,
    prints: Vec<u128>,
    /// Fingerprints of all schedules visited.
    seen: FxHashSet<u128>,
    is_dominated: Vec<bool>,
    /// The others, by cumulative costs.
    kept: Vec<u32>,
    /// By kind of turn: the schedules that may have a switch left.
    queues: Vec<BinaryHeap<Entry>>,
    /// The schedule at hand: by processor, (owner, size) of its jobs.
    lines: Vec<Vec<(u32, i64)>>,
    /// Its owners' ranks, the worst-off first.
    ranks: Vec<usize>,
    /// Reused: costs, cumulative ones, moves, and jobs placed by owner.
    costs_now: Vec<i64>,
    sums: Vec<i64>,
    moves: Vec<Move>,
    placed: Vec<usize>,
}

/// Criterion of a turn.
#[derive(Clone, Copy, Debug)]
enum Helps {
    /// One of so many worst-off owners, at the expense of another.
    Worst(usize),
    /// Any owner that is worse off than the one who pays, or all together.
    Worse,
    /// No matter whom: for visiting all schedules.
    Any,
}

impl Dedicated {
    /// Visits at most so many schedules after the shortest first. Each takes time in the number of
    /// jobs and, at worst, in the number of schedules kept; memory does not grow with the product.
    ///
    /// # Panics
    /// Panics unless there is an offset for each owner.
    pub fn equitable_local_search(&self, offset: &[i64], moves: usize) -> LocalSearch {
        assert_eq!(offset.len(), self.owners, "an offset for each owner");
        let mut search = Search::new(self, offset);
        search.start(self.shortest_first());
        search.weighted(WEIGHTED.min(moves / SHARE));
        if search.visited() <= moves {
            // With payoffs, whatever dominates it harms no owner.
            search.start(self.own_first());
        }
        let turns = search.queues.len() - 1;
        let (mut turn, mut idle) = (0, 0);
        while search.visited() <= moves && idle <= turns {
            // The last queue waits until there is nothing else to do.
            let queue = if idle < turns { turn % turns } else { turns };
            turn += 1;
            idle = if search.step(queue) { 0 } else { idle + 1 };
        }
        search.kept.sort_unstable();
        let mut found = search.found;
        found.kept = search.kept.iter().map(|&index| index as usize).collect();
        found
    }

    /// Shortest first by size over weight; of equal ones the smallest size, then the lowest owner.
    fn weighted_shortest_first(&self, weights: &[i64]) -> Schedule {
        self.each(|processor| {
            let mut jobs = processor.jobs_by_size();
            let times =
                |size: i64, owner: u32| i128::from(size) * i128::from(weights[owner as usize]);
            // Stable: equal ones keep the order by size and owner.
            jobs.sort_by(|&(a, one), &(b, other)| times(a, other).cmp(&times(b, one)));
            jobs.into_iter().map(|(_, owner)| owner).collect()
        })
    }
}

impl<'i> Search<'i> {
    fn new(instance: &'i Dedicated, offset: &'i [i64]) -> Search<'i> {
        let owners = instance.owners();
        let has_jobs =
            |owner: &u32| instance.processors().iter().any(|one| !one.sizes(*owner).is_empty());
        // A queue for each number of worst-off owners, one for the seldom used, one for the rest.
        let queues = (0..owners as u32).filter(has_jobs).count() + 2;
        let found = LocalSearch {
            sums: Points::new(owners),
            kept: Vec::new(),
            origins: Vec::new(),
            starts: Vec::new(),
        };
        Search {
            instance,
            offset,
            found,
            costs: Points::new(owners),
            cumulative: Points::new(owners),
            prints: Vec::new(),
            seen: FxHashSet::default(),
            is_dominated: Vec::new(),
            kept: Vec::new(),
            queues: vec![BinaryHeap::new(); queues],
            lines: vec![Vec::new(); instance.processors().len()],
            ranks: Vec::new(),
            costs_now: Vec::new(),
            sums: Vec::new(),
            moves: Vec::new(),
            placed: Vec::new(),
        }
    }

    /// Schedules visited so far.
    fn visited(&self) -> usize {
        self.prints.len()
    }

    /// Visits a schedule that no move leads to, unless it was visited before; the owners' costs.
    fn start(&mut self, schedule: Schedule) -> Vec<i64> {
        let sums = self.instance.sums(&schedule);
        let costs: Vec<i64> = sums.iter().zip(self.offset).map(|(sum, more)| sum + more).collect();
        let print = print(&schedule);
        if self.seen.insert(print) {
            let origin = Origin::Start(self.found.starts.len() as u32);
            self.found.starts.push(schedule);
            self.visit(&costs, print, origin);
        }
        costs
    }

    /// Starts by weighted size: the worst-off owner's weight grows, as long as that lowers the largest
    /// cost now and then.
    fn weighted(&mut self, most: usize) {
        let owners = self.instance.owners();
        let mut weights = vec![WEIGHTS.start; owners];
        let mut costs = self.costs.at(0).to_vec();
        let (mut least, mut since) = (i64::MAX, 0);
        for _ in 0..most {
            let worst = (0..owners).rev().max_by_key(|&owner| costs[owner]);
            let worst = worst.expect("there is an owner");
            since = if costs[worst] < least { 0 } else { since + 1 };
            least = least.min(costs[worst]);
            weights[worst] += weights[worst] / GROWTH;
            if since > 2 * owners || weights[worst] > WEIGHTS.end {
                break;
            }
            costs = self.start(self.instance.weighted_shortest_first(&weights));
        }
    }

    /// Takes a turn; false if its queue is empty.
    fn step(&mut self, queue: usize) -> bool {
        let last = self.queues.len() - 1;
        let helps = match last - queue {
            0 => Helps::Any,
            1 | 2 => Helps::Worse,
            _ => Helps::Worst(queue + 1),
        };
        let seldom_first = queue + 1 == last;
        while let Some(Reverse((was_dominated, key, index))) = self.queues[queue].pop() {
            let is_dominated = self.is_dominated[index as usize];
            if is_dominated && !was_dominated {
                self.queues[queue].push(Reverse((true, key, index)));
                continue;
            }
            // It has no place in the queue any more if it has no switch left.
            self.load(index as usize);
            if let Some((next, print)) = self.best(index as usize, helps) {
                let key = if seldom_first { key + 1 } else { key };
                self.queues[queue].push(Reverse((is_dominated, key, index)));
                self.go(index, next, print);
                return true;
            }
        }
        false
    }

    /// Takes a schedule to hand.
    fn load(&mut self, index: usize) {
        let start = self.found.traced(index, &mut self.moves);
        for (line, order) in self.lines.iter_mut().zip(start) {
            line.clear();
            line.extend(order.iter().map(|&owner| (owner, 0)));
        }
        self.moves.iter().rev().for_each(|next| next.apply(&mut self.lines));
        for (line, processor) in self.lines.iter_mut().zip(self.instance.processors()) {
            self.placed.clear();
            self.placed.resize(self.instance.owners(), 0);
            for (owner, size) in line {
                let place = &mut self.placed[*owner as usize];
                *size = processor.sizes(*owner)[*place];
                *place += 1;
            }
        }
        let costs = self.costs.at(index);
        self.placed.clear();
        self.placed.extend(0..costs.len());
        // Stable: of owners with equal costs the first counts as worse off.
        self.placed.sort_by_key(|&owner| Reverse(costs[owner]));
        self.ranks.resize(costs.len(), 0);
        for (rank, &owner) in self.placed.iter().enumerate() {
            self.ranks[owner] = rank;
        }
    }

    /// The switch that costs least for what it gains and leads to a new schedule, with the fingerprint
    /// of that. Of equal ones that with the largest gain, then the first.
    fn best(&self, index: usize, helps: Helps) -> Option<(Move, u128)> {
        let mut best: Option<(i64, i64, Move, u128)> = None;
        for (processor, line) in self.lines.iter().enumerate() {
            for (position, pair) in line.windows(2).enumerate() {
                let [(first, gain), (second, cost)] = [pair[0], pair[1]];
                let [pays, gains] = [first, second].map(|owner| self.ranks[owner as usize]);
                let fits = match helps {
                    Helps::Worst(count) => gains < count && count <= pays,
                    Helps::Worse => gains < pays || gains > pays && cost < gain,
                    Helps::Any => gains != pays,
                };
                if !fits || best.as_ref().is_some_and(|best| !is_cheaper((cost, gain), best)) {
                    continue;
                }
                let print = switched(self.prints[index], processor, position, [first, second]);
                if !self.seen.contains(&print) {
                    let [processor, position] = [processor, position].map(|place| place as u32);
                    best = Some((cost, gain, Move { processor, position, helps: second }, print));
                }
            }
        }
        best.map(|(_, _, next, print)| (next, print))
    }

    /// Visits the schedule that a switch leads to.
    fn go(&mut self, from: u32, next: Move, print: u128) {
        let line = &self.lines[next.processor as usize];
        let at = next.position as usize;
        let mut costs = std::mem::take(&mut self.costs_now);
        costs.clear();
        costs.extend_from_slice(self.costs.at(from as usize));
        costs[line[at].0 as usize] += line[at + 1].1;
        costs[next.helps as usize] -= line[at].1;
        self.seen.insert(print);
        self.visit(&costs, print, Origin::Move { from, next });
        self.costs_now = costs;
    }

    /// Lists a schedule and puts it in the queues.
    fn visit(&mut self, costs: &[i64], print: u128, origin: Origin) {
        let index = self.visited() as u32;
        let sums: Vec<i64> =
            costs.iter().zip(self.offset).map(|(cost, more)| cost - more).collect();
        self.found.sums.push(&sums);
        self.found.origins.push(origin);
        self.costs.push(costs);
        self.prints.push(print);
        cumulate(costs, &mut self.sums);
        self.cumulative.push(&self.sums);
        let is_dominated = !self.keep(index);
        self.is_dominated.push(is_dominated);
        let turns = self.queues.len() - 2;
        for (queue, entries) in self.queues.iter_mut().enumerate() {
            // The two last queues begin with the oldest.
            let key = if queue < turns { self.sums[queue] } else { 0 };
            entries.push(Reverse((is_dominated, key, index)));
        }
    }

    /// Keeps the schedule listed last unless a kept one is as good, and drops those that it dominates.
    fn keep(&mut self, index: u32) -> bool {
        let all = &self.cumulative;
        let own = all.at(index as usize);
        let at = |&other: &u32| all.at(other as usize);
        let covers = |better: &[i64], other: &[i64]| better.iter().zip(other).all(|(a, b)| a <= b);
        // Whatever is nowhere larger comes no later in this order.
        let place = self.kept.partition_point(|other| at(other) <= own);
        if self.kept[..place].iter().rev().any(|other| covers(at(other), own)) {
            return false;
        }
        let mut later = self.kept.split_off(place);
        later.retain(|other| {
            let is_out = covers(own, at(other));
            self.is_dominated[*other as usize] |= is_out;
            !is_out
        });
        self.kept.push(index);
        self.kept.append(&mut later);
        true
    }
}

/// True if the ratio of cost and gain is smaller than the best, or the same with a larger gain.
fn is_cheaper((cost, gain): (i64, i64), best: &(i64, i64, Move, u128)) -> bool {
    let [own, other] = [(cost, best.1), (best.0, gain)].map(|(a, b)| i128::from(a) * i128::from(b));
    own < other || own == other && gain > best.1
}

impl LocalSearch {
    /// The start that a schedule comes from, and the moves from there to it, the last first.
    fn traced(&self, index: usize, moves: &mut Vec<Move>) -> &Schedule {
        moves.clear();
        let mut at = index;
        loop {
            match self.origins[at] {
                Origin::Start(start) => return &self.starts[start as usize],
                Origin::Move { from, next } => {
                    moves.push(next);
                    at = from as usize;
                }
            }
        }
    }

    /// A schedule, by its number from 0.
    pub fn schedule(&self, index: usize) -> Schedule {
        let mut moves = Vec::new();
        let mut schedule = self.traced(index, &mut moves).clone();
        moves.iter().rev().for_each(|next| next.apply(&mut schedule));
        schedule
    }
}
