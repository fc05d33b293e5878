//! Static orders of the list: no order by parallelism seems to give a constant factor.

use std::ops::ControlFlow;

use serde::Deserialize;

use super::drawn::Arm;
use crate::StudyError;
use crate::adversary::{Settings, search};
use crate::lines::code::{Asked, Figures, exact};
use bounds::instance::Instance;
use bounds::optimum::optimum;
use run::instance::makespan;

/// Nodes after which an optimum is given up.
const NODES: u64 = 50_000;

/// A scheduler, and a number of clusters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    scheduler: Arm,
    clusters: usize,
}

/// The greatest ratio that a search finds, with up to 9 jobs at once.
pub(super) fn adversary(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Options { scheduler, clusters } = asked.options()?;
    let options = scheduler.options();
    let plays = |one: &Instance| makespan(&options, one);
    let best = |one: &Instance| optimum(one, NODES).ok()?.makespan.proved();
    let evaluations = u64::from(asked.samples) * 10;
    let seed = asked.seed;
    let settings =
        Settings { clusters, jobs: 9, seed, restarts: 8, evaluations, ..Settings::default() };
    let found = search(&settings, &plays, &best, &mut |_| ControlFlow::Continue(()));
    let found = found.map_err(StudyError)?;
    asked.bench.add_samples(found.evaluations);
    Ok(exact([("ratio", found.best.map_or(f64::NAN, |worst| worst.ratio()))]))
}
