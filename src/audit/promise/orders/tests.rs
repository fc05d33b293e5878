//! Orders by hand, with faults planted in them.

use super::*;
use crate::promise::{Plans, Promised, tests};
use crate::tests::clusters;
use crate::{Clairvoyance, Settings};

/// A job of an owner: length and processors, then its cluster and start.
fn job(
    number: u64,
    owner: usize,
    (length, processors): (i64, u32),
    place: (usize, i64),
) -> PlannedJob {
    tests::job(number, (owner, length, processors), place, None)
}

/// The counts of both checks on two clusters of four processors, and the first text.
fn checked(candidates: &[(&str, Vec<PlannedJob>)], held: &[Held]) -> ([u64; 2], String) {
    let (clusters, mut orders) = (clusters(&[4, 4]), Orders::new());
    for (name, jobs) in candidates {
        for job in jobs {
            orders.came(&JobFacts {
                source: Some(0),
                ..JobFacts::new(job.number, Time::ZERO, job.length, job.processors)
            });
        }
        let (name, jobs) = ((*name).to_owned(), jobs.clone());
        let candidate = Candidate { replication: 0, plan: 1, name, asked: Time::ZERO, jobs };
        orders.add(&candidate, &clusters, held);
    }
    let checks: [Check; 2] = orders.finish().try_into().unwrap();
    let first = checks.iter().find_map(|check| check.violations.first());
    let text = first.map(ToString::to_string).unwrap_or_default();
    (checks.map(|check| check.count), text)
}

/// On the cluster of the first organization: a job of its own of length 3, two of the second.
fn lone(starts: [i64; 3]) -> Vec<PlannedJob> {
    vec![
        job(1, 0, (3, 4), (0, starts[0])),
        job(2, 1, (1, 4), (0, starts[1])),
        job(3, 1, (2, 4), (0, starts[2])),
    ]
}

#[test]
fn orders_by_length_and_of_owners_first_are_known() {
    assert_eq!(checked(&[("shortest_first", lone([3, 0, 1]))], &[]).0, [0, 0]);
    assert_eq!(checked(&[("my_jobs_first", lone([0, 3, 4]))], &[]).0, [0, 0]);
    let (counts, text) = checked(&[("my_jobs_first", lone([3, 0, 1]))], &[]);
    assert_eq!(counts, [3, 0]);
    assert_eq!(text, "c0: plan 1, my_jobs_first: in this order job 1 starts at 0, not at 0.000003");
    // Equal shares are in the order of the organizations.
    let equal = |first, second| vec![job(1, 1, (2, 4), (0, second)), job(2, 0, (4, 2), (0, first))];
    assert_eq!(checked(&[("shortest_first", equal(0, 4))], &[]).0, [0, 0]);
    assert_eq!(checked(&[("shortest_first", equal(2, 0))], &[]).0, [2, 0]);
}

#[test]
fn a_job_that_starts_later_than_it_could_is_found() {
    let held = [Held { cluster: 0, processors: 2, end: Time::from_ticks(5) }];
    let plan = |wide| vec![job(1, 0, (1, 1), (0, 0)), job(2, 0, (9, 4), (0, wide))];
    assert_eq!(checked(&[("shortest_first", plan(5))], &held).0, [0, 0]);
    assert_eq!(checked(&[("shortest_first", plan(6))], &held).0, [1, 0]);
    assert_eq!(checked(&[("equitable_walk", plan(6))], &held).0, [1, 0]);
}

#[test]
fn of_each_organization_the_shorter_job_comes_first() {
    assert_eq!(checked(&[("equitable_walk", lone([1, 0, 4]))], &[]).0, [0, 0]);
    let (counts, text) = checked(&[("equitable_walk", lone([3, 2, 0]))], &[]);
    assert_eq!(counts[0], 1, "{text}");
    assert!(
        text.contains("the longer job 3 of the same organization starts before job 2"),
        "{text}"
    );
}

#[test]
fn a_candidate_that_another_dominates_is_found() {
    // Sums of flow times: 6 and 4, 4 and 7, 3 and 10.
    let (short, middle, own) = (lone([3, 0, 1]), lone([1, 0, 4]), lone([0, 3, 4]));
    let walk = |payoffs: &'static str, jobs: &Vec<PlannedJob>| (payoffs, jobs.clone());
    let both = [walk("equitable_walk", &short), walk("equitable_walk", &middle)];
    let (counts, text) = checked(&both, &[]);
    // The largest are 6 and 7, both together 10 and 11.
    assert_eq!(counts, [0, 1], "{text}");
    assert!(text.ends_with("of candidates 1 and 2, one is fairer to all"), "{text}");
    let name = "equitable_walk by local knowledge";
    assert_eq!(checked(&[walk(name, &short), walk(name, &middle)], &[]).0, [0, 1]);
    let name = "equitable_walk by local knowledge on payoffs";
    assert_eq!(checked(&[walk(name, &short), walk(name, &middle)], &[]).0, [0, 0]);
    assert_eq!(checked(&[walk(name, &short), walk(name, &lone([3, 2, 0]))], &[]).0, [1, 1]);
    // Against my jobs first, the second gains 6 where the first loses 3, or 3 where it loses 1.
    let name = "equitable_walk on payoffs";
    assert_eq!(checked(&[walk(name, &short), walk(name, &middle)], &[]).0, [0, 0]);
    assert_eq!(checked(&[walk(name, &own), walk(name, &own)], &[]).0, [0, 0]);
    // Jobs that leave processors idle do not count by their length.
    let narrow: Vec<PlannedJob> =
        short.into_iter().map(|job| PlannedJob { processors: 3, ..job }).collect();
    assert_eq!(checked(&[walk("equitable_walk", &narrow)], &[]).0, [0, 0]);
}

#[test]
fn plans_of_other_planners_have_no_order() {
    let (names, clusters) = (["o0".to_owned(), "o1".to_owned()], clusters(&[4, 4]));
    let settings = Settings { clairvoyance: Clairvoyance::Estimate, ..Settings::default() };
    let plans = Plans::new(&names, &clusters, settings, Promised::Nothing).with_orders();
    assert_eq!(plans.finish().len(), 3);
}
