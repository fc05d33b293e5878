//! Numbers of processors, and estimates.

use super::fit::{kolmogorov, moments, pearson};
use super::{ARRIVALS, COUNT, SIZE, covers, jobs, model};

const CONSTANT: &str = "constant = 7";
const UNIFORM: &str = "uniform = { min = 3, max = 12 }";
const LOG_UNIFORM: &str = "log_uniform = { min = 2, max = 40 }";
const POWERS_OF_TWO: &str = "powers_of_two = { min = 2, max = 64 }";
const SERIAL: &str = "powers_of_two = { min = 1, max = 8, serial = 0.2 }";
const EMPIRICAL: &str = "empirical.file = \"tests/inputs/draws/processors.txt\"";

pub const WIDTHS: [&str; 6] = [CONSTANT, UNIFORM, LOG_UNIFORM, POWERS_OF_TWO, SERIAL, EMPIRICAL];

/// Compares what is drawn with what each number's probability is.
#[track_caller]
fn check(widths: &str, expected: &[(u32, f64)]) {
    let text = format!("{ARRIVALS}\n{SIZE}\nprocessors.{widths}");
    let drawn: Vec<u32> = jobs(&text, COUNT).iter().map(|job| job.processors).collect();
    let mean = expected.iter().map(|&(k, p)| f64::from(k) * p).sum::<f64>();
    let variance = expected.iter().map(|&(k, p)| (f64::from(k) - mean).powi(2) * p).sum::<f64>();
    let sample: Vec<f64> = drawn.iter().map(|&processors| f64::from(processors)).collect();
    moments(widths, &sample, mean, variance);
    let count = |k: u32| drawn.iter().filter(|&&processors| processors == k).count() as u64;
    let counts: Vec<u64> = expected.iter().map(|&(k, _)| count(k)).collect();
    assert_eq!(counts.iter().sum::<u64>(), COUNT as u64, "{widths}: nothing else is drawn");
    if counts.len() > 1 {
        let probabilities: Vec<f64> = expected.iter().map(|&(_, p)| p).collect();
        pearson(widths, &counts, &probabilities);
    }
    let model = model(&text);
    let (known, range) = (model.widths().moments(), model.widths().range());
    assert!((known.mean / mean - 1.0).abs() < 1e-9, "{widths}: {known:?}");
    assert!((known.variance - variance).abs() <= 1e-9 * variance, "{widths}: {known:?}");
    assert_eq!(range, (expected[0].0, expected.last().unwrap().0), "{widths}");
}

#[test]
fn numbers_of_processors() {
    covers("width", WIDTHS);
    check(CONSTANT, &[(7, 1.0)]);
    check(UNIFORM, &(3..=12).map(|k| (k, 0.1)).collect::<Vec<_>>());
    let share = |k: u32| (f64::from(k + 1) / f64::from(k)).ln() / 20.5_f64.ln();
    check(LOG_UNIFORM, &(2..=40).map(|k| (k, share(k))).collect::<Vec<_>>());
    check(POWERS_OF_TWO, &(1..=6).map(|power| (1 << power, 1.0 / 6.0)).collect::<Vec<_>>());
    check(SERIAL, &[(1, 0.4), (2, 0.2), (4, 0.2), (8, 0.2)]);
    check(EMPIRICAL, &[(1, 0.5), (2, 0.25), (16, 0.25)]);
}

/// The closed form of the mean, where the sum would be long, against the sum.
#[test]
fn a_wide_log_uniform_distribution_knows_its_moments() {
    let text = format!("{ARRIVALS}\n{SIZE}\nprocessors.log_uniform = {{ min = 3, max = 500000 }}");
    let known = model(&text).widths().moments();
    let range = (500_001.0_f64 / 3.0).ln();
    let raw = |order: i32| {
        let sum = (3..=500_000).map(|k| f64::from(k).powi(order) * (1.0 / f64::from(k)).ln_1p());
        sum.sum::<f64>() / range
    };
    let (mean, second) = (raw(1), raw(2));
    assert!((known.mean / mean - 1.0).abs() < 1e-9, "{} {mean}", known.mean);
    let variance = second - mean * mean;
    assert!((known.variance / variance - 1.0).abs() < 1e-4, "{} {variance}", known.variance);
}

pub const ESTIMATES: [&str; 3] = ["exact = {}", "f_model.factor = 5.0", "none = {}"];

#[test]
fn estimates_are_exact_or_a_multiple_of_the_runtime() {
    // Modal ones are dealt to jobs that were drawn: they are tested where that is done.
    covers("estimate", ESTIMATES.into_iter().chain(["modal"]));
    let [exact, f_model, none] = ESTIMATES
        .map(|estimates| jobs(&format!("{ARRIVALS}\n{SIZE}\nestimates.{estimates}"), COUNT));
    assert!(exact.iter().all(|job| job.estimate == job.runtime));
    assert_eq!(exact, none);
    // Ratios of runs under a millisecond would feel the rounding to ticks.
    let long: Vec<f64> = (f_model.iter().filter(|job| job.runtime.ticks() > 1000))
        .map(|job| job.estimate.as_units() / job.runtime.as_units())
        .collect();
    assert!(long.iter().all(|ratio| (1.0..=5.001).contains(ratio)));
    moments("f_model", &long, 3.0, 16.0 / 12.0);
    kolmogorov("f_model", &long, |x| ((x - 1.0) / 4.0).clamp(0.0, 1.0));
    let same = exact.iter().zip(&f_model);
    assert!(same.clone().all(|(a, b)| (a.submit, a.runtime) == (b.submit, b.runtime)));
}
