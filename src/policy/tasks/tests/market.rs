//! The game as a market: equilibrium, monotone objective, and what other budgets reach.

use super::super::game_quick::{Budgets, GameQuick, Options};
use super::super::game_storage::{self, GameStorage};
use super::super::players::Players;
use super::super::stages::Game;
use super::super::{Plan, TaskPlanner, least_makespan, replay};
use super::support::{Instance, Random, random_bag};

fn with(budgets: Budgets) -> GameQuick {
    GameQuick::new(&Options { budgets, ..Options::default() })
}

fn plan(instance: &Instance, planner: &impl TaskPlanner) -> Plan {
    let mut plan = Plan::default();
    planner.plan(&instance.problem(), &mut plan);
    plan
}

/// At the fixed point the time of a class times its weight is the price of the site, equal for all
/// classes that have processors there, and not more for all others.
#[test]
fn the_game_ends_in_the_equilibrium_of_a_market() {
    let mut random = Random(1);
    for case in 0..12 {
        let mut instance = random_bag(&mut random, 10, 10, 1000);
        if case % 2 == 1 {
            // Owners with preferences.
            instance.weights = vec![vec![1.0; 10]; 10];
            for weight in instance.weights.iter_mut().flat_map(|row| &mut row[1..]) {
                *weight = [0.0, 0.5, 1.0, 2.0][random.whole(0, 3) as usize];
            }
        }
        let players = Players::ready(&instance.problem());
        let mut game = Game::new(&players);
        (0..20_000).for_each(|_| game.play(&mut |_, _| {}));
        let pulls = players.pulls();
        for site in 0..10 {
            let of = |class: usize| {
                let pull: f64 = pulls[class * 10..][..10].iter().sum();
                let price = game.times[class] * pulls[class * 10 + site] / pull;
                (game.theta[class * 10 + site], price)
            };
            let all: Vec<(f64, f64)> = (0..players.classes()).map(of).collect();
            let processors: f64 = all.iter().map(|(theta, _)| theta).sum();
            let wanted = all.iter().any(|(_, price)| *price > 0.0);
            if wanted {
                assert!((processors - players.processors[site]).abs() < 1e-9, "{case} {site}");
            }
            let price = all.iter().map(|(_, price)| *price).fold(0.0, f64::max);
            for (theta, own) in all {
                if theta > 1e-3 {
                    assert!(
                        (own / price - 1.0).abs() < 1e-6,
                        "{case} {site} {theta} {own} {price}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_objective_of_the_market_never_falls() {
    let mut random = Random(2);
    for _ in 0..20 {
        let instance = random_bag(&mut random, 8, 6, 1000);
        let players = Players::ready(&instance.problem());
        let mut game = Game::new(&players);
        let mut before = f64::NEG_INFINITY;
        for _ in 0..500 {
            game.play(&mut |_, _| {});
            // Rates are tasks over times.
            let each = game.budgets.iter().zip(&game.times).zip(&players.tasks);
            let now: f64 =
                each.map(|((budget, time), tasks)| budget * libm::log(tasks / time)).sum();
            assert!(now >= before - 1e-12 * now.abs(), "{before} {now}");
            before = now;
        }
    }
}

#[test]
fn adaptive_budgets_reach_the_linear_program() {
    let mut random = Random(3);
    for case in 0..20 {
        let instance = random_bag(&mut random, 10, 10, 1000);
        let best = least_makespan(&instance.problem(), false).unwrap().value;
        let quick = replay(&instance.problem(), &with(Budgets::Weights)).makespan();
        let adaptive = replay(&instance.problem(), &with(Budgets::Adaptive)).makespan();
        assert!(adaptive / best < 1.002 && adaptive <= quick * 1.002, "{case} {}", adaptive / best);
    }
}

/// Workflows: the mean gain is that of the measurements, and some cases lose.
#[test]
fn critical_paths_end_workflows_earlier() {
    let mut random = Random(4);
    let (mut sum, mut even, mut count) = (0.0, 0.0, 0.0);
    for _ in 0..24 {
        let mut instance = random_bag(&mut random, 10, 10, 1000);
        for class in 0..10_usize {
            let is_before = |_: &u32| random.part() < 0.1;
            instance.after[class] = (0..class as u32).filter(is_before).collect();
        }
        let quick = replay(&instance.problem(), &with(Budgets::Weights)).makespan();
        let critical = replay(&instance.problem(), &with(Budgets::CriticalPath)).makespan();
        sum += critical / quick;
        even += replay(&instance.problem(), &with(Budgets::Adaptive)).makespan() / quick;
        count += 1.0;
    }
    assert!(sum / count < 0.98 && sum < even, "{} {}", sum / count, even / count);
}

#[test]
fn another_unit_of_time_changes_no_share() {
    let mut random = Random(9);
    for budgets in [Budgets::Weights, Budgets::Adaptive, Budgets::CriticalPath] {
        let instance = random_bag(&mut random, 6, 5, 100);
        let mut slow = instance.clone();
        for time in slow.times.iter_mut().flatten() {
            *time = *time * 4096;
        }
        // Powers of two are exact, and logarithms are nearly so.
        let (one, other) = (plan(&instance, &with(budgets)), plan(&slow, &with(budgets)));
        for (one, other) in
            one.shares.iter().zip(&other.shares).filter(|(one, _)| one.processors > 1e-3)
        {
            assert_eq!((one.class, one.site), (other.class, other.site));
            assert!((one.processors - other.processors).abs() < 1e-3, "{one:?} {other:?}");
        }
    }
}

#[test]
fn without_a_binding_limit_storage_is_as_if_it_were_not_there() {
    let mut random = Random(10);
    for _ in 0..10 {
        let mut instance = random_bag(&mut random, 6, 5, 100);
        let quick = plan(&instance, &with(Budgets::Weights));
        for needs in &mut instance.needs {
            *needs = [random.whole(0, 9) as i64, random.whole(0, 9) as i64];
        }
        instance.limits.iter_mut().for_each(|limits| *limits = [9 * 20, 9 * 20]);
        assert_eq!(quick, plan(&instance, &GameStorage::new(&game_storage::Options::default())));
    }
}

#[test]
fn what_tasks_hold_stays_within_all_limits() {
    let mut random = Random(11);
    for case in 0..30 {
        let mut instance = random_bag(&mut random, 6, 5, 100);
        for needs in &mut instance.needs {
            *needs = [random.whole(0, 1000) as i64, random.whole(0, 1000) as i64];
        }
        for limits in &mut instance.limits {
            *limits = [random.whole(0, 5000) as i64, random.whole(0, 5000) as i64];
        }
        for repair in
            [game_storage::Repair::Scale, game_storage::Repair::Iter, game_storage::Repair::Once]
        {
            let options = game_storage::Options { repair, ..game_storage::Options::default() };
            let plan = plan(&instance, &GameStorage::new(&options));
            for (site, limits) in instance.limits.iter().enumerate() {
                for (thing, &limit) in limits.iter().enumerate() {
                    let of_site = plan.shares.iter().filter(|share| share.site as usize == site);
                    let holds = of_site.map(|share| {
                        share.processors * instance.needs[share.class as usize][thing] as f64
                    });
                    let sum: f64 = holds.sum();
                    assert!(sum <= limit as f64 * (1.0 + 1e-9), "{case} {repair:?} {sum} {limit}");
                }
            }
        }
    }
}
