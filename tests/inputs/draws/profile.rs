//! Rates that change over the day and the week.

use super::fit::{gamma, independent, kolmogorov, moments, pearson};
use super::{COUNT, SIZE, covers, jobs};

/// Relative rates by the hour: a quiet night, a busy afternoon, and no job at noon.
const HOURS: [f64; 24] = [
    0.4, 0.3, 0.2, 0.2, 0.2, 0.3, 0.5, 0.9, 1.4, 1.8, 1.9, 1.5, 0.0, 1.7, 2.0, 2.1, 1.9, 1.6, 1.2,
    1.0, 0.9, 0.8, 0.7, 0.5,
];
const DAYS: [f64; 7] = [1.0, 1.1, 1.2, 1.1, 0.9, 0.3, 0.25];

fn week() -> Vec<f64> {
    DAYS.iter().flat_map(|day| HOURS.iter().map(move |hour| day * hour)).collect()
}

fn profiles() -> [String; 3] {
    let week: Vec<Vec<f64>> = week().chunks(24).map(<[f64]>::to_vec).collect();
    [
        format!("daily = {HOURS:?}"),
        format!("weekly = {week:?}"),
        format!("days_and_hours = {{ days = {DAYS:?}, hours = {HOURS:?} }}"),
    ]
}

pub fn all() -> Vec<String> {
    profiles().map(|profile| format!("profile.{profile}")).into()
}

fn submits(arrivals: &str, profile: &str, count: usize) -> Vec<f64> {
    let text = format!("arrivals.{arrivals}\n{SIZE}\nprofile.{profile}");
    jobs(&text, count).iter().map(|job| job.submit.as_units()).collect()
}

#[test]
fn every_profile_is_tried() {
    covers("profile", ["daily", "weekly", "days_and_hours"]);
}

/// Given their number, the arrivals of a Poisson process fall into the hours independently, by
/// weight. The sample is cut at the end of a whole number of cycles.
#[test]
fn poisson_arrivals_fall_into_hours_by_their_weight() {
    for (profile, weights) in profiles().iter().zip([HOURS.to_vec(), week(), week()]) {
        let submits = submits("poisson.rate = 0.1", profile, COUNT);
        let cycle = weights.len() as f64 * 3600.0;
        let whole = (submits.last().unwrap() / cycle).floor() * cycle;
        let mut counts = vec![0_u64; weights.len()];
        for submit in submits.iter().filter(|&&submit| submit < whole) {
            counts[(submit % cycle / 3600.0) as usize] += 1;
        }
        let sum: f64 = weights.iter().sum();
        let parts = counts.iter().zip(&weights);
        assert!(parts.clone().all(|(&count, &weight)| weight > 0.0 || count == 0));
        let (counts, shares): (Vec<u64>, Vec<f64>) =
            parts.filter(|(_, weight)| **weight > 0.0).map(|(&c, w)| (c, w / sum)).unzip();
        pearson(profile, &counts, &shares);
        // The mean rate: a Poisson number of arrivals in the whole cycles.
        let (found, expected) = (counts.iter().sum::<u64>() as f64, 0.1 * whole);
        assert!((found - expected).abs() < 4.0 * expected.sqrt(), "{found} {expected}");
    }
}

/// With equal gaps the hours get their share exactly, but for one at either end.
#[test]
fn equal_gaps_are_shared_out_exactly_for_ever() {
    let submits = submits("deterministic.interval = 20.0", &profiles()[0], COUNT);
    let sum: f64 = HOURS.iter().sum();
    for day in [0, 1, 10, 22] {
        let begin = f64::from(day) * 86_400.0;
        let count = |from: f64, to: f64| {
            submits.iter().filter(|&&submit| (begin + from..begin + to).contains(&submit)).count()
        };
        for (hour, weight) in HOURS.iter().enumerate() {
            let from = hour as f64 * 3600.0;
            let expected = weight / sum * 24.0 * 180.0;
            let found = count(from, from + 3600.0) as f64;
            assert!((found - expected).abs() < 1.0 + 1e-6, "{day} {hour}: {found} {expected}");
        }
        // Of the first day, the arrival at 0 is missing.
        assert_eq!(count(0.0, 86_400.0), if day == 0 { 4319 } else { 4320 });
    }
}

/// On the process's own clock, found by summing up the rates, the gaps are still gamma and
/// independent.
#[test]
fn any_renewal_process_keeps_its_gaps_on_its_own_clock() {
    let submits = submits("gamma = { shape = 3.0, rate = 0.02 }", &profiles()[2], COUNT);
    let weights = week();
    let mean: f64 = weights.iter().sum::<f64>() / 168.0;
    let mut before = vec![0.0];
    for weight in &weights {
        before.push(before.last().unwrap() + weight / mean * 3600.0);
    }
    let clock = |submit: f64| {
        let (weeks, rest) = ((submit / 604_800.0).floor(), submit % 604_800.0);
        let hour = (rest / 3600.0) as usize;
        weeks * 604_800.0 + before[hour] + (rest % 3600.0) * weights[hour] / mean
    };
    let gaps: Vec<f64> = submits.windows(2).map(|two| clock(two[1]) - clock(two[0])).collect();
    moments("gamma under a profile", &gaps, 50.0, 2500.0 / 3.0);
    independent("gamma under a profile", &gaps);
    kolmogorov("gamma under a profile", &gaps, |x| gamma(3.0, x / 50.0 * 3.0));
}

#[test]
fn an_even_profile_changes_nothing() {
    let plain = format!("arrivals.poisson.rate = 0.5\n{SIZE}");
    let even = format!("{plain}\nprofile.daily = {:?}", [0.3; 24]);
    assert_eq!(jobs(&plain, 1000), jobs(&even, 1000));
}
