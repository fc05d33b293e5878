//! Theory of queues with one server, Poisson arrivals and any sizes (M/G/1).
//!
//! The wait is a geometric sum of residual sizes (Pollaczek and Khinchine; Asmussen, Applied
//! Probability and Queues, 2003, VIII.5). On a lattice its distribution follows from Panjer's
//! recursion. With all residuals rounded up it is a bound from above, rounded down from below: so
//! the quantiles lie between two that are known, with no run to be trusted.

use libm::{erf, exp, log, sqrt};

/// Sizes, by what is needed of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    Exponential,
    /// The mean is 1.
    Lognormal {
        variation: f64,
    },
    BoundedPareto {
        shape: f64,
        min: f64,
        max: f64,
    },
    /// Shape 1/2; the mean is 1.
    Weibull,
    /// The mean is 1, and both branches bring as much.
    Hyperexponential {
        squared_variation: f64,
    },
}

fn normal(x: f64) -> f64 {
    0.5 * (1.0 + erf(x / std::f64::consts::SQRT_2))
}

impl Law {
    /// As it is written in a scenario.
    pub fn written(self) -> String {
        match self {
            Law::Exponential => "exponential.mean = 1.0".to_owned(),
            Law::Lognormal { variation } => {
                format!("lognormal = {{ mean = 1.0, variation = {variation:?} }}")
            }
            Law::BoundedPareto { shape, min, max } => {
                format!("bounded_pareto = {{ shape = {shape:?}, min = {min:?}, max = {max:?} }}")
            }
            Law::Weibull => "weibull = { shape = 0.5, scale = 0.5 }".to_owned(),
            Law::Hyperexponential { .. } => {
                let [one, other] = self.branches().map(|(probability, mean)| {
                    format!("{{ probability = {probability:?}, mean = {mean:?} }}")
                });
                format!("hyperexponential.branches = [{one}, {other}]")
            }
        }
    }

    fn branches(self) -> [(f64, f64); 2] {
        let Law::Hyperexponential { squared_variation } = self else { return [(1.0, 1.0); 2] };
        let root = sqrt((squared_variation - 1.0) / (squared_variation + 1.0));
        [0.5 * (1.0 + root), 0.5 * (1.0 - root)].map(|share| (share, 0.5 / share))
    }

    /// The mean of a power of the size.
    pub fn moment(self, power: i32) -> f64 {
        let factorial = |number: i32| (1..=number).map(f64::from).product::<f64>();
        match self {
            Law::Exponential => factorial(power),
            Law::Lognormal { variation } => {
                let square = log(1.0 + variation * variation);
                exp(square * f64::from(power * (power - 1)) / 2.0)
            }
            Law::BoundedPareto { shape, min, max } => {
                let above = f64::from(power) - shape;
                let all = 1.0 - (min / max).powf(shape);
                shape * min.powf(shape) / all * (max.powf(above) - min.powf(above)) / above
            }
            Law::Weibull => 0.5_f64.powi(power) * factorial(2 * power),
            Law::Hyperexponential { .. } => {
                let branch =
                    |(share, mean): (f64, f64)| share * factorial(power) * mean.powi(power);
                self.branches().into_iter().map(branch).sum()
            }
        }
    }

    /// The probability of a larger size.
    fn beyond(self, x: f64) -> f64 {
        match self {
            _ if x <= 0.0 => 1.0,
            Law::Exponential => exp(-x),
            Law::Lognormal { variation } => {
                let square = log(1.0 + variation * variation);
                1.0 - normal((log(x) + square / 2.0) / sqrt(square))
            }
            Law::BoundedPareto { shape, min, max } => {
                let [least, here] = [max, x.clamp(min, max)].map(|x| (min / x).powf(shape));
                (here - least) / (1.0 - least)
            }
            Law::Weibull => exp(-sqrt(2.0 * x)),
            Law::Hyperexponential { .. } => {
                self.branches().into_iter().map(|(share, mean)| share * exp(-x / mean)).sum()
            }
        }
    }

    /// The probability that a residual size is at most this: the integral of `beyond` over the
    /// mean.
    fn residual(self, x: f64) -> f64 {
        let mean = self.moment(1);
        match self {
            _ if x <= 0.0 => 0.0,
            Law::Exponential => 1.0 - exp(-x),
            Law::Lognormal { variation } => {
                let square = log(1.0 + variation * variation);
                let below = normal((log(x) - square / 2.0) / sqrt(square));
                x * self.beyond(x) + below
            }
            Law::BoundedPareto { shape, min, max } => {
                let at = x.clamp(min, max);
                let all = 1.0 - (min / max).powf(shape);
                let above = 1.0 - shape;
                let below =
                    shape * min.powf(shape) / all * (at.powf(above) - min.powf(above)) / above;
                (x.min(max) * self.beyond(x) + below) / mean
            }
            Law::Weibull => {
                let y = sqrt(2.0 * x);
                1.0 - exp(-y) * (1.0 + y)
            }
            Law::Hyperexponential { .. } => {
                let branch = |(share, mean): (f64, f64)| share * mean * (1.0 - exp(-x / mean));
                self.branches().into_iter().map(branch).sum()
            }
        }
    }
}

/// A queue of a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    pub load: f64,
    pub law: Law,
}

impl Queue {
    /// Jobs a unit of time.
    pub fn rate(self) -> f64 {
        self.load / self.law.moment(1)
    }

    /// The mean wait (Pollaczek and Khinchine).
    pub fn mean_wait(self) -> f64 {
        self.rate() * self.law.moment(2) / 2.0 / (1.0 - self.load)
    }

    /// Bounds of what a share of flows, or of waits, does not exceed, on so many points.
    pub fn quantile(self, share: f64, is_flow: bool, points: usize) -> [f64; 2] {
        if self.law == Law::Exponential {
            let all = if is_flow { 1.0 } else { self.load };
            return [log(all / (1.0 - share)) / (1.0 - self.load); 2];
        }
        // As fine a lattice as reaches beyond the quantile.
        let mut step = 4.0 * self.mean_wait() / points as f64;
        loop {
            let reach = step * points as f64;
            let bounds =
                [false, true].map(|up| self.on_lattice((step, points), up, share, is_flow));
            match bounds {
                [Some(low), Some(high)] if high < 0.9 * reach => return [low, high],
                _ => step *= 1.5,
            }
        }
    }

    /// With residuals rounded up, or down, to a lattice.
    fn on_lattice(
        self,
        (step, points): (f64, usize),
        up: bool,
        share: f64,
        is_flow: bool,
    ) -> Option<f64> {
        let below = |point: usize| self.law.residual(step * point as f64);
        let mass: Vec<f64> = (0..points)
            .map(|point| match (up, point) {
                (true, 0) => 0.0,
                (true, _) => below(point) - below(point - 1),
                (false, _) => below(point + 1) - below(point),
            })
            .collect();
        let stays = 1.0 - self.load * mass[0];
        let mut waits = Vec::with_capacity(points);
        waits.push((1.0 - self.load) / stays);
        for point in 1..points {
            let sum: f64 = mass[1..=point].iter().zip(waits.iter().rev()).map(|(m, w)| m * w).sum();
            waits.push(self.load / stays * sum);
        }
        let reach = step * points as f64;
        let at_most = |x: f64| -> f64 {
            let values = waits.iter().enumerate().map(|(point, wait)| (step * point as f64, wait));
            let values = values.take_while(|(value, _)| *value <= x);
            match is_flow {
                false => values.map(|(_, wait)| wait).sum(),
                true => values.map(|(value, wait)| wait * (1.0 - self.law.beyond(x - value))).sum(),
            }
        };
        if at_most(reach) < share {
            return None;
        }
        let (mut low, mut high) = (0.0, reach);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if at_most(middle) < share { low = middle } else { high = middle }
        }
        Some(high)
    }
}

/// Exponential residuals, but by the lattice, against the closed form; and the mean by the moments.
#[test]
fn the_lattice_brackets_what_is_known() {
    // Branches of nearly one mean: exponential but for a part in a million.
    let law = Law::Hyperexponential { squared_variation: 1.0 + 1e-9 };
    for (load, share) in [(0.7, 0.95), (0.7, 0.999), (0.9, 0.99)] {
        for is_flow in [false, true] {
            let [low, high] = Queue { load, law }.quantile(share, is_flow, 2_048);
            let [closed, _] = Queue { load, law: Law::Exponential }.quantile(share, is_flow, 0);
            assert!(low <= closed + 1e-3 && closed <= high + 1e-3, "{low} {closed} {high}");
            assert!(high - low < 0.03 * closed, "{low} {closed} {high}");
        }
    }
    let heavy = Queue { load: 0.7, law: Law::Lognormal { variation: 3.0 } };
    assert!((heavy.mean_wait() - 0.7 * 10.0 / 0.6).abs() < 1e-9);
    let pareto = Law::BoundedPareto { shape: 1.8, min: 1.0, max: 1e4 };
    assert!((pareto.residual(2e4) - 1.0).abs() < 1e-12, "{}", pareto.residual(2e4));
    assert!((Law::Weibull.moment(1), Law::Weibull.moment(2)) == (1.0, 6.0));
}
