//! Detects a queue that grows without limit.
//!
//! The test compares the growth of the queue over the second half of the observations with its own
//! fluctuations. The half is cut into [`SECTIONS`] of equal length, and the sum of their growths is
//! divided by their spread, as in Student's t.
//!
//! A stable queue rarely passes. Consider the free walk: arrivals minus the work that could be
//! served. If it has no upward drift, the queue at the end of an interval is at most the largest
//! rise of this walk up to then. By the reflection principle, that rise of a driftless walk exceeds
//! z standard deviations with twice the probability of a normal, and a downward drift makes it
//! rarer. With `chance` as the level of a two-sided quantile, no load up to one is therefore
//! mistaken for overload with a probability much above `chance`, whether the queue is settled or
//! still filling. The argument neglects that there are finitely many sections and that they are not
//! quite normal. Measured rates are in the test `overload`.

use serde::{Deserialize, Serialize};

use super::student;

/// Number of sections in the second half.
pub const SECTIONS: usize = 32;
/// Minimum number of jobs in the second half, ten per section; fewer say little about the spread.
pub const FEWEST_JOBS: u64 = 10 * SECTIONS as u64;

/// The kind of observations of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Queue lengths at points in time.
    Levels,
    /// Means over the time between points. For a walk, they vary less between sections than the
    /// walk itself, by a third of the variance, and neighbours are correlated.
    Means,
}

/// A queue that grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// Growth from one value to the next.
    pub rate: f64,
    /// Ratio of growth to fluctuation, Student's t.
    pub t: f64,
}

/// Returns the growth over the second half of a queue, if it is significant. The queue is sampled
/// at equal intervals. A stable queue passes with at most probability `chance`. Returns `None` for
/// fewer than 64 values.
///
/// # Panics
/// If `chance` is not between 0 and 1.
pub fn of(queue: &[f64], seen: Seen, chance: f64) -> Option<Growth> {
    let length = queue.len() / 2 / SECTIONS;
    if length == 0 || queue.len() <= length * SECTIONS {
        return None;
    }
    let edge = |number: usize| queue[queue.len() - 1 - (SECTIONS - number) * length];
    let count = SECTIONS as f64;
    let whole = edge(SECTIONS) - edge(0);
    let half = edge(SECTIONS / 2);
    if whole <= 0.0 || half <= edge(0) || half >= edge(SECTIONS) {
        return None;
    }
    let mean = whole / count;
    let squares = (0..SECTIONS).map(|at| edge(at + 1) - edge(at) - mean).map(|off| off * off);
    let factor = match seen {
        Seen::Levels => 1.0,
        Seen::Means => 1.5,
    };
    let variance = factor * squares.sum::<f64>() / (count - 1.0);
    let t = whole / (count * variance).sqrt();
    let beyond = student::two_sided(1.0 - chance, SECTIONS as u64 - 1);
    (t > beyond).then(|| Growth { rate: whole / (length * SECTIONS) as f64, t })
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;
    use kernel::rng::Streams;

    #[test]
    fn what_rises_evenly_grows_and_what_stays_does_not() {
        let line = |slope: f64| (0..400).map(|at| slope * f64::from(at)).collect::<Vec<_>>();
        assert_eq!(of(&line(0.25), Seen::Levels, 1e-3).unwrap().rate, 0.25);
        for other in [line(0.0), line(-1.0), line(1.0)[..63].to_vec(), Vec::new()] {
            assert_eq!(of(&other, Seen::Levels, 1e-3), None);
        }
        // A single burst at the end is not growth, nor is one in the middle.
        for at in [210, 300, 399] {
            let step: Vec<f64> = (0..400).map(|now| if now < at { 3.0 } else { 500.0 }).collect();
            assert_eq!(of(&step, Seen::Levels, 1e-3), None, "{at}");
        }
        // A queue that rose in the first half and stays no longer grows.
        let settled: Vec<f64> = (0..400).map(|at| f64::from(at.min(200) + at % 3)).collect();
        assert_eq!(of(&settled, Seen::Levels, 1e-3), None);
    }

    /// The worst case: a driftless walk reflected at 0, started there. At most `chance` of the
    /// walks may be mistaken for growth; 2000 walks at 5% give 100, with a standard deviation of
    /// 10.
    #[test]
    fn a_reflected_walk_without_drift_is_rarely_taken_for_one() {
        for (seen, chance, most) in
            [(Seen::Levels, 0.05, 130), (Seen::Means, 0.05, 130), (Seen::Levels, 0.005, 20)]
        {
            let mut rng = Streams::new(7).stream("growth");
            let mut alarms = 0;
            for _ in 0..2000 {
                let mut level = 0_i64;
                let queue: Vec<f64> = (0..400)
                    .map(|_| {
                        let mut sum = 0;
                        for _ in 0..16 {
                            level = (level + if rng.random::<bool>() { 1 } else { -1 }).max(0);
                            sum += level;
                        }
                        if seen == Seen::Means { sum as f64 / 16.0 } else { level as f64 }
                    })
                    .collect();
                alarms += usize::from(of(&queue, seen, chance).is_some());
            }
            assert!(alarms <= most, "{alarms} of 2000 at {chance}, {seen:?}");
        }
    }
}
