//! Does a series settle, when, and does it go in cycles from then on?
//!
//! The definition, for a series and a [`Band`] that its reader calls near enough:
//!
//! - The series is cut into twenty windows of equal length. It *ends around* the mean of the last
//!   ten windows. The width is the band's, or three standard deviations of these ten window means
//!   where that is more: noise that stays does not prevent settling.
//! - It has *settled* where the former five and the latter five of these ten differ by no more than
//!   the band (so it drifts no longer), and the last window is within the width. It goes back then
//!   to the first window from which on all are within the width; the series settled at the first
//!   point from the window before that which is itself within the width.
//! - It *goes in cycles* where its last half does ([`cycle`]).
//!
//! So a series that swings around a mean has settled and goes in cycles; one that falls all the time
//! has not settled.

use super::cycle::{Cycle, cycle};
use super::track::Track;

/// Windows that a series is cut into; of these, the last half.
const WINDOWS: usize = 20;
const LAST: usize = WINDOWS / 2;
/// Of fewer points nothing is said.
pub const FEWEST: usize = 2 * WINDOWS;

/// What is near enough: the larger of an amount and a share of what the series ends around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The amount.
    pub amount: f64,
    /// The share.
    pub share: f64,
}

impl Band {
    /// Of a probability: a tenth.
    pub const PROBABILITY: Band = Band { amount: 0.1, share: 0.0 };
    /// Of a level: a tenth of it, or half a unit.
    pub const LEVEL: Band = Band { amount: 0.5, share: 0.1 };
}

/// How a series ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settling {
    /// What it ends around: the mean of its last half.
    pub mean: f64,
    /// The standard deviation of the points of its last half.
    pub deviation: f64,
    /// The number of the value, from 0, at which it settled, to the length of a point; `None` where
    /// it has not.
    pub settled: Option<u64>,
    /// The cycle that it goes in; the period is in values.
    pub cycle: Option<Cycle>,
}

impl Settling {
    /// Of a series; `None` where it has fewer than [`FEWEST`] values.
    pub fn of(track: &Track, band: Band) -> Option<Settling> {
        let points = track.points();
        let length = points.len() / WINDOWS;
        if points.len() < FEWEST {
            return None;
        }
        // What does not fill a window is left out at the beginning of the first one's length.
        let skipped = points.len() - WINDOWS * length;
        let windows: Vec<f64> = points[skipped..].chunks_exact(length).map(mean).collect();
        let last = &windows[WINDOWS - LAST..];
        let middle = mean(last);
        let near = band.amount.max(band.share * middle.abs());
        let width = near.max(3.0 * deviation(last));
        let is_within = |value: &f64| (value - middle).abs() <= width;
        let (former, latter) = last.split_at(LAST / 2);
        let stays = (mean(former) - mean(latter)).abs() <= near;
        let outside = windows.iter().rposition(|window| !is_within(window));
        let settled = (stays && outside != Some(WINDOWS - 1)).then(|| {
            let first = outside.map_or(0, |outside| outside + 1);
            let from = if first == 0 { 0 } else { skipped + (first - 1) * length };
            let at = points[from..].iter().position(is_within).map_or(from, |at| from + at);
            at as u64 * track.length()
        });
        let half = &points[skipped + (WINDOWS - LAST) * length..];
        let cycle = cycle(half).map(|Cycle { period, share }| {
            let period = period * track.length() as f64;
            Cycle { period, share }
        });
        Some(Settling { mean: middle, deviation: deviation(half), settled, cycle })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rng::Streams;
    use rand::RngExt as _;
    use rand_distr::StandardNormal;

    fn of(values: impl IntoIterator<Item = f64>) -> Settling {
        let track: Track = values.into_iter().collect();
        Settling::of(&track, Band::PROBABILITY).expect("it is long enough")
    }

    /// The ratio rule from .5 where every round asks for `target`, with normal noise around it.
    fn ratio(seed: u64, target: f64, noise: f64, rounds: usize) -> Vec<f64> {
        let (mut rng, mut p) = (Streams::new(seed).stream("series"), 0.5);
        let next = |_| {
            let draw: f64 = rng.sample(StandardNormal);
            let before = p;
            p += 0.1 * ((target + noise * draw).clamp(0.0, 1.0) - p);
            before
        };
        (0..rounds).map(next).collect()
    }

    #[test]
    fn a_constant_has_settled_at_once() {
        let found = of([0.7; 200]);
        assert_eq!((found.settled, found.cycle), (Some(0), None));
        assert!((found.mean - 0.7).abs() < 1e-12 && found.deviation < 1e-12);
    }

    /// .4 x .9^t falls below .1 at t = 13.2, whatever the length of the series.
    #[test]
    fn a_decay_has_settled_when_it_is_near() {
        for rounds in [200, 207, 400, 511] {
            let found = of(ratio(0, 0.9, 0.0, rounds));
            assert_eq!((found.settled, found.cycle), (Some(14), None), "{rounds} rounds");
            assert!((found.mean - 0.9).abs() < 1e-4);
        }
        // To the length of a point, 4 and 16 rounds.
        assert_eq!(of(ratio(0, 0.9, 0.0, 1500)).settled, Some(12));
        assert_eq!(of(ratio(0, 0.9, 0.0, 6000)).settled, Some(16));
    }

    /// q with a deviation of .25 gives p one of .057.
    #[test]
    fn noise_that_stays_does_not_prevent_settling() {
        for rounds in [200, 500, 3000] {
            let found: Vec<Settling> =
                (0..100).map(|seed| of(ratio(seed, 0.75, 0.25, rounds))).collect();
            let settled = found.iter().filter_map(|found| found.settled);
            // Near is within .1, so that from .5 it takes 10 rounds without noise.
            let soon = settled.filter(|&at| at <= 60).count();
            let cycles = found.iter().filter(|found| found.cycle.is_some()).count();
            println!("{rounds}: {soon} soon, {cycles} cycles");
            assert!(soon >= 90, "{soon} of 100 in {rounds} rounds");
            assert!(cycles <= 4, "{cycles} of 100 in {rounds} rounds");
        }
    }

    #[test]
    fn what_still_falls_or_rises_has_not_settled() {
        assert_eq!(of((0..300).map(|at| 1.0 - f64::from(at) / 300.0)).settled, None);
        let late = of((0..300).map(|at| if at < 280 { 0.2 } else { 0.9 }));
        assert_eq!(late.settled, None);
        // A level that falls by a hundredth each round ends near nothing and has settled there.
        let track: Track = (0..1000).map(|at| 100.0 * 0.99_f64.powi(at)).collect();
        let found = Settling::of(&track, Band::LEVEL).expect("it is long enough");
        let settled = found.settled.expect("it is within half a unit at the end");
        assert!((450..=550).contains(&settled), "{found:?}");
    }

    #[test]
    fn a_sine_has_settled_around_its_mean_and_goes_in_cycles() {
        let wave = |at: i32| 0.5 + 0.3 * (std::f64::consts::TAU * f64::from(at) / 20.0).sin();
        let found = of((0..400).map(wave));
        assert!((found.mean - 0.5).abs() < 0.01);
        assert!(found.settled.is_some_and(|at| at < 20), "{found:?}");
        assert!(found.cycle.is_some_and(|cycle| cycle.period == 20.0), "{found:?}");
        // Periods are in values, not in points.
        let slow = |at: i32| 0.5 + 0.3 * (std::f64::consts::TAU * f64::from(at) / 400.0).sin();
        let found = of((0..8000).map(slow));
        let period = found.cycle.expect("it goes in cycles").period;
        assert!((period / 400.0 - 1.0).abs() < 0.06, "{period}");
    }

    /// A level that multiplies by .9 to 1.1 with an upward drift, up to a wall.
    #[test]
    fn a_walk_to_a_wall_has_settled_when_it_is_there() {
        let mut rng = Streams::new(4).stream("series");
        let mut level = 10.0;
        let mut reached = 0;
        let walk: Track = (0..500)
            .map(|at| {
                let before = level;
                level = f64::min(1000.0, level * (1.04 + 0.06 * (2.0 * rng.random::<f64>() - 1.0)));
                if before < 900.0 {
                    reached = at;
                }
                before
            })
            .collect();
        let found = Settling::of(&walk, Band::LEVEL).expect("it is long enough");
        assert!(found.mean > 950.0 && found.cycle.is_none(), "{found:?}");
        let settled = found.settled.expect("it is at the wall");
        assert!(settled.abs_diff(reached) <= 10, "{settled} against {reached}");
    }

    #[test]
    fn of_a_short_series_nothing_is_said() {
        let track: Track = [0.5; FEWEST - 1].into_iter().collect();
        assert_eq!(Settling::of(&track, Band::PROBABILITY), None);
    }
}
