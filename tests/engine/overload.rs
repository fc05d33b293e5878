//! Error rates of the test for queues that grow without limit.
//!
//! M/M/1 queues that begin empty are run on fixed seeds and judged as a run judges them. Those
//! below load one have a limit, however slowly they fill: a replication may be told wrongly with
//! probability 0.001 (`CHANCE`), so of 60 seeds more than 2 with probability 0.00003. Those above
//! one must be found. While n jobs come at load r, the second half of a queue rises by (r - 1) T
//! with T = n / 2r, with a deviation of sqrt((r + 1) T); that must be above a quantile of Student's
//! t, so the share that is found follows in about, and may be lower by four standard errors and 2%.
//!
//! `GRIDPACT_SEEDS=1000 cargo test --release --test engine overload -- --nocapture` tells all
//! shares.

use std::sync::Arc;

use crate::common::{one_cluster, run};
use gridpact::findings::grid::overload::Overloads;
use gridpact::findings::growing::{CHANCE, Grows};
use gridpact::model::foreign::Foreign;
use gridpact::model::ids::{ClusterId, OrganizationId};
use gridpact::scenario::drawn::Drawn;
use gridpact::scenario::plan::{Cluster, ClusterKind, Organization, Plan, Workload, WorkloadKind};
use gridpact::sim::timeline::Timeline;
use gridpact::stats::growth::SECTIONS;
use gridpact::stats::student;
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::draw::Sizes;
use gridpact::workload::synthetic::{SyntheticModel, SyntheticOptions};
use rayon::prelude::*;

const QUEUE: ClusterKind = ClusterKind::TimeShared { processors: 1 };

fn seeds() -> u64 {
    std::env::var("GRIDPACT_SEEDS").map_or(60, |seeds| seeds.parse().expect("a number"))
}

/// Jobs of mean length 1 that come at this rate.
fn workload(owner: u32, load: f64, jobs: u64) -> WorkloadKind {
    let arrivals = Arrivals::poisson(load);
    let options = SyntheticOptions {
        jobs: Some(jobs),
        ..SyntheticOptions::new(arrivals, Sizes::exponential(1.0))
    };
    let model = SyntheticModel::new(options).expect("the parameters can be");
    WorkloadKind::Drawn(Drawn::Synthetic(Arc::new(model)), OrganizationId(owner))
}

/// The same queue after this many jobs, on each of the seeds.
fn found(load: f64, jobs: u64) -> Vec<Option<Grows>> {
    let one = |seed: u64| {
        let plan = Plan { seed, ..one_cluster(QUEUE, workload(0, load, jobs)) };
        let timeline = run(&plan, 0, Timeline::new(1));
        let mut overloads = Overloads::new(1);
        let bins = timeline.into_bins();
        overloads.add(Some(&bins), &bins.together());
        assert_eq!(overloads.clusters().next().map(|(_, grows)| grows), overloads.grid());
        overloads.grid()
    };
    (1..=seeds()).into_par_iter().map(one).collect()
}

#[test]
fn a_queue_that_has_a_limit_is_hardly_ever_said_to_grow() {
    for load in [0.5, 0.9, 0.95, 0.99, 1.0] {
        for jobs in [700, 2_000, 20_000, 60_000] {
            let told = found(load, jobs).iter().flatten().count() as u64;
            println!("load {load}, {jobs} jobs: {told} of {} said to grow", seeds());
            let most = 2.0_f64.max(seeds() as f64 * 4.0 * CHANCE);
            assert!(told as f64 <= most, "load {load}, {jobs} jobs: {told} of {}", seeds());
        }
    }
}

/// The share that should be found, with that of a normal above what is asked for.
fn power(load: f64, jobs: u64) -> f64 {
    let time = jobs as f64 / (2.0 * load);
    let drift = (load - 1.0) * time / ((load + 1.0) * time).sqrt();
    let asked = student::two_sided(1.0 - CHANCE, SECTIONS as u64 - 1);
    // The spread that the sum is set against is itself uncertain.
    let spread = (1.0 + asked * asked / (2.0 * (SECTIONS as f64 - 1.0))).sqrt();
    0.5 * libm::erfc((asked - drift) / spread / 2.0_f64.sqrt())
}

#[test]
fn a_queue_that_grows_is_found_as_soon_as_it_can_be_told_and_its_rate_is_right() {
    for (load, jobs) in [(1.05, 20_000), (1.05, 60_000), (1.3, 1_000), (1.3, 5_000), (1.5, 1_000)] {
        let found: Vec<Grows> = found(load, jobs).into_iter().flatten().collect();
        let (told, all) = (found.len() as f64, seeds() as f64);
        let expected = power(load, jobs);
        println!("load {load}, {jobs} jobs: {} of {all} found, {expected:.3} expected", told);
        let error = (expected * (1.0 - expected) / all).sqrt();
        assert!(
            told / all >= expected - 4.0 * error - 0.02,
            "load {load}, {jobs}: {told} of {all}"
        );
        // Of those that are found by chance the rate is too large.
        if expected > 0.99 {
            let rates = found.iter().map(|grows| grows.rate).sum::<f64>() / told;
            let time = jobs as f64 / (2.0 * load);
            let error = ((load + 1.0) / time / told).sqrt();
            assert!((rates - (load - 1.0)).abs() < 4.0 * error, "{rates} +- {error} at {load}");
        }
    }
}

/// Ten clusters, of which the seventh has too much to do.
#[test]
fn one_overloaded_cluster_among_ten_is_found_and_no_other() {
    let of = |seed: u64, load: f64, time: f64| {
        let jobs = |load: f64| (load * time) as u64;
        let load = |one: u32| if one == 6 { load } else { 0.8 };
        let plan = Plan {
            seed,
            organizations: (0..10)
                .map(|one| Organization {
                    name: format!("o{one}"),
                    uses: [ClusterId(one)].into(),
                    ..Organization::default()
                })
                .collect(),
            clusters: (0..10)
                .map(|one| Cluster {
                    name: format!("c{one}"),
                    owner: OrganizationId(one),
                    kind: QUEUE,
                    foreign: Foreign::Always,
                })
                .collect(),
            workloads: (0..10)
                .map(|one| Workload {
                    name: format!("o{one}"),
                    kind: workload(one, load(one), jobs(load(one))),
                })
                .collect(),
            ..one_cluster(QUEUE, workload(0, 0.1, 1))
        };
        let mut overloads = Overloads::new(10);
        let bins = run(&plan, 0, Timeline::new(10)).into_bins();
        overloads.add(Some(&bins), &bins.together());
        overloads.clusters().collect::<Vec<_>>()
    };
    for (load, time, seeds) in [(1.3, 5_000.0, 40), (1.05, 160_000.0, 6)] {
        let found: Vec<_> = (1..=seeds).into_par_iter().map(|seed| of(seed, load, time)).collect();
        for (seed, found) in (1..).zip(found) {
            let clusters: Vec<usize> = found.iter().map(|(cluster, _)| *cluster).collect();
            assert_eq!(clusters, [6], "load {load}, seed {seed}");
            let rate = found[0].1.rate;
            // Five standard errors, of 48.
            let error = 5.0 * ((load + 1.0) / (time / 2.0)).sqrt();
            assert!((rate - (load - 1.0)).abs() < error, "{rate} at {load}");
        }
    }
}

/// All at once, and a rush in the first third: they are worked off.
#[test]
fn a_heap_is_no_queue_that_grows() {
    for load in [20.0, 3.1] {
        assert!(found(load, 5_000).iter().all(Option::is_none), "{load}");
    }
}
