//! Cost of a draw in ns, and of a whole job of a synthetic workload.
//!
//! Each row draws from its own stream, as in a grid. The column "job" is a job of a stream whose
//! other draws are the cheapest: exponential gaps and sizes, one processor.

mod common;

use common::criterion;
use criterion::{Criterion, Throughput};
use gridpact::kernel::rng::Streams;
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::workload::Source;
use gridpact::workload::dealt::{Dealt, DrawnOwners};
use gridpact::workload::draw::Sizes;
use gridpact::workload::draw::{Alias, Draw as _};
use gridpact::workload::modal::{Modal, ModalOptions};
use gridpact::workload::synthetic::{Synthetic, SyntheticOptions};
use std::hint::black_box;

/// Number of draws in one measurement.
const DRAWS: u64 = 10_000;
/// Name of the streams.
const NAME: &str = "organization/a";

const SIZES: [&str; 11] = [
    "constant = 1.0",
    "uniform = { min = 1.0, max = 5.0 }",
    "exponential.mean = 1.0",
    "gamma = { shape = 2.0, scale = 1.0 }",
    "gamma = { shape = 0.5, scale = 1.0 }",
    "lognormal = { mean = 1.0, variation = 2.0 }",
    "weibull = { shape = 0.7, scale = 1.0 }",
    "bounded_pareto = { shape = 1.1, min = 1.0, max = 1000.0 }",
    "hyper_gamma = { probability = 0.7, first = { shape = 2.0, scale = 1.0 }, second = { shape = \
     30.0, scale = 0.5 } }",
    "hyperexponential.branches = [{ probability = 0.9, mean = 1.0 }, { probability = 0.1, mean = \
     9.0 }]",
    "empirical.file = \"tests/draws/sizes.csv\"",
];

const MORE: [&str; 9] = [
    "",
    "processors.uniform = { min = 1, max = 100 }",
    "processors.log_uniform = { min = 1, max = 100 }",
    "processors.powers_of_two = { min = 1, max = 64 }",
    "estimates.f_model.factor = 5.0",
    "batches.geometric.mean = 3.0",
    "profile.daily = [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1]",
    "rounding = { arrivals = \"floor\", size = \"ceil\" }",
    "processors.powers_of_two = { min = 1, max = 64 }\nestimates.f_model.factor = 5.0\n\
     profile.daily = [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1]",
];

fn draws(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a draw");
    group.throughput(Throughput::Elements(DRAWS));
    for text in SIZES {
        #[derive(serde::Deserialize)]
        struct Only {
            size: Sizes,
        }
        let Only { size } = toml::from_str(&format!("size.{text}")).expect("it is a size");
        let draw = size.sampler().expect("the parameters can be");
        let mut rng = Streams::new(1).stream("draws");
        group.bench_function(text, |bench| {
            bench.iter(|| (0..DRAWS).map(|_| draw.draw(&mut rng)).sum::<f64>());
        });
    }
    for count in [10_u32, 1000, 100_000] {
        let weights: Vec<f64> = (1..=count).map(|rank| f64::from(rank).powf(-1.4267)).collect();
        let alias = Alias::new(&weights).expect("these are weights");
        let mut rng = Streams::new(1).stream("draws");
        group.bench_function(format!("alias table of {count}"), |bench| {
            bench.iter(|| (0..DRAWS).map(|_| alias.draw(&mut rng)).sum::<usize>());
        });
    }
    group.finish();
}

fn jobs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a job");
    group.throughput(Throughput::Elements(DRAWS));
    let streams = Streams::new(1);
    let source = |more: &str| {
        let text = format!("arrivals.poisson.rate = 1.0\nsize.exponential.mean = 1.0\n{more}");
        let options: SyntheticOptions = toml::from_str(&text).expect("it is a workload");
        Synthetic::new(options, NAME, 0, OrganizationId(0), &streams)
            .expect("the parameters can be")
    };
    for more in MORE {
        let name = if more.is_empty() { "nothing more" } else { more };
        let mut source = source(more);
        group.bench_function(name, |bench| bench.iter(|| drain(&mut source)));
    }
    let modal = ModalOptions { max: 64_800, jobs: 10_000, popular: Vec::new() };
    let mut dealt = Modal::new(source(""), modal, NAME, &streams);
    group.bench_function("estimates.modal.max = 64800", |bench| bench.iter(|| drain(&mut dealt)));
    let owners = DrawnOwners::default();
    let table = owners.table(100).expect("the default can be");
    let mut owned = Dealt::new(source(""), table, NAME, &streams);
    group.bench_function("owners.zipf of 100", |bench| bench.iter(|| drain(&mut owned)));
    group.finish();
}

/// Takes `DRAWS` jobs.
fn drain(source: &mut impl Source<Load = Job>) {
    for _ in 0..DRAWS {
        black_box(source.next().expect("draws do not fail"));
    }
}

fn main() {
    let mut criterion = criterion();
    draws(&mut criterion);
    jobs(&mut criterion);
    criterion.final_summary();
}
