//! Small schedules made by hand: each rule is kept by one and broken by another.

mod feasible;

use super::*;
use kernel::time::{Span, Time};

fn at(unit: i64) -> Time {
    Time::ZERO + Span::units(unit)
}

/// A job that ran: number, submit, processors, runtime, estimate, start.
type Row = [i64; 6];

fn job([number, submit, processors, runtime, estimate, start]: Row) -> JobFacts {
    let mut job = JobFacts::new(
        number.unsigned_abs(),
        at(submit),
        Span::units(runtime),
        u32::try_from(processors).expect("a test's job is not that large"),
    )
    .on(0)
    .ran(at(start), at(start + runtime));
    job.requested = Span::units(estimate);
    job
}

fn facts(kind: Kind, processors: u32, rows: &[Row]) -> Facts {
    let mut cluster = ClusterFacts::new("tower", processors, kind);
    cluster.owner = Some(0);
    Facts {
        organizations: vec!["physics".into(), "biology".into()],
        clusters: vec![cluster],
        jobs: rows.iter().copied().map(job).collect(),
        settings: Settings::default(),
        grid: None,
    }
}

fn space(discipline: Discipline, processors: u32, rows: &[Row]) -> Facts {
    facts(Kind::SpaceShared(discipline), processors, rows)
}

/// Clusters of so many processors, each of its own organization, filled by a grid scheduler.
pub(super) fn clusters(processors: &[u32]) -> Vec<ClusterFacts> {
    let cluster = |(owner, &processors): (usize, &u32)| ClusterFacts {
        owner: Some(owner),
        ..ClusterFacts::new(format!("c{owner}"), processors, Kind::SpaceShared(Discipline::Grid))
    };
    processors.iter().enumerate().map(cluster).collect()
}

/// All violations, as `check: text`.
fn wrong_with_accounts(facts: &Facts, totals: &[Totals]) -> Vec<String> {
    let report = audit(facts, totals);
    let mut wrong = Vec::new();
    for check in &report.checks {
        assert!(check.count >= check.violations.len() as u64);
        assert_eq!(check.passed(), check.violations.is_empty());
        wrong.extend(check.violations.iter().map(|v| format!("{}: {v}", check.name)));
    }
    assert_eq!(report.passed(), wrong.is_empty());
    wrong
}

fn wrong(facts: &Facts) -> Vec<String> {
    wrong_with_accounts(facts, &[])
}

#[track_caller]
fn fine(facts: &Facts) {
    assert_eq!(wrong(facts), Vec::<String>::new());
}

/// Job 2 waits for job 1, and all others for job 2. The other examples differ in job 4.
const FCFS: [Row; 4] =
    [[1, 0, 2, 10, 10, 0], [2, 1, 3, 10, 10, 10], [3, 2, 4, 4, 4, 20], [4, 3, 1, 20, 20, 24]];
/// Job 4 takes the processor that job 2 leaves over, and delays job 3.
const EASY: [Row; 4] =
    [[1, 0, 2, 10, 10, 0], [2, 1, 3, 10, 10, 10], [3, 2, 4, 4, 4, 23], [4, 3, 1, 20, 20, 3]];
/// Job 5 fills the hole before job 2 (EASY would start 4 first).
const CONSERVATIVE: [Row; 5] = [
    [1, 0, 2, 10, 10, 0],
    [2, 1, 3, 10, 10, 10],
    [3, 2, 4, 4, 4, 20],
    [4, 3, 1, 20, 20, 24],
    [5, 4, 1, 6, 6, 4],
];
/// Job 4 is long and would delay job 2; job 3 never fits beside the others.
const LIST: [Row; 4] =
    [[1, 0, 2, 10, 10, 0], [2, 1, 3, 10, 10, 23], [3, 2, 4, 4, 4, 33], [4, 3, 2, 20, 20, 3]];

fn examples() -> Vec<Facts> {
    vec![
        space(Discipline::Fcfs, 4, &FCFS),
        space(Discipline::Easy, 4, &EASY),
        space(Discipline::Conservative, 4, &CONSERVATIVE),
        space(Discipline::List(Order::Submit), 4, &LIST),
        space(Discipline::List(Order::Random), 4, &LIST),
        facts(Kind::TimeShared, 1, &[[1, 0, 1, 4, 4, 0], [2, 1, 1, 3, 3, 4], [3, 2, 1, 2, 2, 7]]),
    ]
}

#[test]
fn correct_schedules_pass() {
    for example in examples() {
        fine(&example);
        let report = audit(&example, &[]);
        let judged = ["queue discipline", "time sharing"]
            .map(|name| report.check(name).expect("both are there").looked_at);
        assert_eq!(judged.iter().sum::<u64>(), example.jobs.len() as u64);
    }
}

/// Moves the job at `place` so that it starts at `start`, and its finish with it.
fn moved(mut facts: Facts, place: usize, start: Time) -> Facts {
    let job = &mut facts.jobs[place];
    *job = job.clone().ran(start, start + job.runtime);
    facts
}

#[test]
fn every_job_moved_alone_is_caught() {
    for example in examples() {
        for place in 0..example.jobs.len() {
            let start = example.jobs[place].start.expect("all ran");
            for ticks in [-5_000_000, -1_000_000, -1, 1, 1_000_000, 5_000_000, 40_000_000] {
                let start = start + Span::from_ticks(ticks);
                let mutant = moved(example.clone(), place, start);
                assert_ne!(wrong(&mutant), Vec::<String>::new(), "{:?}", mutant);
            }
        }
    }
}

#[test]
fn every_two_jobs_swapped_are_caught() {
    for example in examples() {
        for one in 0..example.jobs.len() {
            for two in 0..one {
                let starts = [one, two].map(|place| example.jobs[place].start.expect("all ran"));
                let mutant = moved(moved(example.clone(), one, starts[1]), two, starts[0]);
                assert_ne!(wrong(&mutant), Vec::<String>::new(), "{:?}", mutant);
            }
        }
    }
}

#[test]
fn a_schedule_of_another_discipline_is_caught() {
    let rows: [&[Row]; 3] = [&FCFS, &EASY, &LIST];
    let disciplines = [Discipline::Fcfs, Discipline::Easy, Discipline::List(Order::Submit)];
    for (one, rows) in rows.into_iter().enumerate() {
        for (other, discipline) in disciplines.iter().enumerate() {
            // In EASY's example no fitting job delays another, so list scheduling gives the same
            // schedule.
            let kept = wrong(&space(discipline.clone(), 4, rows)).is_empty();
            let same = one == other || (one == 1 && other == 2);
            assert_eq!(kept, same, "{one} judged as {discipline:?}");
        }
    }
    assert!(!wrong(&space(Discipline::Conservative, 4, &EASY)).is_empty());
    fine(&space(Discipline::Conservative, 4, &FCFS));
}

#[test]
fn what_was_broken_is_said_in_words() {
    let with = |rows: &[Row], changes: &[(usize, usize, i64)]| {
        let mut rows = rows.to_vec();
        for &(row, column, value) in changes {
            rows[row][column] = value;
        }
        rows
    };
    let said = |discipline, rows: &[Row]| -> Vec<String> {
        let report = audit(&space(discipline, 4, rows), &[]);
        let check = report.check("queue discipline").expect("it is always made");
        check.violations.iter().map(|violation| violation.text.clone()).collect()
    };
    assert_eq!(
        said(Discipline::Fcfs, &with(&FCFS, &[(3, 5, 3)]))[0],
        "job 4 started at 3 although job 2, which came before it, still waited",
    );
    assert_eq!(
        said(Discipline::Easy, &with(&FCFS, &[(3, 2, 2), (3, 5, 3)]))[0],
        "job 4 started at 3 although its 2 processors until 23 would delay job 2, promised 10 with 1 \
         to spare",
    );
    assert_eq!(
        said(Discipline::Fcfs, &with(&FCFS, &[(3, 5, 25)])),
        [
            "job 4 (1 processor) did not start at 24 although first come, first served starts it \
             then (4 free)",
            "job 4 started at 25, when nothing was submitted and nothing ended",
        ],
    );
    assert_eq!(
        said(Discipline::Conservative, &with(&CONSERVATIVE, &[(2, 5, 40), (3, 5, 20)])),
        [
            "job 4 started at 20 although it is reserved for 24",
            "job 3 did not start at 20, for which it is reserved",
        ],
    );
    assert_eq!(
        said(Discipline::List(Order::Random), &with(&LIST, &[(3, 5, 4)])),
        ["job 4 (2 processors) waits at 3 although 2 are free"],
    );
}

#[test]
fn each_list_order_is_told_from_the_others() {
    // No two jobs fit together, so the order determines the schedule.
    let jobs: [(char, i64, i64); 4] = [('a', 3, 8), ('b', 4, 7), ('c', 3, 10), ('d', 4, 5)];
    let orders = [
        (Order::Submit, "abcd"),
        (Order::ShortestEstimate, "dbac"),
        (Order::LongestEstimate, "cabd"),
        (Order::Smallest, "acbd"),
        (Order::Largest, "bdac"),
        (Order::SmallestArea, "dabc"),
        (Order::LargestArea, "cbad"),
    ];
    let schedule = |order: &str| {
        let mut rows: Vec<Row> = vec![[9, 0, 4, 10, 10, 0]];
        let mut start = 10;
        for name in order.chars() {
            let place = jobs.iter().position(|job| job.0 == name).expect("a job of the example");
            let (_, processors, length) = jobs[place];
            rows.push([place as i64 + 1, 1, processors, length, length, start]);
            start += length;
        }
        rows
    };
    let formulas = [
        ("submit", "abcd"),
        ("estimate * max(1, wait / 1000)", "dbac"),
        ("-estimate", "cabd"),
        ("processors - 0.1 * wait", "acbd"),
        ("use - processors * (2 - 0 * wait)", "bdac"),
        ("log(area)", "dabc"),
        ("1 / area", "cbad"),
    ];
    for (_, played) in orders {
        for (order, its_own) in orders {
            let facts = space(Discipline::List(order), 4, &schedule(played));
            assert_eq!(wrong(&facts).is_empty(), played == its_own, "{played} as {order:?}");
        }
        // No two fit together, so that EASY starts them in their order too.
        for ((by, its_own), is_easy) in
            formulas.into_iter().flat_map(|one| [(one, false), (one, true)])
        {
            let discipline = Discipline::Ranked { by: by.to_owned(), is_easy };
            let facts = space(discipline, 4, &schedule(played));
            assert_eq!(wrong(&facts).is_empty(), played == its_own, "{played} by {by}");
        }
        fine(&space(Discipline::List(Order::Random), 4, &schedule(played)));
    }
}

#[test]
fn who_has_used_less_goes_first() {
    // All wait for job 1 of user 7, so that job 3 of user 8 goes before job 2.
    let rows: [Row; 3] = [[1, 0, 4, 5, 5, 0], [2, 1, 4, 5, 5, 10], [3, 2, 4, 5, 5, 5]];
    for (others, is_right) in [(8, true), (7, false)] {
        let by = Discipline::Ranked { by: "use".to_owned(), is_easy: false };
        let mut facts = space(by, 4, &rows);
        for (job, user) in facts.jobs.iter_mut().zip([7, 7, others]) {
            job.user = user;
        }
        assert_eq!(wrong(&facts).is_empty(), is_right);
    }
}

#[test]
fn the_arrival_decides_among_jobs_of_one_instant() {
    let mut facts = space(Discipline::Fcfs, 1, &[[1, 0, 1, 5, 5, 3], [2, 0, 1, 3, 3, 0]]);
    assert!(!wrong(&facts).is_empty());
    (facts.jobs[0].arrival, facts.jobs[1].arrival) = (Some(1), Some(0));
    fine(&facts);
}

#[test]
fn a_job_that_ends_at_once_frees_its_processors_for_another_wave() {
    for discipline in [
        Discipline::Fcfs,
        Discipline::Easy,
        Discipline::Conservative,
        Discipline::List(Order::Submit),
    ] {
        let rows = [[1, 0, 1, 0, 1, 0], [2, 0, 1, 0, 1, 0], [3, 0, 1, 5, 5, 0], [4, 0, 1, 1, 1, 5]];
        fine(&space(discipline.clone(), 1, &rows));
        let mut late = rows;
        (late[2][5], late[3][5]) = (1, 6);
        assert!(!wrong(&space(discipline, 1, &late)).is_empty());
    }
}

#[test]
fn a_job_that_outruns_its_estimate_is_expected_to_end_in_a_tick() {
    // Job 1 was to end at 5. At 6 the shadow of job 2 is a tick away, so job 3 would delay it; when
    // the shadow was thought to be 30, it would not.
    let rows = [[1, 0, 1, 20, 5, 0], [2, 1, 2, 5, 5, 20], [3, 6, 1, 1, 1, 25]];
    fine(&space(Discipline::Easy, 2, &rows));
    fine(&space(Discipline::Conservative, 2, &rows));
    let early = [rows[0], rows[1], [3, 6, 1, 1, 1, 6]];
    assert!(!wrong(&space(Discipline::Easy, 2, &early)).is_empty());
    assert!(!wrong(&space(Discipline::Conservative, 2, &early)).is_empty());
    // With known runtimes, job 3 delays no other job.
    for discipline in [Discipline::Easy, Discipline::Conservative] {
        let mut facts = space(discipline, 2, &early);
        facts.settings.clairvoyance = Clairvoyance::Runtime;
        fine(&facts);
    }
}

#[test]
fn conservative_moves_reservations_up_when_a_job_ends_early() {
    let rows = [[1, 0, 3, 10, 20, 0], [2, 1, 4, 5, 5, 10], [3, 2, 1, 18, 18, 2]];
    let mut early = rows;
    early[2] = [3, 2, 1, 4, 18, 2];
    fine(&space(Discipline::Conservative, 4, &early));
    early[1][5] = 20;
    assert!(!wrong(&space(Discipline::Conservative, 4, &early)).is_empty());
}

#[test]
fn decisions_after_each_event_differ_from_one_decision_an_instant() {
    // At 10 the submission of 3 comes before the end of 1: job 3 takes the free processor, and when
    // job 1 ends, too few are left for job 2.
    let rows = [[1, 0, 3, 10, 10, 0], [2, 1, 4, 5, 5, 15], [3, 10, 1, 5, 5, 10]];
    let mut facts = space(Discipline::List(Order::Submit), 4, &rows);
    assert!(!wrong(&facts).is_empty());
    facts.settings.phase_order = PhaseOrder::PerEvent;
    fine(&facts);
    facts.clusters[0].kind = Kind::SpaceShared(Discipline::Conservative);
    let report = audit(&facts, &[]);
    let check = report.check("queue discipline").expect("it is there");
    assert_eq!((check.looked_at, check.notes.len()), (0, 1));
}

#[test]
fn the_accounts_are_the_sums_over_the_jobs() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    facts.jobs[1].organization = 1;
    let mut rejected = JobFacts::new(5, at(3), Span::units(1), 9);
    rejected.organization = 1;
    facts.jobs.push(rejected);
    let unit = i128::from(Span::UNIT.ticks());
    // flows 10, 19, 22, 41; waits 0, 9, 18, 21; areas 20, 30, 16, 20
    let sums = |[submitted, started, rejected]: [u64; 3], ticks: [i128; 5]| Sums {
        submitted,
        started,
        finished: started,
        rejected,
        flow: ticks[0] * unit,
        wait: ticks[1] * unit,
        area: ticks[2] * unit,
        for_others: ticks[3] * unit,
        by_others: ticks[4] * unit,
    };
    let totals = Totals {
        replication: 0,
        organizations: vec![
            sums([3, 3, 0], [73, 39, 56, 30, 0]),
            sums([2, 1, 1], [19, 9, 30, 0, 30]),
        ],
        grid: sums([5, 4, 1], [92, 48, 86, 30, 30]),
    };
    assert_eq!(wrong_with_accounts(&facts, std::slice::from_ref(&totals)), Vec::<String>::new());

    let mut cooked = totals.clone();
    cooked.organizations[0].wait -= 1;
    cooked.grid.rejected = 0;
    assert_eq!(
        wrong_with_accounts(&facts, &[cooked]),
        [
            "conservation of work: physics: wait is 38999999 in the accounts and 39000000 over \
             the jobs",
            "conservation of work: the grid: jobs rejected is 0 in the accounts and 1 over the \
             jobs",
        ]
    );
    let other = Totals { replication: 1, ..totals.clone() };
    assert!(!wrong_with_accounts(&facts, &[totals.clone(), other]).is_empty());
    facts.jobs[0].replication = 2;
    assert!(!wrong_with_accounts(&facts, &[totals]).is_empty());
}

#[test]
fn a_report_reads_well() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    facts = moved(facts, 3, at(19));
    facts.clusters.push(ClusterFacts::new(
        "cellar",
        2,
        Kind::SpaceShared(Discipline::Unknown("magic".into())),
    ));
    facts.jobs.push(JobFacts { cluster: Some(1), ..job([5, 0, 1, 1, 1, 0]) });
    let expected = "\
identities           ok (5 checked)
times                ok (5 checked)
expected lengths     nothing to check
nobody forgotten     ok (5 checked)
capacity             BROKEN once (5 checked)
named processors     nothing to check
queue discipline     BROKEN 2 times (4 checked)
time sharing         nothing to check
numbering            nothing to check
conservation of work nothing to check

capacity: no space-shared cluster uses more processors than it has, and what is larger never starts
  tower: job 3 started at 20 with 4 processors when 3 of 4 were free

queue discipline: a space-shared cluster starts exactly those jobs that its discipline starts, and then
  tower: job 4 started at 19, when nothing was submitted and nothing ended
  tower: job 3 started at 20 although only 3 processors were left for its 4

not checked under queue discipline: cellar: nothing is known here of magic
";
    assert_eq!(audit(&facts, &[]).to_string(), expected);
    let json = serde_json::to_value(audit(&facts, &[])).expect("a report is plain data");
    assert_eq!(json["checks"][4]["violations"][0]["jobs"][0], 3);
}

#[test]
#[should_panic(expected = "job 2 names an organization or a cluster")]
fn facts_that_point_nowhere_are_refused() {
    let mut facts = space(Discipline::Fcfs, 4, &FCFS);
    facts.jobs[1].organization = 2;
    let _ = audit(&facts, &[]);
}

#[test]
fn arrivals_and_starts_are_counted_in_their_order() {
    let mut facts = space(Discipline::Easy, 4, &EASY);
    let recorded = [(0, 0), (1, 2), (2, 3), (3, 1)];
    for (job, (arrival, order)) in facts.jobs.iter_mut().zip(recorded) {
        (job.arrival, job.start_order) = (Some(arrival), Some(order));
    }
    fine(&facts);
    assert_eq!(audit(&facts, &[]).check("numbering").expect("it is there").looked_at, 8);
    let broken = |change: fn(&mut Facts)| {
        let mut facts = facts.clone();
        change(&mut facts);
        wrong(&facts)
    };
    assert_eq!(
        broken(|facts| facts.jobs[3].start_order = Some(2))[0],
        "numbering: tower: job 4 started at 3 and has start_order 2, but 1 job started here before it"
    );
    assert_eq!(
        broken(|facts| facts.jobs[1].arrival = Some(5))[0],
        "numbering: job 2, submitted at 1, has arrival 5; by the submissions it is 1"
    );
    // Two jobs that start at one instant start in the order of the rule.
    let mut facts = space(Discipline::Easy, 4, &[[1, 0, 2, 5, 5, 0], [2, 0, 2, 5, 5, 0]]);
    for (job, order) in facts.jobs.iter_mut().zip([0, 1]) {
        (job.arrival, job.start_order) = (Some(order), Some(order));
    }
    fine(&facts);
    (facts.jobs[0].start_order, facts.jobs[1].start_order) = (Some(1), Some(0));
    assert_eq!(
        wrong(&facts),
        ["numbering: tower: by start_order, job 2 started before job 1 at 0; EASY starts them \
             the other way round"]
    );
}
