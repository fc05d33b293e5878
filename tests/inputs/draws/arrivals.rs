//! Arrival processes: their gaps, and how many jobs come at once.

use super::fit::{exponential, gamma, independent, kolmogorov, moments, pearson};
use super::{COUNT, SIZE, covers, jobs, model};
use gridpact::kernel::time::Time;

const POISSON: &str = "poisson.rate = 0.25";
const DETERMINISTIC: &str = "deterministic.interval = 1.5";
const GAMMA: &str = "gamma = { shape = 0.5, rate = 0.2 }";
const ERLANG: &str = "gamma = { shape = 4.0, rate = 2.0 }";
const WEIBULL: &str = "weibull = { shape = 0.5, scale = 3.0 }";
const HYPEREXPONENTIAL: &str = "hyperexponential.branches = [{ probability = 0.9, rate = 2.0 }, \
                                { probability = 0.1, rate = 0.1 }]";

/// No process: it has no gaps.
const AT_ONCE: &str = "at_once = {}";

pub const ALL: [&str; 6] = [POISSON, DETERMINISTIC, GAMMA, ERLANG, WEIBULL, HYPEREXPONENTIAL];

#[track_caller]
fn gaps(arrivals: &str, mean: f64, variance: f64) -> Vec<f64> {
    let text = format!("arrivals.{arrivals}\n{SIZE}");
    let jobs = jobs(&text, COUNT);
    let first = jobs[0].submit.as_units();
    let between = jobs.windows(2).map(|two| (two[1].submit - two[0].submit).as_units());
    let gaps: Vec<f64> = std::iter::once(first).chain(between).collect();
    moments(arrivals, &gaps, mean, variance);
    independent(arrivals, &gaps);
    let known = model(&text).gaps();
    assert!((known.mean / mean - 1.0).abs() < 1e-9, "{arrivals}: {known:?}");
    assert!((known.variance - variance).abs() <= 1e-9 * variance, "{arrivals}: {known:?}");
    gaps
}

#[test]
fn every_arrival_process_is_tried() {
    covers("arrivals", ALL.into_iter().chain([AT_ONCE]));
}

#[test]
fn jobs_at_one_instant() {
    let jobs = jobs(&format!("arrivals.{AT_ONCE}\njobs = 100\n{SIZE}"), 200);
    assert_eq!(jobs.len(), 100);
    assert!(jobs.iter().all(|job| job.submit == Time::ZERO));
}

#[test]
fn poisson_arrivals() {
    let gaps = gaps(POISSON, 4.0, 16.0);
    kolmogorov(POISSON, &gaps, |x| exponential(x / 4.0));
}

#[test]
fn deterministic_arrivals() {
    assert!(gaps(DETERMINISTIC, 1.5, 0.0).iter().all(|&gap| gap == 1.5));
}

#[test]
fn gamma_arrivals() {
    let found = gaps(GAMMA, 5.0, 25.0 / 0.5);
    kolmogorov(GAMMA, &found, |x| gamma(0.5, x / 10.0));
    let found = gaps(ERLANG, 0.5, 0.25 / 4.0);
    kolmogorov(ERLANG, &found, |x| gamma(4.0, x * 8.0));
}

#[test]
fn weibull_arrivals() {
    // Gamma(3) = 2 and Gamma(5) = 24.
    let gaps = gaps(WEIBULL, 6.0, 9.0 * (24.0 - 4.0));
    kolmogorov(WEIBULL, &gaps, |x| exponential((x / 3.0).sqrt()));
}

#[test]
fn hyperexponential_arrivals() {
    let mean = 0.9 * 0.5 + 0.1 * 10.0;
    let second: f64 = 2.0 * (0.9 * 0.25 + 0.1 * 100.0);
    let gaps = gaps(HYPEREXPONENTIAL, mean, second - mean * mean);
    kolmogorov(HYPEREXPONENTIAL, &gaps, |x| {
        0.9 * exponential(x * 2.0) + 0.1 * exponential(x * 0.1)
    });
}

pub const BATCHES: [&str; 3] =
    ["constant = 3", "uniform = { min = 2, max = 5 }", "geometric.mean = 2.5"];

/// Number of jobs that come at an instant, for each instant.
fn batches(batches: &str, mean: f64, variance: f64) -> Vec<u64> {
    let text = format!("arrivals.deterministic.interval = 1.0\n{SIZE}\nbatches.{batches}");
    let jobs = jobs(&text, 3 * COUNT);
    let mut counts = vec![0_u64; jobs.last().unwrap().submit.as_units() as usize];
    jobs.iter().for_each(|job| counts[job.submit.as_units() as usize - 1] += 1);
    // The last may be cut.
    counts.pop();
    let sample: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    moments(batches, &sample, mean, variance);
    independent(batches, &sample);
    let known = model(&text).batches();
    assert!((known.mean - mean).abs() + (known.variance - variance).abs() < 1e-9, "{known:?}");
    counts
}

#[test]
fn jobs_come_in_batches() {
    covers("batch", BATCHES);
    let [constant, uniform, geometric] = BATCHES;
    assert!(batches(constant, 3.0, 0.0).iter().all(|&jobs| jobs == 3));
    let found = batches(uniform, 3.5, 1.25);
    let count =
        |from: u64, to: u64| found.iter().filter(|jobs| (from..=to).contains(jobs)).count() as u64;
    pearson(uniform, &[2, 3, 4, 5].map(|jobs| count(jobs, jobs)), &[0.25; 4]);
    let found = batches(geometric, 2.5, 2.5 * 1.5);
    let count =
        |from: u64, to: u64| found.iter().filter(|jobs| (from..=to).contains(jobs)).count() as u64;
    let mut counts: Vec<u64> = (1..=10).map(|jobs| count(jobs, jobs)).collect();
    counts.push(count(11, u64::MAX));
    let mut probabilities: Vec<f64> = (0..10).map(|k| 0.4 * 0.6_f64.powi(k)).collect();
    probabilities.push(0.6_f64.powi(10));
    pearson(geometric, &counts, &probabilities);
}

#[test]
fn a_batch_of_one_changes_nothing() {
    let plain = format!("arrivals.{POISSON}\n{SIZE}");
    let one = format!("{plain}\nbatches.constant = 1");
    assert_eq!(jobs(&plain, 1000), jobs(&one, 1000));
}
