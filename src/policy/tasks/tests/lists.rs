//! List heuristics against exact vectors, and against their definitions on random problems.

use std::collections::BTreeMap;

use rand::{RngExt as _, SeedableRng as _};
use serde::Deserialize;

use super::naive::{self, Heuristic};
use super::{lanes, random};
use crate::tasks::list::{Metric, Phases, Rule, Select, Steps, Turns};
use crate::tasks::sufferage::Second;
use crate::tasks::*;
use kernel::rng::Rng;
use kernel::time::{Span, Time};

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    instance: Instance,
    heuristics: BTreeMap<String, Outcome>,
}

/// Processors of each site, time of a task by class and site, tasks and predecessors by class.
#[derive(Deserialize)]
struct Instance {
    procs: Vec<u64>,
    p: Vec<Vec<f64>>,
    n: Vec<u64>,
    preds: Vec<Vec<u32>>,
}

#[derive(Deserialize)]
struct Outcome {
    makespan: f64,
    completion: Vec<f64>,
    x: Vec<Vec<u64>>,
    jain_completion: Option<f64>,
}

/// The exact instances.
fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../../tests/data/games.json");
    let file: File = serde_json::from_str(text).unwrap();
    file.vectors
}

/// Millionths, as the vectors count.
fn ticks(units: f64) -> i64 {
    (units * 1e6).round() as i64
}

/// The heuristics of the vectors, by their names there.
fn heuristics() -> Vec<(&'static str, Heuristic)> {
    vec![
        ("met", Heuristic::Met(Default::default())),
        ("mct", Heuristic::Mct(Default::default())),
        ("olb", Heuristic::Olb(Default::default())),
        ("minmin", Heuristic::MinMin(Default::default())),
        ("maxmin", Heuristic::MaxMin(Default::default())),
        ("suffsite", Heuristic::Sufferage(Default::default())),
        (
            "suff",
            Heuristic::Sufferage(sufferage::Options {
                second: Second::Processor,
                ..Default::default()
            }),
        ),
    ]
}

#[test]
fn vectors_are_met_exactly() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 25);
    for vector in &vectors {
        let Instance { procs, p, n, preds } = &vector.instance;
        let times: Vec<Vec<Span>> = p
            .iter()
            .map(|row| row.iter().map(|&time| Span::from_ticks(ticks(time))).collect())
            .collect();
        let mut problem = random::bag(procs, &times, n);
        for (class, before) in problem.classes.iter_mut().zip(preds) {
            class.after.clone_from(before);
        }
        assert_eq!(vector.heuristics.len(), heuristics().len());
        for (name, heuristic) in heuristics() {
            let expected = &vector.heuristics[name];
            let plan = heuristic.plan(&problem);
            let ends = lanes::ends(&problem, &plan);
            let mut wanted: Vec<i64> = expected.completion.iter().map(|&end| ticks(end)).collect();
            if vector.id == "g101-20" && name == "suff" {
                // Classes 1 and 2 both lose 6.6 at the eighth step. In floating-point numbers class 1
                // seemed to lose less by 7e-15, and took its turn later.
                assert_eq!(wanted[1], 46_940_000);
                wanted[1] = 40_340_000;
            }
            assert_eq!(ends, wanted, "{} {name}", vector.id);
            assert_eq!(ends.iter().copied().max(), Some(ticks(expected.makespan)));
            let mut x = vec![vec![0; procs.len()]; n.len()];
            for lane in &plan.lanes {
                for run in &lane.runs {
                    x[run.class as usize][lane.site as usize] += run.tasks * lane.processors;
                }
            }
            assert_eq!(x, expected.x, "{} {name}", vector.id);
            let is_exact =
                wanted.iter().zip(&expected.completion).all(|(&end, &given)| end == ticks(given));
            if let Some(given) = expected.jain_completion.filter(|_| is_exact) {
                let sum: f64 = expected.completion.iter().sum();
                let squares: f64 = expected.completion.iter().map(|end| end * end).sum();
                let jain = sum * sum / (n.len() as f64 * squares);
                assert!((jain - given).abs() < 1e-12, "{} {name}", vector.id);
            }
        }
    }
}

/// Number of random problems.
pub(super) fn rounds() -> u64 {
    std::env::var("GRIDPACT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}

/// Compares the lanes of a plan with those of the definition, and checks what every plan keeps.
fn check(problem: &Problem<'_>, heuristic: &Heuristic, seed: u64) {
    let plan = heuristic.plan(problem);
    let expected = naive::plan(problem, heuristic);
    assert_eq!(lanes::sorted(&plan), lanes::sorted(&expected), "{seed} {heuristic:?} {problem:?}");
    lanes::check(problem, &plan);
}

#[test]
fn plans_equal_their_definitions() {
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let problem = random::problem(&mut rng, &times);
        for heuristic in Heuristic::all() {
            check(&problem, &heuristic, seed);
        }
    }
}

/// Compares two plans of a problem with many more tasks than the definition could plan.
fn compare(
    one: impl Fn(&Problem<'_>, &mut Plan),
    other: impl Fn(&Problem<'_>, &mut Plan),
    name: &str,
) {
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let mut problem = random::problem(&mut rng, &times);
        for class in &mut problem.classes {
            class.tasks *= f64::from(rng.random_range(1..200));
        }
        for free in problem.sites.iter_mut().flat_map(|site| &mut site.free) {
            free.processors *= rng.random_range(1..20);
        }
        let (mut first, mut second) = (Plan::default(), Plan::default());
        one(&problem, &mut first);
        other(&problem, &mut second);
        assert_eq!(first, second, "{seed} {name} {problem:?}");
        lanes::check(&problem, &first);
    }
}

#[test]
fn phases_of_min_min_equal_its_steps() {
    let rule = Rule { metric: Metric::End, deadline: false, storage: false };
    let steps = Steps { rule, select: Select::Least };
    compare(Phases::plan, |problem, out| steps.plan(problem, out), "min_min");
}

#[test]
fn classes_at_once_equal_their_tasks_one_by_one() {
    for metric in [Metric::End, Metric::Cost, Metric::Time, Metric::CostOfTime, Metric::Free] {
        for deadline in [false, true] {
            for order in [Order::Classes, Order::Random, Order::Rounds] {
                let turns = Turns { rule: Rule { metric, deadline, storage: false }, order };
                let by_tasks =
                    |problem: &Problem<'_>, out: &mut Plan| turns.plan_by_tasks(problem, out);
                compare(|problem, out| turns.plan(problem, out), by_tasks, &format!("{turns:?}"));
            }
        }
    }
}

/// A clock that ticks a million times as often does not change a plan.
#[test]
fn plans_do_not_depend_on_the_length_of_a_tick() {
    let finer = |time: i64| if time == i64::MAX { time } else { time * 1_000_000 };
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let problem = random::problem(&mut rng, &times);
        let scaled: Vec<Vec<Span>> = times
            .iter()
            .map(|row| row.iter().map(|time| Span::from_ticks(finer(time.ticks()))).collect())
            .collect();
        let scale = |time: Time| Time::from_ticks(finer(time.ticks()));
        let mut fine = problem.clone();
        fine.now = scale(fine.now);
        for free in fine.sites.iter_mut().flat_map(|site| &mut site.free) {
            free.at = scale(free.at);
        }
        for (class, times) in fine.classes.iter_mut().zip(&scaled) {
            (class.ready, class.times) = (scale(class.ready), times);
        }
        for application in &mut fine.applications {
            application.deadline = scale(application.deadline);
        }
        for heuristic in Heuristic::all() {
            let mut plan = heuristic.plan(&problem);
            for lane in &mut plan.lanes {
                lane.from = scale(lane.from);
            }
            assert_eq!(plan, heuristic.plan(&fine), "{seed} {heuristic:?}");
        }
    }
}

/// If classes go one after the other, a plan has as many lanes as sites and classes, however many tasks
/// and processors there are.
#[test]
fn plans_of_many_tasks_have_few_lanes() {
    let mut rng = Rng::seed_from_u64(5);
    let mut time = || Span::from_ticks(1 << rng.random_range(0..34));
    let times: Vec<Vec<Span>> = (0..10).map(|_| (0..10).map(|_| time()).collect()).collect();
    let problem = random::bag(&[100_000; 10], &times, &[100_000_000; 10]);
    for heuristic in [
        Heuristic::Mct(Default::default()),
        Heuristic::Met(Default::default()),
        Heuristic::Olb(Default::default()),
        Heuristic::MinMin(Default::default()),
        Heuristic::Heft(Default::default()),
    ] {
        let plan = heuristic.plan(&problem);
        lanes::check(&problem, &plan);
        assert!(plan.lanes.len() <= 20, "{}", plan.lanes.len());
    }
}

/// Site, processors and runs of a lane.
type Runs = (u32, u64, Vec<(u32, u64)>);

/// The lanes of a plan, in an order of their own.
fn runs(plan: &Plan) -> Vec<Runs> {
    let lanes = lanes::sorted(plan).into_iter();
    lanes.map(|(site, _, runs, processors)| (site, processors, runs)).collect()
}

/// Two processors at a cheap and slow site, and two at a dear and fast one.
#[test]
fn cheap_sites_fill_up_to_the_deadline() {
    let times = vec![vec![Span::from_ticks(5), Span::from_ticks(2)]];
    let mut problem = random::bag(&[2, 2], &times, &[9]);
    problem.sites[1].price = 9_000_000;
    problem.applications[0].deadline = Time::from_ticks(10);
    let chooses = Chooses::Cost;
    let plan = |deadline, tasks: u32| {
        let mut problem = problem.clone();
        problem.classes[0].tasks = f64::from(tasks);
        let options = mct::Options { chooses, deadline, ..Default::default() };
        runs(&Heuristic::Mct(options).plan(&problem))
    };
    assert_eq!(plan(false, 9), [(0, 1, vec![(0, 4)]), (0, 1, vec![(0, 5)])]);
    assert_eq!(plan(true, 4), [(0, 2, vec![(0, 2)])]);
    assert_eq!(plan(true, 5), [(0, 2, vec![(0, 2)]), (1, 1, vec![(0, 1)])]);
    // No processor keeps the deadline for the last two tasks. They go where they end first.
    assert_eq!(plan(true, 16), [(0, 2, vec![(0, 2)]), (1, 2, vec![(0, 6)])]);
}

/// Both classes would end at 4 at site 0. At site 1 the first loses 1 and the second 5.
#[test]
fn sufferage_helps_the_class_that_loses_most() {
    let ticks = Span::from_ticks;
    let times = vec![vec![ticks(4), ticks(5)], vec![ticks(4), ticks(9)]];
    let problem = random::bag(&[1, 1], &times, &[1, 1]);
    let plan = Heuristic::Sufferage(Default::default()).plan(&problem);
    assert_eq!(runs(&plan), [(0, 1, vec![(1, 1)]), (1, 1, vec![(0, 1)])]);
    let plan = Heuristic::MinMin(Default::default()).plan(&problem);
    assert_eq!(runs(&plan), [(0, 1, vec![(0, 1), (1, 1)])]);
}

/// A class that can run nowhere has no lanes, and what waits for it starts as if it were done.
#[test]
fn classes_that_cannot_run_are_left_out() {
    let times = vec![vec![Span::UNIT], vec![Span::MAX], vec![Span::UNIT]];
    let mut problem = random::bag(&[2], &times, &[2, 5, 2]);
    problem.classes[1].after = vec![0];
    problem.classes[2].after = vec![1];
    for heuristic in Heuristic::all() {
        let plan = heuristic.plan(&problem);
        assert_eq!(runs(&plan), [(0, 2, vec![(0, 1), (2, 1)])]);
        assert_eq!(lanes::ends(&problem, &plan), [1_000_000, 1_000_000, 2_000_000]);
    }
}

#[test]
fn plans_beyond_the_range_of_times_keep_all_tasks() {
    let times = random::long();
    let mut problem = random::beyond(&times);
    for heuristic in Heuristic::all() {
        lanes::check(&problem, &heuristic.plan(&problem));
    }
    for class in &mut problem.classes {
        class.tasks = 1e15;
    }
    lanes::check(&problem, &Heuristic::MinMin(Default::default()).plan(&problem));
    lanes::check(&problem, &Heuristic::Mct(Default::default()).plan(&problem));
}

#[test]
fn problems_without_sites_processors_or_tasks_have_empty_plans() {
    let times = vec![vec![Span::UNIT]];
    for problem in [
        random::bag(&[], &[vec![]], &[3]),
        random::bag(&[0], &times, &[3]),
        random::bag(&[2], &times, &[0]),
        random::bag(&[2], &[], &[]),
    ] {
        for heuristic in Heuristic::all() {
            assert_eq!(heuristic.plan(&problem), Plan::default());
        }
    }
}
