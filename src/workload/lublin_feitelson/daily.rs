//! The daily cycle: each half hour consumes points of an arrival's gap.
//!
//! A gap is drawn in seconds of a flat day; each half hour of it is worth one point. Each half hour
//! of the actual day consumes as many points as its weight: busy ones consume more, so that more
//! jobs arrive in them. A day consumes 48 points.

use serde::{Deserialize, Serialize};

use super::Clock;
use super::gamma::Gamma;
use crate::rounding::nearest;
use kernel::time::{Span, TICKS_PER_UNIT, Time};

/// Half hours per day.
pub(super) const BUCKETS: usize = 48;
/// Seconds per half hour.
pub(super) const BUCKET_SECONDS: f64 = 1800.0;
const BUCKET: Span = Span::units(1800);
/// The half hour at which the distribution over the day begins: 05:30, after the quietest one.
const DAY_BEGINS: usize = 11;

/// Returns the points of each half hour from midnight; they average 1.
pub(super) fn weights(cycle: Gamma) -> [f64; BUCKETS] {
    let mut weights = [0.0; BUCKETS];
    for half_hour in DAY_BEGINS..DAY_BEGINS + BUCKETS {
        let at = half_hour as f64;
        weights[(half_hour - 1) % BUCKETS] = cycle.below(at + 0.5) - cycle.below(at - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    weights.map(|weight| weight / mean)
}

/// The progress of one type's arrivals.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Walk {
    /// Half hour of the day.
    bucket: usize,
    /// Start of the half hour, free of any rounding of arrivals.
    began: Time,
    /// Points consumed in it so far.
    points: f64,
    /// The last arrival.
    pub(super) at: Time,
}

impl Walk {
    /// Starts a run at this hour of the day.
    pub(super) fn new(start_hour: u32) -> Walk {
        Walk { bucket: 2 * start_hour as usize, began: Time::ZERO, points: 0.0, at: Time::ZERO }
    }

    /// Advances to the next arrival by consuming `points`. The time added is less than 10¹²
    /// seconds, since gaps and their factor are bounded.
    #[inline]
    pub(super) fn spend(&mut self, points: f64, weights: &[f64; BUCKETS], clock: Clock) {
        let (spent, weight) = (self.points, weights[self.bucket]);
        self.points += points;
        let mut passed = 0;
        if self.points > 2.0 * BUCKETS as f64 {
            let days = (self.points / BUCKETS as f64) as i64 - 1;
            self.points -= (days * BUCKETS as i64) as f64;
            passed += days * BUCKETS as i64;
        }
        while self.points > weights[self.bucket] {
            self.points -= weights[self.bucket];
            self.bucket = if self.bucket + 1 == BUCKETS { 0 } else { self.bucket + 1 };
            passed += 1;
        }
        self.began += Span::from_ticks(BUCKET.ticks() * passed);
        let after = self.points / weights[self.bucket];
        match clock {
            Clock::Exact => self.at = self.began + nearest(BUCKET.ticks() as f64 * after),
            Clock::Truncated => {
                let seconds = BUCKET_SECONDS * (passed as f64 + after - spent / weight);
                self.at += Span::from_ticks(seconds as i64 * TICKS_PER_UNIT);
            }
        }
    }
}
