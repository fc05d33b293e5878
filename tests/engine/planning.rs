//! Plans as the grid plays them: exact vectors, and cases worked out by hand.

use std::collections::BTreeMap;

use gridpact::kernel::engine::Stopped;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::asked::Asked;
use gridpact::model::ids::{ClusterId, OrganizationId};
use gridpact::model::job::Job;
use gridpact::model::machine::Machine;
use gridpact::model::order::Order;
use gridpact::policy::grid::{GridOptions, list};
use gridpact::policy::plan::{
    Planned, PlannerOptions, Planning, PlaysBy, Start, WithoutJobs, ilba, molba,
};
use gridpact::sim::cluster::Bare;
use gridpact::sim::grid::{Grid, GridError, Settings};
use gridpact::workload::jobs::ListSource;
use serde::Deserialize;
use serde_json::Value;

use crate::common::Scribe;

#[derive(Deserialize)]
struct File {
    instances: Vec<Vector>,
}

/// An instance: organizations with a cluster of `m` processors each, and jobs by owner, length and
/// width. Times are in ticks.
#[derive(Deserialize)]
struct Vector {
    id: String,
    #[serde(rename = "N")]
    owners: u32,
    m: u32,
    jobs: Vec<(u32, i64, u32)>,
    expected: BTreeMap<String, Value>,
}

fn vectors() -> Vec<Vector> {
    let file: File = serde_json::from_str(include_str!("../data/mosp.json")).unwrap();
    assert_eq!(file.instances.len(), 21);
    file.instances
}

fn numbers(schedule: &Value, key: &str) -> Vec<i64> {
    serde_json::from_value(schedule[key].clone()).unwrap()
}

/// A job of an owner: submission, expected length, length and width.
type Asks = (u32, i64, i64, i64, u32);

/// Start and cluster of every job; each owner has clusters of the given sizes.
fn played(
    place: impl FnOnce(&mut Grid<Bare, ListSource, Scribe>),
    clusters: &[(u32, u32)],
    jobs: &[Asks],
) -> Result<Vec<(i64, i64)>, GridError> {
    let mut grid = Grid::new(Settings::default(), Scribe::default());
    for &(owner, processors) in clusters {
        let bare = Bare(Machine::new(processors));
        grid.add_owned_cluster(bare, OrganizationId(owner), Default::default());
    }
    let all: Vec<ClusterId> = (0..clusters.len() as u32).map(ClusterId).collect();
    let owners = clusters.iter().map(|one| one.0).chain(jobs.iter().map(|job| job.0)).max();
    for _ in 0..=owners.unwrap_or(0) {
        grid.add_organization(all.clone());
    }
    place(&mut grid);
    let jobs =
        jobs.iter().zip(1..).map(|(&(owner, submit, estimate, runtime, width), number)| Job {
            number,
            submit: Time::from_ticks(submit),
            runtime: Span::from_ticks(runtime),
            estimate: Span::from_ticks(estimate),
            processors: width,
            organization: OrganizationId(owner),
            ..Job::default()
        });
    grid.add_source(ListSource::new(jobs.collect())).expect("a list can be read");
    let mut engine = grid.start();
    engine.run().map_err(|error| match error {
        Stopped::World(error) => error,
        other => panic!("{other}"),
    })?;
    let now = engine.now();
    let scribe = engine.into_world().finish(now);
    let started = |job: &gridpact::audit::JobFacts| {
        (job.start.expect("it started").ticks(), job.cluster.expect("it ran") as i64)
    };
    Ok(scribe.jobs.iter().map(started).collect())
}

fn by(
    planner: PlannerOptions,
    planning: Planning,
) -> impl FnOnce(&mut Grid<Bare, ListSource, Scribe>) {
    move |grid| grid.plan(Planned { planner, planning })
}

fn at_once(plays_by: PlaysBy) -> Planning {
    Planning { asked: Asked::Once, plays_by, ..Planning::default() }
}

fn molba(alpha: u32) -> PlannerOptions {
    PlannerOptions::Molba(molba::Options { alpha })
}

fn local() -> PlannerOptions {
    PlannerOptions::Local(Default::default())
}

/// By time, the grid plays each vector as it is.
#[test]
fn plans_are_played_by_time_as_the_vectors_say() {
    let from_local = ilba::Options { from: Start::Local(Default::default()) };
    let planners = [
        ("local", local()),
        ("molba2", molba(2)),
        ("molba3", molba(3)),
        ("ilba", PlannerOptions::Ilba(Default::default())),
        ("ilba_from_local", PlannerOptions::Ilba(from_local)),
    ];
    for vector in vectors() {
        let clusters: Vec<(u32, u32)> = (0..vector.owners).map(|owner| (owner, vector.m)).collect();
        let job = |&(owner, length, width): &(u32, i64, u32)| (owner, 0, length, length, width);
        let jobs: Vec<Asks> = vector.jobs.iter().map(job).collect();
        for (name, planner) in &planners {
            let expected = &vector.expected[*name];
            let places: Vec<(i64, i64)> =
                numbers(expected, "start").into_iter().zip(numbers(expected, "cluster")).collect();
            let play = |plays_by| {
                played(by(planner.clone(), at_once(plays_by)), &clusters, &jobs).unwrap()
            };
            assert_eq!(play(PlaysBy::Time), places, "{} by {name}", vector.id);
            // By order, nothing starts later than planned, and everything on its cluster.
            for (found, planned) in play(PlaysBy::Order).iter().zip(&places) {
                assert!(found.0 <= planned.0 && found.1 == planned.1, "{} by {name}", vector.id);
            }
        }
    }
}

/// The schedule of an organization alone is list scheduling in order of width.
#[test]
fn a_local_plan_is_list_scheduling_of_the_widest_first() {
    for vector in vectors() {
        let clusters: Vec<(u32, u32)> = (0..vector.owners).map(|owner| (owner, vector.m)).collect();
        let job = |&(owner, length, width): &(u32, i64, u32)| (owner, 0, length, length, width);
        let jobs: Vec<Asks> = vector.jobs.iter().map(job).collect();
        let list = GridOptions::List(list::Options { order: Order::Largest });
        let owners: Vec<OrganizationId> = (0..vector.owners).map(OrganizationId).collect();
        let alone = played(
            |grid| {
                grid.schedule(list);
                grid.part(&owners);
            },
            &clusters,
            &jobs,
        );
        let planned = played(by(local(), at_once(PlaysBy::Time)), &clusters, &jobs);
        assert_eq!(alone, planned, "{}", vector.id);
    }
}

#[test]
fn after_the_only_plan_a_job_is_an_error() {
    let jobs = [(0, 3, 1, 1, 1), (0, 3, 1, 1, 1), (0, 4, 1, 1, 1)];
    let error = played(by(local(), at_once(PlaysBy::Order)), &[(0, 1)], &jobs).unwrap_err();
    assert_eq!(error, GridError::Late { number: 3, now: Time::from_ticks(4) });
    assert!(error.to_string().contains("asked = \"batch\""), "{error}");
}

/// One cluster of 2: job 1 is expected to run for 4 and runs for `runtime`, job 2 needs both processors.
#[track_caller]
fn second_starts(plays_by: PlaysBy, runtime: i64, expected: i64) {
    let jobs = [(0, 0, 4, runtime, 2), (0, 0, 3, 3, 2)];
    let found = played(by(local(), at_once(plays_by)), &[(0, 2)], &jobs).unwrap();
    assert_eq!(found, [(0, 0), (expected, 0)]);
}

#[test]
fn wrong_estimates_move_starts() {
    // It ends early: by order the next job starts early too.
    second_starts(PlaysBy::Order, 1, 1);
    second_starts(PlaysBy::Time, 1, 4);
    // It ends late: the next job waits for its processors.
    second_starts(PlaysBy::Order, 6, 6);
    second_starts(PlaysBy::Time, 6, 6);
    second_starts(PlaysBy::Time, 4, 4);
}

fn asked(asked: Asked) -> Planning {
    Planning { asked, plays_by: PlaysBy::Time, ..Planning::default() }
}

/// One cluster of 2. Jobs 1 and 2 come at 0 and are expected to run for 4 one after the other; job 3 is
/// narrow and comes at 1, job 4 is wide and comes at 5.
#[track_caller]
fn starts(planning: Planning, expected: [i64; 4]) {
    let jobs = [(0, 0, 4, 4, 2), (0, 0, 4, 4, 1), (0, 1, 1, 1, 1), (0, 5, 2, 2, 2)];
    let found = played(by(local(), planning), &[(0, 2)], &jobs).unwrap();
    assert_eq!(found.iter().map(|one| one.0).collect::<Vec<_>>(), expected);
}

#[test]
fn a_plan_is_made_when_it_is_asked_for() {
    // The first batch ends at 8, and then job 4 comes first as it is wider.
    starts(asked(Asked::Batch), [0, 4, 10, 8]);
    // Job 3 has its place beside job 2. Job 4 finds both of them running at 5, job 3 until then.
    starts(asked(Asked::Arrival), [0, 4, 4, 8]);
    // Asked at 0 and at multiples of 3: job 3 is planned at 3, job 4 at 6.
    let every = |ticks: f64| Asked::Every(ticks / 1e6);
    starts(asked(every(3.0)), [0, 4, 4, 8]);
    // At 7 job 3 fits beside job 2, which runs until 8, and job 4 does not.
    starts(asked(every(7.0)), [0, 4, 7, 8]);
}

/// Owner 0 has a cluster of 2, owner 1 one of 4, owner 2 none.
const UNLIKE: [(u32, u32); 2] = [(0, 2), (1, 4)];

#[test]
fn jobs_wider_than_their_own_cluster_go_where_they_fit() {
    // Job 2 fits on the cluster of owner 1 only, behind job 3; owner 2 has nothing of its own.
    let jobs = [(0, 0, 5, 5, 2), (0, 0, 3, 3, 3), (1, 0, 2, 2, 4), (2, 0, 1, 1, 1)];
    for planner in PlannerOptions::defaults() {
        let found = played(by(planner.clone(), at_once(PlaysBy::Time)), &UNLIKE, &jobs).unwrap();
        let expected = match planner {
            // The shortest come first, whosever they are.
            PlannerOptions::ShortestFirst(_)
            | PlannerOptions::EquitableWalk(_)
            | PlannerOptions::EquitableLocalSearch(_) => [(0, 0), (3, 1), (1, 1), (0, 1)],
            _ => [(0, 0), (2, 1), (0, 1), (2, 1)],
        };
        assert_eq!(found, expected, "{}", planner.name());
    }
}

#[test]
fn clusters_of_owners_without_jobs_can_be_left_out() {
    let jobs = [(0, 0, 5, 5, 2), (0, 0, 5, 5, 2), (0, 0, 5, 5, 2)];
    let with = |without_jobs, jobs: &[Asks]| {
        let planning = Planning { without_jobs, ..at_once(PlaysBy::Time) };
        let ilba = PlannerOptions::Ilba(Default::default());
        played(by(ilba, planning), &[(0, 2), (1, 2)], jobs).unwrap()
    };
    assert_eq!(with(WithoutJobs::LeftOut, &jobs), [(0, 0), (5, 0), (10, 0)]);
    assert_eq!(with(WithoutJobs::Kept, &jobs), [(0, 0), (0, 1), (5, 0)]);
    // With a job of owner 1, its cluster is used again.
    let more: Vec<Asks> = jobs.into_iter().chain([(1, 0, 1, 1, 1)]).collect();
    assert_eq!(with(WithoutJobs::LeftOut, &more)[2], (5, 0));
    // A job that fits nowhere else opens the clusters that were left out.
    let planning = Planning { without_jobs: WithoutJobs::LeftOut, ..at_once(PlaysBy::Time) };
    let wide = [(0, 0, 1, 1, 4), (0, 0, 1, 1, 1)];
    let found = played(by(local(), planning), &UNLIKE, &wide).unwrap();
    assert_eq!(found, [(0, 1), (0, 0)]);
}

#[test]
fn jobs_without_length_are_planned_for_a_tick() {
    // The widest come first: jobs 1 to 3, then job 4, which is expected to have no length.
    let jobs = [(0, 0, 0, 0, 2), (0, 0, 4, 4, 2), (0, 0, 0, 0, 2), (0, 0, 0, 3, 1)];
    let play = |plays_by| played(by(local(), at_once(plays_by)), &[(0, 2)], &jobs).unwrap();
    assert_eq!(play(PlaysBy::Time), [(0, 0), (1, 0), (5, 0), (6, 0)]);
    assert_eq!(play(PlaysBy::Order), [(0, 0), (0, 0), (4, 0), (4, 0)]);
}

#[test]
fn equal_jobs_of_one_owner_go_in_order_of_submission() {
    let jobs = [(0, 0, 2, 2, 1); 5];
    for planner in PlannerOptions::defaults() {
        let found = played(by(planner, at_once(PlaysBy::Order)), &[(0, 2)], &jobs).unwrap();
        assert_eq!(found.iter().map(|one| one.0).collect::<Vec<_>>(), [0, 0, 2, 2, 4]);
    }
}

/// All processors are busy when jobs 2 and 3 come, and job 1 has outrun its estimate.
#[test]
fn a_planner_is_asked_while_everything_is_busy() {
    let jobs = [(0, 0, 2, 9, 2), (0, 5, 2, 2, 1), (0, 5, 2, 2, 2)];
    let found = played(by(local(), asked(Asked::Arrival)), &[(0, 2)], &jobs).unwrap();
    assert_eq!(found, [(0, 0), (11, 0), (9, 0)]);
}
