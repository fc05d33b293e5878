//! Rules of every discipline: times, clairvoyance, capacity and processors.

use super::*;

#[test]
fn times_must_follow_from_each_other() {
    type Break = fn(&mut JobFacts);
    let cases: [(Break, &str); 7] = [
        (|job| job.start = Some(at(9)), "times: tower: job 2 ran for 11 from 9 on and needs 10"),
        (
            |job| job.runtime = Span::units(9),
            "times: tower: job 2 ran for 10 from 10 on and needs 9",
        ),
        (|job| job.submit = at(11), "times: tower: job 2 started at 10, submitted at 11"),
        (|job| job.finish = Some(at(9)), "times: tower: job 2 ended at 9, started at 10"),
        (|job| job.start = None, "times: tower: job 2 ended at 20 and never started"),
        (|job| job.cluster = None, "times: job 2 was rejected and yet is said to have run"),
        (
            |job| job.success = false,
            "times: tower: job 2 was not killed at its estimate and is called a failure",
        ),
    ];
    for (break_it, expected) in cases {
        let mut facts = space(Discipline::Unknown("magic".into()), 4, &FCFS);
        fine(&facts);
        break_it(&mut facts.jobs[1]);
        let wrong = wrong(&facts);
        assert!(wrong.iter().any(|text| text == expected), "{expected}: {wrong:?}");
    }
}

#[test]
fn a_job_is_killed_at_its_estimate_where_the_cluster_does_so() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    facts.clusters[0].kill_at_estimate = true;
    fine(&facts);
    let job = &mut facts.jobs[3];
    (job.requested, job.finish) = (Span::units(6), Some(at(30)));
    assert_eq!(
        wrong(&facts),
        ["times: tower: job 4 was killed at its estimate and is called a success"]
    );
    facts.jobs[3].success = false;
    fine(&facts);
    facts.jobs[3].finish = Some(at(44));
    assert_eq!(wrong(&facts), ["times: tower: job 4 ran for 20 from 24 on and needs 6"]);
}

#[test]
fn no_job_is_there_twice() {
    let mut facts = space(Discipline::Unknown("magic".into()), 9, &FCFS);
    facts.jobs.push(facts.jobs[2].clone());
    assert_eq!(wrong(&facts), ["identities: job 3 of physics is there 2 times"]);
    facts.jobs[4].organization = 1;
    fine(&facts);
    for job in &mut facts.jobs {
        job.source = Some(7);
    }
    assert_eq!(wrong(&facts), ["identities: job 3 of source 7 is there 2 times"]);
    facts.jobs[4].replication = 1;
    fine(&facts);
}

#[test]
fn schedulers_hear_no_more_than_the_clairvoyance_allows() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    facts.jobs[1].requested = Span::units(15);
    let mut told = |clairvoyance, units| {
        facts.settings.clairvoyance = clairvoyance;
        facts.jobs[1].expected = Some(Span::units(units));
        wrong(&facts)
    };
    let allowed = [
        (Clairvoyance::Runtime, vec![10]),
        (Clairvoyance::Estimate, vec![15]),
        (Clairvoyance::Predicted, vec![9, 10, 15]),
        (Clairvoyance::None, vec![]),
    ];
    for (clairvoyance, allowed) in allowed {
        for units in [9, 10, 15, 16] {
            let wrong = told(clairvoyance, units);
            assert_eq!(wrong.is_empty(), allowed.contains(&units), "{clairvoyance:?} {units}");
        }
    }
    assert_eq!(
        told(Clairvoyance::Estimate, 10),
        ["expected lengths: job 2 was expected to run for 10; its runtime is 10, its estimate 15"]
    );
}

#[test]
fn what_schedulers_expected_is_needed_to_judge_them() {
    let mut facts = space(Discipline::Easy, 4, &EASY);
    facts.settings.clairvoyance = Clairvoyance::Predicted;
    let report = audit(&facts, &[]);
    let check = report.check("queue discipline").expect("it is there");
    assert!(report.passed() && check.looked_at == 0);
    assert_eq!(check.notes, ["tower: how long job 1 was expected to run is not recorded"]);
    for job in &mut facts.jobs {
        job.expected = Some(job.runtime);
    }
    assert_eq!(audit(&facts, &[]).check("queue discipline").expect("it is there").looked_at, 4);
    fine(&facts);
}

#[test]
fn a_cluster_runs_no_more_than_it_has() {
    let mut facts = space(Discipline::Unknown("magic".into()), 4, &EASY);
    facts.clusters[0].processors = 3;
    assert_eq!(
        wrong(&facts),
        [
            "capacity: tower: job 3 started with 4 processors; there are 3",
            "capacity: tower: job 2 started at 10 with 3 processors when 2 of 3 were free",
        ]
    );
    // A finish and a start at one instant do not overlap, and neither do replications.
    let rows = [[1, 0, 4, 10, 10, 0], [2, 0, 4, 10, 10, 10], [3, 0, 4, 10, 10, 15]];
    let mut facts = space(Discipline::Unknown("magic".into()), 4, &rows);
    assert_eq!(
        wrong(&facts),
        ["capacity: tower: job 3 started at 15 with 4 processors when 0 of 4 were free"]
    );
    facts.jobs[2].replication = 1;
    fine(&facts);
}

#[test]
fn what_is_too_large_is_in_nobodys_way() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    let mut large = JobFacts::new(9, at(0), Span::units(1), 5).on(0);
    facts.jobs.push(large.clone());
    assert_eq!(wrong(&facts), ["nobody forgotten: tower: job 9, submitted at 0, never started"]);
    large.cluster = None;
    facts.jobs[4] = large;
    fine(&facts);
}

#[test]
fn no_processor_serves_two() {
    let mut facts = space(Discipline::Easy, 4, &EASY);
    let name = |facts: &mut Facts, sets: [&str; 4]| {
        for (job, set) in facts.jobs.iter_mut().zip(sets) {
            job.allocated = Some(set.parse().expect("a test's set is well written"));
        }
    };
    name(&mut facts, ["0-1", "0-1 3", "0-3", "2"]);
    fine(&facts);
    assert_eq!(audit(&facts, &[]).check("named processors").expect("it is there").looked_at, 4);
    let cases = [
        (["0-1", "0-2", "0-3", "2"], "job 2 started at 10 on processor 2, which job 4 held"),
        (["1-2", "0-1 3", "0-3", "2"], "job 4 started at 3 on processor 2, which job 1 held"),
        (["0-1", "0 3", "0-3", "2"], "job 2 needs 3 processors and names 0 3"),
        (["0-1", "0-1 4", "0-3", "2"], "job 2 names the processors 0-1 4; there are 4"),
    ];
    for (sets, expected) in cases {
        name(&mut facts, sets);
        assert_eq!(wrong(&facts), [format!("named processors: tower: {expected}")]);
    }
    name(&mut facts, ["0-1", "0-1 3", "0-3", "2"]);
    facts.jobs[1].allocated = None;
    assert_eq!(
        wrong(&facts),
        ["named processors: tower: job 2 names no processors, as others here do"]
    );
}

#[test]
fn a_time_shared_cluster_serves_one_at_a_time_in_order() {
    let rows = [[1, 0, 1, 4, 4, 0], [2, 1, 1, 3, 3, 4], [3, 2, 1, 2, 2, 7], [4, 20, 1, 1, 1, 20]];
    let kind = Kind::TimeShared;
    fine(&facts(kind.clone(), 1, &rows));
    let cases = [
        (2, 6, "job 3 started at 6 although job 2, which came before it, was not done before 7"),
        (2, 8, "job 3 started at 8 although its turn was at 7"),
        (3, 21, "job 4 started at 21 although its turn was at 20"),
    ];
    for (place, start, expected) in cases {
        let mut rows = rows;
        rows[place][5] = start;
        assert_eq!(
            wrong(&facts(kind.clone(), 1, &rows)),
            [format!("time sharing: tower: {expected}")]
        );
    }
    let mut facts = facts(kind, 1, &rows);
    let job = &mut facts.jobs[3];
    (job.start, job.finish, job.success) = (None, None, false);
    assert_eq!(
        wrong(&facts),
        [
            "nobody forgotten: tower: job 4, submitted at 20, never started",
            "time sharing: tower: job 4 never started although its turn was at 20",
        ]
    );
    facts.settings.stopped = Some(at(20));
    fine(&facts);
}

#[test]
fn nobody_waits_or_runs_when_all_is_over() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    (facts.jobs[3].finish, facts.jobs[3].success) = (None, false);
    assert_eq!(wrong(&facts), ["nobody forgotten: tower: job 4, started at 24, never ended"]);
    facts.jobs[3].start = None;
    assert_eq!(
        wrong(&facts),
        [
            "nobody forgotten: tower: job 4, submitted at 3, never started",
            "queue discipline: tower: job 4 (1 processor) did not start at 24 although first come, \
             first served starts it then (4 free)",
        ]
    );
    // If stopped at 24, job 4 is rightly in the queue; a tick later it should have started.
    facts.settings.stopped = Some(at(24));
    fine(&facts);
    facts.settings.stopped = Some(at(24) + Span::TICK);
    assert_eq!(wrong(&facts).len(), 1);
}

#[test]
fn nobody_waits_in_the_grid_when_all_is_over() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    let waiting = JobFacts::new(9, at(2), Span::units(1), 4);
    facts.jobs.push(JobFacts { waits_in_grid: true, ..waiting.clone() });
    assert_eq!(wrong(&facts), ["nobody forgotten: job 9, submitted at 2, still waits in the grid"]);
    // It may wait when the run is stopped, and a rejected job waits nowhere.
    facts.settings.stopped = Some(at(44));
    fine(&facts);
    facts.settings.stopped = None;
    facts.jobs[4] = waiting;
    fine(&facts);
}
