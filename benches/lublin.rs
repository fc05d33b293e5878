//! Cost of a job of the Lublin-Feitelson model, drawn alone and in a whole simulation.
//!
//! The baseline of the stream is the cheapest one, a Poisson stream of exponential jobs; that of
//! the simulations is FCFS on the same million jobs. The machine has 256 processors and the load is
//! 0.7. Accounts and histograms are kept, but no files written.

mod common;

use std::sync::Arc;

use common::*;
use criterion::Criterion;
use gridpact::kernel::rng::Streams;
use gridpact::scenario::parts::{AnyCluster, AnySource};
use gridpact::sim::cluster::SpaceShared;
use gridpact::sim::grid::{Grid, Settings};
use gridpact::sim::observer::Observer;
use gridpact::workload::Source;
use gridpact::workload::lublin_feitelson::{
    LublinFeitelson, LublinFeitelsonOptions, Model, SizeRange, Types,
};
use gridpact::workload::synthetic::{Synthetic, SyntheticOptions};

/// Number of jobs in a stream alone, and in a simulation.
const DRAWS: u64 = 100_000;
const JOBS: u64 = 1_000_000;
const PROCESSORS: u32 = 256;

fn stream(types: Types, load: Option<f64>, jobs: u64) -> LublinFeitelson {
    let jobs = Some(jobs);
    let options = LublinFeitelsonOptions::new(PROCESSORS);
    let options = LublinFeitelsonOptions { types, load, jobs, ..options };
    let model = Model::new(options).expect("the parameters are valid");
    LublinFeitelson::new(Arc::new(model), "organization/all", 0, ONE, &Streams::new(1))
}

fn poisson() -> Synthetic {
    let options = SyntheticOptions { jobs: Some(DRAWS), ..SyntheticOptions::new(ARRIVALS, SIZES) };
    Synthetic::new(options, "organization/all", 0, ONE, &Streams::new(1))
        .expect("the parameters are valid")
}

/// Processor time of all jobs, in ticks.
fn drain(mut source: impl Source<Load = gridpact::model::job::Job>) -> i128 {
    let mut area = 0;
    while let Some(job) = source.next().expect("draws do not fail") {
        area += i128::from(job.runtime.ticks()) * i128::from(job.processors);
    }
    area
}

fn simulation<O: Observer>(name: &str, observer: O) -> Ready<O> {
    let mut grid = Grid::new(Settings::default(), observer);
    let cluster = SpaceShared::new(PROCESSORS, scheduler(name, PROCESSORS));
    let cluster = grid.add_cluster(AnyCluster::SpaceShared(cluster));
    grid.add_organization(vec![cluster]);
    let source = stream(Types::default(), Some(0.7), JOBS);
    grid.add_source(AnySource::LublinFeitelson(Box::new(source))).expect("draws do not fail");
    grid.start()
}

fn draws(criterion: &mut Criterion) {
    const BASE: &str = "Poisson and exponential";
    let mut table = Table::new(criterion, "draws", "job", BASE);
    let row = "1e5 jobs of a stream";
    table.measure(row, BASE, DRAWS, poisson, drain);
    for (name, types, load) in [
        ("Lublin, two types", Types::default(), None),
        ("Lublin, two types, load 0.7", Types::default(), Some(0.7)),
        ("Lublin, one type", Types::One(SizeRange::default()), None),
    ] {
        table.measure(row, name, DRAWS, || stream(types, load, DRAWS), drain);
    }
    table.finish();
}

fn simulations(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "Lublin at load 0.7", "job", "fcfs");
    for name in SCHEDULERS {
        let ready = || simulation(name, accounts(1, 1, PROCESSORS));
        table.measure("1e6 jobs on 256 processors", name, JOBS, ready, run);
    }
    table.finish();
}

fn main() {
    let mut criterion = criterion();
    draws(&mut criterion);
    simulations(&mut criterion);
    criterion.final_summary();
}
