//! The regularized incomplete gamma function, the distribution function of gamma distributions.

/// Maximum number of terms until a series or fraction converges. For shapes up to a thousand, some
/// hundred are enough.
const TERMS: u32 = 10_000;

/// Returns the regularized lower incomplete gamma function P(a, x). It uses the power series up to
/// the mean, and the continued fraction of the upper function above it. The number of terms grows
/// as the square root of `a`.
///
/// ```
/// use gridpact_stats::incomplete_gamma::regularized;
///
/// assert!((regularized(1.0, 2.0) - (1.0 - (-2.0_f64).exp())).abs() < 1e-15);
/// ```
pub fn regularized(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..TERMS {
            term *= x / (a + f64::from(n));
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return front * sum;
    }
    // Lentz's method evaluates the fraction from the front.
    let mut b = x + 1.0 - a;
    let mut c = f64::MAX;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..TERMS {
        let n = f64::from(n);
        let numerator = n * (a - n);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    1.0 - front * fraction
}

#[cfg(test)]
mod tests {
    use super::regularized;

    /// For shape 1/2 it is the error function; a recurrence leads to larger shapes.
    #[test]
    fn it_is_the_error_function_at_a_half_and_keeps_the_recurrence() {
        for x in [1e-6, 0.01, 0.3, 1.0, 1.6, 2.0, 9.0, 40.0] {
            let half = libm::erf(libm::sqrt(x));
            assert!((regularized(0.5, x) - half).abs() < 1e-14, "{x}");
            for a in [0.01, 0.3, 1.0, 2.5, 30.0] {
                let step = libm::exp(a * libm::log(x) - x - libm::lgamma(a + 1.0));
                let next = regularized(a, x) - step;
                assert!((regularized(a + 1.0, x) - next).abs() < 1e-13, "{a} {x}");
            }
        }
    }
}
