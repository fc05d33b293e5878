//! Clusters that decide at each balancing by their own queue: the unraveling of cooperation (Rzadca
//! and Trystram 2009, section 5).
//!
//! Two identical clusters are M/M/1 queues: their loads are 0 with probability `1 - rho` and above
//! `x` with probability `rho exp(-gamma x)`, where `gamma = mu - lambda`. Under averaging the one
//! with `L` gets rid of `(L - L') / 2`, so it wants to balance if `L` is above the mean of `L'`,
//! `theta_0 = rho / gamma`. But the other one reasons the same way, so its load is above `theta_0`
//! whenever it is willing, and one should only balance above `theta_1 = E[L' | L' > theta_0]`; and
//! so on. The tail is exponential, so each step adds `1 / gamma`:
//!
//! ```text
//! theta_k = (rho + k) / gamma        P(L > theta_k) = rho exp(-(rho + k))
//! ```
//!
//! The thresholds grow without bound and nobody ever balances: a beauty contest. (The condition
//! printed as `L_j > 1 / gamma` in the derivation is `L_j > rho / gamma`.)

/// Stationary load of an M/M/1 queue, in units of time (of work).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueLaw {
    /// `lambda`: arrival rate, in jobs for each unit of time.
    arrivals: f64,
    /// `mu`: service rate, one over the mean size.
    service: f64,
}

impl QueueLaw {
    /// A queue with these arrival and service rates. `None` if it is unstable.
    pub fn new(arrivals: f64, service: f64) -> Option<QueueLaw> {
        (arrivals > 0.0 && arrivals < service).then_some(QueueLaw { arrivals, service })
    }

    /// `rho`: the fraction of time in which there is work.
    pub fn utilization(&self) -> f64 {
        self.arrivals / self.service
    }

    /// `gamma`: the decay rate of the tail.
    pub fn decay(&self) -> f64 {
        self.service - self.arrivals
    }

    /// Probability of a load above `x`, which must not be negative.
    pub fn above(&self, x: f64) -> f64 {
        self.utilization() * libm::exp(-self.decay() * x)
    }

    /// Mean load, `rho / gamma`.
    pub fn mean(&self) -> f64 {
        self.utilization() / self.decay()
    }

    /// Mean of the loads above `x`, which must not be negative. The exponential tail is memoryless:
    /// the excess over any `x` has the same distribution.
    pub fn mean_above(&self, x: f64) -> f64 {
        x + 1.0 / self.decay()
    }

    /// Expected amount that a cluster with `load` sends to an identical one: half of the
    /// difference, negative if it receives. `willing_above` is the load that the other is known to
    /// exceed if it takes part.
    pub fn expected_sent(&self, load: f64, willing_above: Option<f64>) -> f64 {
        let other = willing_above.map_or_else(|| self.mean(), |above| self.mean_above(above));
        0.5 * (load - other)
    }

    /// Thresholds of players that reason 0, 1, 2, ... steps, each the mean of the loads above the
    /// previous one.
    pub fn thresholds(self) -> impl Iterator<Item = f64> {
        std::iter::successors(Some(self.mean()), move |&below| Some(self.mean_above(below)))
    }

    /// Threshold of a player that reasons this many steps: `(rho + k) / gamma`.
    pub fn threshold(&self, steps: u32) -> f64 {
        (self.utilization() + f64::from(steps)) / self.decay()
    }

    /// Share of balancings that find both clusters willing, if their loads are independent and both
    /// reason this many steps.
    pub fn both_willing(&self, steps: u32) -> f64 {
        let one = self.utilization() * libm::exp(-self.utilization() - f64::from(steps));
        one * one
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use rand::RngExt as _;

    const PAPER: QueueLaw = QueueLaw { arrivals: 0.2, service: 0.25 };

    /// LB-Q-03.
    #[test]
    fn every_step_of_reasoning_adds_the_same() {
        let recursion: Vec<f64> = PAPER.thresholds().take(20).collect();
        assert!((recursion[0] - 16.0).abs() < 1e-12);
        for (steps, found) in (0_u32..).zip(recursion) {
            let expected = 16.0 + 20.0 * f64::from(steps);
            assert!(
                (found - expected).abs() < 1e-9 && (PAPER.threshold(steps) - expected).abs() < 1e-9
            );
            // At its threshold a player expects nothing, if the other reasons one step less.
            let other = steps.checked_sub(1).map(|steps| PAPER.threshold(steps));
            assert!(PAPER.expected_sent(expected, other).abs() < 1e-9);
            assert!(PAPER.expected_sent(expected - 1.0, other) < 0.0);
        }
    }

    /// Mean above x by definition: x plus the integral of the tail from x on, over the tail at x.
    #[test]
    fn the_mean_above_is_the_integral_of_the_tail() {
        for (arrivals, service) in [(0.2, 0.25), (0.1, 1.0), (0.7, 0.75)] {
            let queue = QueueLaw::new(arrivals, service).expect("it is stable");
            for x in [0.0, 3.0, queue.mean(), 40.0] {
                let step = 1e-3 / queue.decay();
                let tail: f64 =
                    (0..60_000).map(|i| queue.above(x + (f64::from(i) + 0.5) * step) * step).sum();
                let found = queue.mean_above(x) - x - tail / queue.above(x);
                assert!(found.abs() < 1e-6 / queue.decay(), "{found}");
                // With the atom at 0 the tail makes up all of the mean.
                assert!(x > 0.0 || (tail - queue.mean()).abs() < 1e-6 / queue.decay());
            }
        }
    }

    /// LB-Q-03 and LB-Q-04 on drawn loads; tolerances are five standard errors.
    #[test]
    fn drawn_loads_have_the_means_and_the_shares() {
        const DRAWS: usize = 400_000;
        let mut rng = Streams::new(5).stream("test/threshold");
        let mut draw = || {
            let uniform: f64 = rng.random();
            // Inverse of the distribution function, including the atom.
            (libm::log(PAPER.utilization() / (1.0 - uniform)) / PAPER.decay()).max(0.0)
        };
        let pairs: Vec<[f64; 2]> = (0..DRAWS).map(|_| [draw(), draw()]).collect();
        let mut threshold = PAPER.mean();
        for steps in 0..4 {
            let all = pairs.iter().flatten().copied();
            let above: Vec<f64> = all.filter(|&load| load > threshold).collect();
            let count = above.len() as f64;
            let mean = above.iter().sum::<f64>() / count;
            let error = 5.0 / PAPER.decay() / count.sqrt();
            assert!((mean - PAPER.mean_above(threshold)).abs() < error, "{steps}: {mean}");
            let both = pairs.iter().filter(|pair| pair.iter().all(|&load| load > threshold));
            let share = both.count() as f64 / DRAWS as f64;
            let expected = PAPER.both_willing(steps);
            let error = 5.0 * (expected / DRAWS as f64).sqrt();
            assert!((share - expected).abs() < error, "{steps}: {share} {expected}");
            threshold = PAPER.threshold(steps + 1);
        }
    }

    /// LB-Q-04: each step leaves a fraction e^-2 of the balancings.
    #[test]
    fn balancing_dies_out() {
        let shares: Vec<f64> = (0..12).map(|steps| PAPER.both_willing(steps)).collect();
        let one = PAPER.above(PAPER.threshold(0));
        assert!((shares[0] - one * one).abs() < 1e-15);
        for pair in shares.windows(2) {
            assert!((pair[1] / pair[0] - libm::exp(-2.0)).abs() < 1e-12);
        }
        assert!(shares[11] < 1e-10);
    }

    #[test]
    fn a_queue_that_grows_for_ever_has_no_law() {
        assert_eq!(QueueLaw::new(0.25, 0.25), None);
        assert_eq!(QueueLaw::new(0.3, 0.25), None);
        assert_eq!(QueueLaw::new(0.0, 0.25), None);
    }
}
