//! A small instance under a grid scheduler or a planner, without a scenario: for searches and studies
//! that play very many.

use bounds::instance::{Instance, Placement};
use bounds::promise::Owned;
use kernel::order::InOrder as _;
use kernel::rng::Streams;
use kernel::state_of_fields;
use kernel::time::Time;
use model::foreign::Foreign;
use model::ids::{ClusterId, JobId, OrganizationId, Uses};
use model::job::Job;
use model::machine::Machine;
use model::speed::Speed;
use model::view::{Blind, Expected};
use policy::grid::GridOptions;
use policy::local::{LocalOptions, Setup};
use policy::plan::{Known, Planned, Problem, Site, Step, WithoutJobs};
use scenario::parts::AnyCluster;
use sim::cluster::{Bare, SpaceShared};
use sim::grid::{Grid, Settings};
use sim::observer::{Finished, Observer, PlanMade};
use workload::jobs::ListSource;

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

/// Returns the problem of a planner that is asked at time 0 for all jobs, each of which may run on any
/// cluster.
pub fn problem(owned: &Owned, without_jobs: WithoutJobs) -> Problem {
    let clusters = owned.of_cluster.iter().zip(&owned.instance.clusters);
    let site = |(&owner, &processors)| Site {
        owner: OrganizationId(owner),
        processors,
        speed: Speed::ONE,
    };
    let uses = (0..owned.of_cluster.len() as u32).map(ClusterId).collect();
    let tasks = (0..).zip(&owned.instance.tasks).zip(&owned.of_task);
    let known = tasks.map(|((index, task), &owner)| {
        let job = Blind {
            id: JobId(index),
            submit: task.release,
            processors: task.processors,
            user: 0,
            organization: OrganizationId(owner),
        };
        Known { job: Expected { job, expected: task.length }, uses: 0 }
    });
    let sites = clusters.map(site).collect();
    Problem::new(Time::ZERO, sites, vec![uses], known.collect(), Vec::new(), without_jobs)
}

/// An instance that was played by a planner's plan.
#[derive(Clone, Debug)]
pub struct PlayedPlan {
    /// The schedule as it was played.
    pub played: Played,
    /// The schedule as it was planned.
    pub planned: Vec<Placement>,
    /// Name of the plan.
    pub name: &'static str,
    /// The problem that the planner was given.
    pub problem: Problem,
}

/// Notes where and when each job ran.
#[derive(Clone, Debug, Default)]
struct Notes {
    /// Number, cluster and start of each job that finished.
    ran: Vec<(u64, ClusterId, Time)>,
    latest: Time,
}

state_of_fields!(Notes { ran, latest });

impl Notes {
    /// The schedule of so many jobs.
    fn schedule(&self, jobs: usize) -> Vec<Placement> {
        let mut schedule = vec![Placement::default(); jobs];
        for &(number, cluster, start) in &self.ran {
            schedule[number as usize - 1] = Placement { start, cluster: cluster.index() };
        }
        schedule
    }
}

impl Observer for Notes {
    fn finished(&mut self, finished: Finished<'_>) {
        self.ran.push((finished.job.number, finished.cluster, finished.start));
        self.latest = self.latest.max(finished.finish);
    }
}

/// Notes the last plan that was made.
#[derive(Clone, Debug, Default)]
struct LastPlan(Option<(Problem, Vec<Step>, &'static str)>);

state_of_fields!(LastPlan {});

impl Observer for LastPlan {
    fn planned(&mut self, made: PlanMade<'_>) {
        let steps = made.plans.steps(made.played).to_vec();
        self.0 = Some((made.problem.clone(), steps, made.plans.name(made.played)));
    }
}

/// A grid without organizations.
type Small<O> = Grid<AnyCluster, ListSource, O>;

/// Plays an instance. Clusters have a scheduler of their own, list scheduling in order of submission,
/// if the grid scheduler does not start jobs itself.
///
/// # Panics
/// If a job is too wide for every cluster, or its times are out of range.
pub fn play(scheduler: &GridOptions, instance: &Instance, streams: &Streams) -> Played {
    let mut grid: Small<Notes> = Grid::new(Settings::default(), Notes::default());
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
    let everybody = grid.add_organization(clusters);
    grid.schedule(scheduler.clone());
    let grid = run(grid, instance, |_| everybody, streams);
    let notes = grid.observer();
    let schedule = notes.schedule(instance.tasks.len());
    Played { schedule, makespan: notes.latest, messages: grid.messages() }
}

/// Plays an instance by a planner's plans; any job may run on any cluster. Of plans that are made anew,
/// the last one is returned.
///
/// # Panics
/// As [`play`]; and if there are no jobs, or an owner of jobs has a larger number than all owners of
/// clusters.
pub fn plan(planned: &Planned, owned: &Owned) -> PlayedPlan {
    let Owned { instance, of_cluster, of_task } = owned;
    let observer = (Notes::default(), LastPlan::default());
    let mut grid: Small<(Notes, LastPlan)> = Grid::new(Settings::default(), observer);
    for (&owner, &processors) in of_cluster.iter().zip(&instance.clusters) {
        let cluster = AnyCluster::Bare(Bare(Machine::new(processors)));
        grid.add_owned_cluster(cluster, OrganizationId(owner), Foreign::Always);
    }
    let all: Uses = (0..of_cluster.len() as u32).map(ClusterId).collect();
    let owners = of_cluster.iter().map(|owner| owner + 1).max().unwrap_or(0);
    for _ in 0..owners {
        grid.add_organization(all.clone());
    }
    grid.plan(planned.clone());
    let grid = run(grid, instance, |job| OrganizationId(of_task[job]), &Streams::new(1));
    let (notes, LastPlan(last)) = grid.observer();
    let schedule = notes.schedule(instance.tasks.len());
    let played = Played { schedule, makespan: notes.latest, messages: 0 };
    let (problem, steps, name) = last.clone().expect("a plan is made for the jobs");
    let planned = placements(&steps);
    PlayedPlan { played, planned, name, problem }
}

/// The places of the jobs in a plan, in the order of the jobs.
pub fn placements(steps: &[Step]) -> Vec<Placement> {
    let mut steps: Vec<&Step> = steps.iter().collect();
    steps.order_by_key(|step| step.job);
    let place = |step: &Step| Placement { start: step.start, cluster: step.cluster.index() };
    steps.into_iter().map(place).collect()
}

/// Runs a grid to its end, given the owner of each job.
fn run<O: Observer>(
    mut grid: Small<O>,
    instance: &Instance,
    owner: impl Fn(usize) -> OrganizationId,
    streams: &Streams,
) -> Small<O> {
    let jobs = instance.tasks.iter().enumerate().map(|(index, task)| Job {
        number: index as u64 + 1,
        submit: task.release,
        runtime: task.length,
        estimate: task.length,
        processors: task.processors,
        organization: owner(index),
        ..Job::default()
    });
    grid.add_source(ListSource::new(jobs.collect())).expect("a list can be read");
    let mut engine = grid.start_with(streams);
    engine.run().expect("the times of an instance are in range");
    let grid = engine.into_world();
    assert_eq!(grid.counts().rejected, 0, "every job fits on a cluster");
    grid
}

/// Returns the time at which the last job of an instance finishes; see [`play`].
///
/// # Panics
/// As [`play`].
pub fn makespan(scheduler: &GridOptions, instance: &Instance) -> Time {
    play(scheduler, instance, &Streams::new(1)).makespan
}
