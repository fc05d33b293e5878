//! How often do the printed 95% intervals cover the truth?
//!
//! M/M/1 queues are run by the code that `gridpact run` runs, each on a seed of its own, and the
//! intervals that it would print are compared with the closed forms. Of 1000 intervals that cover
//! with probability 0.95 each, a share between 93.6% and 96.4% should cover, which is two standard
//! errors to each side.
//!
//! The sizes follow from theory. Waits of neighbouring customers are correlated: a mean over n of
//! them is as uncertain as one over n / 9.7 independent ones at load 0.5 and n / 363 at load 0.9
//! (Daley 1968), and what the empty beginning does decays with the relaxation time
//! 1 / (1 - sqrt(load))², which is 11.7 and 380. So the warm-up is more than ten relaxation times,
//! a replication has over 100 times the correlation, and a batch about 100.
//!
//! The whole measurement takes about two minutes on two cores:
//!
//! ```sh
//! GRIDPACT_SEEDS=1000 cargo test --release --test coverage -- --nocapture
//! ```

mod common;

use std::sync::Arc;

use common::one_cluster;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::report::precision::Method;
use gridpact::run::{self, Progress};
use gridpact::scenario::drawn::Drawn;
use gridpact::scenario::plan::{ClusterKind, Plan, WorkloadKind};
use gridpact::sim::accounts::Counting;
use gridpact::stats::distribution::QUANTILES;
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::sizes::Sizes;
use gridpact::workload::synthetic::{SyntheticModel, SyntheticOptions};
use rayon::prelude::*;

/// A queue and how it is sampled.
#[derive(Clone, Copy, Debug)]
struct Sample {
    load: f64,
    replications: u32,
    /// Of each replication, those that do not count among them.
    jobs: u64,
    warm_up: i64,
}

/// Replications at both loads, then one long run at both.
const SAMPLES: [Sample; 4] = [
    Sample { load: 0.5, replications: 10, jobs: 2_600, warm_up: 200 },
    Sample { load: 0.9, replications: 10, jobs: 44_000, warm_up: 4_000 },
    Sample { load: 0.5, replications: 1, jobs: 26_000, warm_up: 200 },
    Sample { load: 0.9, replications: 1, jobs: 800_000, warm_up: 4_000 },
];

/// What is estimated, in the order of its coverage.
const FIGURES: [&str; 4] = ["mean flow", "mean wait", "p95 of flow", "p95 of wait"];

impl Sample {
    fn plan(&self, seed: u64) -> Plan {
        let arrivals = Arrivals::Poisson { rate: self.load };
        let options = SyntheticOptions {
            jobs: Some(self.jobs),
            ..SyntheticOptions::new(arrivals, Sizes::Exponential { mean: 1.0 })
        };
        let model = SyntheticModel::new(options).expect("the parameters can be");
        let from = Time::ZERO + Span::units(self.warm_up);
        let queue = WorkloadKind::Drawn(Drawn::Synthetic(Arc::new(model)), OrganizationId(0));
        Plan {
            seed,
            replications: self.replications,
            counting: Counting { from, batches: self.replications == 1, ..Counting::default() },
            ..one_cluster(ClusterKind::TimeShared { processors: 1 }, queue)
        }
    }

    /// The closed forms: flow is exponential, and wait is 0 or else the same exponential.
    fn truth(&self) -> [f64; 4] {
        let rate = 1.0 - self.load;
        [1.0 / rate, self.load / rate, 20.0_f64.ln() / rate, (20.0 * self.load).ln() / rate]
    }

    /// Which of the intervals cover the truth.
    fn covers(&self, seed: u64) -> [bool; 4] {
        let outcome = run::run(&self.plan(seed), None, 1, 0.0, &Progress::default());
        let results = outcome.expect("nothing fails").grid();
        let account = &results.accounts.organizations()[0];
        let precision = results.precision(0, account);
        match precision.method.expect("there are sections") {
            Method::Replications { sections } => assert_eq!(sections, u64::from(self.replications)),
            Method::BatchMeans { sections, .. } => assert!((16..32).contains(&sections)),
            Method::RoundMeans { .. } => panic!("a grid has no rounds"),
        }
        let p95 = QUANTILES.iter().position(|(name, _)| *name == "p95").expect("it is printed");
        let [flow, wait, ..] = precision.distributions;
        let [flow_mean, wait_mean] = [flow, wait].map(|of| of.mean.map(|mean| mean.interval));
        let intervals = [flow_mean, wait_mean, flow.quantiles[p95], wait.quantiles[p95]];
        let truth = self.truth();
        std::array::from_fn(|at| intervals[at].expect("there are sections").covers(truth[at]))
    }

    /// The shares of so many seeds that cover.
    fn coverage(&self, seeds: u64) -> [f64; 4] {
        let all: Vec<[bool; 4]> =
            (1..=seeds).into_par_iter().map(|seed| self.covers(seed)).collect();
        let shares = std::array::from_fn(|at| {
            all.iter().filter(|covers| covers[at]).count() as f64 / seeds as f64
        });
        println!("{self:?}");
        for (figure, share) in FIGURES.iter().zip(shares) {
            println!("  {figure}: {:.1}% of {seeds}", share * 100.0);
        }
        shares
    }
}

/// With the number of seeds in `GRIDPACT_SEEDS`, all samples within two standard errors; else a
/// hundred seeds of the small ones within three, so that 88.5% cover at least.
#[test]
fn printed_intervals_cover_the_truth_in_95_of_100_cases() {
    let wanted = std::env::var("GRIDPACT_SEEDS").ok();
    let is_whole = wanted.is_some();
    let seeds: u64 = wanted.map_or(100, |seeds| seeds.parse().expect("a number of seeds"));
    let deviations = if is_whole { 2.0 } else { 3.0 };
    // 1.4% of a thousand seeds.
    let off = deviations * (0.95 * 0.05 / seeds as f64).sqrt() + 1e-9;
    let mut wrong = Vec::new();
    for sample in SAMPLES.iter().filter(|sample| is_whole || sample.load < 0.9) {
        for (figure, share) in FIGURES.iter().zip(sample.coverage(seeds)) {
            if (share - 0.95).abs() > off {
                wrong.push(format!("{sample:?}: {figure}: {share}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
