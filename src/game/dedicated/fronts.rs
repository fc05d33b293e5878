//! Exact Pareto and equitable fronts of all schedules of an instance.
//!
//! An owner's sum is that of its sums on all processors, so the fronts of processors are found apart
//! and then added. They must be Pareto fronts: equitable dominance on a processor says nothing of
//! the whole, as what is unfair here may be made up for there.

use super::Dedicated;
use super::effort::{Effort, Limit, TooLarge};
use super::processor::{self, Budget};
use super::search::{Below, Fair, Family, Judge as _, search};
use crate::equity::{Points, equitable_front, pareto_front};
use kernel::order::InOrder as _;

/// Sums of sums are made in one piece up to this number of pairs.
const PIECE: usize = 1 << 16;
/// Largest range of sums over which two owners' fronts are added in an array.
const RANGE: i64 = 1 << 24;
/// Moves of the walk that precedes a search.
const WALK: usize = 2000;

/// The Pareto fronts of an instance's processors, from which those of all schedules follow.
#[derive(Clone, Debug)]
pub struct Fronts {
    instance: Dedicated,
    processors: Vec<Points>,
    pub(super) limit: Limit,
}

impl Fronts {
    /// Finds the fronts of all processors, unless the effort may exceed the limit.
    ///
    /// # Errors
    /// See [`TooLarge`].
    pub fn of(instance: &Dedicated, limit: Limit) -> Result<Fronts, TooLarge> {
        Effort::of(instance).within(limit)?;
        let mut budget = Budget::new(limit);
        let front = |one| processor::front(instance, one, &mut budget);
        let processors = instance.processors().iter().map(front).collect::<Result<_, _>>()?;
        Ok(Fronts { instance: instance.clone(), processors, limit })
    }

    /// The front of each processor: sums of completion times by owner, sorted.
    pub fn processors(&self) -> &[Points] {
        &self.processors
    }

    /// The Pareto front of all schedules: the owners' sums, sorted.
    ///
    /// # Errors
    /// [`TooLarge::During`].
    pub fn pareto(&self) -> Result<Points, TooLarge> {
        let mut budget = Budget::new(self.limit);
        let mut fronts: Vec<&Points> = self.processors.iter().collect();
        fronts.order_by_key(|front| front.len());
        let nothing = vec![0; self.instance.owners()];
        let mut all = Points::of(nothing.len(), [&nothing[..]]);
        for front in fronts {
            all = sum(&all, front, &mut budget)?;
        }
        Ok(all)
    }

    /// The equitable front of all schedules: the owners' sums, sorted. Costs are the sums with
    /// `offset` added; all sums with the same cumulative ordered costs are listed.
    ///
    /// # Errors
    /// [`TooLarge::During`].
    pub fn equitable(&self, offset: &[i64]) -> Result<Points, TooLarge> {
        if self.instance.owners() <= 2 && self.is_dense() {
            return Ok(equitable_front(&self.pareto()?, offset));
        }
        let family = Family::new(self.instance.owners());
        let mut fair = Fair::new(&family, offset);
        // A walk is near the front: it tells early what need not be looked at.
        let walk = self.instance.equitable_walk(offset, WALK);
        walk.cleaned(offset).into_iter().for_each(|index| {
            fair.takes(walk.sums.at(index));
        });
        search(&self.processors, &family, &mut fair, &mut Budget::new(self.limit))?;
        Ok(fair.front())
    }

    /// True if some schedule's sums are nowhere above these and somewhere below.
    ///
    /// # Errors
    /// [`TooLarge::During`].
    pub fn some_dominates(&self, sums: &[i64]) -> Result<bool, TooLarge> {
        let family = Family::new(self.instance.owners());
        let mut below = Below::new(&family, sums);
        search(&self.processors, &family, &mut below, &mut Budget::new(self.limit))?;
        Ok(below.is_found)
    }

    /// True if the sums of two owners are so few that an array over them is quick.
    fn is_dense(&self) -> bool {
        let range = |front: &Points| front.at(front.len() - 1)[0] - front.at(0)[0];
        self.processors.iter().map(range).sum::<i64>() < RANGE
    }
}

/// The front of the sums of a point of each front.
fn sum(first: &Points, second: &Points, budget: &mut Budget) -> Result<Points, TooLarge> {
    if first.width() == 2
        && let Some(range) = range(first, second)
    {
        budget.take(first.len().saturating_mul(second.len()))?;
        return Ok(sum_of_two(first, second, range));
    }
    let mut all = Points::new(first.width());
    let mut made = Points::new(first.width());
    let mut point = vec![0; first.width()];
    for (index, one) in first.iter().enumerate() {
        budget.take(second.len())?;
        for other in second.iter() {
            for (sum, (a, b)) in point.iter_mut().zip(one.iter().zip(other)) {
                *sum = a + b;
            }
            made.push(&point);
        }
        // What is made waits until it is as much as the front, so each point is filtered seldom.
        if made.len() >= PIECE.max(all.len()) || index + 1 == first.len() {
            all.iter().for_each(|point| made.push(point));
            all = pareto_front(std::mem::replace(&mut made, Points::new(first.width())));
        }
    }
    Ok(all)
}

/// Least and largest first number of the sums, if an array over them is small.
fn range(first: &Points, second: &Points) -> Option<(i64, i64)> {
    let end = |last: bool| {
        let at = |points: &Points| points.at(if last { points.len() - 1 } else { 0 })[0];
        at(first) + at(second)
    };
    let (least, most) = (end(false), end(true));
    let pairs = first.len().saturating_mul(second.len());
    (most - least < RANGE && most - least <= (pairs as i64).saturating_mul(4))
        .then_some((least, most))
}

/// The front of sums of two owners, by the least second number of each first one.
fn sum_of_two(first: &Points, second: &Points, (least, most): (i64, i64)) -> Points {
    let mut heights = vec![i64::MAX; (most - least) as usize + 1];
    for one in first.iter() {
        let from = one[0] - least;
        for other in second.iter() {
            let height = &mut heights[(from + other[0]) as usize];
            *height = (*height).min(one[1] + other[1]);
        }
    }
    let (mut front, mut lowest) = (Points::new(2), i64::MAX);
    for (at, height) in heights.into_iter().enumerate() {
        if height < lowest {
            lowest = height;
            front.push(&[least + at as i64, height]);
        }
    }
    front
}
