//! Thompson sampling: draws each action with its posterior probability of being the best one.
//!
//! It draws a mean from each action's posterior and plays the action with the largest (ties: the
//! first). With `belief = "beta"` a utility u is rounded to 1 with probability u, otherwise to 0,
//! and the posterior of an action with s ones in n rounds is Beta(1 + s, 1 + n - s). With
//! `belief = "gaussian"` it is normal with mean sum u / (n + 1) and variance 1 / (n + 1). The
//! choice probabilities have no closed form and are not reported; those of the first round are the
//! common parameter. For independent utilities the expected regret with beta beliefs grows like the
//! Lai-Robbins lower bound for coins with the same means, which no consistent rule beats in the
//! long run. O(K) for each round.
//!
//! Thompson, Biometrika 25(3/4), 1933; Agrawal and Goyal, Conference on Learning Theory 2012
//! (rounding) and Artificial Intelligence and Statistics 2013 (normal beliefs). Gamma draws are by
//! Marsaglia and Tsang, ACM Transactions on Mathematical Software 26(3), 2000.

use rand::RngExt as _;
use rand_distr::StandardNormal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::choose::{Chooser, Round, drawn};
use game::stage::OwnPayoff;
use kernel::rng::{Draws, Rng};
use kernel::state_of_fields;
use model::bounds::parameters;

parameters! {
    /// Parameters of Thompson sampling.
    #[serde(default)]
    pub struct Options {
        /// Posterior distribution of an action's mean utility.
        belief: Belief = Belief::Beta,
    }
}

/// Family of the posterior distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Belief {
    /// A beta distribution; utilities are randomly rounded to 0 or 1.
    #[default]
    Beta,
    /// A normal distribution.
    Gaussian,
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    belief: Belief,
    /// Probabilities in the first round.
    first: Vec<f64>,
    /// Number of plays of each action.
    counts: Vec<f64>,
    /// Sum of the utilities of each action, rounded for beta beliefs.
    sums: Vec<f64>,
}

/// The learner.
pub type Thompson = Chooser<Rule>;

state_of_fields!(Rule { counts, sums });

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let (first, counts, sums) = (Vec::new(), Vec::new(), Vec::new());
        Rule { belief: options.belief, first, counts, sums }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.counts = vec![0.0; first.len()];
        self.sums = vec![0.0; first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, draws: &mut Draws<'_>) {
        let (played, utility) = (round.played(), round.utility());
        self.counts[played] += 1.0;
        self.sums[played] += match self.belief {
            Belief::Beta if utility > 0.0 && utility < 1.0 => {
                f64::from(u8::from(draws.rng().random::<f64>() < utility))
            }
            Belief::Beta | Belief::Gaussian => utility,
        };
    }

    fn law(&self, _: &mut [f64]) -> bool {
        false
    }

    fn choose(&mut self, _: &[f64], draws: &mut Draws<'_>) -> usize {
        if self.counts.iter().all(|&count| count == 0.0) {
            return drawn(&self.first, draws);
        }
        if self.counts.len() == 1 {
            return 0;
        }
        let rng = draws.rng();
        let belief = self.belief;
        let drawn = self.counts.iter().zip(&self.sums).map(|(&count, &sum)| match belief {
            Belief::Beta => beta(1.0 + sum, 1.0 + count - sum, rng),
            Belief::Gaussian => {
                let normal: f64 = rng.sample(StandardNormal);
                sum / (count + 1.0) + normal / libm::sqrt(count + 1.0)
            }
        });
        let larger =
            |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
        drawn.enumerate().reduce(larger).map_or(0, |(action, _)| action)
    }
}

/// Draws from a beta distribution with shapes of at least 1.
fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let (x, y) = (gamma(a, rng), gamma(b, rng));
    x / (x + y)
}

/// Draws from a gamma distribution with a shape of at least 1 and scale 1.
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x: f64 = rng.sample(StandardNormal);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let (v, u) = (root * root * root, rng.random::<f64>());
        if libm::log(u) < 0.5 * x * x + d * (1.0 - v + libm::log(v)) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;

    /// Means and variances of 10 000 draws, within 4 standard errors: sqrt(variance / 10 000) for
    /// the mean, at most 2 % for the variance (kurtosis below 5).
    #[test]
    fn beta_draws_have_the_moments_of_the_distribution() {
        let mut rng = Streams::new(1).stream("beta");
        for (a, b) in [(1.0, 1.0), (1.0, 4.0), (7.0, 3.0), (60.0, 40.0)] {
            let draws: Vec<f64> = (0..10_000).map(|_| beta(a, b, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / 1e4;
            let spread = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 1e4;
            let variance = a * b / ((a + b) * (a + b) * (a + b + 1.0));
            assert!((mean - a / (a + b)).abs() < 4.0 * libm::sqrt(variance / 1e4), "{a}, {b}");
            assert!((spread / variance - 1.0).abs() < 4.0 * 0.02, "{a}, {b}: {spread}");
        }
    }
}
