//! Birth-death chains between 0 and n: closed-form fixation probabilities.
//!
//! The probability to reach n before 0 from 1 is 1 / (1 + sum over k = 1..n-1 of the product over
//! j = 1..k of down(j) / up(j)) (Karlin and Taylor, *A first course in stochastic processes*, 1975,
//! chapter 4; Nowak, *Evolutionary dynamics*, 2006, section 6.2). Everything is computed in
//! logarithms, so no product overflows. O(n).

/// The logarithm of exp(a) + exp(b).
pub(super) fn log_sum(a: f64, b: f64) -> f64 {
    let (more, less) = if a >= b { (a, b) } else { (b, a) };
    if less == f64::NEG_INFINITY || more == f64::INFINITY {
        return more;
    }
    more + libm::log1p(libm::exp(less - more))
}

/// Logarithm of the probability to get from 1 to n, given the logarithms of down(j) / up(j) for j =
/// 1 to n - 1.
pub(super) fn log_fixation(ratios: impl Iterator<Item = f64>) -> f64 {
    let (mut product, mut sum) = (0.0, 0.0);
    for ratio in ratios {
        product += ratio;
        sum = log_sum(sum, product);
    }
    -sum
}

/// The same if all ratios equal exp(-u): (1 - exp(-u)) / (1 - exp(-n u)).
pub(super) fn log_fixation_alike(u: f64, n: u32) -> f64 {
    let n = f64::from(n);
    if (n * u).abs() < 1e-12 {
        return -libm::log(n);
    }
    // For negative u multiply both by exp(u) and exp(n u).
    let of = |u: f64| libm::log(-libm::expm1(-u.abs()));
    (if u < 0.0 { (n - 1.0) * u } else { 0.0 }) + of(u) - of(n * u)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_of_equal_ratios_is_the_sum() {
        for (u, n) in [(0.0, 7), (1e-14, 50), (0.3, 10), (-0.3, 10), (5.0, 20), (-40.0, 100)] {
            let sum = log_fixation((1..n).map(|_| -u));
            let closed = log_fixation_alike(u, n);
            assert!((sum - closed).abs() < 1e-9 * (1.0 + sum.abs()), "{u} {n}: {sum} {closed}");
        }
        // A gambler who wins each round with probability 2/3: (1 - 1/2) / (1 - 1/2^5).
        let gambler = libm::exp(log_fixation((1..5).map(|_| libm::log(0.5))));
        assert!((gambler - 0.5 / (1.0 - 1.0 / 32.0)).abs() < 1e-15);
    }

    #[test]
    fn sums_of_logarithms_keep_what_is_infinite() {
        assert_eq!(log_sum(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(log_sum(f64::NEG_INFINITY, 3.0), 3.0);
        assert_eq!(log_sum(f64::INFINITY, 3.0), f64::INFINITY);
        assert!((log_sum(-1000.0, -1000.0) + 1000.0 - libm::log(2.0)).abs() < 1e-12);
    }
}
