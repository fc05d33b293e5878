//! Intervals of quantiles against a scan of all shares.

use super::*;

/// Twenty sections of exponential amounts whose means differ, as running sums or one by one.
fn marks(is_running: bool) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut buckets = Buckets::default();
    for section in 0..20 {
        if !is_running {
            buckets = Buckets::default();
        }
        let mean = 1e6 * (1.0 + 0.1 * f64::from(section * 7 % 5));
        for step in 0..2_000 {
            let share = (f64::from(step) + 0.5) / 2_000.0;
            buckets.record((-mean * libm::log(1.0 - share)) as u64);
        }
        let count = if is_running { 2_000 * (section as u64 + 1) } else { 2_000 };
        marks.push(Mark { count, buckets: Some(buckets.clone()), ..Mark::default() });
    }
    marks
}

#[test]
fn an_interval_holds_the_shares_that_differ_by_no_more_than_their_error() {
    for is_running in [false, true] {
        let marks = marks(is_running);
        let marks: Vec<&Mark> = marks.iter().collect();
        let buckets = marks.iter().map(|mark| mark.buckets.as_ref().unwrap()).collect();
        let shares = Shares::new(&marks, buckets, is_running, 40_000.0, Level::default());
        let log_odds = |share: f64| libm::log(share / (1.0 - share));
        for quantile in [0.5, 0.95, 0.99] {
            let [low, high] = shares.range(quantile).unwrap();
            assert!(low < quantile && quantile < high, "{quantile}: {low} to {high}");
            for step in 1..4_000 {
                let share = f64::from(step) / 4_000.0;
                let off = (log_odds(share) - log_odds(quantile)).abs();
                let could_be = shares.half_width(share).is_some_and(|half| off <= half);
                let is_near = [low, high].iter().any(|end| (share - end).abs() < 5e-4);
                assert!(
                    is_near || could_be == (low < share && share < high),
                    "{quantile}: {share}"
                );
            }
        }
        // Rarer jobs differ more.
        let [low, high] = shares.range(0.99).unwrap().map(log_odds);
        let center = log_odds(0.99);
        assert!(high - center > center - low, "{low} {center} {high}");
    }
}

#[test]
fn the_end_of_a_share_that_few_jobs_tell_is_open() {
    let marks = marks(false);
    let marks: Vec<&Mark> = marks.iter().collect();
    let buckets = marks.iter().map(|mark| mark.buckets.as_ref().unwrap()).collect();
    let shares = Shares::new(&marks, buckets, false, 40_000.0, Level::default());
    let [_, high] = shares.range(1.0 - 2.0 / 40_000.0).unwrap();
    assert!((1.0 - high) * 40_000.0 < 1.0, "{high}");
}
