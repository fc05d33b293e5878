//! Distributions of durations as functions, for theory that integrates instead of simulating.

use super::incomplete_gamma::regularized;

/// A distribution of non-negative durations, in units of time.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// A constant duration.
    Constant(f64),
    /// Exponential.
    Exponential {
        /// The mean.
        mean: f64,
    },
    /// A mixture of exponential distributions.
    Hyperexponential {
        /// Probability and mean of each branch.
        branches: Vec<(f64, f64)>,
    },
    /// Gamma.
    Gamma {
        /// The shape.
        shape: f64,
        /// The mean over the shape.
        scale: f64,
    },
    /// Weibull.
    Weibull {
        /// The shape.
        shape: f64,
        /// Scale, below which a share of 1 - 1/e lies.
        scale: f64,
    },
}

impl Law {
    /// Returns the distribution function: the probability of a duration up to `x`.
    pub fn up_to(&self, x: f64) -> f64 {
        if x < 0.0 {
            return 0.0;
        }
        match self {
            Law::Constant(length) => f64::from(x >= *length),
            Law::Exponential { mean } => -libm::expm1(-x / mean),
            Law::Hyperexponential { branches } => {
                branches.iter().map(|(part, mean)| -part * libm::expm1(-x / mean)).sum()
            }
            Law::Gamma { shape, scale } => regularized(*shape, x / scale),
            Law::Weibull { shape, scale } => -libm::expm1(-libm::pow(x / scale, *shape)),
        }
    }

    /// Returns the mean.
    pub fn mean(&self) -> f64 {
        match self {
            Law::Constant(length) => *length,
            Law::Exponential { mean } => *mean,
            Law::Hyperexponential { branches } => {
                branches.iter().map(|(part, mean)| part * mean).sum()
            }
            Law::Gamma { shape, scale } => shape * scale,
            Law::Weibull { shape, scale } => scale * libm::tgamma(1.0 + 1.0 / shape),
        }
    }

    /// Returns the integral of the distribution function from 0 to `x`. It equals the mean of
    /// `max(x - R, 0)` for a duration `R`.
    pub fn integral(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let exponential = |mean: f64| x + mean * libm::expm1(-x / mean);
        match self {
            Law::Constant(length) => (x - length).max(0.0),
            Law::Exponential { mean } => exponential(*mean),
            Law::Hyperexponential { branches } => {
                branches.iter().map(|(part, mean)| part * exponential(*mean)).sum()
            }
            Law::Gamma { shape, scale } => {
                x * self.up_to(x) - shape * scale * regularized(shape + 1.0, x / scale)
            }
            Law::Weibull { shape, scale } => {
                let mean_below = regularized(1.0 + 1.0 / shape, libm::pow(x / scale, *shape));
                x * self.up_to(x) - self.mean() * mean_below
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_is_that_of_the_function_and_the_rest_of_it_is_the_mean() {
        for law in [
            Law::Constant(2.5),
            Law::Exponential { mean: 5.0 },
            Law::Hyperexponential { branches: vec![(0.9, 1.0), (0.1, 41.0)] },
            Law::Gamma { shape: 2.0, scale: 2.5 },
            Law::Gamma { shape: 0.4, scale: 12.5 },
            Law::Weibull { shape: 0.7, scale: 4.0 },
            Law::Weibull { shape: 3.0, scale: 5.6 },
        ] {
            for (low, high) in [(1.0, 2.0), (3.0, 3.5), (10.0, 20.0)] {
                // Reference value by the midpoint rule, whose error follows the second derivative.
                let step = (high - low) / 1e5;
                let middle = |i: i32| low + (f64::from(i) + 0.5) * step;
                let sum: f64 = (0..100_000).map(|i| law.up_to(middle(i)) * step).sum();
                let found = law.integral(high) - law.integral(low);
                assert!((found - sum).abs() < 1e-9, "{law:?} {low} {high}: {found} {sum}");
            }
            let far = 1e5;
            assert!((far - law.integral(far) - law.mean()).abs() < 1e-9, "{law:?}");
            assert_eq!((law.up_to(-1.0), law.integral(-1.0)), (0.0, 0.0));
        }
    }
}
