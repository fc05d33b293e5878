//! Problems that break careless planners.

use super::super::game_cost::{self, First, GameCost, Rule};
use super::super::game_quick::{self, Budgets, GameQuick, Sequential};
use super::super::game_storage::{self, GameStorage};
use super::super::game_storage_cost::{self, GameStorageCost};
use super::super::lp_rounding::{self, LpRounding};
use super::super::{
    Deadlines, HELD, Leftovers, Plan, Problem, TaskPlanner, WholeProcessors, WholeTasks, replay,
};
use super::executor::play;
use super::support::{Instance, Random, random_bag};
use kernel::time::{Span, Time};

/// All kinds of games.
fn games() -> Vec<(String, Box<dyn TaskPlanner>)> {
    let mut games: Vec<(String, Box<dyn TaskPlanner>)> = Vec::new();
    for budgets in [Budgets::Weights, Budgets::Adaptive, Budgets::CriticalPath] {
        for sequential in [Sequential::Game, Sequential::Fastest] {
            let options = game_quick::Options { budgets, sequential, ..Default::default() };
            let name = format!("game_quick {budgets:?} {sequential:?}");
            games.push((name, Box::new(GameQuick::new(&options))));
        }
    }
    for rule in [Rule::Literal, Rule::Sound] {
        for first in [First::Cheapest, First::GameQuick] {
            for deadlines in [Deadlines::Proportional, Deadlines::Literal] {
                let options = game_cost::Options { rule, first, deadlines, ..Default::default() };
                let name = format!("game_cost {rule:?} {first:?} {deadlines:?}");
                games.push((name, Box::new(GameCost::new(&options))));
            }
        }
    }
    use game_storage::Repair;
    for repair in [Repair::Scale, Repair::Iter, Repair::Once] {
        let options = game_storage::Options { repair, ..Default::default() };
        games.push((format!("game_storage {repair:?}"), Box::new(GameStorage::new(&options))));
    }
    let options = game_storage_cost::Options::default();
    games.push(("game_storage_cost".into(), Box::new(GameStorageCost::new(&options))));
    games
}

/// A planner by reference.
struct By<'a>(&'a dyn TaskPlanner);

impl TaskPlanner for By<'_> {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        self.0.plan(problem, out);
    }
}

/// Shares are sound, and whole tasks are planned to the last one by all ways of rounding.
fn check(problem: &Problem<'_>, what: &str) {
    for (name, game) in games() {
        let mut plan = Plan::default();
        game.plan(problem, &mut plan);
        let mut used = vec![0.0; problem.sites.len()];
        for share in &plan.shares {
            let is_number = share.processors.is_finite() && share.processors >= 0.0;
            assert!(is_number, "{what} {name}: {share:?}");
            used[share.site as usize] += share.processors;
            let class = problem.classes.iter().find(|class| class.number == share.class).unwrap();
            assert!(class.time(share.site as usize).is_some(), "{what} {name}: {share:?}");
            assert!(class.after.is_empty() && class.ready <= problem.now);
            let limits = problem.sites[share.site as usize].limits;
            assert!((0..HELD).all(|held| class.needs[held] <= limits[held]), "{what} {name}");
        }
        for (used, site) in used.iter().zip(&problem.sites) {
            let all: u64 = site.free.iter().map(|free| free.processors).sum();
            assert!(*used <= all as f64 * (1.0 + 1e-9), "{what} {name}: {used} of {all}");
        }
        let mut plan = Plan::default();
        WholeProcessors::new(By(&*game)).plan(problem, &mut plan);
        play(problem, &plan);
        for leftovers in [Leftovers::Earliest, Leftovers::Cheapest] {
            let mut plan = Plan::default();
            WholeTasks::new(By(&*game), leftovers).plan(problem, &mut plan);
            play(problem, &plan);
        }
        let replayed = replay(problem, &By(&*game));
        for (class, end) in problem.classes.iter().zip(&replayed.ends) {
            let can_run = (0..problem.sites.len()).any(|site| {
                let limits = problem.sites[site].limits;
                class.time(site).is_some()
                    && (0..HELD).all(|held| class.needs[held] <= limits[held])
            });
            assert!(end.is_some_and(f64::is_finite) || !can_run, "{what} {name}: {}", class.number);
        }
        assert!(replayed.tasks.iter().flatten().all(|tasks| tasks.is_finite()));
    }
    for limited in [false, true] {
        let mut plan = Plan::default();
        LpRounding::new(&lp_rounding::Options { limited }).plan(problem, &mut plan);
        play(problem, &plan);
    }
}

#[test]
fn nothing_to_do() {
    check(&Instance::new(&[3, 2], &[], &[]).problem(), "no classes");
    let none = Instance::new(&[3, 2], &[vec![1.0, 2.0]], &[0.0]);
    check(&none.problem(), "no tasks");
}

#[test]
fn nowhere_to_go() {
    let mut instance = Instance::new(&[3, 2], &vec![vec![4.0, 5.0]; 4], &[7.0, 8.0, 9.0, 3.0]);
    instance.weights[0] = vec![0.0, 0.0];
    instance.times[1] = vec![Span::MAX, Span::MAX];
    instance.times[2][0] = Span::MAX;
    instance.weights[3] = vec![2.0, 0.0];
    instance.after[2] = vec![3];
    check(&instance.problem(), "some sites");
    instance.needs[2] = [5, 0];
    instance.limits[1] = [4, 4];
    check(&instance.problem(), "storage below one task's need");
    instance.processors[1] = 0;
    check(&instance.problem(), "a site without processors");
    instance.processors = Vec::new();
    instance.limits = Vec::new();
    instance.times.iter_mut().for_each(Vec::clear);
    instance.weights.iter_mut().for_each(Vec::clear);
    check(&instance.problem(), "no sites");
}

#[test]
fn deadlines_that_nobody_can_keep() {
    let mut random = Random(20);
    let mut instance = random_bag(&mut random, 5, 4, 50);
    instance.after[4] = vec![0, 1];
    for price in &mut instance.prices {
        *price = random.whole(0, 5) as i64 * 1_000_000;
    }
    for ticks in [0, 1, 1_000_000, 30_000_000, 300_000_000, i64::MAX - 1] {
        instance.deadline = Time::from_ticks(ticks);
        check(&instance.problem(), &format!("deadline {ticks}"));
        let mut problem = instance.problem();
        problem.now = Time::from_ticks(20_000_000);
        problem.classes.iter_mut().for_each(|class| class.ready = problem.now);
        check(&problem, &format!("deadline {ticks}, later"));
    }
}

#[test]
fn a_thousand_classes_of_one_task() {
    let mut random = Random(21);
    let mut instance = random_bag(&mut random, 1000, 3, 1);
    instance.processors = vec![2, 3, 4];
    let problem = instance.problem();
    for sequential in [Sequential::Game, Sequential::Fastest] {
        let game =
            GameQuick::new(&game_quick::Options { sequential, stages: 50, ..Default::default() });
        let mut plan = Plan::default();
        WholeProcessors::new(game.clone()).plan(&problem, &mut plan);
        assert_eq!(play(&problem, &plan).len(), 1000);
        if sequential == Sequential::Fastest {
            let replayed = replay(&problem, &game);
            assert!(replayed.ends.iter().all(Option::is_some));
        }
    }
    let mut plan = Plan::default();
    LpRounding::new(&lp_rounding::Options::default()).plan(&problem, &mut plan);
    assert_eq!(play(&problem, &plan).len(), 1000);
}

#[test]
fn times_over_ten_orders_of_magnitude() {
    let mut random = Random(22);
    for case in 0..5 {
        let mut instance = random_bag(&mut random, 6, 4, 20);
        for time in instance.times.iter_mut().flatten() {
            let ticks = libm::pow(10.0, 10.0 * random.part());
            *time = Span::from_ticks(ticks as i64 + 1);
        }
        for price in &mut instance.prices {
            *price = libm::pow(10.0, 10.0 * random.part()) as i64;
        }
        instance.deadline = Time::from_ticks(1_000_000_000);
        check(&instance.problem(), &format!("case {case}"));
    }
}

#[test]
fn tight_limits_of_both_things() {
    let mut random = Random(23);
    for case in 0..8 {
        let mut instance = random_bag(&mut random, 5, 4, 30);
        for needs in &mut instance.needs {
            *needs = [random.whole(0, 9) as i64, random.whole(0, 9) as i64];
        }
        for limits in &mut instance.limits {
            *limits = [random.whole(0, 30) as i64, random.whole(0, 30) as i64];
        }
        instance.deadline = Time::from_ticks(400_000_000);
        check(&instance.problem(), &format!("case {case}"));
    }
}
