//! Mean and variance.

/// Mean and variance of a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The mean.
    pub mean: f64,
    /// The variance, in the square of the mean's unit.
    pub variance: f64,
}

impl Moments {
    /// Computes them from the first two raw moments.
    pub fn of_raw(first: f64, second: f64) -> Moments {
        Moments { mean: first, variance: (second - first * first).max(0.0) }
    }

    /// Returns the second raw moment, as needed for the mean waiting time of an M/G/1 queue.
    pub fn second(&self) -> f64 {
        self.variance + self.mean * self.mean
    }

    /// Returns the coefficient of variation: standard deviation / mean.
    pub fn variation(&self) -> f64 {
        libm::sqrt(self.variance) / self.mean
    }

    /// Returns the moments of the variable times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Moments {
        Moments { mean: self.mean * factor, variance: self.variance * factor * factor }
    }

    /// Returns the moments of a mixture, given the probabilities of its parts, which sum to 1.
    pub fn mixture(parts: impl IntoIterator<Item = (f64, Moments)>) -> Moments {
        let (first, second) = parts.into_iter().fold((0.0, 0.0), |(first, second), (p, part)| {
            (first + p * part.mean, second + p * part.second())
        });
        Moments::of_raw(first, second)
    }
}
