//! Welch's test: whether two independent samples with variances of their own have the same mean.
//!
//! B. L. Welch, The generalization of `Student's' problem when several different population
//! variances are involved, Biometrika 34, 1947. The degrees of freedom are Satterthwaite's, rounded
//! down.

use super::student;

/// Result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    /// Difference of the means over its standard error.
    pub t: f64,
    /// Degrees of freedom.
    pub freedom: u64,
    /// Two-sided p-value.
    pub p: f64,
}

/// Tests whether two samples have the same mean. Returns `None` if one has fewer than two values,
/// or if no value differs from its mean.
///
/// ```
/// use gridpact_stats::welch;
///
/// let test = welch::test(&[1.0, 2.0, 3.0, 4.0], &[2.0, 4.0, 6.0, 8.0]).unwrap();
/// assert!((test.t + 1.732_050_8).abs() < 1e-6 && test.freedom == 4);
/// ```
pub fn test(one: &[f64], other: &[f64]) -> Option<Welch> {
    let [one, other] = [moments(one)?, moments(other)?];
    let variance = one.error + other.error;
    if variance <= 0.0 {
        return None;
    }
    let t = (one.mean - other.mean) / variance.sqrt();
    let share = |of: Moments| of.error * of.error / of.freedom;
    let freedom = (variance * variance / (share(one) + share(other))).max(1.0) as u64;
    Some(Welch { t, freedom, p: student::beyond(t.abs(), freedom) })
}

#[derive(Clone, Copy)]
struct Moments {
    mean: f64,
    /// Square of the mean's standard error.
    error: f64,
    freedom: f64,
}

fn moments(values: &[f64]) -> Option<Moments> {
    let count = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    Some(Moments { mean, error: squares / (count - 1.0) / count, freedom: count - 1.0 })
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use kernel::rng::Streams;

    /// Variances of 5/3 and 20/3 over 4 values: t = -2.5 / sqrt(25/12), and (25/12)^2 over
    /// ((5/12)^2 + (20/12)^2) / 3 is 75/17 degrees of freedom. The law of t with 4 degrees of
    /// freedom is 1/2 + (3/4) (s - s^3/3), where s = t / sqrt(4 + t^2).
    #[test]
    fn by_hand() {
        let test = test(&[1.0, 2.0, 3.0, 4.0], &[2.0, 4.0, 6.0, 8.0]).unwrap();
        let t = 2.5 / (25.0_f64 / 12.0).sqrt();
        assert!((test.t + t).abs() < 1e-12);
        assert_eq!(test.freedom, 4);
        let sine = t / (4.0 + t * t).sqrt();
        let p = 1.0 - 1.5 * (sine - sine.powi(3) / 3.0);
        assert!((test.p - p).abs() < 1e-12, "{} {p}", test.p);
    }

    #[test]
    fn constant_and_single_values_cannot_be_tested() {
        assert_eq!(test(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(test(&[1.0, 1.0], &[2.0, 2.0]), None);
    }

    /// If the means are equal, 5% of the p-values are below 0.05. Of 2000 tests, this is within
    /// four standard errors: 2 percentage points.
    #[test]
    fn the_test_errs_as_often_as_it_says() {
        let mut rng = Streams::new(1).stream("welch");
        let mut found = 0;
        for _ in 0..2000 {
            let one: Vec<f64> = (0..40).map(|_| rng.random::<f64>()).collect();
            let other: Vec<f64> = (0..80).map(|_| 3.0 * rng.random::<f64>() - 1.0).collect();
            found += u32::from(test(&one, &other).unwrap().p < 0.05);
        }
        assert!((f64::from(found) / 2000.0 - 0.05).abs() < 0.02, "{found}");
    }
}
