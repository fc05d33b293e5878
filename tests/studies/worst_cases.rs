//! The families of bad instances: what they promise, and the schedulers that they are bad for.

use gridpact::bounds::instance::{Instance, Task};
use gridpact::bounds::optimum::optimum;
use gridpact::kernel::time::{Span, TICKS_PER_UNIT, Time};
use gridpact::model::order::Order;
use gridpact::policy::grid::{GridOptions, list};
use gridpact::run::instance::makespan;
use gridpact_studies::worst_case::{FAMILIES, Target, Worst, family};

/// Members that are small enough for tests, one line each: family and parameters.
const MEMBERS: &[(&str, &[(&str, u64)])] = &[
    ("example-4.1", &[("k", 2)]),
    ("example-4.1", &[("k", 3)]),
    ("example-4.1", &[("k", 5)]),
    ("example-4.2", &[("mu", 1), ("processors", 3)]),
    ("example-4.2", &[("mu", 2), ("processors", 8)]),
    ("example-4.2", &[("mu", 30), ("processors", 100)]),
    ("example-4.3", &[]),
    ("example-4.3-table", &[]),
    ("example-5.5", &[("n", 2)]),
    ("example-5.5", &[("n", 10)]),
    ("example-5.5", &[]),
    ("gcs3", &[("k", 2), ("n", 10)]),
    ("gcs3", &[("k", 3)]),
    ("gcs3", &[("k", 4), ("n", 100)]),
    ("gcs3", &[("k", 6)]),
    ("gcs3", &[("k", 8)]),
    ("gcs3", &[("k", 12)]),
    ("gots45", &[("k", 4), ("n", 10)]),
    ("gots45", &[("k", 4)]),
    ("gots45", &[("k", 6), ("n", 1_000_000)]),
    ("gots45", &[("k", 8)]),
    ("gots45", &[("k", 16)]),
    ("two-clusters-8/3", &[]),
    ("two-clusters-8/3", &[("g", 5), ("n", 2)]),
    ("starvation", &[]),
    ("starvation", &[("jobs", 1)]),
    ("partition", &[]),
    ("partition", &[("processors", 12), ("jobs", 12), ("seed", 3)]),
    ("partition", &[("processors", 12), ("jobs", 1)]),
];

fn build(name: &str, given: &[(&str, u64)]) -> Worst {
    family(name).unwrap().build(given).unwrap()
}

fn in_order(order: Order) -> GridOptions {
    GridOptions::List(list::Options { order })
}

fn grid_submission() -> GridOptions {
    GridOptions::GridSubmission(Default::default())
}

fn scheduler(target: Target) -> GridOptions {
    match target {
        Target::ListFcfs => in_order(Order::Submit),
        Target::ListAscending => in_order(Order::Smallest),
        Target::ListDescending => in_order(Order::Largest),
        Target::GridSubmission => grid_submission(),
    }
}

/// Returns the makespan of the scheduler that a family is bad for.
fn reached(name: &str, worst: &Worst) -> Time {
    makespan(&scheduler(family(name).unwrap().target), &worst.instance)
}

/// Returns the ratio of the target's makespan to the reference, in thousandths rounded down.
fn thousandths(name: &str, given: &[(&str, u64)]) -> i64 {
    let worst = build(name, given);
    reached(name, &worst).ticks() * 1000 / worst.optimum.at_most().ticks()
}

#[test]
fn every_family_has_members_in_these_tests_and_a_name_of_its_own() {
    for (place, family) in FAMILIES.iter().enumerate() {
        assert!(MEMBERS.iter().any(|member| member.0 == family.name), "{}", family.name);
        assert!(FAMILIES[..place].iter().all(|other| other.name != family.name));
        assert!(family.build(&[]).is_ok(), "{}", family.name);
    }
}

#[test]
fn reference_schedules_are_feasible_and_as_short_as_promised() {
    for &(name, given) in MEMBERS {
        let worst = build(name, given);
        let instance = &worst.instance;
        let reached = instance.makespan(&worst.reference);
        assert_eq!(reached, Ok(worst.optimum.at_most()), "{name} {given:?}");
        assert!(instance.clusters.is_sorted(), "{name} {given:?}");
        assert!(instance.tasks.is_sorted_by_key(|task| task.release), "{name} {given:?}");
        assert!(instance.tasks.iter().all(|task| task.processors > 0 && task.length > Span::ZERO));
    }
}

#[test]
fn the_target_reaches_the_makespan_that_the_formula_gives() {
    for &(name, given) in MEMBERS {
        let worst = build(name, given);
        let reached = reached(name, &worst);
        if let Some(makespan) = worst.makespan {
            assert_eq!(reached, makespan, "{name} {given:?}");
        }
        assert!(reached >= worst.optimum.at_most(), "{name} {given:?}");
    }
}

#[test]
fn the_order_of_the_list_decides_in_example_4_1() {
    for k in 2..=5 {
        let worst = build("example-4.1", &[("k", k)]);
        let units = |options| makespan(&options, &worst.instance).ticks() / TICKS_PER_UNIT;
        assert_eq!(units(in_order(Order::Smallest)), k as i64 + 1);
        assert_eq!(units(in_order(Order::Largest)), 2);
        assert_eq!(units(grid_submission()), 2);
    }
}

#[test]
fn ratios_of_the_larger_members() {
    let gcs3 = [4, 6, 8, 12].map(|k| thousandths("gcs3", &[("k", k)]));
    assert_eq!(gcs3, [2498, 2665, 2749, 2832]);
    let gots45 = [4, 8, 16].map(|k| thousandths("gots45", &[("k", k)]));
    assert_eq!(gots45, [4241, 4370, 4435]);
    assert_eq!(thousandths("two-clusters-8/3", &[]), 2666);
    assert_eq!(thousandths("example-5.5", &[]), 2499);
    assert_eq!(thousandths("example-4.3", &[]), 1499);
}

#[test]
fn example_4_3_has_the_numbers_of_the_recursion_and_of_the_table() {
    let numbers = |worst: &Worst| -> Vec<(usize, usize)> {
        let types = [(1, 1), (2, 4), (8, 32), (64, 512)];
        let jobs = |size| worst.instance.tasks.iter().filter(move |task| task.processors == size);
        let clusters = |m| worst.instance.clusters.iter().filter(|&&each| each == m).count();
        types.map(|(size, m)| (jobs(size).count(), clusters(m))).into()
    };
    let short = |numbers: &[_]| [numbers[0], numbers[1], numbers[2]];
    let three = numbers(&build("example-4.3", &[]));
    assert_eq!(short(&three), [(96, 48), (48, 12), (6, 1)]);
    let table = numbers(&build("example-4.3-table", &[]));
    assert_eq!(short(&table), [(112, 56), (56, 14), (6, 1)]);

    let worst = build("example-4.3", &[("k", 4)]);
    assert_eq!(numbers(&worst), [(4480, 2240), (2240, 560), (224, 28), (11, 1)]);
    assert_eq!(worst.instance.makespan(&worst.reference), Ok(worst.optimum.at_most()));
    assert_eq!(worst.optimum.at_most(), Time::from_ticks(2_004_370));
    assert_eq!(worst.makespan, Some(Time::from_ticks(4_008_008)));
}

/// Asserts that the jobs are these: (number, processors, length, release), times in `tick`s.
fn assert_runs(worst: &Worst, tick: i64, expected: &[(u64, u32, i64, i64)]) {
    let run = |(task, count): (Task, u64)| {
        let ticks = |ticks: i64| {
            assert_eq!(ticks % tick, 0);
            ticks / tick
        };
        (count, task.processors, ticks(task.length.ticks()), ticks(task.release.ticks()))
    };
    let runs: Vec<_> = worst.runs().into_iter().map(run).collect();
    assert_eq!(runs, expected);
}

#[test]
fn runs_of_the_small_members() {
    let worst = build("example-4.1", &[("k", 2)]);
    assert_eq!(worst.instance.clusters, [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 4]);
    assert_runs(&worst, 1_000_000, &[(16, 1, 1, 0), (4, 2, 1, 0), (1, 4, 1, 0)]);

    let worst = build("example-5.5", &[("n", 10)]);
    assert_eq!(worst.instance.clusters, [1, 21]);
    let large = [(1, 11, 30, 0), (1, 11, 1, 0), (1, 8, 30, 0), (3, 7, 10, 0), (1, 8, 1, 0)];
    assert_runs(&worst, 100_000, &[&[(6, 1, 10, 0), (1, 1, 40, 0)], &large[..]].concat());

    let worst = build("gcs3", &[("k", 4), ("n", 100)]);
    assert_eq!(worst.instance.clusters, [1, 20, 20, 20, 20]);
    let first = [(6, 1, 100, 0), (1, 1, 400, 0), (12, 11, 100, 0), (4, 20, 1, 0)];
    let beside = [(1, 3, 400, 0), (1, 9, 100, 0), (1, 8, 1, 0)].repeat(4);
    assert_runs(&worst, 10_000, &[&first[..], &beside, &[(8, 9, 100, 0), (4, 9, 1, 0)]].concat());

    let worst = build("gots45", &[("k", 4), ("n", 100)]);
    assert_eq!(worst.instance.clusters, [1, 32, 32, 32, 32]);
    let drain = |at| [(1, 2, 400, at), (1, 16, 2, at), (1, 14, 2, at)].repeat(4);
    let beside = [(1, 2, 400, 1), (1, 16, 100, 1), (1, 14, 1, 1)].repeat(4);
    let runs = [
        &drain(0)[..],
        &[(13, 1, 100, 0), (1, 1, 400, 0), (4, 32, 1, 1)],
        &drain(1),
        &beside,
        &[(20, 16, 100, 1), (8, 16, 1, 1), (4, 32, 1, 402)],
    ];
    assert_runs(&worst, 10_000, &runs.concat());
}

#[test]
fn what_cannot_be_built_is_refused_with_the_reason() {
    let error = |name: &str, given: &[(&str, u64)]| family(name).unwrap().build(given).unwrap_err();
    assert_eq!(
        error("example-4.1", &[("k", 11)]),
        "example-4.1: k = 11 has 5592405 jobs, more than the limit of 2000000; take a smaller one"
    );
    assert_eq!(
        error("example-4.1", &[("k", 1)]),
        "k of example-4.1 is 1; it must be between 2 and 60"
    );
    assert!(
        error("example-4.1", &[("k", 60)]).contains("1772303994379887830538409413707126101 jobs")
    );
    assert!(error("example-4.3", &[("k", 6)]).contains("k = 6 has "));
    assert!(error("example-4.3", &[("k", 7)]).contains("k = 7 has "));
    assert!(error("gcs3", &[("k", 1000)]).contains("2003999 jobs"));
    assert!(error("gots45", &[("k", 100_000)]).contains("jobs"));
    assert_eq!(error("gots45", &[("k", 5)]), "gots45: k is 5; it must be even");
    assert!(error("gcs3", &[("n", 30)]).contains("try 25 or 32"));
    assert!(error("example-4.2", &[("mu", 8)]).contains("10 is the least"));
    assert!(error("partition", &[("processors", 4), ("jobs", 5)]).contains("not enough"));
    assert_eq!(error("starvation", &[("n", 5)]), "starvation has no parameter \"n\"; it has jobs");
    assert!(error("starvation", &[("jobs", 5), ("jobs", 5)]).contains("twice"));
    assert!(family("gots").unwrap_err().contains("two-clusters-8/3"));
}

#[test]
fn the_limits_of_jobs_count_what_is_built() {
    for (name, k) in [("example-4.1", 11), ("example-4.3", 6), ("gcs3", 1000), ("gots45", 998)] {
        let refused = family(name).unwrap().build(&[("k", k)]).map(|_| ());
        assert!(refused.unwrap_err().contains("limit"), "{name}");
    }
    let formula = |k: usize| 2 * (k - 1) + 1 + 2 * (k - 1) * k + 4 * k;
    assert_eq!(build("gcs3", &[("k", 7)]).instance.tasks.len(), formula(7));
    let formula = |k: usize| 7 * k / 2 + 2 * k * (k - 1) + 12 * k;
    assert_eq!(build("gots45", &[("k", 6)]).instance.tasks.len(), formula(6));
}

/// Seven sequential jobs are bound to the smaller cluster before the others finish: by then each of
/// its two processors has less demand than those of the larger one, where all tiny jobs wait. Nobody
/// may move them later, so the longest chain there is 1000 + 1004 + 1008 + 1012 thousandths.
#[test]
fn binding_jobs_at_submission_costs_four_times_the_optimum_in_example_4_2() {
    let worst = build("example-4.2", &[("mu", 2), ("processors", 8)]);
    let thousandths = |options| makespan(&options, &worst.instance).ticks() / 1000;
    assert_eq!(worst.optimum.at_most(), Time::from_ticks(1_012_000));
    assert_eq!(thousandths(GridOptions::LeastDemand(Default::default())), 4024);
    assert_eq!(thousandths(grid_submission()), 1016);
    assert_eq!(thousandths(in_order(Order::Largest)), 1016);
}

/// Found by `gridpact adversary` with releases. Times are thousandths of a unit.
#[test]
fn two_clusters_and_eleven_jobs_over_time_come_as_close_to_three_as_wanted() {
    let jobs = [
        (0, 5000, 3),
        (0, 8000, 4),
        (0, 6000, 3),
        (0, 3999, 14),
        (0, 8000, 1),
        (0, 5000, 3),
        (0, 1, 4),
        (0, 1000, 13),
        (0, 1, 17),
        (5000, 2000, 20),
        (5000, 1000, 20),
    ];
    let thousandths = Span::UNIT.ticks() / 1000;
    let task = |(release, length, processors)| Task {
        processors,
        length: Span::from_ticks(length * thousandths),
        release: Time::from_ticks(release * thousandths),
    };
    let instance = Instance { clusters: vec![5, 23], tasks: jobs.map(task).into() };
    let found = optimum(&instance, 1_000_000).unwrap().makespan.proved();
    assert_eq!(found, Some(Time::from_ticks(8000 * thousandths)));
    assert_eq!(makespan(&grid_submission(), &instance), Time::from_ticks(23_999 * thousandths));
}
