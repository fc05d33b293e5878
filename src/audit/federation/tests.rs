//! Two owners with clusters of 4 and 8 processors, and two jobs abroad. Each rule is broken by a change.

use super::*;
use crate::facts::{Discipline, Kind};
use crate::rounds::JudgedFacts;

fn ticks(ticks: i64) -> Time {
    Time::from_ticks(ticks)
}

/// A job of the first owner on the second's cluster: 10 long, at a cost of 2, after a way of 3.
fn abroad(number: u64, sent: i64, processors: u32) -> JobFacts {
    let start = ticks(sent + 3);
    let job = JobFacts::new(number, ticks(0), Span::from_ticks(10), processors).on(1);
    let job = job.ran(start, start + Span::from_ticks(12));
    JobFacts { sent: Some(ticks(sent)), expected: Some(Span::from_ticks(10)), ..job }
}

fn turn(organization: usize, level: Option<i64>, jobs: &[JobFacts], waits: f64) -> TurnFacts {
    let flow = jobs.iter().map(|job| i128::from((job.finish.unwrap() - job.submit).ticks())).sum();
    TurnFacts {
        organization,
        joined: true,
        excluded: false,
        caught: None,
        lie: Default::default(),
        chooses: false,
        level: level.map(Span::from_ticks),
        jobs: jobs.len() as u64,
        flow,
        alone: flow,
        judged: Some(JudgedFacts { measures: Some([waits; 2]), cost: 0.0 }),
        line: 2,
        replication: 0,
        round: 0,
        score: 0.0,
        sent: 0,
        received: 0,
        before: [None; 2],
        after: [None; 2],
    }
}

/// Jobs of 2 and 3 processors: while the first has 6 left of its 12, both have 2 x 6 + 3 x 12 = 48.
fn case() -> (RoundsFacts, FederationFacts) {
    let cluster = |name: &str, owner, processors| ClusterFacts {
        owner: Some(owner),
        ..ClusterFacts::new(name, processors, Kind::SpaceShared(Discipline::Fcfs))
    };
    let jobs = vec![abroad(1, 0, 2), abroad(2, 9, 3)];
    let turns = vec![turn(0, None, &jobs, 15.0), turn(1, Some(48), &[], 0.0)];
    let rounds = RoundsFacts {
        organizations: vec!["a".to_owned(), "b".to_owned()],
        turns,
        ..RoundsFacts::default()
    };
    let facts = FederationFacts {
        clusters: vec![cluster("a", 0, 4), cluster("b", 1, 8)],
        measure: Measure::Wait,
        job_costs: Span::from_ticks(2),
        way: Span::from_ticks(3),
        shares: vec![4, 5],
        period: Span::from_ticks(100),
        window: [Span::ZERO, Span::from_ticks(100)],
        jobs,
        ..FederationFacts::default()
    };
    (rounds, facts)
}

fn broken(change: impl Fn(&mut RoundsFacts, &mut FederationFacts)) -> Vec<&'static str> {
    let (mut rounds, mut facts) = case();
    change(&mut rounds, &mut facts);
    let checks = audit(&rounds, &facts);
    checks.iter().filter(|check| !check.violations.is_empty()).map(|check| check.name).collect()
}

#[test]
fn each_rule_is_kept_and_broken() {
    let none: [&str; 0] = [];
    assert_eq!(broken(|_, _| {}), none);
    assert_eq!(broken(|_, facts| facts.way = Span::from_ticks(4)), ["runtimes"]);
    assert_eq!(broken(|_, facts| facts.job_costs = Span::ZERO), ["runtimes"]);
    assert_eq!(broken(|_, facts| facts.shares[1] = 4), ["shares and levels"]);
    let level = |rounds: &mut RoundsFacts| rounds.turns[1].level = Some(Span::from_ticks(47));
    assert_eq!(broken(|rounds, _| level(rounds)), ["shares and levels"]);
    assert_eq!(broken(|_, facts| facts.measure = Measure::Makespan), ["scored jobs"]);
    // The owner of the cluster is out: others' jobs may run there only where it is about a plan.
    assert_eq!(broken(|rounds, _| rounds.turns[1].joined = false), ["members only"]);
    let follow = |rounds: &mut RoundsFacts, facts: &mut FederationFacts| {
        (rounds.turns[1].joined, facts.follows) = (false, true);
    };
    assert_eq!(broken(follow), none);
    assert_eq!(broken(|rounds, _| rounds.turns[0].joined = false), ["members only"]);
    let states_half = |requested: i64| {
        broken(|rounds, facts| {
            (rounds.turns[0].lie.stated, facts.by_estimates) = (500_000, true);
            let requested = Span::from_ticks(requested);
            facts.jobs.iter_mut().for_each(|job| job.requested = requested);
        })
    };
    assert_eq!(states_half(20), none);
    assert_eq!(states_half(10), ["stated runtimes"]);
}

/// The second owner follows no plan, and its job 9 waits on its cluster from 1 to a time.
fn with_own_until(start: i64, rounds: &mut RoundsFacts, facts: &mut FederationFacts) {
    let own = JobFacts::new(9, ticks(1), Span::from_ticks(10), 2).on(1);
    let own = own.ran(ticks(start), ticks(start + 10));
    (rounds.turns[1].joined, facts.follows) = (false, true);
    (rounds.turns[1].jobs, rounds.turns[1].flow) = (1, (start + 9).into());
    rounds.turns[1].judged =
        Some(JudgedFacts { measures: Some([(start - 1) as f64; 2]), cost: 0.0 });
    facts.jobs.push(JobFacts { organization: 1, ..own });
}

#[test]
fn jobs_of_an_owner_without_a_plan_come_first() {
    let waits = |start: i64, plans: PlansMade| {
        broken(|rounds, facts| {
            with_own_until(start, rounds, facts);
            facts.plans = plans;
        })
    };
    let none: [&str; 0] = [];
    // Jobs of the first owner are sent there at 0 and 9; what turned back to the second's is there at 3.
    assert_eq!(waits(9, PlansMade::AtSubmissions), none);
    assert_eq!(waits(10, PlansMade::AtSubmissions), ["own jobs first"]);
    assert_eq!(waits(10, PlansMade::Unknown), none);
    assert_eq!(waits(10, PlansMade::Every(Span::from_ticks(4))), ["own jobs first"]);
    assert_eq!(waits(10, PlansMade::Every(Span::from_ticks(9))), none);
    // One batch from 0 to 24, and job 9 after it; or none runs from 9 on, when the second job is sent.
    assert_eq!(waits(24, PlansMade::InBatches), none);
    let apart = |came: i64| {
        broken(|rounds, facts| {
            with_own_until(10, rounds, facts);
            facts.plans = PlansMade::InBatches;
            facts.jobs[0].finish = Some(ticks(9));
            facts.jobs[1].submit = ticks(came);
        })
    };
    // Known to be planned then, as it came after 0; or of the same plan as the first.
    assert!(apart(4).contains(&"own jobs first"));
    assert!(!apart(0).contains(&"own jobs first"));
    let second = |rounds: &mut RoundsFacts, facts: &mut FederationFacts| {
        with_own_until(10, rounds, facts);
        facts.plans = PlansMade::AtSubmissions;
        let more = ClusterFacts { name: "more".to_owned(), ..facts.clusters[1].clone() };
        facts.clusters.push(more);
        facts.shares.push(5);
    };
    assert_eq!(broken(second), none);
}
