//! Rounding to processors and to tasks.

use super::super::game_quick::{GameQuick, Options};
use super::super::lp_rounding::{self, LpRounding};
use super::super::{
    Free, HELD, Leftovers, Plan, Problem, TaskPlanner, WholeProcessors, WholeTasks, least_cost,
    least_end, least_makespan, replay,
};
use super::executor::{execute, makespan, play};
use super::support::{Instance, Random, instance, random_bag, vectors};
use kernel::time::Time;

fn game_quick() -> GameQuick {
    GameQuick::new(&Options::default())
}

fn whole_tasks() -> WholeTasks<GameQuick> {
    WholeTasks::new(game_quick(), Leftovers::Earliest)
}

/// Plans and plays the lanes, which checks them.
fn planned(problem: &Problem<'_>, planner: &impl TaskPlanner) -> f64 {
    let mut plan = Plan::default();
    planner.plan(problem, &mut plan);
    assert!(plan.shares.is_empty());
    makespan(&play(problem, &plan))
}

/// The longest time of a task.
fn longest(instance: &Instance) -> f64 {
    instance.times.iter().flatten().map(|time| time.as_units()).fold(0.0, f64::max)
}

#[test]
fn rounded_tasks_reach_the_makespans_of_the_cases() {
    for vector in vectors() {
        let Some(expected) = vector.get("e3_informative") else { continue };
        let got = planned(&instance(&vector).problem(), &whole_tasks());
        let expected = expected["makespan"].as_f64().unwrap();
        assert!((got - expected).abs() < 1e-6, "{} {got} {expected}", vector["id"]);
    }
}

/// The executor of the cases leaves processors idle whose class has no task left for them. Here they
/// take tasks of classes that have no processors, which ends earlier in five cases and later in none.
#[test]
fn rounded_processors_end_no_later_than_in_the_cases() {
    let (mut same, mut all) = (0, 0);
    for vector in vectors() {
        let played = execute(&instance(&vector).problem(), &WholeProcessors::new(game_quick()));
        let got = makespan(&played);
        let expected = vector["exec_informative"]["makespan"].as_f64().unwrap();
        assert!(got < expected + 1e-6, "{} {got} {expected}", vector["id"]);
        all += 1;
        same += usize::from((got - expected).abs() < 1e-6);
    }
    assert!(all == 0 || same == 20, "{same} of {all}");
}

#[test]
fn rounding_costs_less_than_the_longest_task() {
    let mut random = Random(5);
    for case in 0..200 {
        let (classes, sites) = (random.whole(1, 12) as usize, random.whole(1, 8) as usize);
        let instance = random_bag(&mut random, classes, sites, 300);
        let problem = instance.problem();
        let fluid = replay(&problem, &game_quick()).makespan();
        let longest = longest(&instance);
        let tasks = planned(&problem, &whole_tasks());
        let processors = makespan(&execute(&problem, &WholeProcessors::new(game_quick())));
        let lp = planned(&problem, &LpRounding::new(&lp_rounding::Options::default()));
        let bound = least_end(&problem, false);
        for rounded in [tasks, processors, lp] {
            assert!(rounded >= bound * (1.0 - 1e-7), "{case}: {rounded} {bound}");
            assert!(rounded <= fluid + longest, "{case}: {rounded} {fluid} {longest}");
        }
    }
}

/// A random problem in which some processors are busy and classes wait for others.
fn busy<'a>(random: &mut Random, instance: &'a mut Instance) -> Problem<'a> {
    for class in 1..instance.tasks.len() {
        let before = random.whole(0, class as u64 - 1) as u32;
        instance.after[class] = if random.part() < 0.5 { vec![before] } else { Vec::new() };
    }
    let mut problem = instance.problem();
    problem.now = Time::from_ticks(50_000_000);
    for site in &mut problem.sites {
        let mut free = Vec::new();
        let mut left = site.free[0].processors;
        let mut at = 0;
        while left > 0 {
            let processors = random.whole(1, left);
            at += random.whole(1, 40_000_000) as i64;
            let class = (random.part() < 0.7).then(|| random.whole(0, 5) as u32);
            free.push(Free { at: Time::from_ticks(at), processors, class, holds: [0; HELD] });
            left -= processors;
        }
        site.free = free;
    }
    for class in &mut problem.classes {
        class.ready = problem.now;
    }
    problem
}

#[test]
fn lanes_come_from_the_processors_that_there_are_and_conserve_tasks() {
    let mut random = Random(6);
    for _ in 0..60 {
        let (classes, sites) = (random.whole(1, 9) as usize, random.whole(1, 6) as usize);
        let mut instance = random_bag(&mut random, classes, sites, 60);
        let problem = busy(&mut random, &mut instance);
        planned(&problem, &whole_tasks());
        planned(&problem, &WholeProcessors::new(game_quick()));
        planned(&problem, &LpRounding::new(&lp_rounding::Options::default()));
        let played = execute(&problem, &WholeProcessors::new(game_quick()));
        let tasks: f64 = instance.tasks.iter().sum();
        assert_eq!(played.len() as f64, tasks);
    }
}

#[test]
fn processors_keep_their_class() {
    let times = [vec![10.0], vec![10.0]];
    let instance = Instance::new(&[4], &times, &[20.0, 20.0]);
    let mut problem = instance.problem();
    let free = |at, class| Free {
        at: Time::from_ticks(at),
        processors: 2,
        class: Some(class),
        holds: [0; HELD],
    };
    problem.sites[0].free = vec![free(0, 1), free(1_000_000, 0)];
    let mut plan = Plan::default();
    WholeProcessors::new(game_quick()).plan(&problem, &mut plan);
    let kept: Vec<(i64, u32)> =
        plan.lanes.iter().map(|lane| (lane.from.ticks(), lane.runs[0].class)).collect();
    assert_eq!(kept, [(0, 1), (1_000_000, 0)]);
}

#[test]
fn a_linear_program_bounds_all_games() {
    let mut random = Random(8);
    for _ in 0..30 {
        let (classes, sites) = (random.whole(1, 10) as usize, random.whole(1, 10) as usize);
        let instance = random_bag(&mut random, classes, sites, 1000);
        let problem = instance.problem();
        let solution = least_makespan(&problem, false).unwrap();
        let fluid = replay(&problem, &game_quick()).makespan();
        assert!(solution.value <= fluid * (1.0 + 1e-7), "{} {fluid}", solution.value);
        for (tasks, all) in solution.tasks.iter().zip(&instance.tasks) {
            assert!((tasks.iter().sum::<f64>() - all).abs() <= 1e-6 * all);
        }
        for (site, &processors) in instance.processors.iter().enumerate() {
            let time =
                |class: usize| solution.tasks[class][site] * instance.times[class][site].as_units();
            let work: f64 = (0..classes).map(time).sum();
            assert!(work <= processors as f64 * solution.value * (1.0 + 1e-6));
        }
    }
}

/// One site, so the bound is a sum; with a chain, it is the chain.
#[test]
fn bounds_have_closed_forms() {
    let mut instance = Instance::new(&[4], &[vec![10.0], vec![2.0]], &[6.0, 10.0]);
    instance.needs = vec![[3_000_000, 0], [0, 0]];
    instance.limits = vec![[6_000_000, i64::MAX]];
    let problem = instance.problem();
    let value = |limited| least_makespan(&problem, limited).unwrap().value;
    assert!((value(false) - 20.0).abs() < 1e-9);
    // Two tasks of the first class at a time.
    assert!((value(true) - 30.0).abs() < 1e-9);
    assert!((least_end(&problem, false) - 20.0).abs() < 1e-9);

    // The cheap site does 6 of the tasks in time, and the dear one the others.
    let mut instance = Instance::new(&[2, 9], &[vec![10.0, 5.0]], &[10.0]);
    instance.prices = vec![1_000_000, 4_000_000];
    let best = least_cost(&instance.problem(), 30.0, false).unwrap();
    assert!((best.value - (6.0 * 10.0 + 4.0 * 20.0)).abs() < 1e-9);
    assert_eq!(least_cost(&instance.problem(), 1.0, false), None);
}
