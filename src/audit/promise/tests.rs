//! Plans by hand, with faults planted in them.

use super::*;
use crate::Clairvoyance;
use crate::tests::clusters;

fn at(ticks: i64) -> Time {
    Time::from_ticks(ticks)
}

/// A job, planned at a cluster and start, with a claim of its place alone.
pub(super) fn job(
    number: u64,
    (owner, length, processors): (usize, i64, u32),
    (cluster, start): (usize, i64),
    alone: Option<(usize, i64)>,
) -> PlannedJob {
    PlannedJob {
        number,
        source: 0,
        owner,
        processors,
        length: Span::from_ticks(length),
        cluster,
        start: at(start),
        alone: alone.map(|(cluster, start)| (cluster, at(start))),
        may_use: None,
    }
}

fn candidate(asked: i64, jobs: Vec<PlannedJob>) -> Candidate {
    Candidate { replication: 0, plan: 1, name: "ilba".to_owned(), asked: at(asked), jobs }
}

/// Figure 3 of the paper with what is allowed: the last job of the second organization goes first.
fn figure_3() -> Vec<PlannedJob> {
    vec![
        job(1, (0, 1, 1), (0, 0), Some((0, 0))),
        job(2, (0, 1, 1), (0, 0), Some((0, 0))),
        job(3, (1, 2, 1), (1, 0), Some((1, 0))),
        job(4, (1, 2, 1), (1, 0), Some((1, 0))),
        job(5, (1, 2, 1), (0, 1), Some((1, 2))),
    ]
}

/// The counts of the three checks, and the first text.
fn checked(
    processors: &[u32],
    ran: &[JobFacts],
    promised: Promised,
    candidate: &Candidate,
) -> ([u64; 3], String) {
    let names: Vec<String> = (0..processors.len()).map(|one| format!("o{one}")).collect();
    let clusters = clusters(processors);
    let settings = Settings { clairvoyance: Clairvoyance::Estimate, ..Settings::default() };
    let mut plans = Plans::new(&names, &clusters, settings, promised);
    ran.iter().for_each(|job| plans.ran(job));
    plans.add(candidate);
    let checks: [Check; 3] = plans.finish().try_into().unwrap();
    let first = checks.iter().find_map(|check| check.violations.first());
    let text = first.map(ToString::to_string).unwrap_or_default();
    (checks.map(|check| check.count), text)
}

const NONE: [u64; 3] = [0, 0, 0];

#[test]
fn a_plan_that_keeps_its_promise_passes() {
    let plan = candidate(0, figure_3());
    assert_eq!(checked(&[2, 2], &[], Promised::Always(1.0), &plan), (NONE, String::new()));
}

#[test]
fn an_organization_that_loses_is_named() {
    // The global optimum: both organizations end at 2, the first of them alone at 1.
    let mut jobs = figure_3();
    (jobs[1].cluster, jobs[1].start) = (0, at(1));
    (jobs[4].cluster, jobs[4].start) = (0, at(0));
    let plan = candidate(0, jobs);
    let (counts, text) = checked(&[2, 2], &[], Promised::Always(1.0), &plan);
    assert_eq!(counts, [0, 0, 1]);
    assert_eq!(text, "plan 1, ilba: o0 ends at 0.000002, alone it would at 0.000001");
    assert_eq!(checked(&[2, 2], &[], Promised::Always(1.999_999), &plan).0, [0, 0, 1]);
    assert_eq!(checked(&[2, 2], &[], Promised::Always(2.0), &plan).0, NONE);
    assert_eq!(checked(&[2, 2], &[], Promised::Nothing, &plan).0, NONE);
    assert_eq!(checked(&[2, 2], &[], Promised::IfIdle, &plan).0, [0, 0, 1]);
    let busy = JobFacts::new(9, at(0), Span::from_ticks(9), 0).on(0).ran(at(0), at(9));
    assert_eq!(checked(&[2, 2], &[busy], Promised::IfIdle, &plan).0, NONE);
    let mut wider = plan.clone();
    // Alone on more processors, the second organization would end sooner.
    wider.jobs[4].alone = Some((1, at(0)));
    assert_eq!(checked(&[2, 3], &[], Promised::IfIdle, &wider).0, NONE);
}

#[test]
fn a_false_schedule_alone_is_found_and_does_not_excuse() {
    let mut jobs = figure_3();
    jobs[4].alone = Some((1, at(7)));
    (jobs[4].cluster, jobs[4].start) = (1, at(3));
    let (counts, text) = checked(&[2, 2], &[], Promised::Always(1.0), &candidate(0, jobs));
    assert_eq!(counts, [0, 1, 1]);
    let wanted = "plan 1, ilba: alone, job 5 of o1 starts at 0.000002 on c1, not at 0.000007 on c1";
    assert_eq!(text, wanted);
}

#[test]
fn too_many_processors_and_starts_in_the_past_are_found() {
    let mut jobs = figure_3();
    jobs[4].start = at(0);
    let (counts, text) = checked(&[2, 2], &[], Promised::Always(1.0), &candidate(0, jobs));
    assert_eq!(counts, [1, 0, 0]);
    assert!(text.starts_with("c0: plan 1, ilba: with job "), "{text}");
    assert!(text.ends_with(", 3 of 2 processors are needed at 0"), "{text}");
    let late: Vec<PlannedJob> = figure_3()
        .into_iter()
        .map(|job| {
            let later = |time: Time| time + Span::from_ticks(9);
            let alone = job.alone.map(|(cluster, start)| (cluster, later(start)));
            PlannedJob { start: later(job.start), alone, ..job }
        })
        .collect();
    assert_eq!(checked(&[2, 2], &[], Promised::Always(1.0), &candidate(9, late.clone())).0, NONE);
    let mut early = late;
    early[0].start = at(8);
    assert_eq!(checked(&[2, 2], &[], Promised::Always(1.0), &candidate(9, early)).0, [1, 0, 0]);
}

#[test]
fn jobs_that_run_are_in_the_way() {
    let running = |number, start, finish: i64, estimate, processors| JobFacts {
        requested: Span::from_ticks(estimate),
        source: Some(0),
        ..JobFacts::new(number, at(0), Span::from_ticks(finish - start), processors)
            .on(0)
            .ran(at(start), at(finish))
    };
    // One is expected up to 14, one was to end at 8 and may at any time; one has ended.
    let ran = [running(7, 0, 12, 14, 2), running(8, 2, 40, 6, 1), running(9, 0, 10, 30, 4)];
    let plan = |narrow: i64, wide: i64| {
        let narrow = job(1, (0, 3, 2), (0, narrow), Some((0, 11)));
        candidate(10, vec![narrow, job(2, (0, 1, 4), (0, wide), Some((0, 14)))])
    };
    assert_eq!(checked(&[4], &ran, Promised::Always(1.0), &plan(11, 14)).0, NONE);
    assert_eq!(checked(&[4], &ran, Promised::Always(1.0), &plan(10, 14)).0, [1, 0, 0]);
    assert_eq!(checked(&[4], &ran, Promised::Always(1.0), &plan(11, 13)).0, [1, 0, 0]);
    // A job of the plan that starts at once does not run yet.
    let mut ran = ran.to_vec();
    ran.push(running(1, 10, 13, 3, 2));
    assert_eq!(checked(&[4], &ran, Promised::Always(1.0), &plan(11, 14)).0, NONE);
}

#[test]
fn jobs_too_wide_alone_do_not_count() {
    let jobs = vec![
        job(1, (0, 5, 3), (1, 4), None),
        job(2, (0, 1, 1), (0, 0), Some((0, 0))),
        job(3, (1, 4, 4), (1, 0), Some((1, 0))),
    ];
    assert_eq!(checked(&[2, 4], &[], Promised::Always(1.0), &candidate(0, jobs)).0, NONE);
}

#[test]
fn the_list_alone_has_the_widest_first_and_skips_what_does_not_fit() {
    let jobs: Vec<PlannedJob> = [(0, 4, 3), (0, 2, 1), (0, 0, 4), (0, 1, 3), (0, 1, 1)]
        .into_iter()
        .zip(1..)
        .map(|(what, number)| job(number, what, (0, 0), None))
        .collect();
    let mut own = clusters(&[4, 3, 3]);
    let starts = |own: &[ClusterFacts], jobs: &[PlannedJob]| -> Vec<Option<(usize, i64)>> {
        let places = alone(at(0), own, &[], jobs);
        places.into_iter().map(|place| place.map(|(c, start)| (c, start.ticks()))).collect()
    };
    // The widest takes no time, but all processors of its wave.
    let one = [Some((0, 0)), Some((0, 0)), Some((0, 0)), Some((0, 4)), Some((0, 2))];
    assert_eq!(starts(&own, &jobs), one);
    own[2].owner = Some(0);
    let two = [Some((2, 0)), Some((0, 0)), Some((0, 0)), Some((0, 0)), Some((0, 1))];
    assert_eq!(starts(&own, &jobs), two);
    let mut bound = jobs;
    bound[0].may_use = Some([0, 1].into());
    assert_eq!(starts(&own, &bound)[0], Some((0, 0)));
}
