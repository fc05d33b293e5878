//! A series of unknown length in a bounded number of points.
//!
//! Too many points are merged in pairs, so that each is the mean of 1, 2, 4 ... values. An example
//! is a learner's probability, round by round.

use serde::{Deserialize, Serialize};

/// Number of points at which pairs are merged; from then on there are half as many to this many.
pub const MOST: usize = 512;

/// The points of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Number of values per point.
    length: u64,
    /// The point in progress: number of values, and their sum.
    open: (u64, f64),
    points: Vec<f64>,
}

impl Default for Track {
    fn default() -> Track {
        Track { length: 1, open: (0, 0.0), points: Vec::new() }
    }
}

impl Track {
    /// Adds the next value.
    pub fn add(&mut self, value: f64) {
        self.open.0 += 1;
        self.open.1 += value;
        if self.open.0 < self.length {
            return;
        }
        self.points.push(self.open.1 / self.length as f64);
        self.open = (0, 0.0);
        if self.points.len() == MOST {
            for pair in 0..MOST / 2 {
                self.points[pair] = (self.points[2 * pair] + self.points[2 * pair + 1]) / 2.0;
            }
            self.points.truncate(MOST / 2);
            self.length *= 2;
        }
    }

    /// Returns the number of values per point.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the points, each the mean of an equal number of values; an incomplete point is
    /// omitted.
    pub fn points(&self) -> &[f64] {
        &self.points
    }
}

impl FromIterator<f64> for Track {
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Track {
        let mut track = Track::default();
        values.into_iter().for_each(|value| track.add(value));
        track
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_series_are_kept_and_long_ones_are_means() {
        let short: Track = (0..511).map(f64::from).collect();
        assert_eq!((short.length(), short.points().len()), (1, 511));
        assert_eq!(short.points()[510], 510.0);
        let long: Track = (0..10_000).map(f64::from).collect();
        assert_eq!((long.length(), long.points().len()), (32, 312));
        for (number, point) in long.points().iter().enumerate() {
            assert_eq!(*point, 32.0 * number as f64 + 15.5);
        }
    }
}
