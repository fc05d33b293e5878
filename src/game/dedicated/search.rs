//! Outcomes of sums over several fronts, without making all sums.
//!
//! Each front is a tree of boxes. A box knows the least sum of each set of owners over its points, so
//! two boxes bound that of all sums of their points, and what is worse than an outcome known is dropped
//! with both boxes. The largest of the sums of so many owners is a cumulative ordered outcome, so these
//! are the bounds that equity asks for. Fronts are added one after the other; before the last, what
//! the others bring at best is added to each bound.

use super::effort::TooLarge;
use super::enumerate::next_permutation;
use super::processor::Budget;
use crate::equity::{Points, cumulate, pareto_dominates, pareto_front};
use kernel::order::InOrder as _;

/// Points of a box that is not divided.
const LEAF: usize = 8;
/// Largest number of owners for which all their sets have bounds.
const SETS: usize = 5;

/// Sets of owners whose sums are bounded: each owner, larger sets if there are few, and all owners.
#[derive(Debug)]
pub(super) struct Family {
    owners: usize,
    /// Members as bits, smaller sets first; none where there are too many.
    sets: Vec<u32>,
}

impl Family {
    pub(super) fn new(owners: usize) -> Family {
        let mut sets: Vec<u32> = match owners <= SETS {
            true => (1..1 << owners).filter(|set: &u32| set.count_ones() > 1).collect(),
            false => Vec::new(),
        };
        sets.order_by_key(|set| set.count_ones());
        Family { owners, sets }
    }

    /// Number of sums of a point: of each owner, of the sets, and of all.
    fn len(&self) -> usize {
        self.owners + self.sets.len() + 1
    }

    /// Writes the sums of a point.
    fn sums(&self, point: &[i64], out: &mut Vec<i64>) {
        out.clear();
        out.extend_from_slice(point);
        for &set in &self.sets {
            let members = point.iter().enumerate().filter(|(owner, _)| set >> owner & 1 == 1);
            out.push(members.map(|(_, sum)| sum).sum());
        }
        out.push(point.iter().sum());
    }

    /// Writes bounds of the cumulative ordered outcomes, from bounds of the sums.
    fn cumulated(&self, sums: &[i64], out: &mut Vec<i64>) {
        let owners = self.owners;
        cumulate(&sums[..owners], out);
        for (&set, &sum) in self.sets.iter().zip(&sums[owners..]) {
            let place = set.count_ones() as usize - 1;
            out[place] = out[place].max(sum);
        }
        // So many of the largest are at least their share of the whole.
        let all = sums[sums.len() - 1];
        out[owners - 1] = out[owners - 1].max(all);
        for (place, bound) in out.iter_mut().enumerate() {
            let share = all * (place as i64 + 1);
            let least = share.div_euclid(owners as i64);
            let up = i64::from(share.rem_euclid(owners as i64) > 0);
            *bound = (*bound).max(least + up);
        }
    }
}

/// The goal of the search among the sums.
pub(super) trait Judge {
    /// True if no sums of a box matter, given the least sums by the family and the largest by owner.
    fn drops(&mut self, least: &[i64], most: &[i64]) -> bool;

    /// Takes the owners' sums of an outcome; true if the search is over.
    fn takes(&mut self, sums: &[i64]) -> bool;
}

/// A box.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    len: u32,
    /// Sum of the sides.
    extent: i64,
    /// The boxes it is made of, unless it is not divided.
    parts: Option<[u32; 2]>,
}

/// The boxes of a front, the last of which is the whole.
#[derive(Debug)]
struct Tree {
    owners: usize,
    width: usize,
    nodes: Vec<Node>,
    /// By node: least sums by the family.
    least: Vec<i64>,
    /// By node: largest sums by owner.
    most: Vec<i64>,
    /// Sums by the family of all points, those of a box together.
    points: Vec<i64>,
}

impl Tree {
    fn new(family: &Family, points: &Points) -> Tree {
        let (owners, width) = (family.owners, family.len());
        let mut all = Vec::with_capacity(points.len() * width);
        let mut sums = Vec::new();
        for point in points.iter() {
            family.sums(point, &mut sums);
            all.extend_from_slice(&sums);
        }
        let mut tree = Tree {
            owners,
            width,
            nodes: Vec::new(),
            least: Vec::new(),
            most: Vec::new(),
            points: Vec::with_capacity(all.len()),
        };
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        tree.build(&all, &mut order, 0);
        for index in order {
            tree.points.extend_from_slice(&all[index as usize * width..][..width]);
        }
        tree
    }

    fn build(&mut self, all: &[i64], order: &mut [u32], first: u32) -> u32 {
        let at = |index: u32| &all[index as usize * self.width..][..self.width];
        let mut least = at(order[0]).to_vec();
        let mut most = least.clone();
        for &index in &order[1..] {
            for (number, &sum) in at(index).iter().enumerate() {
                least[number] = least[number].min(sum);
                most[number] = most[number].max(sum);
            }
        }
        let sides = || (0..self.owners).map(|owner| most[owner] - least[owner]);
        let extent = sides().sum();
        let widest = sides().enumerate().max_by_key(|side| side.1).map_or(0, |side| side.0);
        let len = order.len() as u32;
        let parts = (order.len() > LEAF).then(|| {
            let half = order.len() / 2;
            let width = self.width;
            let key = |&index: &u32| (all[index as usize * width + widest], index);
            order.select_nth_unstable_by_key(half, key);
            let (low, high) = order.split_at_mut(half);
            [self.build(all, low, first), self.build(all, high, first + half as u32)]
        });
        self.nodes.push(Node { first, len, extent, parts });
        self.least.extend_from_slice(&least);
        self.most.extend_from_slice(&most[..self.owners]);
        self.nodes.len() as u32 - 1
    }

    fn whole(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }

    fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    fn least(&self, node: u32) -> &[i64] {
        &self.least[node as usize * self.width..][..self.width]
    }

    fn most(&self, node: u32) -> &[i64] {
        &self.most[node as usize * self.owners..][..self.owners]
    }

    /// The points of a box.
    fn points(&self, node: Node) -> std::slice::ChunksExact<'_, i64> {
        let from = node.first as usize * self.width;
        self.points[from..][..node.len as usize * self.width].chunks_exact(self.width)
    }
}

/// The addition of two fronts, and what all further ones bring.
struct Addition<'s, J> {
    first: &'s Tree,
    second: &'s Tree,
    /// Least sums of the further fronts by the family, and largest by owner.
    rest: (&'s [i64], &'s [i64]),
    judge: &'s mut J,
    budget: &'s mut Budget,
    /// Reused: bounds of two boxes.
    least: Vec<i64>,
    most: Vec<i64>,
}

impl<J: Judge> Addition<'_, J> {
    /// Sum of the least sums of all owners of two boxes, by which they are visited.
    fn total(&self, a: u32, b: u32) -> i64 {
        let all = self.first.width - 1;
        self.first.least(a)[all] + self.second.least(b)[all]
    }

    /// Hands the sums of the points of two boxes that matter to `out`; true if the search is over.
    fn visit(
        &mut self,
        a: u32,
        b: u32,
        out: &mut impl FnMut(&mut J, &[i64]) -> bool,
    ) -> Result<bool, TooLarge> {
        self.budget.take(1)?;
        let (first, second) = (self.first, self.second);
        let three = |a: &[i64], b: &[i64], c: &[i64], out: &mut Vec<i64>| {
            out.clear();
            out.extend(a.iter().zip(b).zip(c).map(|((a, b), c)| a + b + c));
        };
        three(first.least(a), second.least(b), self.rest.0, &mut self.least);
        three(first.most(a), second.most(b), self.rest.1, &mut self.most);
        if self.judge.drops(&self.least, &self.most) {
            return Ok(false);
        }
        let (own, other) = (first.node(a), second.node(b));
        let parts = match (own.parts, other.parts) {
            (Some([low, high]), None) => [(low, b), (high, b)],
            (None, Some([low, high])) => [(a, low), (a, high)],
            (Some([low, high]), Some(_)) if own.extent >= other.extent => [(low, b), (high, b)],
            (Some(_), Some([low, high])) => [(a, low), (a, high)],
            (None, None) => {
                self.budget.take((own.len * other.len) as usize)?;
                let owners = first.owners;
                for one in first.points(own) {
                    for two in second.points(other) {
                        three(one, two, self.rest.0, &mut self.least);
                        self.most.clear();
                        let sums = one.iter().zip(two).map(|(a, b)| a + b);
                        self.most.extend(sums.zip(self.rest.1).map(|(sum, rest)| sum + rest));
                        if self.judge.drops(&self.least, &self.most) {
                            continue;
                        }
                        self.most.clear();
                        self.most.extend(one[..owners].iter().zip(two).map(|(a, b)| a + b));
                        if out(self.judge, &self.most) {
                            return Ok(true);
                        }
                    }
                }
                return Ok(false);
            }
        };
        let [(a, b), (c, d)] = parts;
        let order = if self.total(a, b) <= self.total(c, d) { parts } else { [parts[1], parts[0]] };
        for (a, b) in order {
            if self.visit(a, b, out)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Searches the sums of a point of each front; true if the judge ended it.
pub(super) fn search<J: Judge>(
    fronts: &[Points],
    family: &Family,
    judge: &mut J,
    budget: &mut Budget,
) -> Result<bool, TooLarge> {
    let nothing = Points::of(family.owners, [&vec![0; family.owners][..]]);
    let mut trees: Vec<Tree> = fronts.iter().map(|front| Tree::new(family, front)).collect();
    // The smallest fronts are added first, the largest last.
    trees.order_by_key(|tree| std::cmp::Reverse(tree.points.len()));
    let mut all = Tree::new(family, &nothing);
    while let Some(next) = trees.pop() {
        let (mut least, mut most) = (vec![0; family.len()], vec![0; family.owners]);
        for rest in &trees {
            let add = |sums: &mut Vec<i64>, more: &[i64]| {
                sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            };
            add(&mut least, rest.least(rest.whole()));
            add(&mut most, rest.most(rest.whole()));
        }
        let is_last = trees.is_empty();
        let mut made = Points::new(family.owners);
        let mut addition = Addition {
            first: &all,
            second: &next,
            rest: (&least, &most),
            judge: &mut *judge,
            budget: &mut *budget,
            least: Vec::new(),
            most: Vec::new(),
        };
        let mut out = |judge: &mut J, sums: &[i64]| {
            if is_last {
                return judge.takes(sums);
            }
            made.push(sums);
            false
        };
        if addition.visit(all.whole(), next.whole(), &mut out)? {
            return Ok(true);
        }
        if is_last || made.is_empty() {
            return Ok(false);
        }
        all = Tree::new(family, &pareto_front(made));
    }
    Ok(judge.takes(&all.points[..family.owners]))
}

/// Seeks the equitable front.
#[derive(Debug)]
pub(super) struct Fair<'f> {
    family: &'f Family,
    /// Offset added to the sums of each family.
    offset: Vec<i64>,
    /// Cumulative costs and the sums behind them, sorted. None dominates another.
    found: Vec<(Vec<i64>, Vec<i64>)>,
    /// Place of the last one that was better than something.
    hint: usize,
    /// Reused.
    shifted: Vec<i64>,
    costs: Vec<i64>,
}

impl<'f> Fair<'f> {
    pub(super) fn new(family: &'f Family, offset: &[i64]) -> Fair<'f> {
        let mut by_set = Vec::new();
        family.sums(offset, &mut by_set);
        let (found, shifted, costs) = Default::default();
        Fair { family, offset: by_set, found, hint: 0, shifted, costs }
    }

    /// The owners' sums of the front, sorted.
    pub(super) fn front(&self) -> Points {
        let sums = self.found.iter().map(|(_, sums)| &sums[..]);
        Points::of(self.family.owners, sums).sorted()
    }

    /// Finds what is better than the costs.
    fn is_dominated(&mut self) -> bool {
        let costs = &self.costs[..];
        let is_better = |(own, _): &(Vec<i64>, Vec<i64>)| pareto_dominates(own, costs);
        if self.found.get(self.hint).is_some_and(is_better) {
            return true;
        }
        // What dominates has no larger first number.
        let end = self.found.partition_point(|(own, _)| own[0] <= costs[0]);
        match self.found[..end].iter().rposition(is_better) {
            Some(place) => self.hint = place,
            None => return false,
        }
        true
    }

    /// True if the costs are those of outcomes found, and no other outcome within these sums has them:
    /// such outcomes are the costs in another order.
    fn is_known(&self, least: &[i64], most: &[i64]) -> bool {
        let from = self.found.partition_point(|(own, _)| *own < self.costs);
        let twins = self.found[from..].iter().take_while(|(own, _)| *own == self.costs);
        let twins: Vec<&Vec<i64>> = twins.map(|(_, sums)| sums).collect();
        if twins.is_empty() || self.family.owners > SETS {
            return false;
        }
        let costs = twins[0].iter().zip(&self.offset).map(|(sum, more)| sum + more);
        let mut next: Option<Vec<i64>> = Some(costs.collect());
        next.iter_mut().for_each(|costs| costs.sort_unstable());
        while let Some(costs) = next {
            let is_inside = (0..costs.len()).all(|owner| {
                let sum = costs[owner] - self.offset[owner];
                least[owner] <= sum && sum <= most[owner]
            });
            let is_it = |twin: &&Vec<i64>| {
                twin.iter()
                    .zip(&self.offset)
                    .zip(&costs)
                    .all(|((sum, more), cost)| sum + more == *cost)
            };
            if is_inside && !twins.iter().any(is_it) {
                return false;
            }
            next = next_permutation(&costs);
        }
        true
    }
}

impl Judge for Fair<'_> {
    fn drops(&mut self, least: &[i64], most: &[i64]) -> bool {
        self.shifted.clear();
        self.shifted.extend(least.iter().zip(&self.offset).map(|(sum, more)| sum + more));
        self.family.cumulated(&self.shifted, &mut self.costs);
        self.is_dominated() || self.is_known(least, most)
    }

    fn takes(&mut self, sums: &[i64]) -> bool {
        self.shifted.clear();
        self.shifted.extend(sums.iter().zip(&self.offset).map(|(sum, more)| sum + more));
        cumulate(&self.shifted, &mut self.costs);
        if !self.is_dominated() {
            self.found.retain(|(own, _)| !pareto_dominates(&self.costs, own));
            let key = (self.costs.clone(), sums.to_vec());
            if let Err(place) = self.found.binary_search(&key) {
                self.found.insert(place, key);
            }
        }
        false
    }
}

/// Seeks sums that are nowhere above the given ones and somewhere below.
#[derive(Debug)]
pub(super) struct Below {
    /// By the family.
    given: Vec<i64>,
    pub(super) is_found: bool,
}

impl Below {
    pub(super) fn new(family: &Family, sums: &[i64]) -> Below {
        let mut given = Vec::new();
        family.sums(sums, &mut given);
        Below { given, is_found: false }
    }
}

impl Judge for Below {
    fn drops(&mut self, least: &[i64], _: &[i64]) -> bool {
        let all = self.given.len() - 1;
        least[all] >= self.given[all] || least.iter().zip(&self.given).any(|(sum, most)| sum > most)
    }

    fn takes(&mut self, sums: &[i64]) -> bool {
        self.is_found |= pareto_dominates(sums, &self.given[..sums.len()]);
        self.is_found
    }
}
