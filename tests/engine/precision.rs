//! Does a run that is for precision keep its promise?
//!
//! M/M/1 queues run until their mean flow is known within a share, by replications that are added
//! or by one run that goes on, and the interval that is printed then is compared with the closed
//! form 1 / (1 - load). To stop where the interval is narrow is to stop where the variance may be
//! underestimated, so the rule behind it was designed to make up for that: see
//! `stats::sequential`. It was designed on other seeds and with another program. Of 500 intervals
//! 93 to 97% must cover the truth, which is two standard errors to each side of 95%.
//!
//! ```sh
//! GRIDPACT_SEEDS=500 cargo test --release --test engine precision:: -- --nocapture
//! ```
//!
//! A replication has over 100 times the correlation of neighbouring jobs (see `coverage.rs`), and
//! the warm-up is more than ten relaxation times.

mod controlled;
mod several;

use std::sync::Arc;

use crate::common::one_cluster;
use gridpact::findings::ended::Why;
use gridpact::findings::grid::results::Results;
use gridpact::findings::known::Known;
use gridpact::findings::measure::Metric;
use gridpact::findings::sample::Value;
use gridpact::findings::target::{By, Precision, Width};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::report::grid::warnings;
use gridpact::run::{self, Progress};
use gridpact::scenario::drawn::Drawn;
use gridpact::scenario::plan::{ClusterKind, Found, Plan, Until, WorkloadKind};
use gridpact::sim::accounts::Counting;
use gridpact::sim::grid::Settings;
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::draw::Sizes;
use gridpact::workload::draw::{hyperexponential, mixture::Branch};
use gridpact::workload::synthetic::{SyntheticModel, SyntheticOptions};
use rayon::prelude::*;

/// The way in which a run is prolonged until the mean flow is known.
#[derive(Clone, Copy, Debug)]
enum Added {
    /// Replications of so many jobs each.
    Replications(u64),
    /// Jobs of one run.
    Jobs,
}

/// A queue with Poisson arrivals and service of mean 1, and how well its flow is to be known.
#[derive(Clone, Copy, Debug)]
struct Sample {
    load: f64,
    /// Exponential service where this is 1, else hyperexponential with balanced means.
    squared_variation: f64,
    added: Added,
    warm_up: i64,
    relative: f64,
}

const SAMPLES: [Sample; 6] = [
    sample(0.5, 1.0, Added::Replications(2_400), 200, 0.02),
    sample(0.5, 1.0, Added::Jobs, 200, 0.05),
    sample(0.8, 1.0, Added::Replications(12_000), 1_200, 0.025),
    sample(0.8, 1.0, Added::Jobs, 1_200, 0.05),
    sample(0.7, 4.0, Added::Replications(18_000), 1_500, 0.03),
    sample(0.7, 4.0, Added::Jobs, 1_500, 0.05),
];

const fn sample(
    load: f64,
    squared_variation: f64,
    added: Added,
    warm_up: i64,
    relative: f64,
) -> Sample {
    Sample { load, squared_variation, added, warm_up, relative }
}

/// Result of a run.
#[derive(Clone, Copy, Debug)]
struct Came {
    covers: bool,
    /// Though nothing grows: 1% of them by the test's level.
    is_refused: bool,
    /// Jobs simulated.
    jobs: f64,
    /// Half of the interval as a share of the mean.
    relative: f64,
    looks: u32,
}

impl Sample {
    fn sizes(&self) -> Sizes {
        if self.squared_variation == 1.0 {
            return Sizes::exponential(1.0);
        }
        let root = ((self.squared_variation - 1.0) / (self.squared_variation + 1.0)).sqrt();
        let branch = |probability: f64| Branch { probability, mean: 0.5 / probability };
        let [often, seldom] = [0.5 * (1.0 + root), 0.5 * (1.0 - root)].map(branch);
        Sizes::Hyperexponential(hyperexponential::Options { branches: vec![often, seldom] })
    }

    fn plan(&self, seed: u64) -> Plan {
        let (by, each, at_least, at_most) = match self.added {
            Added::Replications(jobs) => (By::Replications, Some(jobs), 20, 10_000),
            Added::Jobs => (By::Batches, None, 8_192, 1_000_000_000),
        };
        let arrivals = Arrivals::poisson(self.load);
        let options =
            SyntheticOptions { jobs: each, ..SyntheticOptions::new(arrivals, self.sizes()) };
        let model = SyntheticModel::new(options).expect("the parameters can be");
        let queue = WorkloadKind::Drawn(Drawn::Synthetic(Arc::new(model)), OrganizationId(0));
        let from = Time::ZERO + Span::units(self.warm_up);
        let is_one = by == By::Batches;
        let precision = Precision {
            metrics: vec![Metric::Flow.measure()],
            width: Width::Relative(self.relative),
            organizations: None,
            by,
            at_least,
            at_most,
        };
        Plan {
            seed,
            replications: if is_one { 1 } else { 10_000 },
            until: if is_one { Until::Jobs(at_most) } else { Until::Drained },
            settings: Settings { most_jobs: is_one.then_some(at_most), ..Settings::default() },
            counting: Counting { from, batches: is_one, ..Counting::default() },
            precision: Some(precision),
            ..one_cluster(ClusterKind::TimeShared { processors: 1 }, queue)
        }
    }

    /// The mean flow (Pollaczek and Khinchine).
    fn truth(&self) -> f64 {
        1.0 + self.load * (1.0 + self.squared_variation) / 2.0 / (1.0 - self.load)
    }

    fn run(&self, seed: u64) -> Came {
        let outcome = run::run(&self.plan(seed), None, 1, 0.0, &Progress::default());
        let results = outcome.expect("nothing fails").grid().expect("a grid");
        let account = &results.accounts.organizations()[0];
        let flow = results.precision(0, account).distributions[0].mean.expect("it is known");
        let known: &Known = results.sample.known.as_ref().expect("it was for precision");
        let relative = known.relative_half_width.expect("it is known");
        let is_refused = known.ended.why == Why::TooShort;
        assert!(known.is_reached() || is_refused, "{known:?}");
        assert_eq!(known.warning().is_some(), is_refused, "{known:?}");
        assert!(relative <= self.relative, "{known:?}");
        let middle = f64::midpoint(flow.interval.low, flow.interval.high);
        assert!((flow.interval.half_width() / middle - relative).abs() < 1e-12);
        let jobs = account.jobs.finished + results.accounts.uncounted().before;
        let covers = flow.interval.covers(self.truth());
        Came { covers, is_refused, jobs: jobs as f64, relative, looks: known.ended.looks }
    }

    /// The share of so many seeds that cover.
    fn coverage(&self, seeds: u64) -> f64 {
        let all: Vec<Came> = (1..=seeds).into_par_iter().map(|seed| self.run(seed)).collect();
        let mean = |of: fn(&Came) -> f64| all.iter().map(of).sum::<f64>() / seeds as f64;
        let share = mean(|one| f64::from(u8::from(one.covers)));
        println!(
            "{self:?}: {:.1}% of {seeds} cover; on average {:.0} jobs, {:.1} looks, {:.2}% known",
            share * 100.0,
            mean(|one| one.jobs),
            mean(|one| one.looks.into()),
            mean(|one| one.relative) * 100.0,
        );
        let refused = all.iter().filter(|one| one.is_refused).count();
        let chance = 0.01 + 3.0 * (0.01 / seeds as f64).sqrt();
        assert!(refused as f64 <= chance * seeds as f64, "{refused} of {seeds} are refused");
        share
    }
}

/// With the number of seeds in `GRIDPACT_SEEDS`, all samples within 2% at 500 of them; else forty
/// seeds of the small ones within three standard errors.
#[test]
fn intervals_that_ended_a_run_cover_the_truth_in_93_to_97_of_100_cases() {
    let wanted = std::env::var("GRIDPACT_SEEDS").ok();
    let is_whole = wanted.is_some();
    let seeds: u64 = wanted.map_or(40, |seeds| seeds.parse().expect("a number of seeds"));
    let error = (0.95 * 0.05 / seeds as f64).sqrt();
    let off = if is_whole { 0.02 * (500.0 / seeds as f64).sqrt() } else { 3.0 * error } + 1e-9;
    let mut wrong = Vec::new();
    for sample in SAMPLES.iter().filter(|sample| is_whole || sample.load == 0.5) {
        let share = sample.coverage(seeds);
        if (share - 0.95).abs() > off {
            wrong.push(format!("{sample:?}: {share}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The number of replications follows from their findings, not from the threads that ran them.
#[test]
fn threads_do_not_matter() {
    let sample = SAMPLES[0];
    let run = |threads| {
        let outcome = run::run(&sample.plan(7), None, threads, 0.0, &Progress::default());
        let results = outcome.expect("nothing fails").grid().expect("a grid");
        let flow = results.accounts.organizations()[0].flow.sum();
        (results.replications.len(), flow, results.sample.known)
    };
    let one = run(1);
    assert!(one.0 > 20);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

/// A run that was stopped is one that was meant to last until then.
#[test]
fn the_run_is_that_of_a_known_end() {
    let stopped = SAMPLES[1].plan(3);
    let plan = |plan: &Plan| {
        let outcome = run::run(plan, None, 1, 0.0, &Progress::default());
        outcome.expect("nothing fails").grid().expect("a grid")
    };
    let first = plan(&stopped);
    let end = first.replications[0].end;
    let until = Until::Time(end);
    let again = plan(&Plan { until, precision: None, settings: Settings::default(), ..stopped });
    assert_eq!(again.replications[0].end, end);
    let accounts = |results: &gridpact::findings::grid::results::Results| {
        let account = &results.accounts.organizations()[0];
        (account.jobs, account.areas, account.flow.sum(), account.wait.sum(), account.last_finish)
    };
    assert_eq!(accounts(&first), accounts(&again));
    let intervals = [&first, &again].map(|results| {
        results.precision(0, &results.accounts.organizations()[0]).distributions[0].mean
    });
    assert_eq!(intervals[0], intervals[1]);
}

/// M/M/1 at load 0.9 in replications of 20 000 jobs, of which MSER-5 cuts the beginning.
fn cut(seed: u64, replications: u32) -> Plan {
    let arrivals = Arrivals::poisson(0.9);
    let options = SyntheticOptions {
        jobs: Some(20_000),
        ..SyntheticOptions::new(arrivals, Sizes::exponential(1.0))
    };
    let model = SyntheticModel::new(options).expect("the parameters can be");
    let queue = WorkloadKind::Drawn(Drawn::Synthetic(Arc::new(model)), OrganizationId(0));
    Plan {
        seed,
        replications,
        counting: Counting { quantiles: false, ..Counting::default() },
        found: Found { warm_up: true, cool_down: None },
        ..one_cluster(ClusterKind::TimeShared { processors: 1 }, queue)
    }
}

fn results(plan: &Plan, threads: usize) -> Results {
    run::run(plan, None, threads, 0.0, &Progress::default())
        .expect("nothing fails")
        .grid()
        .expect("a grid")
}

/// One end of the warm-up holds for all replications, and stays when more than twenty are run.
#[test]
fn replications_have_one_end_of_their_warm_up() {
    let ends = |replications, threads| -> Vec<(Time, u64)> {
        let found = results(&cut(3, replications), threads);
        let sample = &found.sample;
        let is_flow = |one: &Value| one.unit == sample.all() && one.measure.name == "flow";
        let jobs = sample.values().filter(is_flow).map(|one| one.weight as u64);
        found.replications.iter().map(|one| one.window.from).zip(jobs).collect()
    };
    let twenty = ends(20, 2);
    let from = twenty[0].0;
    assert!(from > Time::ZERO && twenty.iter().all(|one| one.0 == from));
    assert_eq!(ends(23, 3)[..20], twenty);
    assert_ne!(ends(2, 1)[0].0, from);
    // A run of its own has its own.
    assert_ne!(ends(1, 1)[0].0, from);
}

/// A cut that each replication finds for itself ends where its series happens to be low: the mean
/// was 4.1% too small. By theory it is 10. The mean of one run of 20 replications has a standard
/// error of about 0.3 (the sum of autocorrelations is 363, Daley 1968), so that of `seeds` of them
/// 0.3 / sqrt(seeds). The initial bias that is left is below 1%.
#[test]
fn the_end_of_the_warm_up_does_not_bias_the_mean() {
    let wanted = std::env::var("GRIDPACT_SEEDS").ok();
    let seeds: u64 = wanted.map_or(12, |seeds| seeds.parse().expect("a number of seeds"));
    let all: Vec<(f64, bool)> = (1..=seeds)
        .into_par_iter()
        .map(|seed| {
            let found = results(&cut(seed, 20), 1);
            let account = &found.accounts.organizations()[0];
            let interval = found.precision(0, account).distributions[0].mean.unwrap().interval;
            (account.flow.mean().unwrap(), interval.covers(10.0))
        })
        .collect();
    let mean = all.iter().map(|one| one.0).sum::<f64>() / seeds as f64;
    let covers = all.iter().filter(|one| one.1).count() as f64 / seeds as f64;
    println!("20 replications of 20 000 jobs at load 0.9: mean {mean:.4}, {covers:.3} cover");
    let off = mean / 10.0 - 1.0;
    assert!(off.abs() < 0.01 + 2.0 * 0.03 / (seeds as f64).sqrt(), "{off}");
}

/// Replications of 1000 jobs at load 0.9 never get to the mean of 10, and more of them do not help.
#[test]
fn replications_that_are_too_short_are_not_precise() {
    let sample = sample(0.9, 1.0, Added::Replications(1_000), 0, 0.05);
    for seed in 1..=4 {
        let found = results(&sample.plan(seed), 2);
        let known = found.sample.known.expect("it was for precision");
        assert_eq!(known.ended.why, Why::TooShort, "{known:?}");
        let warning = known.warning().expect("it is not reached");
        assert!(warning.contains("flow times still grow from the first "), "{warning}");
        assert!(warning.contains("`until.precision.each`"), "{warning}");
    }
    // Long ones do, and without a precision it is a warning. One run in a hundred is warned by
    // chance, two of six with a probability of 0.15%.
    let told = |jobs, replications, seed| {
        let sample = Sample { added: Added::Replications(jobs), ..sample };
        let plan = Plan { replications, precision: None, ..sample.plan(seed) };
        let told = warnings::of(&plan, &results(&plan, 2));
        told.iter().any(|one| one.starts_with("the replications are too short"))
    };
    assert!(told(1_000, 300, 1));
    let alarms = (1..=6).filter(|&seed| told(60_000, 10, seed)).count();
    assert!(alarms <= 1, "{alarms} of 6");
}

/// One job in a million takes a hundred thousand units: the few that come before it look precise,
/// and are not what theory says of all. A run goes on until they are typical.
#[test]
fn a_run_does_not_stop_before_rare_large_jobs() {
    let branch = |probability, mean| Branch { probability, mean };
    let sizes = Sizes::Hyperexponential(hyperexponential::Options {
        branches: vec![branch(1.0 - 1e-6, 0.5), branch(1e-6, 1e5)],
    });
    for seed in 1..=4 {
        let one = Sample { relative: 0.05, ..sample(0.8, 1.0, Added::Jobs, 0, 0.05) };
        let plan = |at_most: u64| {
            let options = SyntheticOptions::new(Arrivals::poisson(0.8), sizes.clone());
            let model = SyntheticModel::new(options).expect("the parameters can be");
            let jobs = WorkloadKind::Drawn(Drawn::Synthetic(Arc::new(model)), OrganizationId(0));
            let mut plan = one.plan(seed);
            plan.workloads[0].kind = jobs;
            plan.until = Until::Jobs(at_most);
            plan.settings.most_jobs = Some(at_most);
            if let Some(precision) = &mut plan.precision {
                precision.at_most = at_most;
            }
            plan
        };
        let found = results(&plan(100_000), 1);
        let known = found.sample.known.as_ref().expect("it was for precision");
        assert_eq!(known.ended.why, Why::AtMost, "{known:?}");
        let is_narrow = known.relative_half_width.is_some_and(|half| half <= 0.05);
        let warning = known.warning().expect("it is not reached");
        assert!(!is_narrow || warning.contains("too few large jobs"), "{warning}");
        assert!(is_narrow || seed > 1, "without a large job it looks precise");
    }
}

/// A precision out of reach ends at the bound, and the run says so.
#[test]
fn the_bound_is_kept_and_told() {
    let mut plan = Sample { relative: 1e-6, ..SAMPLES[0] }.plan(1);
    plan.replications = 30;
    let outcome = run::run(&plan, None, 2, 0.0, &Progress::default());
    let results = outcome.expect("nothing fails").grid().expect("a grid");
    assert_eq!(results.replications.len(), 30);
    let warning =
        results.sample.known.as_ref().and_then(Known::warning).expect("it is not reached");
    assert!(warning.contains("`at_most` ended the run"), "{warning}");
}
