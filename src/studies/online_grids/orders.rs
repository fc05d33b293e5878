//! Static orders of the list: no order by parallelism seems to give a constant factor.

use std::ops::ControlFlow;

use super::drawn::Arm;
use crate::adversary::{Settings, search};
use crate::played::Record;
use crate::row::Row;
use crate::worst_case::family;
use crate::{Bench, StudyError};
use bounds::instance::Instance;
use bounds::optimum::optimum;
use run::instance::{makespan, play};

/// Nodes after which an optimum is given up.
const NODES: u64 = 50_000;

/// Greatest ratios of static orders: of the paper's examples by their parameter, and found by search.
pub(super) fn static_orders(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = examples(bench)?;
    let evaluations = u64::from(bench.effort.samples) * 10;
    let how = "gridpact adversary with --jobs 9, for each order and number of clusters";
    bench.log(Record::drawn(how, bench, bench.effort.samples));
    for arm in [Arm::Smallest, Arm::Submit, Arm::Largest, Arm::Lists] {
        let options = arm.options();
        let plays = |one: &Instance| makespan(&options, one);
        let best = |one: &Instance| optimum(one, NODES).ok()?.makespan.proved();
        for clusters in [2, 3, 4] {
            let settings = Settings {
                clusters,
                jobs: 9,
                seed: bench.effort.seed,
                restarts: 8,
                evaluations,
                ..Settings::default()
            };
            let found = search(&settings, &plays, &best, &mut |_| ControlFlow::Continue(()));
            let found = found.map_err(StudyError)?;
            bench.add_samples(found.evaluations);
            let ratio = found.best.map_or(f64::NAN, |worst| worst.ratio());
            let what = format!(
                "greatest ratio found with {clusters} clusters and up to 9 jobs at once: {}",
                arm.name()
            );
            let note = format!("{} instances searched", found.evaluations);
            rows.push(Row::new("OG-Q-01", "4, 7", what).shown(ratio).note(note));
        }
    }
    Ok(rows)
}

/// The ratios of the paper's two examples rise with their parameter, and so with the classes of
/// clusters.
fn examples(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let streams = kernel::rng::Streams::new(bench.effort.seed);
    let examples: [(&str, Arm, &[u64]); 2] =
        [("example-4.1", Arm::Smallest, &[2, 3, 4, 5]), ("example-4.3", Arm::Largest, &[3, 4])];
    let mut rows = Vec::new();
    for (name, arm, all) in examples {
        let mut ratios = Vec::new();
        for &k in all {
            let built = family(name).and_then(|family| family.build(&[("k", k)]));
            let worst = built.map_err(StudyError)?;
            let played = play(&arm.options(), &worst.instance, &streams);
            ratios.push(played.makespan.as_units() / worst.optimum.at_most().as_units());
        }
        let rises = ratios.windows(2).all(|pair| pair[1] > pair[0] + 0.4);
        let told: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.3}")).collect();
        let what = format!("{}: the ratio rises with the classes of clusters", arm.name());
        let place = "Examples 4.1 and 4.3";
        let note = format!("{name}, k = {} on: {}", all[0], told.join(", "));
        rows.push(Row::new("OG-Q-01", place, what).holds(rises).note(note));
    }
    Ok(rows)
}
