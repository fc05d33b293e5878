//! Controlled means: how often they cover, and how much narrower their intervals are.
//!
//! ```sh
//! GRIDPACT_SEEDS=300 cargo test --release --test engine precision::controlled -- --nocapture
//! ```

use gridpact::stats::interval::Level;
use rayon::prelude::*;

use super::several::{plan, results};

/// Counts over the seeds.
#[derive(Debug, Default)]
struct Tally {
    plain: f64,
    controlled: f64,
    /// Those that the summary tells: narrower by a tenth.
    told: f64,
    told_cover: f64,
    ratio: f64,
}

fn tally(seeds: u64, load: f64, replications: u32, jobs: u64) -> Tally {
    let truth = 1.0 / (1.0 - load);
    let all: Vec<[f64; 5]> = (1..=seeds)
        .into_par_iter()
        .map(|seed| {
            let mut plan = plan(seed, load, &format!("jobs = {jobs}"));
            plan.replications = replications;
            let results = results(&plan, 1);
            let account = &results.accounts.organizations()[0];
            let plain = results.precision(0, account).distributions[0].mean.expect("it is known");
            let controlled = results.controlled_flow().expect("there are enough");
            let interval = controlled.interval(Level::default());
            let ratio = interval.half_width() / plain.interval.half_width();
            let covers = |truth: bool| f64::from(u8::from(truth));
            let covered = interval.covers(truth);
            let is_told = ratio < 0.9;
            [
                covers(plain.interval.covers(truth)),
                covers(covered),
                covers(is_told),
                covers(is_told && covered),
                ratio,
            ]
        })
        .collect();
    let mean = |at: usize| all.iter().map(|one| one[at]).sum::<f64>() / seeds as f64;
    let told = mean(2);
    Tally { plain: mean(0), controlled: mean(1), told, told_cover: mean(3) / told, ratio: mean(4) }
}

/// Controlled means cover as often as 95% does, also where the summary tells them.
#[test]
fn controlled_means_cover_and_are_narrower() {
    let wanted = std::env::var("GRIDPACT_SEEDS").ok();
    let cells: &[(f64, u32, u64)] = match wanted {
        Some(_) => &[(0.7, 20, 5_000), (0.7, 40, 5_000), (0.9, 20, 20_000), (0.5, 20, 2_000)],
        None => &[(0.5, 20, 2_000)],
    };
    let seeds: u64 = wanted.map_or(40, |seeds| seeds.parse().expect("a number of seeds"));
    for &(load, replications, jobs) in cells {
        let found = tally(seeds, load, replications, jobs);
        let Tally { plain, controlled, told, told_cover, ratio } = &found;
        println!(
            "load {load}, {replications} replications of {jobs} jobs, {seeds} seeds: {plain:.3} \
             cover, controlled {controlled:.3} and {ratio:.3} times as wide; told {told:.3}, of \
             which {told_cover:.3} cover"
        );
        let error = 3.0 * (0.05 * 0.95 / seeds as f64).sqrt();
        assert!(found.controlled >= 0.95 - error, "{found:?}");
        assert!(found.ratio < 0.95, "{found:?}");
    }
}

/// Replications that end at a time have no fixed number of jobs, and no controlled mean; nor have
/// fewer than twenty.
#[test]
fn samples_of_no_fixed_size_are_not_controlled() {
    let found = |until: &str, replications| {
        let mut plan = plan(1, 0.5, until);
        plan.replications = replications;
        let results = results(&plan, 2);
        (results.controlled_flow().is_some(), results.controlled_wait().is_some())
    };
    assert_eq!(found("jobs = 500", 20), (true, true));
    assert_eq!(found("jobs = 500", 19), (false, false));
    assert_eq!(found("time = 1000.0", 20), (false, false));
}
