use rand_distr::{Distribution as _, Exp1, StandardNormal};

use super::*;
use kernel::rng::Streams;

fn rng() -> Rng {
    Streams::new(1).stream("test")
}

fn plain(base: &[f64], other: &[f64]) -> Vec<[Weighed; 2]> {
    base.iter().zip(other).map(|(&a, &b)| [[a, 1.0], [b, 1.0]]).collect()
}

/// By hand: differences 1, 2, 3, 2 have mean 2, s² = 2/3 and t = 3.1824 with 3 degrees of freedom.
#[test]
fn plain_means_give_the_paired_t_of_every_textbook() {
    let pairs = plain(&[10.0, 20.0, 30.0, 40.0], &[11.0, 22.0, 33.0, 42.0]);
    let paired = Paired::of(&pairs).unwrap();
    assert_eq!((paired.pairs, paired.base, paired.other), (4, 25.0, 27.0));
    let spread = paired.difference.spread(RESAMPLES, rng);
    let standard = (2.0_f64 / 3.0 / 4.0).sqrt();
    assert!((paired.difference.standard - standard).abs() < 1e-12);
    let half_width = spread.half_width(Level::default());
    assert!((half_width - 3.182_446_305_3 * standard).abs() < 1e-9);
    // p of |t| = 2 / standard = 4.899 with 3 degrees of freedom: 0.01628 in tables.
    assert!((spread.p(2.0) - 0.016_28).abs() < 1e-5, "{}", spread.p(2.0));
    // A fifth of a normal distribution lies 0.8416 standard deviations below its mean.
    let found = spread.found_in_most(Level::default());
    assert!((found - half_width - 0.841_621 * standard).abs() < 1e-6);
    // The variances are 500/3, 542/3 and, of the differences, 2/3.
    let saved = (500.0 / 3.0 + 542.0 / 3.0) / (2.0 / 3.0);
    assert!((paired.saved.unwrap() / saved - 1.0).abs() < 1e-12);
}

/// A figure that is a ratio weighs its pairs, and the ratio of two such figures has the error that
/// the delta method gives when it is written out.
#[test]
fn ratios_have_the_error_of_their_residuals() {
    let pairs =
        [[[2.0, 10.0], [3.0, 10.0]], [[4.0, 30.0], [5.0, 30.0]], [[3.0, 20.0], [4.5, 20.0]]];
    let paired = Paired::of(&pairs).unwrap();
    let (base, other) = ((20.0 + 120.0 + 60.0) / 60.0, (30.0 + 150.0 + 90.0) / 60.0);
    assert!((paired.base - base).abs() < 1e-12 && (paired.other - other).abs() < 1e-12);
    let residual = |pair: &[Weighed; 2]| {
        let [[a, weight], [b, _]] = *pair;
        ((b - other) / other - (a - base) / base) * weight / 20.0
    };
    let squares: f64 = pairs.iter().map(|pair| residual(pair).powi(2)).sum();
    let ratio = paired.log_ratio.unwrap();
    assert!((ratio.standard - (squares / 2.0 / 3.0).sqrt()).abs() < 1e-12);
    assert!((ratio.value - libm::log(other / base)).abs() < 1e-12);
}

#[test]
fn what_is_equal_in_every_pair_is_known_exactly() {
    let pairs = plain(&[0.1, 0.7, 0.3], &[0.1, 0.7, 0.3]);
    let paired = Paired::of(&pairs).unwrap();
    let spread = paired.difference.spread(RESAMPLES, rng);
    assert_eq!((spread.half_width(Level::default()), spread.p(0.0)), (0.0, 1.0));
    assert_eq!(paired.saved, None);
    assert_eq!(Paired::of(&pairs[..1]), None);
    assert_eq!(Paired::of(&plain(&[2.0; 9], &[3.0; 9])), None);
    let one_sided = [[[1.0, 1.0], [0.0, 0.0]]; 5];
    assert_eq!(Paired::of(&one_sided), None);
    let negative = Paired::of(&plain(&[-1.0, 2.0, -3.0], &[1.0, 2.0, 3.0])).unwrap();
    assert_eq!(negative.log_ratio, None);
}

/// Holm's own steps by hand: 0.01 * 4, 0.02 * 3, 0.03 * 2 and 0.04, none below the one before it.
#[test]
fn holm_multiplies_the_smallest_by_the_number_of_tests() {
    let found = holm(&[0.04, 0.01, 0.03, 0.02]);
    let expected = [0.06, 0.04, 0.06, 0.06];
    assert!(
        found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12),
        "{found:?}"
    );
    assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}

/// The p-value and the interval of either method tell the same: 0 lies in the interval of a level
/// exactly if p is above what the level leaves.
#[test]
fn intervals_and_p_values_agree() {
    let mut draws = rng();
    let mut seen = [0, 0];
    for trial in 0..60 {
        let draw = |skewed: bool, rng: &mut Rng| -> f64 {
            if skewed {
                let one: f64 = Exp1.sample(rng);
                one * one
            } else {
                StandardNormal.sample(rng)
            }
        };
        let other: Vec<f64> = (0..20).map(|_| draw(trial % 2 == 0, &mut draws)).collect();
        let paired = Paired::of(&plain(&[0.0; 20], &other)).unwrap();
        let spread = paired.difference.spread(RESAMPLES, rng);
        seen[usize::from(spread.by() == By::Bootstrap)] += 1;
        for value in [0.1, 0.5, 1.0, 2.0, 4.0].map(|times| times * paired.difference.standard) {
            let interval = spread.interval(value, Level::default());
            assert_eq!(interval.covers(0.0), spread.p(value) > 0.05, "{spread:?}");
        }
    }
    assert!(seen.iter().all(|&count| count >= 10), "{seen:?}");
}

/// Intervals of the mean of lognormal differences (skewness 6.2) at 20 pairs. 1000 trials have a
/// standard error of 0.7 to 1.2 points; Student's t covers 84% of them, and bootstrap-t 5 points
/// more. Neither reaches 95% on so few pairs of so skewed a law: that is what the statistics can do.
#[test]
fn the_bootstrap_covers_more_where_differences_are_skewed() {
    let mut draws = Streams::new(7).stream("lognormal");
    let level = Level::default();
    let (mut by_rule, mut by_t) = (0, 0);
    for trial in 0..1000 {
        let other: Vec<f64> = (0..20)
            .map(|_| {
                let one: f64 = StandardNormal.sample(&mut draws);
                libm::exp(one)
            })
            .collect();
        let paired = Paired::of(&plain(&[0.0; 20], &other)).unwrap();
        let (value, truth) = (paired.difference.value, libm::exp(0.5));
        let spread = paired.difference.spread(RESAMPLES, || Streams::new(trial).stream("boot"));
        by_rule += usize::from(spread.interval(value, level).covers(truth));
        let t = student::two_sided(0.95, 19) * paired.difference.standard;
        by_t += usize::from((value - truth).abs() <= t);
    }
    assert!(by_rule > by_t + 20, "{by_rule} {by_t}");
    assert!(by_rule > 860, "{by_rule}");
}

/// Chance of a false verdict on differences that resemble their neighbours, as an autoregression with
/// this correlation: how many of 1000 trials tell anything, and how many of all are wrong.
fn told_and_wrong(correlation: f64, weeks: usize, rng: &mut Rng) -> [usize; 2] {
    let (mut told, mut wrong) = (0, 0);
    for _ in 0..1000 {
        let mut last = 0.0;
        let series: Vec<f64> = (0..weeks + 100)
            .map(|_| {
                let news: f64 = StandardNormal.sample(rng);
                last = correlation * last + news;
                last
            })
            .collect();
        let pairs = plain(&vec![0.0; weeks], &series[100..]);
        let change = Paired::of(&pairs).unwrap().in_order().difference;
        let spread = change.spread(RESAMPLES, || unreachable!("weeks draw nothing"));
        let (half, p) = (spread.half_width(Level::default()), spread.p(change.value));
        assert_eq!(p <= 0.05, change.value.abs() >= half, "{p} {half}");
        told += usize::from(half.is_finite());
        wrong += usize::from(p <= 0.05);
    }
    [told, wrong]
}

/// At most 5% of all trials, within two standard errors (of 0.7 points); it was 19% for the weeks of a
/// trace of a year whose neighbours correlate at .88, and all of them told something.
#[test]
fn weeks_that_resemble_their_neighbours_tell_less() {
    let mut rng = Streams::new(3).stream("weeks");
    for weeks in [24, 48, 140] {
        for correlation in [0.0, 0.3, 0.5, 0.7, 0.88, 0.95] {
            let [told, wrong] = told_and_wrong(correlation, weeks, &mut rng);
            println!("{weeks} weeks, correlation {correlation}: {told} told, {wrong} wrong");
            assert!(wrong <= 64, "{weeks} {correlation}: {wrong}");
            assert!(correlation > 0.3 || told > 600, "{weeks} {correlation}: {told}");
            assert!(
                weeks > 48 || correlation < 0.88 || told < 150,
                "{weeks} {correlation}: {told}"
            );
        }
    }
}

/// Pairs of a trace of eight years: its length brings the precision back.
#[test]
fn many_weeks_tell_what_few_cannot() {
    let mut rng = Streams::new(4).stream("years");
    let [told, wrong] = told_and_wrong(0.88, 416, &mut rng);
    assert!(told == 1000 && wrong <= 64, "{told} {wrong}");
}

#[test]
fn many_verdicts_get_enough_samples() {
    let level = Level::default();
    assert_eq!((resamples(4, level), resamples(700, level)), (RESAMPLES, 28_000));
    assert!(700.0 / 28_001.0 <= 0.5 * (1.0 - level.share()));
}
