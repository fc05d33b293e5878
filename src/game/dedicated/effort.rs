//! Cost of the exact fronts, bounded before the search begins.

use std::fmt;

use super::{Dedicated, Processor};

/// Bound on the effort of an exact search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Maximum number of points that are made.
    pub points: u64,
}

impl Default for Limit {
    /// Some ten seconds for two owners.
    fn default() -> Limit {
        Limit { points: 1_000_000_000 }
    }
}

/// Upper bound of the effort for the fronts of all processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Points that are made at most.
    pub points: f64,
    /// Memory at most, in bytes.
    pub bytes: f64,
    /// Time at most, in seconds on one core of a machine of 2020.
    pub seconds: f64,
}

/// An exact front takes more effort than allowed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TooLarge {
    /// The bound is known before the search starts.
    #[error("the exact fronts may take {effort}, and {limit} points are allowed")]
    Before {
        /// The bound.
        effort: Effort,
        /// Points allowed.
        limit: u64,
    },
    /// The search reached the limit.
    #[error("the search for the exact front made {limit} points, as many as are allowed")]
    During {
        /// Points allowed.
        limit: u64,
    },
}

/// Time per point of two owners and of more, in seconds, measured.
const SECONDS: [f64; 2] = [1e-8, 4e-7];

/// States above this number are not counted one by one.
const STATES: f64 = 1e6;

impl fmt::Display for Effort {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Effort { points, bytes, seconds } = self;
        write!(to, "up to {} points, {:.0} MB, ", shown(*points), (bytes / 1e6).ceil())?;
        write!(to, "{} s", shown(seconds.ceil()))
    }
}

/// A number in full, or by its magnitude if it is large.
fn shown(number: f64) -> String {
    if number < 1e7 { format!("{number:.0}") } else { format!("{number:.1e}") }
}

impl Effort {
    /// Bounds the effort for an instance.
    pub fn of(instance: &Dedicated) -> Effort {
        let nothing = Effort { points: 0.0, bytes: 0.0, seconds: 0.0 };
        instance.processors().iter().map(of_processor).fold(nothing, |sum, one| Effort {
            points: sum.points + one.points,
            bytes: sum.bytes.max(one.bytes),
            seconds: sum.seconds + one.seconds,
        })
    }

    /// Refuses an effort above the limit.
    pub(super) fn within(self, limit: Limit) -> Result<(), TooLarge> {
        match self.points <= limit.points as f64 {
            true => Ok(()),
            false => Err(TooLarge::Before { effort: self, limit: limit.points }),
        }
    }
}

/// Sums over all states of the recursion the number of points that a state's front has at most: no
/// more than there are orders, nor than there are different sums of all owners but one.
fn of_processor(processor: &Processor) -> Effort {
    let users: Vec<&[i64]> = processor.users().map(|owner| processor.sizes(owner)).collect();
    let width = users.len();
    let states: f64 = users.iter().map(|sizes| sizes.len() as f64 + 1.0).product();
    let last: Vec<usize> = users.iter().map(|sizes| sizes.len()).collect();
    let (points, layer) = match states <= STATES {
        false => {
            let all = states * at_most(&users, &last);
            (all, all)
        }
        true => {
            let mut placed = vec![0; width];
            let (mut points, mut layer, mut largest) = (0.0, 0.0, 0.0_f64);
            loop {
                let here = at_most(&users, &placed);
                points += here;
                layer += here;
                // The first owner's number changes last.
                let Some(at) = (0..width).rposition(|at| placed[at] < last[at]) else { break };
                placed[at] += 1;
                placed[at + 1..].fill(0);
                if at == 0 {
                    largest = largest.max(layer);
                    layer = 0.0;
                }
            }
            (points, largest.max(layer))
        }
    };
    let bytes = 2.0 * layer * (8 * width.max(1)) as f64;
    Effort { points, bytes, seconds: points * SECONDS[usize::from(width > 2)] }
}

/// Bound on the points of a state's front.
fn at_most(users: &[&[i64]], placed: &[usize]) -> f64 {
    let (mut orders, mut all) = (1.0_f64, 0.0);
    for &count in placed {
        for one in 1..=count {
            all += 1.0;
            orders *= all / one as f64;
        }
    }
    let work = |user: usize| users[user][..placed[user]].iter().map(|&size| size as f64).sum();
    let work: Vec<f64> = (0..users.len()).map(work).collect();
    let total: f64 = work.iter().sum();
    let ranges = (0..users.len()).map(|user| placed[user] as f64 * (total - work[user]) + 1.0);
    let ranges: Vec<f64> = ranges.collect();
    let widest = ranges.iter().copied().fold(1.0, f64::max);
    let sums: f64 = ranges.iter().product::<f64>() / widest;
    orders.min(sums)
}
