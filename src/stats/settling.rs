//! Convergence of a series: whether and when it settles, and whether it cycles from then on.
//!
//! The definition, for a series and a [`Band`] that the caller considers near enough:
//!
//! - The series is cut into twenty windows of equal length. It *ends around* the mean of the last
//!   ten windows. The width is the band's, or three standard deviations of these ten window means
//!   if that is larger: persistent noise does not prevent settling.
//! - It *still drifts* if a straight line through these ten has a slope whose Student's t (8 degrees
//!   of freedom) is beyond 5.04, one chance in a thousand for independent windows, and either the
//!   first five and the last five differ by more than the band, or they differ by less, but the
//!   series is not coming to rest. The second case requires that all five of one half are above all
//!   five of the other, that their means are more than a tenth of the band apart, and that the
//!   remaining distance exceeds the band if each quarter moves by the same share of the previous
//!   one's move.
//! - It *cycles* if its last half does ([`cycle`]), or if the acts repeat themselves exactly
//!   ([`Repeats`]).
//! - It has *settled* if it neither drifts nor cycles, the two halves of the ten differ by no more
//!   than the band, and the last window is within the width. To find the time, go back to the first
//!   window from which on all are within the width; the series settled at the first point within
//!   the width, starting one window before that.
//!
//! So a series that oscillates around a mean cycles, and one that falls all the time, however slowly,
//! drifts. A learner that reports that it is still searching has not settled either, however its
//! series looks ([`Settling::searching`]). With fewer than [`FEWEST`] values nothing is said: averages
//! of noise would be taken for drifts more often than [`DRIFTS`].

use super::cycle::{Cycle, cycle};
use super::repeats::Repeats;
use super::track::Track;

/// Number of windows that a series is cut into; `LAST` is half of them.
const WINDOWS: usize = 20;
const LAST: usize = WINDOWS / 2;
/// Minimum difference between quarters, as a share of the band, for a drift within the noise.
const NOTICED: f64 = 0.1;
/// The two-sided critical value of Student's t with 8 degrees of freedom, for .001.
const SLOPE: f64 = 5.041;
/// Minimum number of points.
pub const FEWEST: usize = 10 * WINDOWS;
/// Maximum share of stationary averages over some 20 values that are taken for drifts.
pub const DRIFTS: f64 = 0.04;

/// Tolerance: the larger of an absolute amount and a share of the mean that the series ends around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The amount.
    pub amount: f64,
    /// The share.
    pub share: f64,
}

impl Band {
    /// Tolerance for a probability: a tenth.
    pub const PROBABILITY: Band = Band { amount: 0.1, share: 0.0 };
    /// Tolerance for a level: a tenth of it, or half a unit.
    pub const LEVEL: Band = Band { amount: 0.5, share: 0.1 };
}

/// The final behaviour of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settling {
    /// Mean of its last half, which it ends around.
    pub mean: f64,
    /// Standard deviation of the points in its last half.
    pub deviation: f64,
    /// Index of the value, from 0, at which it settled, to the resolution of a point. `None` if it
    /// has not settled.
    pub settled: Option<u64>,
    /// True if it still drifts: more rounds would end elsewhere.
    pub drifts: bool,
    /// Its cycle, if any; the period is in values.
    pub cycle: Option<Cycle>,
    /// True if the acts or the learner itself tell this, so that it cannot be chance.
    pub is_told: bool,
}

impl Settling {
    /// Computes it for a series, one of `several` that are judged together; `None` if it has fewer
    /// than [`FEWEST`] values.
    pub fn of(track: &Track, band: Band, several: usize) -> Option<Settling> {
        let points = track.points();
        let length = points.len() / WINDOWS;
        if points.len() < FEWEST {
            return None;
        }
        // Points that do not fill a window are skipped at the beginning.
        let skipped = points.len() - WINDOWS * length;
        let windows: Vec<f64> = points[skipped..].chunks_exact(length).map(mean).collect();
        let last = &windows[WINDOWS - LAST..];
        let middle = mean(last);
        let near = band.amount.max(band.share * middle.abs());
        let width = near.max(3.0 * deviation(last));
        let is_within = |value: &f64| (value - middle).abs() <= width;
        let (former, latter) = last.split_at(LAST / 2);
        let is_apart = (mean(former) - mean(latter)).abs() > near;
        let drifts = slopes(last) && (is_apart || creeps(&windows, near));
        let half = &points[skipped + (WINDOWS - LAST) * length..];
        let cycle = cycle(half, several).map(|Cycle { period, share }| {
            let period = period * track.length() as f64;
            Cycle { period, share }
        });
        let outside = windows.iter().rposition(|window| !is_within(window));
        let is_near = !is_apart && outside != Some(WINDOWS - 1);
        let settled = (is_near && !drifts && cycle.is_none()).then(|| {
            let first = outside.map_or(0, |outside| outside + 1);
            let from = if first == 0 { 0 } else { skipped + (first - 1) * length };
            let at = points[from..].iter().position(is_within).map_or(from, |at| from + at);
            at as u64 * track.length()
        });
        let deviation = deviation(half);
        Some(Settling { mean: middle, deviation, settled, drifts, cycle, is_told: false })
    }

    /// Marks a series as unsettled because its learner is still searching. The actions that it
    /// tries in turn are no cycle either.
    #[must_use]
    pub fn searching(self) -> Settling {
        Settling { settled: None, drifts: true, cycle: None, is_told: true, ..self }
    }

    /// Adds known acts: if they repeat themselves exactly, that is the cycle. `around` is the mean
    /// of the oscillation when no series gives it.
    pub fn with_acts(
        settling: Option<Settling>,
        acts: &Repeats,
        around: impl FnOnce() -> f64,
    ) -> Option<Settling> {
        let Some(period) = acts.cycle() else { return settling };
        let alone = || Settling {
            mean: around(),
            deviation: 0.0,
            settled: None,
            drifts: false,
            cycle: None,
            is_told: true,
        };
        let settling = settling.unwrap_or_else(alone);
        let cycle = Some(Cycle { period: period as f64, share: 1.0 });
        Some(Settling { settled: None, drifts: false, cycle, is_told: true, ..settling })
    }
}

/// Returns true if a series moves by less than the band per quarter, but on.
fn creeps(windows: &[f64], near: f64) -> bool {
    let last = &windows[WINDOWS - LAST..];
    let (former, latter) = last.split_at(LAST / 2);
    let quarter = mean(&windows[WINDOWS - LAST - LAST / 2..WINDOWS - LAST]);
    let (before, now) = (mean(former) - quarter, mean(latter) - mean(former));
    let ends = |half: &[f64]| {
        half.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &one| {
            (least.min(one), most.max(one))
        })
    };
    let (former, latter) = (ends(former), ends(latter));
    let is_apart = former.1 < latter.0 || latter.1 < former.0;
    if now.abs() <= NOTICED * near || !is_apart {
        return false;
    }
    // Quarters that move by a constant share of the previous move form a geometric series.
    let share = now / before;
    let rest =
        if (0.0..1.0).contains(&share) { now.abs() * share / (1.0 - share) } else { f64::INFINITY };
    rest > near
}

/// Returns true if a straight line through the values has a significant slope.
fn slopes(values: &[f64]) -> bool {
    let middle = mean(values);
    let centre = (values.len() as f64 - 1.0) / 2.0;
    let places =
        || values.iter().enumerate().map(|(at, value)| (at as f64 - centre, value - middle));
    let squares: f64 = places().map(|(at, _)| at * at).sum();
    let slope = places().map(|(at, value)| at * value).sum::<f64>() / squares;
    let rest: f64 = places().map(|(at, value)| (value - slope * at) * (value - slope * at)).sum();
    slope * slope * squares * (values.len() as f64 - 2.0) > SLOPE * SLOPE * rest
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
    use kernel::rng::Streams;
    use rand::RngExt as _;
    use rand_distr::StandardNormal;

    fn of(values: impl IntoIterator<Item = f64>) -> Settling {
        let track: Track = values.into_iter().collect();
        Settling::of(&track, Band::PROBABILITY, 1).expect("it is long enough")
    }

    /// Runs the ratio rule from .5 with every round's target `target`, plus normal noise.
    fn ratio(seed: u64, rate: f64, target: f64, noise: f64, rounds: usize) -> Vec<f64> {
        let (mut rng, mut p) = (Streams::new(seed).stream("series"), 0.5);
        let next = |_| {
            let draw: f64 = rng.sample(StandardNormal);
            let before = p;
            p += rate * ((target + noise * draw).clamp(0.0, 1.0) - p);
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

    /// The deviation .4 x .9^t falls below .1 at t = 13.2, for any length of the series.
    #[test]
    fn a_decay_has_settled_when_it_is_near() {
        for rounds in [200, 207, 400, 511] {
            let found = of(ratio(0, 0.1, 0.9, 0.0, rounds));
            assert_eq!((found.settled, found.cycle), (Some(14), None), "{rounds} rounds");
            assert!((found.mean - 0.9).abs() < 1e-4);
        }
        // Accurate to the length of a point, 4 and 16 rounds.
        assert_eq!(of(ratio(0, 0.1, 0.9, 0.0, 1500)).settled, Some(12));
        assert_eq!(of(ratio(0, 0.1, 0.9, 0.0, 6000)).settled, Some(16));
    }

    /// A deviation of .25 in q gives one of .057 in p.
    #[test]
    fn noise_that_stays_does_not_prevent_settling() {
        for rounds in [200, 500, 3000] {
            let found: Vec<Settling> =
                (0..100).map(|seed| of(ratio(seed, 0.1, 0.75, 0.25, rounds))).collect();
            let settled = found.iter().filter_map(|found| found.settled);
            // Near means within .1, which takes 10 rounds from .5 without noise.
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
        // A level that falls by a hundredth each round ends near zero and has settled there.
        let track: Track = (0..1000).map(|at| 100.0 * 0.99_f64.powi(at)).collect();
        let found = Settling::of(&track, Band::LEVEL, 1).expect("it is long enough");
        let settled = found.settled.expect("it is within half a unit at the end");
        assert!((450..=550).contains(&settled), "{found:?}");
    }

    /// The drift is half of a hundredth per window of twenty: less than a tenth over the series.
    #[test]
    fn what_drifts_slowly_has_not_settled() {
        for rounds in [200, 511, 512, 6000] {
            let slow = of((0..rounds).map(|at| 0.5 + 0.09 * f64::from(at) / f64::from(rounds)));
            assert_eq!((slow.settled, slow.drifts), (None, true), "{rounds} rounds");
        }
        // Half of the way is covered in each quarter, and the remaining distance is less than a
        // tenth.
        let rests = of((0..400).map(|at| 0.5 + 0.2 * 0.5_f64.powf(f64::from(at) / 100.0)));
        assert!(rests.settled.is_some() && !rests.drifts, "{rests:?}");
        let constant = of([0.5; 200]);
        assert_eq!(constant.searching().settled, None);
        assert!(!constant.drifts && constant.searching().drifts);
    }

    /// Averages of stationary noise over 10 and 20 rounds are taken for drifts with a probability of
    /// at most [`DRIFTS`]: 16 of 400, plus three standard errors, 12. Neighbouring windows of an
    /// average are correlated, so the rate of one in a thousand for independent windows does not
    /// hold. With a hundred rounds 4 to 7% would be taken for drifts.
    #[test]
    fn averages_of_noise_do_not_drift() {
        for (rate, rounds) in [(0.1, 200), (0.1, 500), (0.1, 3000), (0.05, 200), (0.05, 500)] {
            let settled = |seed| of(ratio(seed, rate, 0.5, 0.25, rounds));
            let drifts = (0..400).filter(|&seed| settled(seed).drifts).count();
            println!("{rate}, {rounds}: {drifts} of 400");
            assert!(drifts <= 28, "{drifts} of 400 in {rounds} rounds at rate {rate}");
        }
    }

    #[test]
    fn acts_that_repeat_themselves_go_in_a_cycle_of_that_period() {
        for (rounds, period) in [(40, 5), (300, 4), (512, 2), (5000, 3), (100_000, 4)] {
            let acts: Repeats = (0..rounds).map(|at| at % period).collect();
            let track: Track = (0..rounds).map(|at| f64::from(u8::from(at % period < 1))).collect();
            let settling = Settling::of(&track, Band::PROBABILITY, 1);
            let found = Settling::with_acts(settling, &acts, || 0.5).expect("it is long enough");
            assert_eq!(found.cycle.map(|cycle| cycle.period), Some(period as f64));
            let found = Settling::with_acts(None, &acts, || 0.5).expect("acts tell it");
            assert_eq!((found.mean, found.settled, found.cycle.is_some()), (0.5, None, true));
        }
    }

    #[test]
    fn a_sine_goes_in_cycles_around_its_mean_and_has_not_settled() {
        let wave = |at: i32| 0.5 + 0.3 * (std::f64::consts::TAU * f64::from(at) / 20.0).sin();
        let found = of((0..400).map(wave));
        assert!((found.mean - 0.5).abs() < 0.01);
        assert_eq!((found.settled, found.drifts), (None, false), "{found:?}");
        assert!(found.cycle.is_some_and(|cycle| cycle.period == 20.0), "{found:?}");
        // Periods are in values, not in points.
        let slow = |at: i32| 0.5 + 0.3 * (std::f64::consts::TAU * f64::from(at) / 400.0).sin();
        let found = of((0..8000).map(slow));
        let period = found.cycle.expect("it goes in cycles").period;
        assert!((period / 400.0 - 1.0).abs() < 0.06, "{period}");
    }

    /// A level multiplied by .9 to 1.1 with an upward drift, up to a limit.
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
        let found = Settling::of(&walk, Band::LEVEL, 1).expect("it is long enough");
        assert!(found.mean > 950.0 && found.cycle.is_none(), "{found:?}");
        let settled = found.settled.expect("it is at the wall");
        assert!(settled.abs_diff(reached) <= 10, "{settled} against {reached}");
    }

    #[test]
    fn of_a_short_series_nothing_is_said() {
        let track: Track = [0.5; FEWEST - 1].into_iter().collect();
        assert_eq!(Settling::of(&track, Band::PROBABILITY, 1), None);
    }
}
