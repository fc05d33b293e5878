//! Does a queue grow without limit?
//!
//! Over the second half of what was seen, the queue's growth is compared with how much it wanders
//! by itself: the half is cut into [`SECTIONS`] of equal length, and the sum of their growths is
//! set against their spread, as Student's t.
//!
//! A queue that has a limit rarely passes. One whose free walk (arrivals less what could be served)
//! has no drift upward is, at the end of a stretch, at most the largest rise that this walk made
//! towards it; that of a walk without drift is above z standard deviations with twice the
//! probability with which a normal is (the reflection principle), and a drift downward makes it
//! rarer. So with `chance` as the level of a two-sided quantile no load up to one is taken for
//! more with a higher probability than about `chance`, be the queue settled or still filling: what
//! is left aside is that sections are finitely many and not quite normal. Measured rates are in the
//! test `overload`.

use serde::{Deserialize, Serialize};

use super::student;

/// Sections that the second half is cut into.
pub const SECTIONS: usize = 32;
/// The least number of jobs in the second half, ten a section: with fewer their spread says little.
pub const FEWEST_JOBS: u64 = 10 * SECTIONS as u64;

/// What growth is measured of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The queue at moments.
    Levels,
    /// Means over the time between moments. Those of a walk move less from one section to the next
    /// than the walk does, by a third of the variance, and neighbours together.
    Means,
}

/// A queue that grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// By so much from one value to the next.
    pub rate: f64,
    /// Its growth over how much it wanders.
    pub t: f64,
}

/// The growth over the second half of a queue seen at equal distances, where it is beyond what one
/// that has a limit shows with more than the probability `chance`. None of fewer than 64 values.
///
/// # Panics
/// When the chance is not between 0 and 1.
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
    use crate::kernel::rng::Streams;

    #[test]
    fn what_rises_evenly_grows_and_what_stays_does_not() {
        let line = |slope: f64| (0..400).map(|at| slope * f64::from(at)).collect::<Vec<_>>();
        assert_eq!(of(&line(0.25), Seen::Levels, 1e-3).unwrap().rate, 0.25);
        for other in [line(0.0), line(-1.0), line(1.0)[..63].to_vec(), Vec::new()] {
            assert_eq!(of(&other, Seen::Levels, 1e-3), None);
        }
        // A single burst at the end is no growth, nor is one in the middle.
        for at in [210, 300, 399] {
            let step: Vec<f64> = (0..400).map(|now| if now < at { 3.0 } else { 500.0 }).collect();
            assert_eq!(of(&step, Seen::Levels, 1e-3), None, "{at}");
        }
        // What rose in the first half and stays does not grow any more.
        let settled: Vec<f64> = (0..400).map(|at| f64::from(at.min(200) + at % 3)).collect();
        assert_eq!(of(&settled, Seen::Levels, 1e-3), None);
    }

    /// The worst case: a walk without drift, reflected at 0, begun there. At most `chance` of the
    /// walks may be taken for growing; 2000 walks at 5% give 100, with a standard deviation of 10.
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
