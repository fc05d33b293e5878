//! The Pareto front of one processor, by a recursion over the jobs placed.
//!
//! Once so many jobs of each owner are placed, the time is known: their total work. So the sums that
//! a partial order has reached say all that matters to its rest, and only a front of them is kept:
//! an order that ends with a job of an owner adds the time to that owner's sum.

use super::effort::{Limit, TooLarge};
use super::{Dedicated, Processor};
use crate::equity::{Points, pareto_front};

/// Counts the points that are made against a limit.
#[derive(Debug)]
pub(super) struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    pub(super) fn new(limit: Limit) -> Budget {
        Budget { limit: limit.points, left: limit.points }
    }

    /// Takes so many points.
    pub(super) fn take(&mut self, points: usize) -> Result<(), TooLarge> {
        match self.left.checked_sub(points as u64) {
            Some(left) => self.left = left,
            None => return Err(TooLarge::During { limit: self.limit }),
        }
        Ok(())
    }
}

/// The Pareto front of a processor's orders, as sums of all owners.
pub(super) fn front(
    instance: &Dedicated,
    processor: &Processor,
    budget: &mut Budget,
) -> Result<Points, TooLarge> {
    let users: Vec<u32> = processor.users().collect();
    let sizes: Vec<&[i64]> = users.iter().map(|&owner| processor.sizes(owner)).collect();
    let narrow: Points = match sizes[..] {
        [] => return Ok(Points::of(instance.owners(), [&vec![0; instance.owners()][..]])),
        [first, second] => of_two(first, second, budget)?,
        _ => of_several(&sizes, budget)?,
    };
    let mut front = Points::new(instance.owners());
    let mut wide = vec![0; instance.owners()];
    for point in narrow.iter() {
        for (&owner, &sum) in users.iter().zip(point) {
            wide[owner as usize] = sum;
        }
        front.push(&wide);
    }
    Ok(front)
}

/// Total work of the first jobs, by their number.
fn works(sizes: &[i64]) -> Vec<i64> {
    let sum = |sum: &mut i64, &size: &i64| {
        *sum += size;
        Some(*sum)
    };
    std::iter::once(0).chain(sizes.iter().scan(0, sum)).collect()
}

/// Two owners: fronts are staircases, which are merged in linear time.
fn of_two(first: &[i64], second: &[i64], budget: &mut Budget) -> Result<Points, TooLarge> {
    type Stairs = Vec<(i64, i64)>;
    let (first, second) = (works(first), works(second));
    // The fronts for one job less of the first owner, by the second owner's jobs.
    let mut before: Vec<Stairs> = Vec::new();
    for (row, first) in first.iter().enumerate() {
        let mut current: Vec<Stairs> = Vec::with_capacity(second.len());
        for (column, second) in second.iter().enumerate() {
            let now = first + second;
            let left = column.checked_sub(1).map(|column| &current[column]);
            let stairs = match (before.get(column), left) {
                (None, None) => vec![(0, 0)],
                (up, left) => {
                    let up = up.map_or(&[][..], Vec::as_slice);
                    let left = left.map_or(&[][..], Vec::as_slice);
                    merged(up.iter().map(|&(a, b)| (a + now, b)), left, now)
                }
            };
            budget.take(stairs.len())?;
            current.push(stairs);
        }
        debug_assert!(row == 0 || before.len() == current.len());
        before = current;
    }
    let last = before.pop().expect("there is a state without jobs");
    let mut front = Points::new(2);
    last.into_iter().for_each(|(first, second)| front.push(&[first, second]));
    Ok(front)
}

/// Merges the staircase `up` with `left`, whose second numbers grow by `now`.
fn merged(
    up: impl ExactSizeIterator<Item = (i64, i64)>,
    left: &[(i64, i64)],
    now: i64,
) -> Vec<(i64, i64)> {
    let mut stairs = Vec::with_capacity(up.len() + left.len());
    let (mut up, mut left) = (up.peekable(), left.iter().map(|&(a, b)| (a, b + now)).peekable());
    let mut least = i64::MAX;
    loop {
        let next = match (up.peek(), left.peek()) {
            (Some(a), Some(b)) if a <= b => up.next(),
            (Some(_), None) => up.next(),
            (_, Some(_)) => left.next(),
            (None, None) => break,
        };
        let next = next.expect("it was seen");
        if next.1 < least {
            least = next.1;
            stairs.push(next);
        }
    }
    stairs
}

/// Any number of owners: what a state's predecessors leave is filtered together.
fn of_several(sizes: &[&[i64]], budget: &mut Budget) -> Result<Points, TooLarge> {
    let width = sizes.len();
    let works: Vec<Vec<i64>> = sizes.iter().map(|sizes| works(sizes)).collect();
    let step: Vec<usize> =
        (0..width).map(|at| works[at + 1..].iter().map(Vec::len).product()).collect();
    // The fronts of the states with the first owner's present number of jobs, and with one less.
    let (mut current, mut before) = (Vec::<Points>::with_capacity(step[0]), Vec::<Points>::new());
    let mut placed = vec![0; width];
    let mut point = vec![0; width];
    loop {
        let now: i64 = (0..width).map(|at| works[at][placed[at]]).sum();
        let mut made = Points::new(width);
        for at in (0..width).filter(|&at| placed[at] > 0) {
            let from = match at {
                0 => &before[current.len()],
                _ => &current[current.len() - step[at]],
            };
            for sums in from.iter() {
                point.copy_from_slice(sums);
                point[at] += now;
                made.push(&point);
            }
        }
        if made.is_empty() {
            made.push(&point);
        }
        budget.take(made.len())?;
        current.push(pareto_front(made));
        let Some(at) = (0..width).rposition(|at| placed[at] < sizes[at].len()) else { break };
        placed[at] += 1;
        placed[at + 1..].fill(0);
        if at == 0 {
            before = std::mem::replace(&mut current, Vec::with_capacity(step[0]));
        }
    }
    Ok(current.pop().expect("the last state has all jobs"))
}
