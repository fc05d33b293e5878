//! A small instance under a grid scheduler, without a scenario: for searches and studies that play
//! very many.

use crate::bounds::instance::{Instance, Placement};
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

/// The schedule that a grid scheduler made of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Start and cluster of each job, in the order of the instance.
    pub schedule: Vec<Placement>,
    /// Time at which the last job finishes.
    pub makespan: Time,
    /// Messages that the clusters exchanged.
    pub messages: u64,
}

/// Notes where and when each job ran.
#[derive(Clone, Debug, Default)]
struct Notes {
    /// Number, cluster and start of each job that finished.
    ran: Vec<(u64, ClusterId, Time)>,
    latest: Time,
}

state_of_fields!(Notes { ran, latest });

impl Observer for Notes {
    fn finished(&mut self, finished: Finished<'_>) {
        self.ran.push((finished.job.number, finished.cluster, finished.start));
        self.latest = self.latest.max(finished.finish);
    }
}

/// Plays an instance. Clusters have a scheduler of their own, list scheduling in order of submission,
/// if the grid scheduler does not start jobs itself.
///
/// # Panics
/// If a job is too wide for every cluster, or its times are out of range.
pub fn play(scheduler: &GridOptions, instance: &Instance, streams: &Streams) -> Played {
    let notes = Notes { ran: Vec::with_capacity(instance.tasks.len()), ..Notes::default() };
    let mut grid: Grid<AnyCluster, ListSource, Notes> = Grid::new(Settings::default(), notes);
    let clusters: Vec<ClusterId> = (instance.clusters.iter())
        .map(|&processors| {
            grid.add_cluster(match scheduler.starts() {
                true => AnyCluster::Bare(Bare(Machine::new(processors))),
                false => {
                    let setup = Setup { name: "", processors, streams };
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
    let mut engine = grid.start_with(streams);
    engine.run().expect("the times of an instance are in range");
    let world = engine.into_world();
    assert_eq!(world.counts().rejected, 0, "every job fits on a cluster");
    let notes = world.observer();
    let mut schedule = vec![Placement::default(); instance.tasks.len()];
    for &(number, cluster, start) in &notes.ran {
        schedule[number as usize - 1] = Placement { start, cluster: cluster.index() };
    }
    Played { schedule, makespan: notes.latest, messages: world.messages() }
}

/// Returns the time at which the last job of an instance finishes; see [`play`].
///
/// # Panics
/// As [`play`].
pub fn makespan(scheduler: &GridOptions, instance: &Instance) -> Time {
    play(scheduler, instance, &Streams::new(1)).makespan
}
