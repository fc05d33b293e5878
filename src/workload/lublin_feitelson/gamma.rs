//! Gamma distributions: their distribution function, and moments of their exponential.

use crate::draw::{self, Draw as _};
use kernel::rng::Rng;
use stats::incomplete_gamma::regularized;

/// A gamma distribution with a shape of at least 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gamma {
    shape: f64,
    scale: f64,
    drawn: draw::Gamma,
}

/// Number of terms summed one by one before the rest is approximated by an integral.
const EXACT: u32 = 64;

impl Gamma {
    pub(super) fn new(shape: f64, scale: f64) -> Gamma {
        assert!(shape >= 1.0 && scale > 0.0, "all shapes of the model are above 1");
        Gamma { shape, scale, drawn: draw::Gamma::new(shape, scale) }
    }

    /// Draws a value.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> f64 {
        self.drawn.draw(rng)
    }

    /// Returns the probability of a value up to `x`.
    pub(super) fn below(&self, x: f64) -> f64 {
        regularized(self.shape, x / self.scale)
    }

    /// Returns the part of the mean of `exp(g)` contributed by `g` up to `x`. The distribution
    /// tilted by `exp` is again a gamma distribution. The scale must be below 1, or the mean is
    /// infinite.
    pub(super) fn exponential_below(&self, x: f64) -> f64 {
        let left = 1.0 - self.scale;
        let mean = libm::exp(-self.shape * libm::log(left));
        mean * regularized(self.shape, x * left / self.scale)
    }

    /// Returns the mean of `exp(g)`, where `g` is redrawn while above `limit`.
    pub(super) fn mean_exponential(&self, limit: f64) -> f64 {
        self.exponential_below(limit) / self.below(limit)
    }

    /// Returns the part of the mean of the whole seconds in `exp(g) / unit` from `g` up to `limit`.
    ///
    /// The mean of a whole number is the sum over all k >= 1 of the probability that it is at least
    /// k. The first terms are summed; the rest is approximated by an integral that starts half a
    /// step earlier and is known in closed form. The error is a 24th of the density there.
    pub(super) fn whole_seconds_below(&self, limit: f64, unit: f64) -> f64 {
        let mass = self.below(limit);
        let at_least = |k: f64| {
            let from = libm::log(k * unit);
            if from < limit { mass - self.below(from.max(0.0)) } else { 0.0 }
        };
        let first: f64 = (1..=EXACT).map(|k| at_least(f64::from(k))).sum();
        let from = f64::from(EXACT) + 0.5;
        let begins = libm::log(from * unit);
        if begins >= limit {
            return first;
        }
        let seconds = self.exponential_below(limit) - self.exponential_below(begins);
        first + seconds / unit - from * at_least(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;

    #[track_caller]
    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance * expected, "{found} {expected}");
    }

    #[test]
    fn the_distribution_function_is_that_of_erlang_for_whole_shapes() {
        for shape in [1_u32, 2, 5, 40, 312] {
            for x in [0.01, 0.7, 3.0, 38.0, 41.0, 290.0, 320.0] {
                let gamma = Gamma::new(f64::from(shape), 1.0);
                let poisson = |k: u32| {
                    libm::exp(f64::from(k) * libm::log(x) - x - libm::lgamma(f64::from(k) + 1.0))
                };
                let more: f64 = (shape..shape + 2000).map(poisson).sum();
                let found = gamma.below(x);
                assert!((found - more).abs() < 1e-12, "{shape} {x}: {found} {more}");
            }
        }
        assert_eq!(Gamma::new(3.0, 1.0).below(0.0), 0.0);
    }

    #[test]
    fn means_of_exponentials_are_their_integrals() {
        // Reference value by Simpson's rule over the density.
        for (shape, scale, limit) in [(6.57, 0.823, 12.0), (639.1, 0.0156, 12.0), (4.2, 0.94, 12.0)]
        {
            let gamma = Gamma::new(shape, scale);
            let density = |g: f64| {
                let log = (shape - 1.0) * libm::log(g / scale) - g / scale - libm::lgamma(shape);
                libm::exp(log) / scale
            };
            let steps = 200_000;
            let width = limit / f64::from(steps);
            let simpson: f64 = (1..=steps)
                .map(|step| {
                    let g = f64::from(step) * width;
                    let weight = match step {
                        _ if step == steps => 1.0,
                        _ if step % 2 == 1 => 4.0,
                        _ => 2.0,
                    };
                    weight * libm::exp(g) * density(g)
                })
                .sum();
            near(gamma.exponential_below(limit), simpson * width / 3.0, 1e-9);
        }
    }

    #[test]
    fn the_mean_of_whole_seconds_is_the_sum_over_all_of_them() {
        for (shape, scale) in [(6.57, 0.823), (639.1, 0.0156), (3.8351, 0.6605)] {
            for (limit, unit) in [(10.0, 1.0), (10.0, 0.3), (3.0, 1.0), (9.0, 2.2)] {
                let gamma = Gamma::new(shape, scale);
                let most = (libm::exp(limit) / unit) as u32;
                let at_least =
                    |k: u32| gamma.below(limit) - gamma.below(libm::log(f64::from(k) * unit));
                let sum: f64 = (1..=most).map(at_least).sum();
                let found = gamma.whole_seconds_below(limit, unit);
                // The error bound is a 24th of a density, which is below 1/64 where the integral
                // begins.
                assert!((found - sum).abs() < 1e-3 + 1e-9 * sum, "{shape} {limit} {unit}");
            }
        }
    }

    #[test]
    fn draws_have_the_distribution() {
        const DRAWS: usize = 200_000;
        for (index, (shape, scale)) in
            [(3.8351, 0.6605), (6.57, 0.823), (639.1, 0.0156), (1.0, 2.0)].into_iter().enumerate()
        {
            let gamma = Gamma::new(shape, scale);
            let mut rng = Streams::new(index as u64).stream("gamma");
            let mut draws: Vec<f64> = (0..DRAWS).map(|_| gamma.draw(&mut rng)).collect();
            draws.sort_by(f64::total_cmp);
            let distance = (0..DRAWS)
                .map(|rank| {
                    let (below, count) = (gamma.below(draws[rank]), DRAWS as f64);
                    (below - rank as f64 / count).max((rank + 1) as f64 / count - below)
                })
                .fold(0.0, f64::max);
            // Kolmogorov-Smirnov test: 1.95 / sqrt(n) is exceeded once in a thousand.
            assert!(distance < 1.95 / libm::sqrt(DRAWS as f64), "{shape}: {distance}");
        }
    }
}
