//! Tests of samples, and the distribution functions that they need.

/// Kolmogorov's distribution exceeds this with probability 0.001.
const KOLMOGOROV: f64 = 1.9495;
/// A normal variable exceeds this with probability 0.001.
const NORMAL: f64 = 3.0902;

/// Mean and variance of a sample lie within four standard errors of the closed forms; that of the
/// variance comes from the sample's fourth moment.
#[track_caller]
pub fn moments(what: &str, sample: &[f64], mean: f64, variance: f64) {
    let count = sample.len() as f64;
    let found = sample.iter().sum::<f64>() / count;
    let power = |power: i32| sample.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / count;
    let (second, fourth) = (power(2), power(4));
    let error = 4.0 * (variance / count).sqrt();
    assert!((found - mean).abs() <= error, "{what}: mean {found}, not {mean} +- {error}");
    let error = 4.0 * ((fourth - second * second).max(0.0) / count).sqrt();
    assert!(
        (second - variance).abs() <= error + 1e-9 * variance,
        "{what}: variance {second}, not {variance} +- {error}"
    );
}

/// The test of Kolmogorov and Smirnov: the largest distance between the sample's distribution and
/// the expected one.
#[track_caller]
pub fn kolmogorov(what: &str, sample: &[f64], below: impl Fn(f64) -> f64) {
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let distance = sorted.iter().enumerate().fold(0.0, |distance: f64, (index, &x)| {
        let expected = below(x);
        let over = (index as f64 + 1.0) / count - expected;
        let under = expected - index as f64 / count;
        distance.max(over).max(under)
    });
    let statistic = distance * count.sqrt();
    assert!(statistic < KOLMOGOROV, "{what}: {statistic} exceeds {KOLMOGOROV}");
}

/// Pearson's test: counts against probabilities that sum to 1, of which none is small. The limit is
/// that of Wilson and Hilferty 1931.
#[track_caller]
pub fn pearson(what: &str, counts: &[u64], probabilities: &[f64]) {
    assert_eq!(counts.len(), probabilities.len());
    let total = probabilities.iter().sum::<f64>();
    assert!((total - 1.0).abs() < 1e-9, "{what}: the probabilities sum to {total}");
    let all = counts.iter().sum::<u64>() as f64;
    let statistic: f64 = counts
        .iter()
        .zip(probabilities)
        .map(|(&count, probability)| {
            let expected = all * probability;
            assert!(expected >= 5.0, "{what}: too few for the test");
            (count as f64 - expected).powi(2) / expected
        })
        .sum();
    let freedom = counts.len() as f64 - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    let limit = freedom * (1.0 - spread + NORMAL * spread.sqrt()).powi(3);
    assert!(statistic < limit, "{what}: {statistic} exceeds {limit}");
}

/// Neighbours in a sample are not correlated: within four standard errors of 0.
#[track_caller]
pub fn independent(what: &str, sample: &[f64]) {
    let count = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / count;
    let square: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
    let beside: f64 = sample.windows(2).map(|two| (two[0] - mean) * (two[1] - mean)).sum();
    let (found, error) = (beside / square, 4.0 / count.sqrt());
    assert!(square == 0.0 || found.abs() < error, "{what}: autocorrelation {found}");
}

/// 1 - e^-x.
pub fn exponential(x: f64) -> f64 {
    -libm::expm1(-x)
}

/// The standard normal distribution.
pub fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The gamma distribution of scale 1: the series of the lower incomplete gamma function, all of
/// whose terms are positive.
pub fn gamma(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let (mut term, mut sum, mut n) = (1.0 / shape, 1.0 / shape, shape);
    while term > 1e-17 * sum {
        n += 1.0;
        term *= x / n;
        sum += term;
    }
    (sum * libm::exp(shape * libm::log(x) - x - libm::lgamma(shape))).min(1.0)
}

#[test]
fn the_distribution_functions_are_right() {
    // An Erlang distribution of three stages; the square of a normal is a gamma of shape 1/2.
    let x: f64 = 2.5;
    let erlang = 1.0 - (-x).exp() * (1.0 + x + x * x / 2.0);
    assert!((gamma(3.0, x) - erlang).abs() < 1e-14);
    assert!((gamma(0.5, x) - (2.0 * normal((2.0 * x).sqrt()) - 1.0)).abs() < 1e-14);
    assert!((normal(NORMAL) - 0.999).abs() < 1e-6);
    let kolmogorov: f64 = (1..5)
        .map(|k: i32| {
            let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
            sign * (-2.0 * f64::from(k * k) * KOLMOGOROV * KOLMOGOROV).exp()
        })
        .sum();
    assert!((kolmogorov - 0.001).abs() < 1e-6, "{kolmogorov}");
}

#[test]
#[should_panic(expected = "exceeds")]
fn a_sample_of_another_distribution_fails() {
    let grid: Vec<f64> = (0..1000).map(|index| f64::from(index) / 1000.0).collect();
    kolmogorov("uniform", &grid, |x| (x * 1.1).min(1.0));
}
