//! The daily cycle: points of work that are spent half hour by half hour.
//!
//! A gap is drawn in seconds of a day without ups and downs, and is as many points as it has half
//! hours. Each half hour takes as many points as its weight says: busy ones take more, so that more
//! jobs come in them. A day takes 48 points.

use serde::{Deserialize, Serialize};

use super::Clock;
use super::gamma::Gamma;
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time};
use crate::workload::rounding::nearest;

/// Half hours of a day.
pub(super) const BUCKETS: usize = 48;
/// Seconds of a half hour.
pub(super) const BUCKET_SECONDS: f64 = 1800.0;
const BUCKET: Span = Span::units(1800);
/// The half hour at which the distribution over the day begins: 05:30, after the quietest one.
const DAY_BEGINS: usize = 11;

/// The points of each half hour from midnight; they average 1.
pub(super) fn weights(cycle: Gamma) -> [f64; BUCKETS] {
    let mut weights = [0.0; BUCKETS];
    for half_hour in DAY_BEGINS..DAY_BEGINS + BUCKETS {
        let at = half_hour as f64;
        weights[(half_hour - 1) % BUCKETS] = cycle.below(at + 0.5) - cycle.below(at - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    weights.map(|weight| weight / mean)
}

/// How far the arrivals of one type have come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Walk {
    /// The half hour of the day.
    bucket: usize,
    /// When it began, counted without any rounding of arrivals.
    began: Time,
    /// The points that were spent in it.
    points: f64,
    /// The last arrival.
    pub(super) at: Time,
}

impl Walk {
    /// The beginning of a run at this hour of the day.
    pub(super) fn new(start_hour: u32) -> Walk {
        Walk { bucket: 2 * start_hour as usize, began: Time::ZERO, points: 0.0, at: Time::ZERO }
    }

    /// Goes on to the next arrival by spending so many points. What is added is less than 10¹²
    /// seconds: gaps are bounded, and so is what multiplies them.
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
