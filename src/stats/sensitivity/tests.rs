use std::f64::consts::PI;

use rand_distr::StandardNormal;

use super::*;
use crate::design::Saltelli;

/// Ishigami's function with a = 7 and b = 0.1.
fn ishigami(point: &[f64]) -> f64 {
    let x: Vec<f64> = point.iter().map(|one| PI * (2.0 * one - 1.0)).collect();
    let wave = x[1].sin();
    x[0].sin() * (1.0 + 0.1 * x[2].powi(4)) + 7.0 * wave * wave
}

/// Variance of Ishigami's function, with its indices, first-order and total.
fn ishigami_exact() -> (f64, Vec<[f64; 2]>) {
    let first = (1.0 + 0.1 * PI.powi(4) / 5.0).powi(2) / 2.0;
    let second = 49.0 / 8.0;
    let both = 0.01 * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
    let all = first + second + both;
    let shares = [[first, first + both], [second, second], [0.0, both]];
    (all, shares.map(|pair| pair.map(|one| one / all)).to_vec())
}

/// Sobol's g-function: the larger its weight, the less a parameter counts.
const WEIGHTS: [f64; 5] = [0.0, 0.5, 3.0, 9.0, 99.0];

fn g_function(point: &[f64]) -> f64 {
    let factor = |(x, weight): (&f64, f64)| ((4.0 * x - 2.0).abs() + weight) / (1.0 + weight);
    point.iter().zip(WEIGHTS).map(factor).product()
}

fn g_exact() -> (f64, Vec<[f64; 2]>) {
    let parts = WEIGHTS.map(|weight| 1.0 / 3.0 / (1.0 + weight).powi(2));
    let whole = parts.iter().map(|part| 1.0 + part).product::<f64>();
    let all = whole - 1.0;
    (all, parts.iter().map(|part| [part / all, part / (1.0 + part) * whole / all]).collect())
}

/// Runs a model at the points of a Sobol design.
fn run(rows: usize, dimensions: usize, seed: u64, model: impl Fn(&[f64]) -> f64) -> Rows {
    let design = Saltelli::new(rows, dimensions, &mut Rng::seed_from_u64(seed)).unwrap();
    let outputs: Vec<_> = design.points().map(|point| Some(model(&point))).collect();
    Rows::of(dimensions, &outputs).unwrap()
}

/// Runs Ishigami's function in independent rows.
fn independent(number: usize, seed: u64) -> Rows {
    let mut rng = Rng::seed_from_u64(seed);
    let mut rows = Rows { a: vec![], b: vec![], ab: vec![vec![]; 3] };
    for _ in 0..number {
        let [a, b]: [[f64; 3]; 2] = rng.random();
        rows.a.push(ishigami(&a));
        rows.b.push(ishigami(&b));
        for at in 0..3 {
            let mut mixed = a;
            mixed[at] = b[at];
            rows.ab[at].push(ishigami(&mixed));
        }
    }
    rows
}

fn estimates(index: &Index) -> [(f64, Interval); 2] {
    [(index.first, index.first_interval), (index.total, index.total_interval)]
}

/// Checks that all estimates lie within four standard errors of the exact ones. The errors are
/// those of the bootstrap, which must themselves be below `largest`.
fn check(found: &[Index], exact: &[[f64; 2]], largest: f64) {
    assert_eq!(found.len(), exact.len());
    for (index, exact) in found.iter().zip(exact) {
        for ((estimate, interval), exact) in estimates(index).into_iter().zip(exact) {
            let error = (interval.high - interval.low) / (2.0 * 1.96);
            assert!(error < largest, "{index:?}");
            assert!((estimate - exact).abs() <= 4.0 * error + 1e-12, "{estimate} {exact} {error}");
            assert!(interval.covers(estimate), "{index:?}");
        }
    }
}

fn level() -> Level {
    Level::default()
}

#[test]
fn ishigami_has_the_indices_of_its_formula() {
    let (variance, exact) = ishigami_exact();
    let published = [[0.3139, 0.5576], [0.4424, 0.4424], [0.0, 0.2437]];
    assert!((variance - 13.8446).abs() < 1e-4, "{variance}");
    for (exact, published) in exact.concat().iter().zip(published.concat()) {
        assert!((exact - published).abs() < 1e-4, "{exact} {published}");
    }
    for rows in [run(512, 3, 1, ishigami), independent(512, 1)] {
        check(&indices(&rows, None, level(), 1).unwrap(), &exact, 0.06);
    }
}

#[test]
fn the_g_function_has_the_indices_of_its_formula() {
    let found = indices(&run(512, 5, 1, g_function), None, level(), 1).unwrap();
    check(&found, &g_exact().1, 0.04);
}

/// In a sum, both indices of a parameter are its share of the variance; a parameter that is never
/// read has a total index of exactly 0.
#[test]
fn a_sum_has_no_interactions_and_an_unused_parameter_no_effect() {
    let model = |x: &[f64]| 1e6 + x[0] + 2.0 * x[1] + 3.0 * x[2];
    let found = indices(&run(256, 4, 1, model), None, level(), 1).unwrap();
    for (index, share) in found.iter().zip([1.0 / 14.0, 4.0 / 14.0, 9.0 / 14.0, 0.0]) {
        assert!((index.first - share).abs() < 0.01 && (index.total - share).abs() < 0.01);
    }
    assert!(found[3].first.abs() < 0.01, "{:?}", found[3]);
    assert_eq!((found[3].total, found[3].total_interval), (0.0, Interval { low: 0.0, high: 0.0 }));
}

/// Without the control, the pair's estimators are Janon's and Jansen's, written out here.
#[test]
fn without_the_control_the_estimators_are_those_of_the_papers() {
    let rows = independent(64, 5);
    let [mean, deviation] = rows.scale().unwrap();
    let both = |one: &[f64], other: &[f64]| -> Vec<Terms> {
        let scaled = |value: f64| (value - mean) / deviation;
        one.iter().zip(other).map(|(&x, &y)| terms(scaled(x), scaled(y), 0.0)).collect()
    };
    let average = |of: &dyn Fn(usize) -> f64| (0..64).map(of).sum::<f64>() / 64.0;
    for ab in &rows.ab {
        let center = average(&|row| (rows.b[row] + ab[row]) / 2.0);
        let product = average(&|row| rows.b[row] * ab[row]) - center * center;
        let square = average(&|row| (rows.b[row].powi(2) + ab[row].powi(2)) / 2.0);
        let janon = product / (square - center * center);
        let found = correlation(&both(&rows.b, ab), &[1.0; 64], 0.0).unwrap();
        assert!((found - janon).abs() < 1e-12, "{found} {janon}");
        let center = average(&|row| (rows.a[row] + ab[row]) / 2.0);
        let square = average(&|row| (rows.a[row].powi(2) + ab[row].powi(2)) / 2.0);
        let apart = average(&|row| (rows.a[row] - ab[row]).powi(2)) / 2.0;
        let jansen = apart / (square - center * center);
        let found = 1.0 - correlation(&both(&rows.a, ab), &[1.0; 64], 0.0).unwrap();
        assert!((found - jansen).abs() < 1e-12, "{found} {jansen}");
    }
}

/// At 95%, 57 of 60 intervals are expected to cover, with a standard deviation of 1.7.
#[test]
fn intervals_cover_as_often_as_they_say() {
    let exact = ishigami_exact().1;
    let mut covered = [[0; 2]; 3];
    for seed in 0..60 {
        let found = indices(&independent(64, seed), None, level(), seed).unwrap();
        for ((counts, index), exact) in covered.iter_mut().zip(&found).zip(&exact) {
            for side in 0..2 {
                counts[side] += u32::from(estimates(index)[side].1.covers(exact[side]));
            }
        }
    }
    assert!(covered.concat().iter().all(|&count| count >= 50), "{covered:?}");
}

/// Noise as large as a model's variance, growing with its first parameter: s² / r has a mean of the
/// variance times 3 E[x²] = 1. Indices that are not corrected go where theory says.
#[test]
fn the_correction_takes_the_noise_out() {
    let (variance, exact) = ishigami_exact();
    let (rows, replications) = (1024, 4);
    let mut rng = Rng::seed_from_u64(11);
    let design = Saltelli::new(rows, 3, &mut rng).unwrap();
    let runs: Vec<Vec<f64>> = (design.points())
        .map(|point| {
            let deviation = (3.0 * variance * f64::from(replications)).sqrt() * point[0];
            let mut run = || ishigami(&point) + deviation * rng.sample::<f64, _>(StandardNormal);
            (0..replications).map(|_| run()).collect()
        })
        .collect();
    let mean = |run: &Vec<f64>| Some(run.iter().sum::<f64>() / f64::from(replications));
    let rows = Rows::of(3, &runs.iter().map(mean).collect::<Vec<_>>()).unwrap();
    let found = noise(&runs).unwrap();
    assert!((found / variance - 1.0).abs() < 0.05, "{found}");
    check(&indices(&rows, Some(found), level(), 1).unwrap(), &exact, 0.08);
    let blurred: Vec<_> =
        exact.iter().map(|[first, total]| [first / 2.0, f64::midpoint(*total, 1.0)]).collect();
    check(&indices(&rows, None, level(), 1).unwrap(), &blurred, 0.04);
}

/// By hand: the variances 2 and 8 of pairs, halved, have the mean 2.5.
#[test]
fn noise_is_the_mean_variance_of_the_means() {
    assert_eq!(noise(&[vec![1.0, 3.0], vec![5.0, 9.0]]), Some(2.5));
    assert_eq!(noise(&[vec![1.0, 2.0, 3.0]]), Some(1.0 / 3.0));
    assert_eq!((noise(&[]), noise(&[vec![1.0, 3.0], vec![4.0]])), (None, None));
}

#[test]
fn outputs_that_share_out_no_variance_are_refused_with_a_reason() {
    let rows = run(64, 3, 1, ishigami);
    let why = |rows: &Rows, noise| indices(rows, noise, level(), 1).unwrap_err();
    assert_eq!(why(&run(64, 3, 1, |_| 0.1 + 0.2), None), Why::Constant);
    let one = Rows { a: (0..64).map(|at| f64::from(u8::from(at == 9))).collect(), ..rows.clone() };
    let one = Rows { b: vec![0.0; 64], ab: vec![vec![0.0; 64]], ..one };
    assert_eq!(why(&one, None), Why::Constant);
    assert_eq!(why(&run(63, 3, 1, ishigami), None), Why::TooFew(63));
    assert_eq!(why(&rows, Some(20.0)), Why::Noise);
    assert_eq!(why(&rows, Some(12.0)), Why::Noise);
    assert_eq!(why(&rows, Some(-1.0)), Why::Variance);
    assert_eq!(why(&rows, Some(f64::NAN)), Why::Variance);
    let mut missing = rows.clone();
    missing.ab[2][7] = f64::NAN;
    assert_eq!(why(&missing, None), Why::Missing(7));
    missing.ab[2].pop();
    assert_eq!(why(&missing, None), Why::Uneven(5 * 64 - 1));
    let outputs: Vec<Option<f64>> = (0..10).map(|at| (at != 8).then_some(1.0)).collect();
    assert_eq!(Rows::of(3, &outputs), Err(Why::Missing(1)));
    assert_eq!(Rows::of(2, &outputs[..7]), Err(Why::Uneven(7)));
}

#[test]
fn the_unit_of_the_output_does_not_matter_and_the_seed_moves_only_intervals() {
    let rows = run(64, 3, 1, ishigami);
    let found = indices(&rows, Some(1.0), level(), 1).unwrap();
    let scaled = run(64, 3, 1, |point| 1024.0 * ishigami(point));
    assert_eq!(indices(&scaled, Some(1024.0 * 1024.0), level(), 1).unwrap(), found);
    let other = indices(&rows, Some(1.0), level(), 2).unwrap();
    for (one, other) in found.iter().zip(&other) {
        assert_eq!((one.first, one.total), (other.first, other.total));
        assert_ne!(one.first_interval, other.first_interval);
    }
    let wide = indices(&rows, Some(1.0), Level::new(0.999).unwrap(), 1).unwrap();
    for (one, wide) in found.iter().zip(&wide) {
        assert!(wide.total_interval.low < one.total_interval.low);
        assert!(wide.total_interval.high > one.total_interval.high);
    }
}
