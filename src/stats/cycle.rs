//! Detects cycles in a series, as opposed to noise smoothed by an exponential average.
//!
//! An average with exponential forgetting (the ratio rule is one) turns independent noise into a
//! series that is correlated from point to point and wanders up and down without a period. This is
//! red noise, a first-order autoregression, whose spectrum is known. A series has a cycle if its
//! periodogram has a peak that is very rare in red noise of the same variance and lag-1 correlation
//! (Gilman, Fuglister and Mitchell, Journal of the Atmospheric Sciences 20(2), 1963; Torrence and
//! Compo, Bulletin of the American Meteorological Society 79(1), 1998, section 4). The ordinates of
//! noise relative to its spectrum are independent and exponential, so the highest of m exceeds x
//! with the probability 1 - (1 - exp(-x))^m.
//!
//! A significant peak may still be small. A cycle must therefore carry a fifth of the variance,
//! together with the two adjacent frequencies, and more at its own frequency than at these. It must
//! occur at least four times and have at least four points: slower oscillations do not count as
//! cycles yet, and faster ones are not visible.

use std::f64::consts::TAU;

/// Probability of mistaking red noise for a cycle.
pub const LEVEL: f64 = 0.01;
/// Minimum share of the variance.
pub const SHARE: f64 = 0.2;
/// Minimum number of periods in the series.
const TIMES: usize = 4;
/// Minimum number of points per period.
const POINTS: usize = 4;

/// A cycle found in a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// Period, in points.
    pub period: f64,
    /// Share of the variance that it carries.
    pub share: f64,
}

/// Returns the cycle of a series, if it has one. Quadratic in the number of points.
///
/// It is one of `several` series that are judged together: noise in all of them is mistaken for a
/// cycle with the probability [`LEVEL`].
pub fn cycle(points: &[f64], several: usize) -> Option<Cycle> {
    let number = points.len();
    let frequencies = TIMES..number / POINTS + 1;
    if frequencies.len() < 2 {
        return None;
    }
    let mean = points.iter().sum::<f64>() / number as f64;
    let rest: Vec<f64> = points.iter().map(|point| point - mean).collect();
    let squares: f64 = rest.iter().map(|rest| rest * rest).sum();
    // If all points are equal, only their rounding remains.
    if squares <= 1e-20 * number as f64 * mean * mean {
        return None;
    }
    let products: f64 = rest.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let likeness = (products / squares).clamp(0.0, 0.999);
    let waves: Vec<[f64; 2]> = (0..number)
        .map(|at| TAU * at as f64 / number as f64)
        .map(|angle| [libm::cos(angle), libm::sin(angle)])
        .collect();
    // Shares of the variance; over both signs of all frequencies they sum to one.
    let share = |frequency: usize| {
        let (mut cosines, mut sines, mut at) = (0.0, 0.0, 0);
        for rest in &rest {
            cosines += rest * waves[at][0];
            sines += rest * waves[at][1];
            at = (at + frequency) % number;
        }
        2.0 * (cosines * cosines + sines * sines) / (number as f64 * squares)
    };
    // The mean of red noise.
    let red = |frequency: usize| {
        let along = 1.0 - 2.0 * likeness * waves[frequency][0] + likeness * likeness;
        2.0 / number as f64 * (1.0 - likeness * likeness) / along
    };
    let shares: Vec<f64> = (frequencies.start - 1..=frequencies.end).map(share).collect();
    let height = |frequency: usize| shares[frequency - (TIMES - 1)] / red(frequency);
    let peak = frequencies.clone().max_by(|a, b| height(*a).total_cmp(&height(*b)))?;
    // Use logarithms for the probability that all m are below: m may be large and exp(-x) small.
    let chance = -libm::expm1(frequencies.len() as f64 * libm::log1p(-libm::exp(-height(peak))));
    let at = peak - (TIMES - 1);
    let around = &shares[at - 1..=at + 1];
    let stands_out = around[1] > around[0] && around[1] > around[2];
    let share: f64 = around.iter().sum();
    let period = number as f64 / peak as f64;
    let is_cycle = chance < LEVEL / several as f64 && share >= SHARE && stands_out;
    is_cycle.then_some(Cycle { period, share: share.min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::{Rng, Streams};
    use rand::RngExt as _;
    use rand_distr::StandardNormal;

    fn rng(seed: u64) -> Rng {
        Streams::new(seed).stream("series")
    }

    /// Returns an exponential average with weight `rate` of normal noise.
    fn average(seed: u64, rate: f64, number: usize) -> Vec<f64> {
        let (mut rng, mut x) = (rng(seed), 0.0);
        let mut next = || {
            x += rate * (rng.sample::<f64, _>(StandardNormal) - x);
            x
        };
        for _ in 0..200 {
            next();
        }
        (0..number).map(|_| next()).collect()
    }

    fn sine(period: f64, number: usize) -> Vec<f64> {
        (0..number).map(|at| 0.5 + 0.2 * (TAU * at as f64 / period).sin()).collect()
    }

    #[test]
    fn a_sine_is_found_with_its_period() {
        for (number, period) in [(200, 17.0), (500, 4.5), (300, 60.0), (128, 16.0)] {
            let found = cycle(&sine(period, number), 1).expect("it goes in cycles");
            // Frequencies are multiples of 1 / number.
            let steps = (number as f64 / found.period - number as f64 / period).abs();
            assert!(steps <= 0.5 + 1e-9, "{found:?} for {period}");
            assert!(found.share > 0.8, "{found:?}");
        }
    }

    #[test]
    fn a_cycle_is_found_in_noise_and_a_square_wave_is_one() {
        let noisy = |seed| -> Vec<f64> {
            let noise = average(seed, 0.1, 400);
            sine(25.0, 400).iter().zip(noise).map(|(sine, noise)| sine + 0.3 * noise).collect()
        };
        let found = (0..20).filter_map(|seed| cycle(&noisy(seed), 1));
        let right = found.filter(|cycle| (cycle.period - 25.0).abs() < 1.0);
        assert_eq!(right.count(), 20);
        let square: Vec<f64> = (0..300).map(|at| f64::from(u8::from(at % 20 < 10))).collect();
        assert_eq!(cycle(&square, 1).map(|cycle| cycle.period), Some(20.0));
    }

    /// False positives stay within the level: 400 averages of noise for each rate and length. The
    /// expected number is 4, and three standard errors are 6.
    #[test]
    fn averages_of_noise_go_in_no_cycles() {
        for (rate, number) in [(1.0, 200), (0.5, 200), (0.1, 200), (0.1, 500), (0.02, 400)] {
            let cycles = (0..400).filter(|&seed| cycle(&average(seed, rate, number), 1).is_some());
            let count = cycles.count();
            assert!(count <= 10, "{count} of 400 at rate {rate}, {number} points");
        }
    }

    #[test]
    fn what_stands_still_slides_or_is_short_goes_in_no_cycles() {
        assert_eq!(cycle(&[0.1 + 0.2; 300], 1), None);
        let slide: Vec<f64> = (0..300).map(|at| 0.9_f64.powi(at)).collect();
        assert_eq!(cycle(&slide, 1), None);
        let ramp: Vec<f64> = (0..300).map(f64::from).collect();
        assert_eq!(cycle(&ramp, 1), None);
        assert_eq!(cycle(&sine(5.0, 15), 1), None);
        assert_eq!(cycle(&[], 1), None);
        // Two and a half oscillations are not yet a cycle.
        assert_eq!(cycle(&sine(120.0, 300), 1), None);
    }
}
