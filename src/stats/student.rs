//! Critical values of Student's t and of the normal distribution.
//!
//! For few degrees of freedom, the distribution function of t is a finite sum (Abramowitz and
//! Stegun 1964, 26.7.3 and 26.7.4), which is inverted by bisection. For many, the quantile is an
//! expansion around the normal one (26.7.5). Results are bit-identical on every platform.

use super::incomplete_gamma::regularized;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, SQRT_2};

/// Largest number of degrees of freedom for which the sum is used; it has half as many terms.
const FEW: u64 = 400;
/// Number of bisection steps; more than the bits of a number change nothing.
const HALVINGS: u32 = 64;

/// Returns the two-sided critical value of Student's t: |t| stays below it with probability
/// `level`. The relative error is about 1e-10. O(`freedom`), the degrees of freedom, and O(1) if
/// there are many.
///
/// ```
/// use gridpact_stats::student;
///
/// assert!((student::two_sided(0.95, 7) - 2.364_624_251_6).abs() < 1e-9);
/// ```
///
/// # Panics
/// If the level is not between 0 and 1, or there are no degrees of freedom.
pub fn two_sided(level: f64, freedom: u64) -> f64 {
    assert!(level > 0.0 && level < 1.0 && freedom > 0, "no quantile: {level}, {freedom}");
    let normal = normal_two_sided(level);
    if freedom > FEW {
        return expanded(normal, freedom as f64);
    }
    let angle = bisected(FRAC_PI_2, |angle| within(angle, freedom) < level);
    (freedom as f64).sqrt() * libm::tan(angle)
}

/// Returns the probability that |t| reaches `distance`: the p-value of a two-sided test. O(`freedom`).
///
/// # Panics
/// If there are no degrees of freedom.
pub fn beyond(distance: f64, freedom: u64) -> f64 {
    assert!(freedom > 0, "no degrees of freedom");
    (1.0 - within(libm::atan(distance / (freedom as f64).sqrt()), freedom)).max(0.0)
}

/// Returns the two-sided critical value of the standard normal at probability `level`.
///
/// # Panics
/// If the level is not between 0 and 1.
pub fn normal_two_sided(level: f64) -> f64 {
    assert!(level > 0.0 && level < 1.0, "no quantile: {level}");
    bisected(40.0, |amount| libm::erf(amount / SQRT_2) < level)
}

/// Returns the point, at or below `high`, up to which a condition holds from 0.
fn bisected(mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let mut low = 0.0;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Returns the probability that |t| stays below `sqrt(freedom) * tan(angle)`.
fn within(angle: f64, freedom: u64) -> f64 {
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let is_odd = freedom % 2 == 1;
    let mut term = if is_odd { cosine } else { 1.0 };
    let mut sum = 0.0;
    // The sum ends at the power `freedom - 2` of the cosine.
    let mut power = u64::from(is_odd);
    while power + 2 <= freedom {
        sum += term;
        term *= cosine * cosine * (power + 1) as f64 / (power + 2) as f64;
        power += 2;
    }
    if is_odd { FRAC_2_PI * (angle + sine * sum) } else { sine * sum }
}

/// Expands a quantile of t around that of the normal distribution.
fn expanded(x: f64, freedom: f64) -> f64 {
    let y = x * x;
    let terms = [
        (y + 1.0) / 4.0,
        ((5.0 * y + 16.0) * y + 3.0) / 96.0,
        (((3.0 * y + 19.0) * y + 17.0) * y - 15.0) / 384.0,
        ((((79.0 * y + 776.0) * y + 1482.0) * y - 1920.0) * y - 945.0) / 92_160.0,
    ];
    x + x * terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom)
}

/// Returns by how much the true standard deviation of a normal sample with so many degrees of freedom
/// exceeds its own at most, with 95% confidence: the chi-squared distribution tells.
///
/// ```
/// use gridpact_stats::student::most_of_deviation;
///
/// // 2.167 is the quantile of 5% for 7 degrees of freedom.
/// assert!((most_of_deviation(7) - (7.0_f64 / 2.167_35).sqrt()).abs() < 1e-5);
/// ```
pub fn most_of_deviation(freedom: u64) -> f64 {
    let half = freedom as f64 / 2.0;
    // The quantile is below the mean.
    let (mut low, mut high) = (0.0, freedom as f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        match regularized(half, middle / 2.0) < 0.05 {
            true => low = middle,
            false => high = middle,
        }
    }
    (freedom as f64 / low).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with tables of ten digits.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (level, freedom, expected) in [
            (0.95, 1, 12.706_204_736_4),
            (0.95, 2, 4.302_652_729_9),
            (0.95, 3, 3.182_446_305_3),
            (0.95, 4, 2.776_445_105_2),
            (0.95, 9, 2.262_157_162_7),
            (0.95, 10, 2.228_138_852_0),
            (0.95, 29, 2.045_229_642_1),
            (0.95, 30, 2.042_272_456_3),
            (0.95, 100, 1.983_971_518_5),
            (0.95, 1000, 1.962_339_080_8),
            (0.99, 5, 4.032_142_983_6),
            (0.999, 29, 3.659_405_019_5),
            (0.9, 60, 1.670_648_865_2),
        ] {
            let found = two_sided(level, freedom);
            assert!((found - expected).abs() < 1e-9, "{level} {freedom}: {found}");
        }
        assert!((normal_two_sided(0.95) - 1.959_963_984_540_054).abs() < 1e-14);
    }

    /// The probability beyond a critical value is what its level leaves.
    #[test]
    fn critical_values_and_probabilities_are_each_others_inverse() {
        for (level, freedom) in [(0.5, 1), (0.95, 3), (0.99, 19), (0.999, 250), (0.95, 5000)] {
            let found = beyond(two_sided(level, freedom), freedom);
            assert!((found - (1.0 - level)).abs() < 1e-8, "{level} {freedom}: {found}");
        }
        assert_eq!((beyond(0.0, 7), beyond(f64::INFINITY, 7)), (1.0, 0.0));
    }

    /// One and two degrees of freedom have closed forms. The two methods agree where one replaces
    /// the other, and more degrees of freedom give a smaller quantile.
    #[test]
    fn the_sum_and_the_expansion_meet() {
        for level in [0.5, 0.9, 0.95, 0.99, 0.999] {
            let cauchy = libm::tan(level * FRAC_PI_2);
            assert!((two_sided(level, 1) / cauchy - 1.0).abs() < 1e-12);
            let of_two = level * (2.0 / (1.0 - level * level)).sqrt();
            assert!((two_sided(level, 2) / of_two - 1.0).abs() < 1e-12);
            let both = [two_sided(level, FEW), expanded(normal_two_sided(level), FEW as f64)];
            assert!((both[0] / both[1] - 1.0).abs() < 1e-11, "{both:?}");
            let all: Vec<f64> = (1..=FEW + 50).map(|freedom| two_sided(level, freedom)).collect();
            assert!(all.windows(2).all(|pair| pair[0] > pair[1]), "{level}");
        }
    }
}
