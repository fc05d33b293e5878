//! A small instance under a grid scheduler, without a scenario: for searches that play very many.

use crate::bounds::instance::Instance;
use crate::kernel::rng::Streams;
use crate::kernel::time::Time;
use crate::model::ids::ClusterId;
use crate::model::job::Job;
use crate::model::machine::Machine;
use crate::policy::grid::GridOptions;
use crate::policy::local::{LocalOptions, Setup};
use crate::scenario::parts::AnyCluster;
use crate::sim::cluster::{Bare, SpaceShared};
use crate::sim::grid::{Grid, Settings};
use crate::sim::observer::{Finished, Observer};
use crate::state_of_fields;
use crate::workload::jobs::ListSource;

/// The latest finish.
#[derive(Clone, Debug, Default)]
struct Latest {
    finish: Time,
}

state_of_fields!(Latest { finish });

impl Observer for Latest {
    fn finished(&mut self, finished: Finished<'_>) {
        self.finish = self.finish.max(finished.finish);
    }
}

/// Returns the time at which the last job of an instance finishes. Clusters have a scheduler of their
/// own, list scheduling in order of submission, if the grid scheduler does not start jobs itself.
///
/// # Panics
/// If a job is too wide for every cluster, or its times are out of range.
pub fn makespan(scheduler: &GridOptions, instance: &Instance) -> Time {
    let streams = Streams::new(1);
    let mut grid: Grid<AnyCluster, ListSource, Latest> =
        Grid::new(Settings::default(), Latest::default());
    let clusters: Vec<ClusterId> = (instance.clusters.iter())
        .map(|&processors| {
            grid.add_cluster(match scheduler.starts() {
                true => AnyCluster::Bare(Bare(Machine::new(processors))),
                false => {
                    let setup = Setup { name: "", processors, streams: &streams };
                    let list = LocalOptions::List(Default::default()).build(&setup);
                    AnyCluster::SpaceShared(SpaceShared::new(processors, list))
                }
            })
        })
        .collect();
    grid.add_organization(clusters);
    grid.schedule(scheduler.clone());
    let jobs = instance.tasks.iter().zip(1..).map(|(task, number)| Job {
        number,
        submit: task.release,
        runtime: task.length,
        estimate: task.length,
        processors: task.processors,
        ..Job::default()
    });
    grid.add_source(ListSource::new(jobs.collect())).expect("a list can be read");
    let mut engine = grid.start_with(&streams);
    engine.run().expect("the times of an instance are in range");
    let world = engine.into_world();
    assert_eq!(world.counts().rejected, 0, "every job fits on a cluster");
    world.observer().finish
}
