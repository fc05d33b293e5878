//! Heuristics that look at one class at a time: MET, MCT and OLB.

use std::hint::select_unpredictable;

use rand::SeedableRng as _;

use super::Order;
use super::draw::Draw;
use super::fill::{By, Fill};
use super::fronts::open;
use super::ground::Ground;
use super::score::{Best, Metric, Rule};
use super::work::{NEVER, Work};
use crate::tasks::{Plan, Problem};
use kernel::rng::Rng;

/// So many sites are compared for each task in less time than their order is remembered.
const FEW: usize = 16;

/// Classes take turns, and the task of the class whose turn it is goes where the rule wants it.
#[derive(Clone, Copy, Debug)]
pub(in crate::tasks) struct Turns {
    /// Rule by which the task chooses its site.
    pub rule: Rule,
    /// Order in which tasks take turns.
    pub order: Order,
}

impl Turns {
    /// Writes the plan of a problem. A class that is alone assigns all its tasks at once, in a time that
    /// does not depend on how many there are, unless tasks wait for room.
    pub fn plan(self, problem: &Problem<'_>, out: &mut Plan) {
        self.play(problem, true, out);
    }

    /// Writes the same plan, one task after the other.
    #[cfg(test)]
    pub fn plan_by_tasks(self, problem: &Problem<'_>, out: &mut Plan) {
        self.play(problem, false, out);
    }

    fn play(self, problem: &Problem<'_>, at_once: bool, out: &mut Plan) {
        let (mut work, mut ground, mut fronts) = open(self.rule, problem);
        let mut rng = Rng::seed_from_u64(problem.seed);
        let mut best: Vec<Option<Best>> = vec![None; work.left.len()];
        let (mut draw, mut next) = (Draw::default(), 0);
        let scans = self.rule.is_end(&fronts) && work.sites <= FEW;
        while let Some(&lowest) = work.eligible().first() {
            let is_alone = self.order == Order::Classes || work.eligible().len() == 1;
            if is_alone && at_once && !fronts.can_wait() {
                next = lowest + 1;
                self.assign_all(&mut work, &mut ground, lowest as usize);
                fronts.update(&ground);
                continue;
            }
            let class = match self.order {
                _ if is_alone => lowest,
                Order::Random => draw.class(&work, &mut rng),
                _ => {
                    let place = work.eligible().partition_point(|&class| class < next);
                    work.eligible().get(place).copied().unwrap_or(lowest)
                }
            };
            next = class + 1;
            let class = class as usize;
            let site = if scans {
                first_end(&work, &fronts.free, class)
            } else {
                let known =
                    best[class].get_or_insert_with(|| Best::of(self.rule, &work, &fronts, class));
                known.refresh(self.rule, &work, &fronts, class, false);
                known.first.site as usize
            };
            let end = fronts.step(&work, &mut ground, class, site, 1);
            work.assign(class, 1, end);
        }
        fronts.write(&work, ground, out);
    }

    /// Assigns all tasks of a class: to the best sites while they keep the deadline, then to the next.
    fn assign_all(self, work: &mut Work, ground: &mut Ground, class: usize) {
        let all: Vec<u32> = work.places(class).collect();
        let level = |site: &u32| self.level(work, class, *site);
        let mut sorted = all.clone();
        sorted.sort_by_key(level);
        let levels = sorted.chunk_by(|one, other| level(one) == level(other));
        let by = if self.rule.metric == Metric::Free { By::Free } else { By::End };
        let mut fills: Vec<Fill<'_>> = Vec::new();
        if self.rule.deadline {
            let until = work.deadline[class];
            fills.extend(levels.map(|sites| Fill { class, sites, by, until }));
            fills.push(Fill { class, sites: &all, by: By::End, until: NEVER });
        } else {
            let first = levels.take(1);
            fills.extend(first.map(|sites| Fill { class, sites, by, until: NEVER }));
        }
        give(work, ground, class, &fills);
    }

    /// Sites of a lower level are better wherever processors are free. Those of the same level compare
    /// by when they are.
    fn level(self, work: &Work, class: usize, site: u32) -> (i128, i64, u32) {
        let (cost, time) = (work.cost(class, site as usize), work.time(class, site as usize));
        match self.rule.metric {
            Metric::End | Metric::Free => (0, 0, 0),
            Metric::Cost => (cost, 0, 0),
            Metric::Time => (0, time, site),
            Metric::CostOfTime => (cost, time, site),
        }
    }
}

/// The site where the next task of a class ends first; of equal ones the lowest.
#[inline]
fn first_end(work: &Work, fronts: &[i64], class: usize) -> usize {
    let (mut first, mut least) = (0, NEVER);
    for (site, (&front, &time)) in fronts.iter().zip(work.times(class)).enumerate() {
        let end = front.max(work.release[class]).saturating_add(time);
        (first, least) = select_unpredictable(end < least, (site, end), (first, least));
    }
    first
}

/// Assigns all tasks of a class, as many as possible in each of these ways.
fn give(work: &mut Work, ground: &mut Ground, class: usize, fills: &[Fill<'_>]) {
    let (mut left, mut latest) = (work.left[class], 0);
    for fill in fills {
        let (given, end) = fill.give(work, ground, left);
        left = left.saturating_sub(given);
        latest = latest.max(end);
    }
    work.assign(class, work.left[class], latest);
}

/// Assigns all tasks of a class to the processors where they end first.
pub(in crate::tasks) fn finish_first(work: &mut Work, ground: &mut Ground, class: usize) {
    let all: Vec<u32> = work.places(class).collect();
    give(work, ground, class, &[Fill { class, sites: &all, by: By::End, until: NEVER }]);
}
