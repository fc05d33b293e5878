//! Planners against exact vectors, and random problems against what is proven.

use std::collections::BTreeMap;

use rand::RngExt;
use serde::Deserialize;

use super::*;
use crate::kernel::rng::{Rng, Streams};
use crate::kernel::time::{Span, Time};
use crate::model::ids::{ClusterId, JobId, OrganizationId};
use crate::model::view::{Blind, Expected};

#[derive(Deserialize)]
struct File {
    instances: Vec<Vector>,
}

/// An instance with its schedules. Times are in ticks.
#[derive(Deserialize)]
pub(super) struct Vector {
    pub id: String,
    /// Organizations, each with a cluster of `m` processors.
    #[serde(rename = "N")]
    owners: u32,
    m: u32,
    /// Owner, length and width.
    jobs: Vec<(u32, i64, u32)>,
    #[serde(deserialize_with = "schedules")]
    pub expected: BTreeMap<String, Schedule>,
}

/// The schedule of a planner.
#[derive(Deserialize)]
pub(super) struct Schedule {
    pub o_prime: Option<Vec<u32>>,
    pub removed: Option<Vec<u32>>,
    start: Vec<i64>,
    cluster: Vec<u32>,
    org_makespan: Vec<i64>,
    cmax: i64,
}

/// Reads the schedules, and leaves out what else is known of the instance.
fn schedules<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, Schedule>, D::Error> {
    let all = BTreeMap::<String, serde_json::Value>::deserialize(from)?;
    let schedules = all.into_iter().filter(|(_, value)| value.is_object());
    schedules
        .map(|(name, value)| Ok((name, serde_json::from_value(value)?)))
        .collect::<Result<_, serde_json::Error>>()
        .map_err(serde::de::Error::custom)
}

/// Vectors of Pascual, Rzadca and Trystram (2009): their figures, and small cases in which another
/// reading of the paper would give other schedules.
pub(super) fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../tests/data/mosp.json");
    let file: File = serde_json::from_str(text).unwrap();
    assert_eq!(file.instances.len(), 21);
    file.instances
}

fn known(index: u32, (owner, length, width): (u32, i64, u32)) -> Known {
    let job = Blind {
        id: JobId(index),
        submit: Time::ZERO,
        processors: width,
        user: 0,
        organization: OrganizationId(owner),
    };
    Known { job: Expected { job, expected: Span::from_ticks(length) }, uses: 0 }
}

/// A problem at time 0 with clusters of these owners and sizes.
fn at_once(sites: &[(u32, u32)], jobs: &[(u32, i64, u32)], without_jobs: WithoutJobs) -> Problem {
    let site =
        |&(owner, processors): &(u32, u32)| Site { owner: OrganizationId(owner), processors };
    let uses = (0..sites.len() as u32).map(ClusterId).collect();
    let jobs = (0..).zip(jobs).map(|(index, &job)| known(index, job)).collect();
    let sites = sites.iter().map(site).collect();
    Problem::new(Time::ZERO, sites, vec![uses], jobs, Vec::new(), without_jobs)
}

pub(super) fn problem(vector: &Vector) -> Problem {
    let sites: Vec<(u32, u32)> = (0..vector.owners).map(|owner| (owner, vector.m)).collect();
    at_once(&sites, &vector.jobs, WithoutJobs::Kept)
}

/// The planners of the vectors, by their names there.
fn planners() -> [(&'static str, PlannerOptions); 5] {
    let molba = |alpha| PlannerOptions::Molba(molba::Options { alpha });
    let local = Start::Local(local::Options::default());
    [
        ("local", PlannerOptions::Local(Default::default())),
        ("molba2", molba(2)),
        ("molba3", molba(3)),
        ("ilba", PlannerOptions::Ilba(Default::default())),
        ("ilba_from_local", PlannerOptions::Ilba(ilba::Options { from: local })),
    ]
}

/// The only candidate.
fn plan(options: &PlannerOptions, problem: &Problem) -> Vec<Step> {
    let mut plans = Plans::default();
    options.build().plan(problem, &mut plans);
    assert_eq!(plans.len(), 1);
    let steps = plans.steps(0).to_vec();
    valid(problem, &steps);
    steps
}

/// Checks that all jobs are placed, each where it may run, and that no processor is used twice.
#[track_caller]
fn valid(problem: &Problem, steps: &[Step]) {
    let jobs: Vec<u32> = steps.iter().map(|step| step.job).collect();
    assert_eq!(jobs, (0..problem.jobs.len() as u32).collect::<Vec<_>>());
    for site in (0..problem.sites.len() as u32).map(ClusterId) {
        let mut changes: Vec<(Time, i64)> = Vec::new();
        for step in steps.iter().filter(|step| step.cluster == site) {
            let job = &problem.jobs[step.job as usize];
            assert!(problem.may_use(step.job, site) && step.start >= problem.now);
            assert!(job.processors() <= problem.sites[site.index()].processors);
            // At one instant, ends come before starts.
            changes.push((step.start, i64::from(job.processors())));
            changes.push((job.end(step.start), -i64::from(job.processors())));
            if job.job.expected == Span::ZERO {
                changes.truncate(changes.len() - 2);
            }
        }
        for busy in problem.running.iter().filter(|busy| busy.cluster == site) {
            changes.push((problem.now, i64::from(busy.processors)));
            changes.push((busy.end, -i64::from(busy.processors)));
        }
        changes.sort_unstable();
        let mut held = 0;
        for (at, change) in changes {
            held += change;
            let most = i64::from(problem.sites[site.index()].processors);
            assert!(held <= most, "{held} of {most} processors are held at {at}");
        }
    }
}

fn places(steps: &[Step]) -> (Vec<i64>, Vec<u32>) {
    (
        steps.iter().map(|step| step.start.ticks()).collect(),
        steps.iter().map(|step| step.cluster.0).collect(),
    )
}

#[test]
fn every_start_and_cluster_of_the_vectors_is_met() {
    for vector in vectors() {
        let problem = problem(&vector);
        for (name, options) in planners() {
            let expected = &vector.expected[name];
            let steps = plan(&options, &problem);
            let (start, cluster) = places(&steps);
            assert_eq!(start, expected.start, "{} by {name}", vector.id);
            assert_eq!(cluster, expected.cluster, "{} by {name}", vector.id);
            assert_eq!(problem.makespan(&steps).ticks(), expected.cmax);
            let ends = problem.ends_by_owner(|job| Some((ClusterId(0), steps[job as usize].start)));
            for (owner, end) in ends {
                assert_eq!(end.ticks(), expected.org_makespan[owner.index()]);
            }
        }
        // No known instance makes the meta-algorithm fall back.
        let meta = plan(&PlannerOptions::Meta(Default::default()), &problem);
        assert_eq!(places(&meta).0, vector.expected["molba2"].start);
    }
}
