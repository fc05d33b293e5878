//! Distributions of run times.

use super::fit::{exponential, gamma, independent, kolmogorov, moments, normal, pearson};
use super::{ARRIVALS, COUNT, covers, jobs, model};

/// Draws sizes, compares them with mean and variance, and hands them out.
#[track_caller]
fn sample(size: &str, mean: f64, variance: f64) -> Vec<f64> {
    let text = format!("{ARRIVALS}\nsize.{size}");
    let sample: Vec<f64> = jobs(&text, COUNT).iter().map(|job| job.runtime.as_units()).collect();
    moments(size, &sample, mean, variance);
    independent(size, &sample);
    let known = model(&text).sizes().expect("sizes are not rounded");
    assert!((known.mean / mean - 1.0).abs() < 1e-9, "{size}: {known:?}");
    assert!((known.variance - variance).abs() <= 1e-9 * variance, "{size}: {known:?}");
    sample
}

const EXPONENTIAL: &str = "exponential.mean = 4.0";
const CONSTANT: &str = "constant = 2.5";
const UNIFORM: &str = "uniform = { min = 1.0, max = 5.0 }";
const GAMMA: &str = "gamma = { shape = 2.5, scale = 3.0 }";
const GAMMA_BELOW_1: &str = "gamma = { shape = 0.4, scale = 10.0 }";
const ERLANG: &str = "gamma = { shape = 3.0, scale = 2.0 }";
const LOGNORMAL: &str = "lognormal = { mean = 10.0, variation = 0.8 }";
const WEIBULL: &str = "weibull = { shape = 0.7, scale = 5.0 }";
const BOUNDED_PARETO: &str = "bounded_pareto = { shape = 1.1, min = 1.0, max = 100.0 }";
const BOUNDED_PARETO_1: &str = "bounded_pareto = { shape = 1.0, min = 2.0, max = 50.0 }";
const HYPER_GAMMA: &str = "hyper_gamma = { probability = 0.7, first = { shape = 2.0, scale = 1.0 }, \
                           second = { shape = 30.0, scale = 0.5 } }";
const HYPER_ERLANG: &str = "hyper_erlang = { order = 3, branches = [{ probability = 0.8, mean = 1.0 }, \
                            { probability = 0.2, mean = 12.0 }] }";
const HYPEREXPONENTIAL: &str = "hyperexponential.branches = [{ probability = 0.8, mean = 1.0 }, \
                                { probability = 0.15, mean = 5.0 }, { probability = 0.05, mean = 9.0 }]";
const EMPIRICAL: &str = "empirical.file = \"tests/inputs/draws/sizes.csv\"";

pub const ALL: [&str; 14] = [
    EXPONENTIAL,
    CONSTANT,
    UNIFORM,
    GAMMA,
    GAMMA_BELOW_1,
    ERLANG,
    LOGNORMAL,
    WEIBULL,
    BOUNDED_PARETO,
    BOUNDED_PARETO_1,
    HYPER_GAMMA,
    HYPER_ERLANG,
    HYPEREXPONENTIAL,
    EMPIRICAL,
];

/// A line in the registry is not enough: what is drawn is compared with what it should be.
#[test]
fn every_registered_distribution_is_sampled_here() {
    for entry in gridpact::workload::draw::REGISTRY {
        let is_it = |text: &&str| text.split([' ', '.']).next() == Some(entry.name);
        assert!(ALL.iter().any(is_it), "{} is not", entry.name);
    }
}

#[test]
fn every_distribution_of_sizes_is_tried() {
    covers("size", ALL);
}

#[test]
fn exponential_sizes() {
    let sample = sample(EXPONENTIAL, 4.0, 16.0);
    kolmogorov(EXPONENTIAL, &sample, |x| exponential(x / 4.0));
}

#[test]
fn constant_sizes() {
    assert!(sample(CONSTANT, 2.5, 0.0).iter().all(|&size| size == 2.5));
}

#[test]
fn uniform_sizes() {
    let sample = sample(UNIFORM, 3.0, 16.0 / 12.0);
    kolmogorov(UNIFORM, &sample, |x| ((x - 1.0) / 4.0).clamp(0.0, 1.0));
}

#[test]
fn gamma_sizes() {
    for (text, shape, scale) in [(GAMMA, 2.5, 3.0), (GAMMA_BELOW_1, 0.4, 10.0), (ERLANG, 3.0, 2.0)]
    {
        let sample = sample(text, shape * scale, shape * scale * scale);
        kolmogorov(text, &sample, |x| gamma(shape, x / scale));
    }
}

#[test]
fn lognormal_sizes() {
    let sample = sample(LOGNORMAL, 10.0, 64.0);
    let sigma = 1.64_f64.ln().sqrt();
    let mu = 10_f64.ln() - 1.64_f64.ln() / 2.0;
    kolmogorov(LOGNORMAL, &sample, |x| normal((x.ln() - mu) / sigma));
}

#[test]
fn weibull_sizes() {
    // Gamma(1 + 1 / 0.7) and Gamma(1 + 2 / 0.7), .
    let (first, second) = (1.265_823_506_057_283_3, 5.029_144_702_140_305_5);
    let sample = sample(WEIBULL, 5.0 * first, 25.0 * (second - first * first));
    kolmogorov(WEIBULL, &sample, |x| exponential((x / 5.0).powf(0.7)));
}

#[test]
fn bounded_pareto_sizes() {
    for (text, shape, min, max) in
        [(BOUNDED_PARETO, 1.1_f64, 1.0_f64, 100.0_f64), (BOUNDED_PARETO_1, 1.0, 2.0, 50.0)]
    {
        // The textbook's form, which the mean of shape 1 needs the logarithm for.
        let inside = 1.0 - (min / max).powf(shape);
        let raw = |order: f64| {
            let power = order - shape;
            let integral = if power == 0.0 {
                (max / min).ln()
            } else {
                (max.powf(power) - min.powf(power)) / power
            };
            shape * min.powf(shape) / inside * integral
        };
        let sample = sample(text, raw(1.0), raw(2.0) - raw(1.0) * raw(1.0));
        assert!(sample.iter().all(|&x| (min..=max).contains(&x)));
        kolmogorov(text, &sample, |x| (1.0 - (min / x).powf(shape)) / inside);
    }
}

#[test]
fn hyper_gamma_sizes() {
    let mean = 0.7 * 2.0 + 0.3 * 15.0;
    let second = 0.7 * (2.0 + 4.0) + 0.3 * (7.5 + 225.0);
    let sample = sample(HYPER_GAMMA, mean, second - mean * mean);
    kolmogorov(HYPER_GAMMA, &sample, |x| 0.7 * gamma(2.0, x) + 0.3 * gamma(30.0, x / 0.5));
}

#[test]
fn hyper_erlang_sizes() {
    let mean = 0.8 + 0.2 * 12.0;
    // The second moment of an Erlang distribution of order 3 is 4/3 of its squared mean.
    let second = (0.8 + 0.2 * 144.0) * 4.0 / 3.0;
    let sample = sample(HYPER_ERLANG, mean, second - mean * mean);
    kolmogorov(HYPER_ERLANG, &sample, |x| 0.8 * gamma(3.0, 3.0 * x) + 0.2 * gamma(3.0, x / 4.0));
}

#[test]
fn hyperexponential_sizes() {
    let mean = 0.8 + 0.15 * 5.0 + 0.05 * 9.0;
    let second = 2.0 * (0.8 + 0.15 * 25.0 + 0.05 * 81.0);
    let sample = sample(HYPEREXPONENTIAL, mean, second - mean * mean);
    kolmogorov(HYPEREXPONENTIAL, &sample, |x| {
        0.8 * exponential(x) + 0.15 * exponential(x / 5.0) + 0.05 * exponential(x / 9.0)
    });
}

#[test]
fn sizes_from_a_file() {
    let (values, weights) = ([0.5, 2.0, 7.25, 60.0], [1.0, 4.0, 3.0, 2.0]);
    let mean = values.iter().zip(weights).map(|(v, w)| v * w / 10.0).sum::<f64>();
    let second = values.iter().zip(weights).map(|(v, w)| v * v * w / 10.0).sum::<f64>();
    let sample = sample(EMPIRICAL, mean, second - mean * mean);
    let count = |value: f64| sample.iter().filter(|&&x| x == value).count() as u64;
    let counts = values.map(count);
    assert_eq!(counts.iter().sum::<u64>(), COUNT as u64, "nothing else is drawn");
    pearson(EMPIRICAL, &counts, &weights.map(|weight| weight / 10.0));
}
